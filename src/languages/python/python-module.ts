/** Reads the names of a Python module that other files can import. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import type { Declaration } from "../outline/outline.ts";
import type { CallSignature } from "../exports/export-change.ts";
import { callSignature, constructorOf, type ModuleReader, topLevelOf } from "../exports/module-reader.ts";

/** Names that appear only when the module runs. */
const COMPUTED =
  /^\s{0,8}from\s[^\n]{1,200}\simport\s+\*|^def __getattr__\(|\bglobals\(\)|\bsys\.modules\[|^\s{0,8}exec\(|\blazy\w*\.attach/m;

/** Code isn't nested more deeply; hostile text is. */
const MAX_DEPTH = 100;

export const readPythonModule: ModuleReader = (root, outline, { path, text }) => {
  const declared = topLevelOf(outline);
  const names = new Map<string, Declaration | null>();
  for (const node of root.findAll({ rule: { kind: "identifier" } })) {
    const name = node.text();
    if (!names.has(name) && isOfModule(node)) names.set(name, declared.get(name)?.[0] ?? null);
  }
  const calls = new Map<string, CallSignature>();
  for (const [name, declarations] of declared) {
    const [only] = declarations;
    if (only === undefined || declarations.length > 1) continue;
    const isClass = only.kind === "class";
    // A decorator can change the signature, and a base class can have a metaclass.
    const isPlain = isClass
      ? /^class \w+(?:\(\s*(?:object)?\s*\))?$/.test(only.signature)
      : /^(?:async )?def /.test(only.signature);
    if (!isPlain || (isClass && constructorOf(outline, name, "__new__") !== undefined)) continue;
    const callable = isClass ? constructorOf(outline, name, "__init__") : only;
    const isUndecorated = callable?.signature.startsWith("def ") === true || !isClass;
    const signature = isUndecorated ? callSignature(callable, only, isClass) : null;
    if (signature !== null && (isClass || only.kind === "function")) calls.set(name, signature);
  }
  const passedOn = readPassedOn(root, path);
  const incidental = new Set([...names.keys()].filter((name) => !declared.has(name) && !passedOn.has(name)));
  return { names, incidental, calls, isOpen: COMPUTED.test(text), package: null };
};

/** Names that the module imports from other files of its own package, so that others can import them here. */
function readPassedOn(root: SyntaxNode, path: string): ReadonlySet<string> {
  const folders = new Set(path.split("/"));
  const names = new Set<string>();
  for (const node of root.namedChildren()) {
    const module = node.kind() === "import_from_statement" ? (node.field("module_name")?.text() ?? "") : "";
    if (!module.startsWith(".") && !folders.has(module.split(".", 1)[0] ?? "")) continue;
    for (const part of node.namedChildren().slice(1)) {
      const name = part.field("alias") ?? part;
      if (/^\w+$/.test(name.text())) names.add(name.text());
    }
  }
  return names;
}

/** Outside of functions and classes, or the name of one; `global a` in a function counts too. Being read there counts as well. */
function isOfModule(node: SyntaxNode): boolean {
  const start = node.range().start.index;
  let inner = node;
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const around = inner.parent();
    if (around === null) return true;
    const kind = around.kind();
    if (kind === "global_statement") return true;
    if (kind === "attribute" && around.field("object")?.range().start.index !== start) return false;
    if (kind === "keyword_argument" && around.field("name")?.range().start.index === start) return false;
    if (kind === "lambda") return false;
    const isOwnName = around.field("name")?.range().start.index === start;
    if (/^(?:function|class)_definition$/.test(kind) && !isOwnName) return false;
    inner = around;
  }
  return true;
}
