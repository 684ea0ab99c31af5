/**
 * Adds what a CommonJS file exports to its scope: plain code, and the output of tsc, Babel, SWC, esbuild and Rollup. Exports that
 * are computed when the program runs make a gap, never a guess.
 */
import { escapePattern } from "../../../base/escape-pattern.ts";
import type { SyntaxNode } from "../../../syntax/syntax.ts";
import { declareLocal, type ModuleScope, type ModuleOrigin } from "./module.ts";
import { readObject, readAssignedValue, requiredBy, quotedText } from "./read-module.ts";

/** `a = b = c = …`: compilers write one link per export, but only as placeholders. */
const MAX_CHAIN = 8;

/** Values within values: Object.assign in Object.assign, conditions. */
const MAX_DEPTH = 6;

const FUNCTION_KINDS = [
  "function_expression",
  "arrow_function",
  "function_declaration",
  "generator_function_declaration",
  "generator_function",
  "method_definition",
  "class_body",
];
const FUNCTIONS: ReadonlySet<string> = new Set(FUNCTION_KINDS);

const AT = { reading: { isTyped: false, ambient: new Map<string, ModuleScope>() }, depth: 0 };

const STAR_HELPER = /(?:^|[.)])_{0,2}(?:exportStar|export_star|export|reExport)$/;

/** Copies the properties of further arguments to the first one. */
const COPIER = /(?:^|[._])(?:assign|extends?|merge|mixin|defaults)$/;

type TopTest = (node: SyntaxNode) => boolean;

export function readCommonJs(scope: ModuleScope, root: SyntaxNode): void {
  const isAtTop = createTopTest(root);
  const targets = new Set(["exports", "module.exports", ...aliasesIn(root)]);
  const assignments = root
    .findAll({
      rule: {
        kind: "assignment_expression",
        has: { field: "left", regex: `^(${[...targets].map(escapePattern).join("|")})([.\\[\\s]|$)` },
      },
    })
    .filter((node) => mentions(node.field("left"), targets));
  for (const node of assignments) {
    const left = node.field("left");
    const value = lastValue(node);
    if (left === null || value === null) continue;
    if (left.text() === "module.exports" || left.text() === "exports") {
      if (isAtTop(node) && left.text() === "module.exports")
        readWhole(scope, value, { root, isAtTop, depth: 0 });
      else if (left.text() === "exports" && node.field("right")?.text().startsWith("module.exports") === true)
        continue;
    } else readProperty(scope, { node, left, value }, { targets, isAtTop });
  }
  const helpers = "(defineProperty|assign|extends?|merge|mixin|defaults|[eE]xport\\w*|export_star|forEach)$";
  for (const call of root.findAll({
    rule: { kind: "call_expression", has: { field: "function", regex: helpers } },
  }))
    readHelperCall(scope, call, { targets, isAtTop });
}

/** Names for `module.exports`: `var api = module.exports = {}`, `const self = exports`. */
function aliasesIn(root: SyntaxNode): readonly string[] {
  const found = root.findAll({
    rule: { kind: "variable_declarator", has: { field: "value", regex: "^(module\\.)?exports\\b" } },
  });
  return found.flatMap((node) => {
    const value = node.field("value");
    const isAlias =
      value?.kind() === "assignment_expression" || /^(?:module\.)?exports$/.test(value?.text() ?? "");
    const name = node.field("name");
    return isAlias && name?.kind() === "identifier" ? [name.text()] : [];
  });
}

function mentions(left: SyntaxNode | null, targets: ReadonlySet<string>): boolean {
  if (left === null) return false;
  if (targets.has(left.text())) return true;
  const object = left.field("object");
  return object !== null && targets.has(object.text());
}

function lastValue(node: SyntaxNode): SyntaxNode | null {
  let value: SyntaxNode | null = node.field("right");
  for (let step = 0; step < MAX_CHAIN && value?.kind() === "assignment_expression"; step++)
    value = value.field("right");
  return value;
}

/** `exports.a = …`, `exports["a"] = …`. */
function readProperty(
  scope: ModuleScope,
  assignment: { readonly node: SyntaxNode; readonly left: SyntaxNode; readonly value: SyntaxNode },
  { targets, isAtTop }: { readonly targets: ReadonlySet<string>; readonly isAtTop: TopTest },
): void {
  const { node, left, value } = assignment;
  const object = left.field("object")?.text() ?? "";
  if (!targets.has(object)) return;
  const index = left.field("index");
  const name = index === null ? (left.field("property")?.text() ?? null) : quotedText(index);
  if (!isAtTop(node)) {
    // A loop that copies names: `for … exports[key] = …`, also in a callback.
    if (name === null && !isCopyOfModule(node)) scope.gaps.add("computed");
    return;
  }
  if (name === null) {
    if (!isCopyOfModule(node)) scope.gaps.add("computed");
  } else exportValue(scope, name, value);
}

/** True inside `Object.keys(_module).forEach(…)`, which readHelperCall reads as `export * from`. */
function isCopyOfModule(node: SyntaxNode): boolean {
  for (let around = node.parent(), step = 0; around !== null && step < 12; around = around.parent(), step++) {
    if (around.kind() === "call_expression" && copiedModule(around) !== null) return true;
  }
  return false;
}

function copiedModule(call: SyntaxNode): string | null {
  const callee = call.field("function")?.text() ?? "";
  if (callee.length > 200) return null;
  return /^Object\.keys\(([\w$]+)\)\.forEach$/.exec(callee.replaceAll(/\s/g, ""))?.[1] ?? null;
}

function exportValue(scope: ModuleScope, name: string, value: SyntaxNode): void {
  if (name === "__esModule") return;
  const isPlaceholder = /^(?:void 0|undefined)$/.test(value.text().slice(0, 12));
  if (isPlaceholder && scope.exports.has(name)) return;
  scope.exports.set(name, { origin: originOf(scope, name, value), isType: false });
}

function originOf(scope: ModuleScope, name: string, value: SyntaxNode): ModuleOrigin {
  const required = requiredBy(value);
  if (required !== null) return required;
  if (value.kind() === "identifier" && (scope.locals.has(value.text()) || scope.imports.has(value.text())))
    return { kind: "local", name: value.text() };
  const local = `*${name}*`;
  scope.locals.delete(local);
  declareLocal(scope, local, readAssignedValue(value, AT));
  return { kind: "local", name: local };
}

type Whole = { readonly root: SyntaxNode; readonly isAtTop: TopTest; readonly depth: number };

/** The value of `module.exports`. */
function readWhole(scope: ModuleScope, value: SyntaxNode, at: Whole): void {
  const required = requiredBy(value);
  if (required !== null) return assign(scope, required);
  const further = { ...at, depth: at.depth + 1 };
  const kind = value.kind();
  if (at.depth >= MAX_DEPTH) scope.gaps.add("computed");
  else if (kind === "object") {
    readKeys(scope, value);
    ensureDefault(scope, value);
  } else if (kind === "identifier") readNamed(scope, value, at);
  else if (kind === "ternary_expression") {
    const branch = value.field("consequence");
    if (branch !== null) readWhole(scope, branch, further);
  } else if (kind === "parenthesized_expression") {
    const [inner] = value.namedChildren();
    if (inner !== undefined) readWhole(scope, inner, further);
  } else if (kind === "call_expression") readMade(scope, value, further);
  else {
    ensureDefault(scope, value);
    // Functions and classes get their properties by assignments, which are read. Other values may have any.
    if (
      !FUNCTIONS.has(kind) &&
      kind !== "class" &&
      !/^(?:string|number|regex|template_string|true|false|null)$/.test(kind)
    )
      scope.gaps.add("computed");
  }
}

function assign(scope: ModuleScope, origin: Extract<ModuleOrigin, { kind: "from" }>): void {
  // One build for development and one for production: the names of both.
  if (scope.assigned === null) scope.assigned = origin;
  else if (origin.name === "=") scope.stars.push({ from: origin.from, isType: false });
}

function ensureDefault(scope: ModuleScope, value: SyntaxNode): void {
  if (scope.assigned !== null) return;
  const shown =
    value.kind() === "object"
      ? { ...readAssignedValue(value, AT), members: [], hasUnknownMembers: true }
      : readAssignedValue(value, AT);
  declareLocal(scope, "*whole*", shown);
  scope.assigned = { kind: "local", name: "*whole*" };
}

function readKeys(scope: ModuleScope, object: SyntaxNode): void {
  for (const part of object.namedChildren()) {
    const kind = part.kind();
    if (kind === "comment") continue;
    if (kind === "spread_element") {
      readSpread(scope, part.namedChildren()[0] ?? part);
      continue;
    }
    const key = kind === "shorthand_property_identifier" ? part : (part.field("key") ?? part.field("name"));
    const name =
      key === null || key.kind() === "computed_property_name" ? null : (quotedText(key) ?? key.text());
    if (name === null) scope.gaps.add("computed");
    else
      exportValue(
        scope,
        name,
        kind === "shorthand_property_identifier" ? part : (part.field("value") ?? part),
      );
  }
}

function readSpread(scope: ModuleScope, value: SyntaxNode): void {
  const origin =
    requiredBy(value) ?? (value.kind() === "identifier" ? scope.imports.get(value.text()) : undefined);
  if (origin !== undefined && (origin.name === "=" || origin.name === "*")) {
    scope.stars.push({ from: origin.from, isType: false });
    return;
  }
  const local = value.kind() === "identifier" ? scope.locals.get(value.text())?.[0] : undefined;
  if (value.kind() === "object") readKeys(scope, value);
  else if (local !== undefined && !local.hasUnknownMembers) {
    for (const { name } of local.members) exportMember(scope, name);
  } else scope.gaps.add("computed");
}

function exportMember(scope: ModuleScope, name: string): void {
  const local = `*${name}*`;
  if (scope.exports.has(name)) return;
  declareLocal(scope, local, {
    form: "unknown",
    isType: false,
    calls: [],
    text: null,
    members: [],
    bases: [],
    hasUnknownMembers: true,
    scope: null,
  });
  scope.exports.set(name, { origin: { kind: "local", name: local }, isType: false });
}

/** `module.exports = api`: the keys of its literal, and what is assigned to its properties. */
function readNamed(scope: ModuleScope, value: SyntaxNode, { root, isAtTop, depth }: Whole): void {
  const name = value.text();
  const origin = scope.imports.get(name);
  if (origin !== undefined) assign(scope, origin);
  const declared = variableIn(root, name);
  const initial = origin === undefined ? (declared?.field("value") ?? null) : null;
  if (initial !== null && initial.kind() === "object") readKeys(scope, initial);
  else if (initial !== null && initial.kind() === "call_expression" && depth < MAX_DEPTH)
    readMade(scope, initial, { root, isAtTop, depth: depth + 1 });
  else if (
    declared !== null &&
    initial !== null &&
    /^(?:new_expression|await_expression|identifier)$/.test(initial.kind())
  )
    scope.gaps.add("computed");
  const properties = root.findAll({
    rule: {
      kind: "assignment_expression",
      has: { field: "left", regex: `^${escapePattern(name)}\\s*[.\\[]` },
    },
  });
  for (const node of properties) {
    const left = node.field("left");
    const last = lastValue(node);
    if (left !== null && last !== null && isAtTop(node))
      readProperty(scope, { node, left, value: last }, { targets: new Set([name]), isAtTop });
  }
  if (scope.assigned === null) {
    if (!scope.locals.has(name)) ensureDefault(scope, initial ?? value);
    else scope.assigned = { kind: "local", name };
  }
}

function variableIn(root: SyntaxNode, name: string): SyntaxNode | null {
  return root.find({
    rule: { kind: "variable_declarator", has: { field: "name", regex: `^${escapePattern(name)}$` } },
  });
}

/** `module.exports = someCall(…)`. */
function readMade(scope: ModuleScope, call: SyntaxNode, at: Whole): void {
  const callee = call.field("function");
  const name = callee?.text().slice(0, 200) ?? "";
  const args = call.field("arguments")?.namedChildren() ?? [];
  if (/(?:^|\.)__toCommonJS$/.test(name)) return;
  if (COPIER.test(name) || name === "Object.freeze" || name === "__spreadValues") {
    for (const arg of args) readWhole(scope, arg, at);
    return;
  }
  const factory = callee === null ? null : factoryOf(callee, call);
  const returned = factory === null ? null : returnedBy(factory);
  if (returned !== null) return readWhole(scope, returned, { ...at, root: factory ?? at.root });
  ensureDefault(scope, call);
  scope.gaps.add("computed");
}

/** The function that an IIFE is, or that a UMD wrapper got as its argument. */
function factoryOf(callee: SyntaxNode, call: SyntaxNode): SyntaxNode | null {
  const inner = callee.kind() === "parenthesized_expression" ? callee.namedChildren()[0] : callee;
  if (inner !== undefined && FUNCTIONS.has(inner.kind())) return inner;
  if (callee.kind() !== "identifier") return null;
  for (let around = call.parent(), step = 0; around !== null && step < 40; around = around.parent(), step++) {
    if (!FUNCTIONS.has(around.kind())) continue;
    const parameters = around.field("parameters")?.namedChildren() ?? [];
    const index = parameters.findIndex((one) => one.text() === callee.text());
    let outer = around.parent();
    if (outer?.kind() === "parenthesized_expression") outer = outer.parent();
    if (index < 0 || outer?.kind() !== "call_expression") continue;
    let given = outer.field("arguments")?.namedChildren()[index];
    if (given?.kind() === "parenthesized_expression") given = given.namedChildren()[0];
    return given !== undefined && FUNCTIONS.has(given.kind()) ? given : null;
  }
  return null;
}

function returnedBy(factory: SyntaxNode): SyntaxNode | null {
  const statement = (factory.field("body")?.namedChildren() ?? []).findLast(
    (one) => one.kind() === "return_statement",
  );
  return statement?.namedChildren()[0] ?? null;
}

function readHelperCall(
  scope: ModuleScope,
  call: SyntaxNode,
  { targets, isAtTop }: { readonly targets: ReadonlySet<string>; readonly isAtTop: TopTest },
): void {
  const name = (call.field("function")?.text() ?? "").slice(0, 200).replaceAll(/\s/g, "");
  const copied = copiedModule(call);
  if (copied !== null) {
    const origin = scope.imports.get(copied);
    if (origin !== undefined && /exports/.test(call.field("arguments")?.text().slice(0, 2_000) ?? ""))
      scope.stars.push({ from: origin.from, isType: false });
    return;
  }
  const isDefine = /(?:^|\.)defineProperty$/.test(name);
  const isAssign = COPIER.test(name);
  if (!isDefine && !isAssign && !STAR_HELPER.test(name)) return;
  const args = call.field("arguments")?.namedChildren() ?? [];
  const [first, second] = args;
  if (first === undefined) return;
  if (isDefine || isAssign) {
    if (!targets.has(first.text()) || !isAtTop(call)) return;
    const key = quotedText(second ?? null);
    if (isAssign) for (const arg of args.slice(1)) readSpread(scope, arg);
    else if (key !== null && key !== "__esModule") exportMember(scope, key);
    return;
  }
  for (const arg of args) {
    const origin =
      requiredBy(arg) ?? (arg.kind() === "identifier" ? scope.imports.get(arg.text()) : undefined);
    if (origin !== undefined) scope.stars.push({ from: origin.from, isType: false });
    else if (arg.kind() === "object")
      for (const { name: key } of readObject(arg).members) exportMember(scope, key);
  }
}

/** Wrappers in wrappers. */
const MAX_WRAPPERS = 10;

/** Real files have fewer functions. In a file with more, nothing counts as run at the top. */
const MAX_FUNCTIONS = 20_000;

/**
 * Creates a test for whether the file itself runs a piece of code when it loads: not in a function, except ones that are called at
 * once. Functions are looked at once, because finding a parent takes time in deep trees.
 */
function createTopTest(root: SyntaxNode): (node: SyntaxNode) => boolean {
  const functions = root.findAll({ rule: { any: FUNCTION_KINDS.map((kind) => ({ kind })) } });
  if (functions.length > MAX_FUNCTIONS) return () => false;
  const hidden: { readonly start: number; readonly end: number }[] = [];
  let wrappers: number[] = [];
  let end = -1;
  // In the order of the text, so that a function inside a hidden one needs no look.
  for (const one of functions) {
    const range = one.range();
    if (range.start.index < end) continue;
    wrappers = wrappers.filter((last) => last > range.start.index);
    if (wrappers.length < MAX_WRAPPERS && isCalledAtOnce(one)) wrappers.push(range.end.index);
    else {
      end = range.end.index;
      hidden.push({ start: range.start.index, end });
    }
  }
  return (node) => {
    const at = node.range().start.index;
    let [low, high] = [0, hidden.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((hidden[middle]?.end ?? 0) <= at) low = middle + 1;
      else high = middle;
    }
    const around = hidden[low];
    return around === undefined || at < around.start;
  };
}

function isCalledAtOnce(one: SyntaxNode): boolean {
  let outer = one.parent();
  for (let step = 0; step < 3 && outer?.kind() === "parenthesized_expression"; step++) outer = outer.parent();
  if (outer?.kind() === "arguments") outer = outer.parent();
  // (function () {}).call(this)
  if (outer?.kind() === "member_expression") outer = outer.parent();
  if (outer?.kind() !== "call_expression") return false;
  const callee = outer.field("function");
  const called = callee?.kind() === "parenthesized_expression" ? callee.namedChildren()[0] : callee;
  if (called == null) return false;
  if (FUNCTIONS.has(called.kind()) || called.kind() === "unary_expression") return true;
  return called.kind() === "member_expression" && /\)\.(?:call|apply)$/.test(called.text().slice(-12));
}
