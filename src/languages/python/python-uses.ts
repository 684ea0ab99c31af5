/** Finds the uses of a Python package in a file. It follows names within the file only. */
import { escapePattern } from "../../base/escape-pattern.ts";
import type { SyntaxNode } from "../../syntax/syntax.ts";
import type { FileUses, UsingFile, WantedUses } from "../uses/package-uses.ts";
import { createScopedNames, scopeAround, type ScopedNames } from "../uses/scoped-names.ts";
import { createUseRecorder, type UseRecorder } from "../uses/use-recorder.ts";

const MAX_REFERENCES = 20_000;
const MAX_MEMBERS = 10;

type Binding = {
  readonly path: readonly string[];
  readonly isInstance: boolean;
  readonly isTypeOnly: boolean;
} | null;

const SCOPES: ReadonlySet<string> = new Set(["module", "function_definition", "lambda"]);

type Reading = {
  readonly root: SyntaxNode;
  readonly recorder: UseRecorder;
  readonly names: ScopedNames<Binding>;
  readonly isOfPackage: (module: string) => boolean;
};

export function findPythonUses(root: SyntaxNode, file: UsingFile, wanted: WantedUses): FileUses {
  const recorder = createUseRecorder(file, wanted);
  const reading: Reading = {
    root,
    recorder,
    names: createScopedNames<Binding>(),
    isOfPackage: (module) =>
      wanted.importNames.some((name) => module === name || module.startsWith(`${name}.`)),
  };
  readImports(reading);
  readFromImports(reading);
  readAssigned(reading);
  hideShadowed(reading);
  readReferences(reading);
  return recorder.done();
}

function isForTypes(node: SyntaxNode): boolean {
  const around = node.parent()?.parent();
  return around?.kind() === "if_statement" && /TYPE_CHECKING/.test(around.field("condition")?.text() ?? "");
}

function readImports({ root, recorder, names, isOfPackage }: Reading): void {
  for (const node of root.findAll({ rule: { kind: "import_statement" } })) {
    for (const part of node.namedChildren()) {
      const isAlias = part.kind() === "aliased_import";
      const module = (isAlias ? part.field("name") : part)?.text() ?? "";
      if (!isOfPackage(module)) continue;
      const isTypeOnly = isForTypes(node);
      recorder.addImport(node, module, isTypeOnly);
      const path = module.split(".");
      const local = isAlias ? (part.field("alias")?.text() ?? "") : (path[0] ?? "");
      const scope = scopeAround(node, SCOPES);
      names.declare(local, scope, { path: isAlias ? path : path.slice(0, 1), isInstance: false, isTypeOnly });
    }
  }
}

function readFromImports({ root, recorder, names, isOfPackage }: Reading): void {
  for (const node of root.findAll({ rule: { kind: "import_from_statement" } })) {
    const module = node.field("module_name")?.text() ?? "";
    if (!isOfPackage(module)) continue;
    const isTypeOnly = isForTypes(node);
    recorder.addImport(node, module, isTypeOnly);
    for (const part of node.namedChildren().slice(1)) {
      if (part.kind() === "wildcard_import") {
        recorder.open();
        continue;
      }
      const isAlias = part.kind() === "aliased_import";
      const name = (isAlias ? part.field("name") : part)?.text() ?? "";
      const local = (isAlias ? part.field("alias") : part)?.text() ?? "";
      const path = [...module.split("."), ...name.split(".")];
      names.declare(local, scopeAround(node, SCOPES), { path, isInstance: false, isTypeOnly });
      recorder.addName(part, [path], "import", isTypeOnly);
    }
  }
}

/** `x = Foo()`, `with Foo() as x`, `alias = pkg.name`, `x: Foo`. */
function readAssigned({ root, names }: Reading): void {
  const known = names.names();
  if (known.length === 0) return;
  const word = `(^|[^\\w.])(${known.map(escapePattern).join("|")})($|[^\\w])`;
  const bind = (target: SyntaxNode | null, value: SyntaxNode | null, scope: SyntaxNode): void => {
    if (target?.kind() !== "identifier" || value === null) return;
    const isCall = value.kind() === "call";
    const chain = (isCall ? value.field("function") : value)?.text() ?? "";
    if (chain.length > 200 || !/^\w+(?:\.\w+)*$/.test(chain)) return;
    const [name = "", ...members] = chain.split(".");
    const binding = names.find(name, value);
    if (binding == null || binding.isInstance) return;
    const path = [...binding.path, ...members];
    // Only a class makes objects whose type is known; classes start with a capital letter.
    if (isCall && !/^[A-Z]/.test(path.at(-1) ?? "")) return;
    names.declare(target.text(), scope, { path, isInstance: isCall, isTypeOnly: false });
  };
  const assignments = root.findAll({ rule: { kind: "assignment", has: { field: "right", regex: word } } });
  for (const node of assignments.slice(0, MAX_REFERENCES))
    bind(node.field("left"), node.field("right"), scopeAround(node, SCOPES));
  for (const node of root.findAll({ rule: { kind: "as_pattern", regex: word } }).slice(0, MAX_REFERENCES)) {
    const [value, target] = node.namedChildren();
    bind(target?.namedChildren()[0] ?? null, value ?? null, scopeAround(node, SCOPES));
  }
  for (const node of root
    .findAll({ rule: { kind: "typed_parameter", regex: word } })
    .slice(0, MAX_REFERENCES)) {
    const type = node.field("type")?.namedChildren()[0];
    const chain = type?.text() ?? "";
    const [target] = node.namedChildren();
    if (target?.kind() !== "identifier" || chain.length > 200 || !/^\w+(?:\.\w+)*$/.test(chain)) continue;
    const [name = "", ...members] = chain.split(".");
    const binding = names.find(name, node);
    if (binding == null || binding.isInstance) continue;
    names.declare(target.text(), scopeAround(node, SCOPES), {
      path: [...binding.path, ...members],
      isInstance: true,
      isTypeOnly: false,
    });
  }
}

function isParameter(node: SyntaxNode, parent: SyntaxNode): boolean {
  if (parent.kind() === "parameters" || parent.kind() === "lambda_parameters") return true;
  if (/^(?:typed_parameter|list_splat_pattern|dictionary_splat_pattern)$/.test(parent.kind())) return true;
  return (
    /^(?:typed_)?default_parameter$/.test(parent.kind()) &&
    parent.field("name")?.range().start.index === node.range().start.index
  );
}

function isAssigned(node: SyntaxNode, parent: SyntaxNode): boolean {
  if (!/^(?:assignment|for_statement|named_expression)$/.test(parent.kind())) return false;
  const left = parent.field("left") ?? parent.field("name");
  return left?.range().start.index === node.range().start.index;
}

/** Parameters and variables of functions with the name of an import. */
function hideShadowed({ root, names }: Reading): void {
  for (const node of identifiers(root, names)) {
    const parent = node.parent();
    if (parent === null || !(isParameter(node, parent) || isAssigned(node, parent))) continue;
    const scope = scopeAround(node, SCOPES);
    if (scope.kind() !== "module" && !names.isDeclaredIn(node.text(), scope))
      names.declare(node.text(), scope, null);
  }
}

function identifiers(root: SyntaxNode, names: ScopedNames<Binding>): readonly SyntaxNode[] {
  const known = names.names();
  if (known.length === 0) return [];
  const found = root.findAll({
    rule: { kind: "identifier", regex: `^(${known.map(escapePattern).join("|")})$` },
  });
  return found.slice(0, MAX_REFERENCES);
}

function readReferences({ root, recorder, names }: Reading): void {
  for (const node of identifiers(root, names)) {
    const parent = node.parent();
    if (parent === null || isImported(node) || isParameter(node, parent) || isAssigned(node, parent))
      continue;
    const start = node.range().start.index;
    if (parent.kind() === "attribute" && parent.field("object")?.range().start.index !== start) continue;
    if (parent.kind() === "keyword_argument" && parent.field("name")?.range().start.index === start) continue;
    if (/^(?:function|class)_definition$/.test(parent.kind())) continue;
    const binding = names.find(node.text(), node);
    if (binding == null) continue;
    let top = node;
    const members: string[] = [];
    for (let step = 0; step < MAX_MEMBERS; step++) {
      const around = top.parent();
      if (
        around?.kind() !== "attribute" ||
        around.field("object")?.range().end.index !== top.range().end.index
      )
        break;
      members.push(around.field("attribute")?.text() ?? "");
      top = around;
    }
    if (binding.isInstance && members.length === 0) continue;
    const objectLength = binding.isInstance ? binding.path.length : 0;
    recorder.addUse(top, [[...binding.path, ...members]], { isTypeOnly: binding.isTypeOnly, objectLength });
  }
}

function isImported(node: SyntaxNode): boolean {
  let around = node.parent();
  for (let step = 0; step < 3 && around !== null; step++, around = around.parent())
    if (/^import_(?:from_)?statement$/.test(around.kind())) return true;
  return false;
}
