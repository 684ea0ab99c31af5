/**
 * Follows the exports of an entry point through the files of its package: re-exports, `export *`, namespaces, base types. Cycles
 * end, and whatever lies outside the package or a limit is a gap.
 */
import { MAX_PARSED_CHARS } from "../../../base/parse-limit.ts";
import type { Syntax, SyntaxNode } from "../../../syntax/syntax.ts";
import type { PackageSource } from "../../api/package-source.ts";
import type {
  ApiGap,
  ApiGapReason,
  Callable,
  Declared,
  DeclarationForm,
  EntryPoint,
} from "../../api/surface.ts";
import {
  createModuleScope,
  type ModuleDeclaration,
  type ModuleMember,
  type ModuleScope,
  type ModuleOrigin,
} from "./module.ts";
import type { PackageFiles } from "./package-files.ts";
import { removeStubs } from "./find-stubs.ts";
import { readCommonJs } from "./read-commonjs.ts";
import { type ModuleFile, readModule } from "./read-module.ts";

/** More files than a package needs to declare its API; date-fns has about 1,500. */
const MAX_FILES = 4_000;

/** Parsing takes about a second per 4 MiB. */
const MAX_CHARS = 8 * 1024 * 1024;

/** More names than a reader can use. Large packages have about 5,000 with members. */
const MAX_NAMES = 20_000;

/** Re-exports of re-exports, and bases of bases. */
const MAX_STEPS = 60;

/** `ns.Class.method` is the deepest name that code uses. */
const MAX_LEVELS = 3;

export type ModuleLinker = {
  entryPoint(path: string, specifier: string): EntryPoint;
  listGaps(): readonly ApiGap[];
};

type Found = {
  readonly scope: ModuleScope;
  readonly declaration: ModuleDeclaration;
  readonly isType: boolean;
};

/** Undefined declarations: the name is exported, but what it is lies outside the package. */
type Target = { readonly found: readonly Found[]; readonly outside: string | null };

export function createModuleLinker(
  files: PackageSource,
  pack: PackageFiles,
  options: { readonly form: "types" | "code"; readonly syntax: Syntax },
): ModuleLinker {
  const { form, syntax } = options;
  const loaded = new Map<string, ModuleFile | ApiGapReason>();
  const gaps = new Map<string, ApiGap>();
  let chars = 0;

  const note = (reason: ApiGapReason, where: string): void => {
    gaps.set(`${reason}\n${where}`, { reason, where });
  };

  const load = (path: string): ModuleFile | null => {
    let file = loaded.get(path);
    if (file === undefined) {
      const text = files.get(path) ?? "";
      chars += text.length;
      file = loaded.size >= MAX_FILES || chars > MAX_CHARS ? "limit" : parseModule(path, text, syntax);
      loaded.set(path, file);
      if (typeof file === "string") note(file, path);
    }
    return typeof file === "string" ? null : file;
  };

  /** The scope that a specifier names; null when it's outside the package or unreadable. */
  const follow = (from: string, specifier: string): ModuleScope | null => {
    const path = pack.resolve(from, specifier, form);
    if (path === null) return null;
    const file = load(path);
    return file === null ? null : scopeOf(file, specifier, pack.manifest.name);
  };

  /** The scope and everything it re-exports with `export *`. `isOpen`: some of it can't be read. */
  const closures = new Map<
    ModuleScope,
    { readonly scopes: readonly ModuleScope[]; readonly isOpen: boolean }
  >();
  const closureOf = (
    scope: ModuleScope,
  ): { readonly scopes: readonly ModuleScope[]; readonly isOpen: boolean } => {
    const known = closures.get(scope);
    if (known !== undefined) return known;
    const scopes = new Set([scope]);
    let isOpen = false;
    for (const each of scopes) {
      for (const reason of each.gaps) {
        isOpen = true;
        note(reason, each.path);
      }
      const { assigned } = each;
      const whole = assigned?.kind === "from" && assigned.name === "=" ? [assigned.from] : [];
      const sources = [...whole, ...each.stars.map(({ from }) => from)];
      const targets = sources.map((from) => follow(each.path, from));
      const found = targets.filter((target) => target !== null);
      for (const target of found) scopes.add(target);
      for (const from of sources.filter((_, at) => targets[at] === null)) {
        // The minified build for production exports what the other one does.
        if (/\.min\.[cm]?js$/.test(from) && found.length > 0) continue;
        isOpen = true;
        note(/^[./#]/.test(from) ? "missing-file" : "other-package", `${each.path}: ${from}`);
      }
    }
    const closure = { scopes: [...scopes], isOpen };
    closures.set(scope, closure);
    return closure;
  };

  const originOf = (
    scope: ModuleScope,
    name: string,
  ): { readonly scope: ModuleScope; readonly origin: ModuleOrigin; readonly isType: boolean } | null => {
    const own = scope.exports.get(name);
    if (own !== undefined) return { scope, ...own };
    if (name === "default") {
      const { assigned } = scope;
      return assigned === null ? null : { scope, origin: assigned, isType: false };
    }
    for (const each of closureOf(scope).scopes) {
      const found = each.exports.get(name);
      if (found !== undefined) return { scope: each, ...found };
    }
    return null;
  };

  const outside = (name: string): Target => ({ found: [], outside: name });

  const targetOf = (scope: ModuleScope, origin: ModuleOrigin, step: number): Target => {
    if (step > MAX_STEPS) return outside("…");
    if (origin.kind === "local") return lookUp(scope, origin.name, step + 1);
    const target = follow(scope.path, origin.from);
    if (target === null) return outside(`${origin.from}:${origin.name}`);
    if (origin.name === "*" || (origin.name === "=" && target.assigned === null)) {
      const declaration: ModuleDeclaration = { ...EMPTY, form: "module", scope: target };
      return { found: [{ scope: target, declaration, isType: false }], outside: null };
    }
    const named = originOf(target, origin.name === "=" ? "default" : origin.name);
    // `import x from` of a module without a default export is its namespace, as bundlers and esModuleInterop see it.
    if (named === null) return outside(`${origin.from}:${origin.name}`);
    const { found, outside: lost } = targetOf(named.scope, named.origin, step + 1);
    return { found: named.isType ? found.map((one) => ({ ...one, isType: true })) : found, outside: lost };
  };

  /** A local name, also a dotted one. */
  const lookUp = (scope: ModuleScope, dotted: string, step: number): Target => {
    if (step > MAX_STEPS) return outside(dotted);
    const [name = "", ...members] = dotted.split(".");
    let target: Target | null = null;
    for (let around: ModuleScope | null = scope; around !== null && target === null; around = around.outer) {
      const declarations = around.locals.get(name);
      const origin = around.imports.get(name);
      const declared = (declarations ?? []).map((declaration) => ({
        scope: around,
        declaration,
        isType: false,
      }));
      if (declarations !== undefined) target = { found: declared, outside: null };
      else if (origin !== undefined) target = targetOf(around, origin, step + 1);
    }
    for (const member of members) {
      const inner = (target?.found ?? []).flatMap(({ declaration }) => declaration.scope ?? []);
      const origins = inner.flatMap((one) => originOf(one, member) ?? []);
      const [first] = origins;
      if (first === undefined) return outside(dotted);
      target = targetOf(first.scope, first.origin, step + 1);
    }
    return target ?? outside(dotted);
  };

  const describe = (
    out: Map<string, Declared>,
    name: string,
    target: Target,
    level: number,
    isTypeName: boolean,
  ): void => {
    if (out.size >= MAX_NAMES && !out.has(name)) return;
    const { found } = target;
    if (found.length === 0) {
      out.set(name, UNKNOWN);
      return;
    }
    const shape = gatherShape(found, lookUp);
    const isType = isTypeName || found.every((one) => one.isType || isTypeOnly(one.declaration));
    const isOpen = shape.modules.some(
      ({ declaration: { scope } }) => scope !== null && closureOf(scope).isOpen,
    );
    const declare = (hasUnknownMembers: boolean): void => {
      out.set(name, {
        kind: isType ? "type" : "value",
        form: shape.form,
        calls: shape.calls,
        text: shape.text,
        hasUnknownMembers,
        outsideBases: [...shape.outsideBases],
      });
    };
    declare(shape.hasUnknown || isOpen);
    if (level >= MAX_LEVELS) return;
    // The members of a class in code depend on what runs, so they are never compared.
    const members = form === "code" && shape.form === "class" ? [] : shape.members;
    for (const [member, declared] of members) {
      if (out.size >= MAX_NAMES) break;
      out.set(`${name}.${member}`, {
        ...declared,
        kind: isType || declared.kind === "type" ? "type" : "value",
      });
    }
    for (const { declaration } of shape.modules) {
      if (declaration.scope === null) continue;
      for (const [member, inner, isTypeMember] of exportsOf(declaration.scope)) {
        if (member !== "default")
          describe(out, `${name}.${member}`, inner, level + 1, isType || isTypeMember);
      }
    }
    if (out.size < MAX_NAMES) return;
    note("limit", "");
    declare(true);
  };

  const isTypeOnly = ({ isType, scope }: ModuleDeclaration): boolean => {
    if (scope === null) return isType;
    const declared = [...scope.exports.values()];
    return (
      declared.length > 0 &&
      scope.stars.length === 0 &&
      declared.every(
        ({ origin, isType: isTypeName }) =>
          isTypeName ||
          (origin.kind === "local" && scope.locals.get(origin.name)?.every((one) => one.isType) === true),
      )
    );
  };

  const exportsOf = (scope: ModuleScope): readonly (readonly [string, Target, boolean])[] => {
    const names = new Map<string, readonly [string, Target, boolean]>();
    const { scopes } = closureOf(scope);
    for (const each of scopes) {
      for (const [name, { origin, isType }] of each.exports) {
        if (names.has(name) || (name === "default" && each !== scope && !isWholeOf(scope, each))) continue;
        names.set(name, [name, targetOf(each, origin, 0), isType]);
      }
      const isPassedOn = each.assigned?.kind === "from" && each.assigned.name === "=";
      if (
        each.assigned !== null &&
        !isPassedOn &&
        !names.has("default") &&
        (each === scope || isWholeOf(scope, each))
      )
        names.set("default", ["default", targetOf(each, each.assigned, 0), false]);
    }
    return [...names.values()];
  };

  /** True when one module is the other's `module.exports`. */
  const isWholeOf = (scope: ModuleScope, other: ModuleScope): boolean => {
    let at: ModuleScope | null = scope;
    for (let step = 0; step < MAX_STEPS && at !== null; step++) {
      if (at === other) return true;
      at =
        at.assigned?.kind === "from" && at.assigned.name === "=" ? follow(at.path, at.assigned.from) : null;
    }
    return false;
  };

  const entryPoints = new Map<string, EntryPoint>();
  const readEntryPoint = (path: string, specifier: string): EntryPoint => {
    const file = load(path);
    if (file === null) return { names: new Map(), isOpen: true };
    const scope = scopeOf(file, specifier, pack.manifest.name);
    const { isOpen } = closureOf(scope);
    const names = new Map<string, Declared>();
    const exported = exportsOf(scope);
    // All names come before the members of the first one, so that a limit never hides a name.
    for (const [name, target, isType] of exported) describe(names, name, target, MAX_LEVELS, isType);
    const isCut = names.size >= MAX_NAMES;
    for (const [name, target, isType] of exported) describe(names, name, target, 0, isType);
    const isWhole = scope.assigned !== null && names.get("default")?.form !== "class";
    if (isWhole) spreadWhole(names);
    return { names, isOpen: isOpen || isCut || (isWhole && isWholeOpen(names)) };
  };

  return {
    listGaps: () => [...gaps.values()],
    entryPoint(path, specifier) {
      const key = `${path}\n${specifier}`;
      const known = entryPoints.get(key) ?? readEntryPoint(path, specifier);
      entryPoints.set(key, known);
      return known;
    },
  };
}

/** `export = api` with unknown members may have any name. */
function isWholeOpen(names: ReadonlyMap<string, Declared>): boolean {
  const whole = names.get("default");
  return whole !== undefined && whole.form === "variable" && whole.hasUnknownMembers && whole.text !== null;
}

/** The members of `export =` are names of the module. */
function spreadWhole(names: Map<string, Declared>): void {
  const members = [...names].filter(([name]) => name.startsWith("default."));
  for (const [name, declared] of members) {
    const member = name.slice("default.".length);
    if (!names.has(member)) names.set(member, declared);
    names.delete(name);
  }
}

const EMPTY: ModuleDeclaration = {
  form: "unknown",
  isType: false,
  calls: [],
  text: null,
  members: [],
  bases: [],
  hasUnknownMembers: false,
  scope: null,
};

const UNKNOWN: Declared = {
  kind: "value",
  form: "unknown",
  calls: [],
  text: null,
  hasUnknownMembers: true,
  outsideBases: [],
};

/** In this order: a class with an interface of the same name is a class. */
const FORMS: readonly DeclarationForm[] = [
  "class",
  "function",
  "enum",
  "variable",
  "module",
  "interface",
  "type",
  "unknown",
];

type GatheredShape = {
  readonly form: DeclarationForm;
  readonly calls: readonly Callable[];
  readonly text: string | null;
  readonly members: ReadonlyMap<string, Declared>;
  readonly modules: readonly Found[];
  readonly hasUnknown: boolean;
  readonly outsideBases: ReadonlySet<string>;
};

/** Merges the declarations of one name, with inherited members. */
function gatherShape(
  found: readonly Found[],
  lookUp: (scope: ModuleScope, name: string, step: number) => Target,
): GatheredShape {
  const form = FORMS.find((one) => found.some(({ declaration }) => declaration.form === one)) ?? "unknown";
  const members = new Map<string, { kind: "value" | "type"; parts: ModuleMember[] }>();
  const outsideBases = new Set<string>();
  const calls: Callable[] = [];
  const modules: Found[] = [];
  let hasUnknown = false;
  const queue = found.map((one) => ({ one, isOwn: true }));
  const seen = new Set<ModuleDeclaration>();
  for (const { one, isOwn } of queue) {
    const { declaration, scope } = one;
    if (seen.has(declaration)) continue;
    seen.add(declaration);
    if (seen.size > 500) {
      hasUnknown = true;
      break;
    }
    if (declaration.scope !== null) modules.push(one);
    hasUnknown ||= declaration.hasUnknownMembers;
    // The constructor of a base class counts only when the class has none; a variable has the calls of its type.
    if (isOwn || (form !== "class" && declaration.form !== "class")) calls.push(...declaration.calls);
    const own = new Set(members.keys());
    for (const member of declaration.members) {
      const known = members.get(member.name);
      const kind = declaration.isType && form !== "variable" && form !== "class" ? "type" : "value";
      if (known === undefined) members.set(member.name, { kind, parts: [member] });
      // Overloads are in one declaration; a base's member is overridden.
      else if (!own.has(member.name) || isOwn) known.parts.push(member);
    }
    for (const base of declaration.bases) {
      const target = lookUp(scope, base, 0);
      if (target.found.length === 0) outsideBases.add(target.outside ?? base);
      else if (
        target.found.some((each) => each.declaration.form === "module" && each.declaration.scope !== null)
      )
        modules.push(...target.found);
      else for (const each of target.found) queue.push({ one: each, isOwn: false });
    }
  }
  const texts = found.map(({ declaration }) => declaration.text).filter((text) => text !== null);
  return {
    form,
    calls,
    text: texts.length === 0 ? null : texts.join("\n"),
    members: new Map([...members].map(([name, { kind, parts }]) => [name, mergeMember(kind, parts)])),
    modules,
    hasUnknown,
    outsideBases,
  };
}

function mergeMember(kind: "value" | "type", parts: readonly ModuleMember[]): Declared {
  const texts = parts.map(({ text }) => text).filter((text) => text !== null);
  const calls = parts.flatMap((part) => part.calls);
  return {
    kind,
    form: calls.length > 0 ? "function" : "variable",
    calls,
    text: texts.length === 0 ? null : texts.join("\n"),
    hasUnknownMembers: true,
    outsideBases: [],
  };
}

/** `declare module "name"` in a file that isn't a module itself. */
function scopeOf(file: ModuleFile, specifier: string, name: string): ModuleScope {
  if (file.scope.isModule) return file.scope;
  return file.ambient.get(specifier) ?? file.ambient.get(name) ?? file.scope;
}

function parseModule(path: string, text: string, syntax: Syntax): ModuleFile | ApiGapReason {
  if (path.endsWith(".json")) return readJson(path, text);
  const isTyped = /\.[cm]?tsx?$/.test(path);
  const language = isTyped ? "typescript" : "javascript";
  if (!syntax.supports(language)) return "no-parser";
  const pieces = text.length > MAX_PARSED_CHARS && isTyped ? splitDeclarations(text) : [text];
  const roots = pieces.map((piece) => syntax.parse(language, isTyped ? nameDefaults(piece) : piece));
  const parsed = roots.filter((root): root is SyntaxNode => root !== null);
  if (parsed.length < roots.length) return "too-large";
  const file = readModule(
    path,
    parsed.flatMap((root) => root.namedChildren()),
    { isTyped },
  );
  const { scope } = file;
  const isEsModule = scope.exports.size > 0 || scope.stars.length > 0;
  const [root] = parsed;
  if (!isTyped && !isEsModule && root !== undefined) {
    readCommonJs(scope, root);
    const isEmpty = scope.exports.size === 0 && scope.stars.length === 0 && scope.assigned === null;
    if (isEmpty && /\bexports\b|__exportStar/.test(text)) scope.gaps.add("computed");
  }
  if (!isTyped && root !== undefined) removeStubs(scope, root);
  return file;
}

function readJson(path: string, text: string): ModuleFile | ApiGapReason {
  const scope = createModuleScope(path, null);
  try {
    const value: unknown = JSON.parse(text);
    const keys = typeof value === "object" && value !== null ? Object.keys(value) : [];
    scope.locals.set("*json*", [{ ...EMPTY, form: "variable", hasUnknownMembers: keys.length === 0 }]);
    scope.assigned = { kind: "local", name: "*json*" };
    for (const key of keys.slice(0, MAX_NAMES))
      scope.exports.set(key, { origin: { kind: "local", name: "*json*" }, isType: false });
  } catch {
    return "syntax";
  }
  return { scope, ambient: new Map() };
}

/** The grammar has no default function without a name and a body, and no generic type of an `import()`. */
function nameDefaults(text: string): string {
  return text
    .replace(/^export default function(?=\s{0,20}[(<])/gm, "export default function _default")
    .replace(/\bimport\((?:"[^"\n]*"|'[^'\n]*')\)\./g, "");
}

/** Cuts a bundled declaration file where a new declaration starts a line, so that the parser accepts each piece. */
function splitDeclarations(text: string): readonly string[] {
  const pieces: string[] = [];
  let start = 0;
  let end = 0;
  for (const { index } of text.matchAll(
    /^(?=(?:export|declare|import|interface|type|class|abstract|enum|function|const|namespace)\b)/gm,
  )) {
    if (index - start > MAX_PARSED_CHARS && end > start) {
      pieces.push(text.slice(start, end));
      start = end;
    }
    end = index;
  }
  if (text.length - start > MAX_PARSED_CHARS && end > start) {
    pieces.push(text.slice(start, end));
    start = end;
  }
  return [...pieces, text.slice(start)];
}
