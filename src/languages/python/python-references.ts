/** Finds what a Python file imports and how it uses the wanted names. */
import { escapePattern } from "../../base/escape-pattern.ts";
import type { ImportFact } from "../file-facts.ts";
import type { SyntaxNode } from "../../syntax/syntax.ts";
import type { CallArguments, NameUse, Reference } from "../exports/export-change.ts";
import {
  importFact,
  isInside,
  isSamePlace,
  MAX_USES,
  type ReferenceReader,
  useAt,
} from "../exports/reference-reader.ts";

type Imported = { readonly fact: ImportFact; readonly as: string; readonly isGuarded: boolean };

/** An error is what these blocks wait for. */
const EXPECTS_ERROR = /\braises\b|\bassertRaises|\bsuppress\(/;

export const readPythonReferences: ReferenceReader = (root, { path }, wanted) => {
  const imported = readImports(root);
  const byName = Map.groupBy(imported, ({ as }) => as);
  const references = imported.flatMap(({ fact, as, isGuarded }): readonly Reference[] => {
    const [first] = fact.names;
    const isWanted = first === undefined || wanted.has(first.name);
    const { bindings, uses } = readUses(root, as);
    const members = uses.filter(({ member }) => member !== null && wanted.has(member));
    if (!isWanted && members.length === 0) return [];
    // The same import in several functions is fine; the same name from elsewhere isn't.
    const namesakes = byName.get(as) ?? [];
    const isSame = namesakes.every(
      (each) => each.fact.specifier === fact.specifier && each.fact.names[0]?.name === first?.name,
    );
    return [{ fact, as, isGuarded, isShadowed: bindings > namesakes.length || !isSame, uses }];
  });
  return { path, package: null, declares: [], references };
};

function readImports(root: SyntaxNode): readonly Imported[] {
  const statements = root.findAll({
    rule: { any: [{ kind: "import_statement" }, { kind: "import_from_statement" }] },
  });
  return statements.flatMap((node) => {
    const isGuarded = isInside(node, /^(?:try|if|with)_statement$/);
    const module = node.field("module_name");
    const parts = node.namedChildren().filter((one) => !isSamePlace(module, one));
    return parts.flatMap((part): readonly Imported[] => {
      const isAlias = part.kind() === "aliased_import";
      if (!isAlias && part.kind() !== "dotted_name") return [];
      const name = (isAlias ? part.field("name") : part)?.text().replaceAll(/\s/g, "") ?? "";
      const as = isAlias ? (part.field("alias")?.text() ?? "") : name;
      const fact =
        module === null
          ? importFact(name, part, { moduleAlias: as })
          : importFact(module.text().replaceAll(/\s/g, ""), part, { names: [{ name, as }] });
      return [{ fact, as, isGuarded }];
    });
  });
}

/** Uses of a name, or of a dotted module such as `a.b`. */
function readUses(
  root: SyntaxNode,
  as: string,
): { readonly bindings: number; readonly uses: readonly NameUse[] } {
  const [first = "", ...rest] = as.split(".");
  const found = root.findAll({ rule: { kind: "identifier", regex: `^${escapePattern(first)}$` } });
  const uses: NameUse[] = [];
  let bindings = found.length > MAX_USES ? Infinity : 0;
  for (const node of found.slice(0, MAX_USES)) {
    const parent = node.parent();
    if (parent === null) continue;
    const role = roleOf(node, parent);
    if (role === "binding") bindings++;
    if (role !== "use") continue;
    const use = readUse(node, rest);
    if (use !== null) uses.push(use);
  }
  return { bindings, uses };
}

function roleOf(node: SyntaxNode, parent: SyntaxNode): "binding" | "use" | "other" {
  const is = (field: string): boolean => isSamePlace(parent.field(field), node);
  switch (parent.kind()) {
    case "attribute":
      return is("object") ? "use" : "other";
    case "keyword_argument":
      return is("name") ? "other" : "use";
    case "dotted_name":
      return importRole(node, parent);
    case "aliased_import":
      return is("alias") ? "binding" : "other";
    case "function_definition":
    case "class_definition":
      // A method with the name hides nothing outside its class.
      return isInClassBody(parent) ? "other" : "binding";
    case "assignment":
    case "augmented_assignment":
      if (!is("left")) return "use";
      return isInClassBody(parent.parent()) ? "other" : "binding";
    case "default_parameter":
    case "typed_default_parameter":
    case "named_expression":
      return is("name") ? "binding" : "use";
    case "for_statement":
    case "for_in_clause":
      return is("left") ? "binding" : "use";
    case "typed_parameter":
    case "parameters":
    case "lambda_parameters":
    case "list_splat_pattern":
    case "dictionary_splat_pattern":
    case "pattern_list":
    case "tuple_pattern":
    case "list_pattern":
    case "as_pattern_target":
    case "global_statement":
    case "nonlocal_statement":
    case "delete_statement":
      return "binding";
    default:
      return "use";
  }
}

/** `from a import b` binds b; `import a.b` binds a. */
function importRole(node: SyntaxNode, dotted: SyntaxNode): "binding" | "other" {
  const statement = dotted.parent();
  if (statement?.kind() === "aliased_import" || statement?.kind() === "relative_import") return "other";
  if (isSamePlace(statement?.field("module_name") ?? null, dotted)) return "other";
  return isSamePlace(dotted.namedChildren()[0] ?? null, node) ? "binding" : "other";
}

function isInClassBody(statement: SyntaxNode | null): boolean {
  let block = statement?.parent() ?? null;
  if (block?.kind() === "decorated_definition") block = block.parent();
  return block?.kind() === "block" && block.parent()?.kind() === "class_definition";
}

/** Null when a dotted module isn't followed by its parts. */
function readUse(node: SyntaxNode, rest: readonly string[]): NameUse | null {
  let top = node;
  const step = (): string | null => {
    const parent = top.parent();
    if (parent?.kind() !== "attribute" || !isSamePlace(parent.field("object"), top)) return null;
    top = parent;
    return parent.field("attribute")?.text() ?? null;
  };
  for (const part of rest) if (step() !== part) return null;
  const member = step();
  return useAt(node, member, callOf(top));
}

function callOf(callee: SyntaxNode): CallArguments | null {
  const call = callee.parent();
  if (call?.kind() !== "call" || !isSamePlace(call.field("function"), callee)) return null;
  const list = call.field("arguments");
  const isExpected = isInside(call, /^with_statement$/, (one) =>
    EXPECTS_ERROR.test(one.text().slice(0, 500)),
  );
  if (list === null || isExpected || isInside(call, /^try_statement$/)) return null;
  if (list.kind() === "generator_expression")
    return { positional: 1, keywords: [], isOpen: false, isNew: false };
  const args = list.namedChildren().filter((one) => one.kind() !== "comment");
  const keywords = args.flatMap((one) =>
    one.kind() === "keyword_argument" ? [one.field("name")?.text() ?? ""] : [],
  );
  const isOpen = args.some(
    (one) => one.kind().endsWith("_splat") || one.kind() === "parenthesized_list_splat",
  );
  return { positional: args.length - keywords.length, keywords, isOpen, isNew: false };
}
