/** Reads the API of a Python archive: the public names of its modules, with methods and parameters. It never imports anything. */
import type { Syntax, SyntaxNode } from "../../syntax/syntax.ts";
import type { PackageSource } from "../api/package-source.ts";
import { normalizeCode } from "../api/normalize-code.ts";
import {
  createSurfaceBuilder,
  declaredAs,
  type SourceDeclaration,
  type SurfaceBuilder,
} from "../api/surface-builder.ts";
import type { ApiSurface, Callable, Declared, CallParameter } from "../api/surface.ts";
import { pythonModules } from "./python-modules.ts";

/** Blocks in blocks at the top of a module: `try` in `if` in `with`. */
const MAX_BLOCKS = 6;

/** `from .a import *` of modules that do the same. */
const MAX_STEPS = 40;

type PythonModule = {
  readonly name: string;
  readonly isPackage: boolean;
  readonly declarations: Map<string, SourceDeclaration>;
  /** Local name → where it comes from. */
  readonly imports: Map<string, { readonly module: string; readonly name: string | null }>;
  readonly stars: string[];
  /** `__all__`; null when it has none, or when it's computed. */
  all: Set<string> | null;
  isOpen: boolean;
};

export function readPythonSurface(files: PackageSource, syntax: Syntax): ApiSurface {
  const builder = createSurfaceBuilder(files, "python", syntax);
  const paths = pythonModules(files);
  const modules = new Map<string, PythonModule>();
  for (const [name, path] of paths) {
    const root = builder.parse(path);
    const isPackage = /\/__init__\.pyi?$/.test(path);
    if (root !== null)
      modules.set(name, readPythonModule(name, { isPackage, root, text: files.get(path) ?? "" }));
  }
  for (const module of modules.values()) {
    const isPrivate = module.name.split(".").some((part) => part.startsWith("_") || /^tests?$/.test(part));
    if (!isPrivate) addModule(module, modules, { builder, paths });
  }
  return builder.done();
}

function addModule(
  module: PythonModule,
  modules: ReadonlyMap<string, PythonModule>,
  { builder, paths }: { readonly builder: SurfaceBuilder; readonly paths: ReadonlyMap<string, string> },
): void {
  const entry = module.name;
  builder.touch(entry);
  if (module.isOpen) {
    builder.open(entry);
    builder.note("computed", entry);
  }
  const names = new Map<string, SourceDeclaration | null>(module.declarations);
  for (const [name, origin] of module.imports)
    if (!names.has(name)) names.set(name, resolveName(origin, modules, 0));
  for (const star of module.stars) {
    const target = modules.get(star);
    if (target === undefined) {
      builder.open(entry);
      builder.note(paths.has(star) ? "missing-file" : "other-package", `${entry}: ${star}`);
      continue;
    }
    for (const [name, declaration] of publicNames(target, modules, 0))
      if (!names.has(name)) names.set(name, declaration);
  }
  for (const [name, declaration] of names) {
    const isListed = module.all?.has(name) ?? !name.startsWith("_");
    const isOwn = module.declarations.has(name);
    const origin = module.imports.get(name);
    // A package's own names reach users through its __init__; other imports are for the module itself.
    const isReExport = module.isPackage && (origin === undefined || isInside(origin.module, paths));
    const isIncidental = !isListed || (module.all === null && !isOwn && !isReExport);
    const found = declaration ?? {
      name,
      declared: declaredAs("unknown", { hasUnknownMembers: true }),
      members: [],
      bases: [],
    };
    builder.add(entry, { ...found, name, declared: { ...found.declared, isIncidental } });
  }
  for (const name of module.all ?? []) {
    if (!names.has(name) && !paths.has(`${entry}.${name}`))
      builder.add(entry, {
        name,
        declared: declaredAs("unknown", { hasUnknownMembers: true }),
        members: [],
        bases: [],
      });
  }
}

function isInside(module: string, paths: ReadonlyMap<string, string>): boolean {
  return paths.has(module) || paths.has(module.split(".")[0] ?? "");
}

function resolveName(
  origin: { readonly module: string; readonly name: string | null },
  modules: ReadonlyMap<string, PythonModule>,
  step: number,
): SourceDeclaration | null {
  const module = modules.get(origin.module);
  if (module === undefined || origin.name === null || step > MAX_STEPS) return null;
  const own = module.declarations.get(origin.name);
  if (own !== undefined) return own;
  const next = module.imports.get(origin.name);
  if (next !== undefined) return resolveName(next, modules, step + 1);
  for (const star of module.stars) {
    const found = resolveName({ module: star, name: origin.name }, modules, step + 5);
    if (found !== null) return found;
  }
  return null;
}

/** The names that `from module import *` gives. */
function publicNames(
  module: PythonModule,
  modules: ReadonlyMap<string, PythonModule>,
  step: number,
): ReadonlyMap<string, SourceDeclaration | null> {
  const names = new Map<string, SourceDeclaration | null>();
  if (step > 8) return names;
  const isListed = (name: string): boolean => module.all?.has(name) ?? !name.startsWith("_");
  for (const star of module.stars) {
    const target = modules.get(star);
    if (target !== undefined)
      for (const [name, found] of publicNames(target, modules, step + 1))
        if (isListed(name)) names.set(name, found);
  }
  for (const [name, origin] of module.imports)
    if (isListed(name)) names.set(name, resolveName(origin, modules, 0));
  for (const [name, declaration] of module.declarations) if (isListed(name)) names.set(name, declaration);
  return names;
}

function readPythonModule(
  name: string,
  {
    isPackage,
    root,
    text,
  }: { readonly isPackage: boolean; readonly root: SyntaxNode; readonly text: string },
): PythonModule {
  const module: PythonModule = {
    name,
    isPackage,
    declarations: new Map(),
    imports: new Map(),
    stars: [],
    all: null,
    // Names that appear only when the module runs.
    isOpen:
      /^def __getattr__\(|^\s{0,8}globals\(\)(?:\[|\.update)|sys\.modules\[__name__\]\s*=|\blazy\w*\.attach\w*\(/m.test(
        text,
      ),
  };
  readBlock(root, module, 0);
  return module;
}

const BLOCKS =
  /^(?:if_statement|elif_clause|else_clause|try_statement|except_clause|except_group_clause|finally_clause|with_statement|block)$/;

function readBlock(block: SyntaxNode, module: PythonModule, depth: number): void {
  if (depth > MAX_BLOCKS) return;
  for (const node of block.namedChildren()) {
    const kind = node.kind();
    if (kind === "import_statement") readImport(node, module);
    else if (kind === "import_from_statement") readFromImport(node, module);
    else if (kind === "expression_statement")
      node.namedChildren().forEach((one) => readAssignment(one, module));
    else if (kind === "type_alias_statement") {
      const name = node.namedChildren()[0]?.text() ?? "";
      if (/^\w+$/.test(name))
        declare(module, { name, declared: declaredAs("variable"), members: [], bases: [] });
    } else if (BLOCKS.test(kind)) readBlock(node, module, depth + 1);
    else {
      const declaration = readDefinition(node);
      if (declaration !== null) declare(module, declaration);
    }
  }
}

function declare(module: PythonModule, declaration: SourceDeclaration): void {
  const known = module.declarations.get(declaration.name);
  // The variants of `if` and `try`: any of them can be the one. Calls of both are accepted.
  const calls = known === undefined ? [] : known.declared.calls;
  const declared: Declared = { ...declaration.declared, calls: [...calls, ...declaration.declared.calls] };
  module.declarations.set(declaration.name, {
    ...declaration,
    declared,
    members: [...(known?.members ?? []), ...declaration.members],
  });
}

function readImport(node: SyntaxNode, module: PythonModule): void {
  for (const part of node.namedChildren()) {
    const alias = part.kind() === "aliased_import" ? part.field("alias")?.text() : undefined;
    const target = (part.kind() === "aliased_import" ? part.field("name") : part)?.text() ?? "";
    const local = alias ?? target.split(".")[0] ?? "";
    if (local !== "") module.imports.set(local, { module: alias === undefined ? local : target, name: null });
  }
}

function readFromImport(node: SyntaxNode, module: PythonModule): void {
  const from = absolute(node.field("module_name")?.text() ?? "", module);
  for (const part of node.namedChildren().slice(1)) {
    if (part.kind() === "wildcard_import") module.stars.push(from);
    else {
      const isAlias = part.kind() === "aliased_import";
      const name = (isAlias ? part.field("name") : part)?.text() ?? "";
      const local = (isAlias ? part.field("alias") : part)?.text() ?? "";
      if (local !== "") module.imports.set(local, { module: from, name });
    }
  }
}

function absolute(name: string, module: PythonModule): string {
  const dots = /^\.*/.exec(name.replaceAll(/\s/g, ""))?.[0].length ?? 0;
  if (dots === 0) return name;
  const parts = module.name.split(".");
  const kept = parts.slice(0, parts.length - dots + (module.isPackage ? 1 : 0));
  const rest = name.replaceAll(/\s/g, "").slice(dots);
  return [...kept, ...(rest === "" ? [] : [rest])].join(".");
}

function readAssignment(node: SyntaxNode, module: PythonModule): void {
  const left = node.field("left");
  if (left === null) {
    // `__all__.extend([...])`
    if (/^__all__\.(?:extend|append)\(/.test(node.text().slice(0, 20))) addAll(module, node);
    return;
  }
  if (left.text() === "__all__") return addAll(module, node.field("right"));
  if (node.kind() !== "assignment") return;
  const targets =
    left.kind() === "identifier"
      ? [left]
      : /pattern_list|tuple_pattern/.test(left.kind())
        ? left.namedChildren()
        : [];
  for (const target of targets) {
    if (target.kind() !== "identifier") continue;
    declare(module, {
      name: target.text(),
      declared: declaredAs("variable", { hasUnknownMembers: true }),
      members: [],
      bases: [],
    });
  }
  // `a = b = 1`
  const right = node.field("right");
  if (right?.kind() === "assignment") readAssignment(right, module);
}

function addAll(module: PythonModule, value: SyntaxNode | null): void {
  if (value === null) return;
  const strings = value.findAll({ rule: { kind: "string_content" } }).map((one) => one.text());
  module.all = new Set([...(module.all ?? []), ...strings]);
  // Names of other lists aren't known here.
  if (
    /__all__|\*|\bfor\b|\w\(/.test(
      value
        .text()
        .slice(0, 20_000)
        .replace(/^__all__\.\w+\(/, ""),
    )
  )
    module.isOpen = true;
}

function readDefinition(node: SyntaxNode): SourceDeclaration | null {
  const definition = node.kind() === "decorated_definition" ? node.field("definition") : node;
  const name = definition?.field("name")?.text();
  if (definition === null || name === undefined) return null;
  if (definition.kind() === "function_definition") {
    const isPlain = definition === node || hasOnlyKnownDecorators(node);
    return {
      name,
      declared: describeFunction(definition, { isMethod: false, isPlain }),
      members: [],
      bases: [],
    };
  }
  return definition.kind() === "class_definition" ? readClass(name, definition, node) : null;
}

/** Other decorators may change the parameters. */
function hasOnlyKnownDecorators(node: SyntaxNode): boolean {
  const decorators = node.namedChildren().filter((one) => one.kind() === "decorator");
  return decorators.every((one) =>
    /^@(?:\w+\.)?(?:staticmethod|classmethod|overload|abstractmethod|override|final|deprecated\w*|wraps|lru_cache|cache)\b/.test(
      one.text(),
    ),
  );
}

function describeFunction(
  node: SyntaxNode,
  options: { readonly isMethod: boolean; readonly isPlain: boolean },
): Declared {
  const callable = readPythonCallable(node, options.isMethod);
  const text = normalizeCode(node.field("parameters")?.text() ?? "", { hashComments: true });
  return declaredAs("function", {
    calls: options.isPlain ? [callable] : [],
    text: options.isPlain ? text : null,
  });
}

function readPythonCallable(node: SyntaxNode, isMethod: boolean): Callable {
  const parameters = (node.field("parameters")?.namedChildren() ?? []).flatMap(
    (one) => readParameter(one) ?? [],
  );
  // `def f(*args)` has `self` in its arguments.
  const hasSelf = isMethod && parameters[0]?.isRest === false;
  return { parameters: hasSelf ? parameters.slice(1) : parameters, returns: "" };
}

function readParameter(node: SyntaxNode): CallParameter | null {
  const kind = node.kind();
  const make = (name: string, isOptional: boolean, isRest = false): CallParameter => ({
    name,
    type: "",
    isOptional,
    isRest,
  });
  if (kind === "identifier") return make(node.text(), false);
  if (kind === "default_parameter" || kind === "typed_default_parameter")
    return make(node.field("name")?.text() ?? "", true);
  if (kind === "list_splat_pattern" || kind === "dictionary_splat_pattern") return make("", true, true);
  if (kind !== "typed_parameter") return null;
  const inner = node.namedChildren()[0];
  return inner?.kind() === "identifier" ? make(inner.text(), false) : make("", true, true);
}

function readClass(name: string, definition: SyntaxNode, around: SyntaxNode): SourceDeclaration {
  const members: { readonly name: string; readonly declared: Declared }[] = [];
  let calls: readonly Callable[] = [];
  const isDecorated = around.kind() === "decorated_definition";
  // Some decorators add members.
  let hasUnknownMembers =
    isDecorated && !/^@(?:\w+\.)?(?:dataclass|final|deprecated|runtime_checkable)\b/.test(around.text());
  for (const one of definition.field("body")?.namedChildren() ?? []) {
    const assigned = one.kind() === "expression_statement" ? one.namedChildren()[0]?.field("left") : null;
    const inner = one.kind() === "decorated_definition" ? one.field("definition") : one;
    const member = assigned?.kind() === "identifier" ? assigned.text() : (inner?.field("name")?.text() ?? "");
    if (member === "__init__" && inner !== null) calls = isDecorated ? [] : [readPythonCallable(inner, true)];
    if (member === "__getattr__" || member === "__getattribute__") hasUnknownMembers = true;
    if (member === "" || member.startsWith("_")) continue;
    members.push({ name: member, declared: readMember(one, inner) });
  }
  // `self.name = …` in __init__ declares attributes too.
  for (const attribute of definition.findAll({
    rule: { kind: "assignment", has: { field: "left", regex: "^self\\.[A-Za-z]\\w*$" } },
  })) {
    const member = attribute.field("left")?.text().slice("self.".length) ?? "";
    if (members.length < 1_000 && !members.some((known) => known.name === member))
      members.push({ name: member, declared: declaredAs("variable", { hasUnknownMembers: true }) });
  }
  const bases = (definition.field("superclasses")?.namedChildren() ?? [])
    .filter((one) => one.kind() !== "keyword_argument" && one.text() !== "object")
    .map((one) => (one.kind() === "subscript" ? (one.field("value")?.text() ?? "") : one.text()))
    .map((base) => (/^[\w.]+$/.test(base) ? base : "(computed)"));
  return {
    name,
    declared: { ...declaredAs("class", { calls, hasUnknownMembers }), text: "" },
    members,
    bases,
  };
}

function readMember(around: SyntaxNode, inner: SyntaxNode | null): Declared {
  if (inner?.kind() !== "function_definition") return declaredAs("variable", { hasUnknownMembers: true });
  const decorators =
    around.kind() === "decorated_definition" ? around.text().slice(0, around.text().indexOf("def ")) : "";
  if (/@(?:\w+\.)?(?:cached_)?property\b|\.setter\b|\.getter\b/.test(decorators))
    return declaredAs("variable", { hasUnknownMembers: true });
  const isPlain = around.kind() !== "decorated_definition" || hasOnlyKnownDecorators(around);
  return describeFunction(inner, { isMethod: !/@staticmethod\b/.test(decorators), isPlain });
}
