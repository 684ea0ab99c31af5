/** Finds the uses of a Go module in a file. It follows names within the file only. */
import { escapePattern } from "../../base/escape-pattern.ts";
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { goBasePath } from "./go-surface.ts";
import type { FileUses, UsingFile, WantedUses } from "../uses/package-uses.ts";
import { createScopedNames, scopeAround } from "../uses/scoped-names.ts";
import { createUseRecorder } from "../uses/use-recorder.ts";

const MAX_REFERENCES = 20_000;

const SCOPES: ReadonlySet<string> = new Set([
  "source_file",
  "function_declaration",
  "method_declaration",
  "func_literal",
  "block",
  "if_statement",
  "for_statement",
]);

const PLAIN = { isTypeOnly: false, objectLength: 0 };

type Binding = { readonly path: readonly string[]; readonly isInstance: boolean } | null;

export function findGoUses(root: SyntaxNode, file: UsingFile, wanted: WantedUses): FileUses {
  const recorder = createUseRecorder(file, wanted);
  const names = createScopedNames<Binding>();
  const modules = wanted.importNames.map(goBasePath);
  const packages: string[] = [];
  for (const node of root.findAll({ rule: { kind: "import_spec" } })) {
    const path = (node.field("path")?.text() ?? "").slice(1, -1);
    const entry = goBasePath(path);
    if (!modules.some((module) => entry === module || entry.startsWith(`${module}/`))) continue;
    recorder.addImport(node, path, false);
    const alias = node.field("name");
    if (alias?.text() === ".") recorder.open();
    if (alias?.text() === "." || alias?.text() === "_") continue;
    for (const local of alias === null ? goPackageNames(path) : [alias.text()]) {
      packages.push(local);
      names.declare(local, root, { path: [entry], isInstance: false });
    }
  }
  if (packages.length === 0) return recorder.done();
  const word = `^(${packages.map(escapePattern).join("|")})$`;
  // Variables whose type is written: parameters, `var x pkg.T`, `x := pkg.T{}`, `x := &pkg.T{}`.
  const types = root.findAll({ rule: { kind: "qualified_type", has: { field: "package", regex: word } } });
  for (const type of types.slice(0, MAX_REFERENCES)) {
    const binding = names.find(type.field("package")?.text() ?? "", type);
    if (binding == null) continue;
    const path = [...binding.path, type.field("name")?.text() ?? ""];
    recorder.addUse(type, [path], PLAIN);
    const typed = declaredNames(type);
    for (const name of typed)
      names.declare(name.text(), scopeAround(name, SCOPES), { path, isInstance: true });
    readFields(type, path, recorder);
  }
  const shadowed = root.findAll({
    rule: {
      kind: "identifier",
      regex: word,
      inside: {
        any: [{ kind: "parameter_declaration" }, { kind: "short_var_declaration" }, { kind: "var_spec" }],
        stopBy: { any: [{ kind: "block" }, { kind: "call_expression" }] },
      },
    },
  });
  for (const node of shadowed.slice(0, MAX_REFERENCES)) {
    const parent = node.parent();
    const isLeft =
      parent?.kind() === "parameter_declaration" ||
      parent?.kind() === "var_spec" ||
      (parent?.kind() === "expression_list" &&
        parent.parent()?.field("left")?.range().start.index === parent.range().start.index);
    if (isLeft) names.declare(node.text(), scopeAround(node, SCOPES), null);
  }
  const selectors = root.findAll({
    rule: {
      kind: "selector_expression",
      has: { field: "operand", regex: `^(${names.names().map(escapePattern).join("|")})$` },
    },
  });
  for (const node of selectors.slice(0, MAX_REFERENCES)) {
    const binding = names.find(node.field("operand")?.text() ?? "", node);
    if (binding == null) continue;
    const objectLength = binding.isInstance ? binding.path.length : 0;
    recorder.addUse(node, [[...binding.path, node.field("field")?.text() ?? ""]], {
      isTypeOnly: false,
      objectLength,
    });
  }
  return recorder.done();
}

/** A package's name isn't in its path; these are the conventions. */
function goPackageNames(path: string): readonly string[] {
  const parts = goBasePath(path).split("/");
  const last = parts.at(-1) ?? "";
  const plain = last.replace(/^go-|^go\.|[-.]go$/g, "").replace(/\.v[0-9]+$/, "");
  return [
    ...new Set([last, plain, last.replaceAll("-", ""), last.replaceAll("-", "_"), plain.replaceAll("-", "")]),
  ].filter((name) => /^[A-Za-z_]\w*$/.test(name));
}

function declaredNames(type: SyntaxNode): readonly SyntaxNode[] {
  let node = type;
  for (let step = 0; step < 5; step++) {
    const parent = node.parent();
    if (parent === null) return [];
    const kind = parent.kind();
    if (kind === "parameter_declaration" || kind === "var_spec")
      return parent.namedChildren().filter((one) => one.kind() === "identifier");
    if (kind === "short_var_declaration") {
      const left = parent.field("left")?.namedChildren() ?? [];
      return left.length === 1 && left[0]?.kind() === "identifier" ? left : [];
    }
    if (!/^(?:pointer_type|composite_literal|unary_expression|expression_list)$/.test(kind)) return [];
    node = parent;
  }
  return [];
}

/** `pkg.T{Field: …}` uses the field. */
function readFields(
  type: SyntaxNode,
  path: readonly string[],
  recorder: ReturnType<typeof createUseRecorder>,
): void {
  const literal = type.parent();
  if (literal?.kind() !== "composite_literal") return;
  for (const element of literal.field("body")?.namedChildren() ?? []) {
    const key = element.kind() === "keyed_element" ? element.namedChildren()[0] : undefined;
    if (key !== undefined && /^\w+$/.test(key.text()))
      recorder.addUse(key, [[...path, key.text()]], { isTypeOnly: false, objectLength: path.length });
  }
}
