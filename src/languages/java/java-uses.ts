/** Finds the uses of a Java library in a file, by its packages. It follows names within the file only. */
import { escapePattern } from "../../base/escape-pattern.ts";
import type { SyntaxNode } from "../../syntax/syntax.ts";
import type { FileUses, UsingFile, WantedUses } from "../uses/package-uses.ts";
import { createScopedNames, scopeAround } from "../uses/scoped-names.ts";
import { createUseRecorder } from "../uses/use-recorder.ts";

const MAX_REFERENCES = 20_000;
const MAX_MEMBERS = 6;

type Binding = { readonly path: readonly string[]; readonly isInstance: boolean };

const SCOPES: ReadonlySet<string> = new Set([
  "program",
  "class_body",
  "interface_body",
  "enum_body",
  "method_declaration",
  "constructor_declaration",
  "block",
  "lambda_expression",
  "for_statement",
  "enhanced_for_statement",
  "try_with_resources_statement",
  "catch_clause",
]);

export function findJavaUses(root: SyntaxNode, file: UsingFile, wanted: WantedUses): FileUses {
  const recorder = createUseRecorder(file, wanted);
  const names = createScopedNames<Binding>();
  const packages = new Set(wanted.importNames);
  const packageOf = (path: readonly string[]): readonly string[] | null => {
    for (let length = path.length; length > 0; length--)
      if (packages.has(path.slice(0, length).join("."))) return path.slice(0, length);
    return null;
  };
  const onDemand: string[] = [];
  for (const node of root.findAll({ rule: { kind: "import_declaration" } })) {
    const target = node.namedChildren().find((one) => /identifier/.test(one.kind()));
    const path = (target?.text() ?? "").replaceAll(/\s/g, "").split(".");
    if (target === undefined || packageOf(path) === null) continue;
    recorder.addImport(node, path.join("."), false);
    if (node.namedChildren().some((one) => one.kind() === "asterisk")) onDemand.push(path.join("."));
    else {
      names.declare(path.at(-1) ?? "", root, { path, isInstance: false });
      recorder.addName(target, [path], "import", false);
    }
  }
  // Of `import pkg.*` only wanted names are known. Others may be the file's own.
  for (const { entry, name } of onDemand.length === 0 ? [] : wanted.names) {
    const [first = ""] = name.split(".");
    for (const path of onDemand) {
      if ((entry === null || entry === path) && !names.names().includes(first))
        names.declare(first, root, { path: [...path.split("."), first], isInstance: false });
    }
  }
  if (onDemand.length > 0) recorder.open();
  const types = names.names();
  if (types.length === 0) return recorder.done();
  // Variables by their declared types.
  const typed = root.findAll({
    rule: {
      any: [
        "local_variable_declaration",
        "formal_parameter",
        "field_declaration",
        "resource",
        "enhanced_for_statement",
        "spread_parameter",
      ].map((kind) => ({ kind })),
      has: { field: "type", regex: `^(${types.map(escapePattern).join("|")})\\b` },
    },
  });
  for (const node of typed.slice(0, MAX_REFERENCES)) {
    const type = (node.field("type")?.text() ?? "").replace(/[<[][^]*$/, "").trim();
    const [first = "", ...members] = type.split(".");
    const binding = names.find(first, node);
    if (binding === undefined || binding.isInstance) continue;
    const own = node.field("name");
    const variables =
      own === null
        ? node
            .namedChildren()
            .flatMap((one) => (one.kind() === "variable_declarator" ? (one.field("name") ?? []) : []))
        : [own];
    for (const variable of variables)
      names.declare(variable.text(), scopeAround(node, SCOPES), {
        path: [...binding.path, ...members],
        isInstance: true,
      });
  }
  const found = root.findAll({
    rule: {
      any: [{ kind: "identifier" }, { kind: "type_identifier" }],
      regex: `^(${names.names().map(escapePattern).join("|")})$`,
    },
  });
  for (const node of found.slice(0, MAX_REFERENCES)) {
    const parent = node.parent();
    if (parent === null || isElsewhere(node, parent)) continue;
    const binding = names.find(node.text(), node);
    if (binding === undefined) continue;
    const { top, members } = climb(node);
    if (binding.isInstance && members.length === 0) continue;
    const objectLength = binding.isInstance ? binding.path.length : 0;
    recorder.addUse(top, [[...binding.path, ...members]], { isTypeOnly: false, objectLength });
  }
  return recorder.done();
}

/** Imports, declarations, and names after a dot. */
function isElsewhere(node: SyntaxNode, parent: SyntaxNode): boolean {
  const kind = parent.kind();
  const start = node.range().start.index;
  const isAt = (field: string): boolean => parent.field(field)?.range().start.index === start;
  if (kind === "import_declaration" || kind === "package_declaration") return true;
  if (kind === "scoped_identifier") return true;
  if (kind === "scoped_type_identifier") return parent.namedChildren()[0]?.range().start.index !== start;
  if (kind === "field_access") return isAt("field");
  if (kind === "method_invocation") return isAt("name") && parent.field("object") !== null;
  if (kind === "method_reference") return parent.namedChildren()[0]?.range().start.index !== start;
  return (
    /declarat|formal_parameter|catch_formal|enum_constant|resource$|element_value_pair|labeled/.test(kind) &&
    isAt("name")
  );
}

function climb(node: SyntaxNode): { readonly top: SyntaxNode; readonly members: readonly string[] } {
  const members: string[] = [];
  let top = node;
  for (let step = 0; step < MAX_MEMBERS; step++) {
    const parent = top.parent();
    const kind = parent?.kind() ?? "";
    if (parent === null) break;
    if (kind === "scoped_type_identifier" || kind === "method_reference") {
      const parts = parent.namedChildren();
      const last = parts.at(-1);
      if (parts.length < 2 || last === undefined || last.range().start.index === top.range().start.index)
        break;
      members.push(last.text());
    } else {
      const isObject =
        parent.field("object")?.range().end.index === top.range().end.index &&
        parent.field("object")?.range().start.index === top.range().start.index;
      if (!isObject || (kind !== "field_access" && kind !== "method_invocation")) break;
      members.push((parent.field("field") ?? parent.field("name"))?.text() ?? "");
    }
    top = parent;
    // The type of a method's result isn't known.
    if (kind === "method_invocation") break;
  }
  return { top, members };
}
