/** Compares what two versions of a package export. It reports only what was seen: a name that may hide in an unread place is no removal. */
import type { ApiAspect, ApiChange, ApiFact } from "./api-difference.ts";
import type { Callable, Declared, EntryPoint } from "./surface.ts";

/** A declaration in a report is for orientation. */
const MAX_SHOWN_CHARS = 300;

/** Shorter declarations ("():void") are equal by chance. */
const MIN_RENAME_CHARS = 24;

export type SurfaceComparison = {
  readonly changes: readonly ApiChange[];
  readonly facts: readonly ApiFact[];
  readonly addedCount: number;
  readonly comparedCount: number;
};

export function compareSurfaces(
  before: ReadonlyMap<string, EntryPoint>,
  after: ReadonlyMap<string, EntryPoint>,
  options: { readonly isComplete: boolean },
): SurfaceComparison {
  const changes: ApiChange[] = [];
  const facts: ApiFact[] = [];
  let addedCount = 0;
  let comparedCount = 0;
  for (const [entry, old] of before) {
    const now = after.get(entry);
    if (now === undefined) {
      if (options.isComplete) facts.push({ kind: "entry-removed", entry, isFile: false });
      continue;
    }
    comparedCount += old.names.size;
    const added = [...now.names].filter(
      ([name, { isIncidental }]) => isIncidental !== true && !old.names.has(name),
    );
    addedCount += added.length;
    changes.push(...compareEntry(entry, { old, now, added }));
  }
  for (const [entry, now] of after) if (!before.has(entry)) addedCount += now.names.size;
  return { changes, facts, addedCount, comparedCount };
}

function compareEntry(
  entry: string,
  sides: {
    readonly old: EntryPoint;
    readonly now: EntryPoint;
    readonly added: readonly (readonly [string, Declared])[];
  },
): readonly ApiChange[] {
  const { old, now, added } = sides;
  const changes: ApiChange[] = [];
  const removed: [string, Declared][] = [];
  for (const [name, was] of old.names) {
    if (was.isIncidental === true) continue;
    const is = now.names.get(name);
    // A value that became a type is gone at run time.
    const isTypeNow = is !== undefined && was.kind === "value" && is.kind === "type" && is.form !== "unknown";
    if (is === undefined || isTypeNow) {
      if (isTypeNow ? was.form !== "unknown" : isProvenMissing(name, old, now)) removed.push([name, was]);
      continue;
    }
    const aspect = aspectOf(was, is);
    if (aspect === null || isOfChangedForm(name, old, now)) continue;
    const change = { kind: "changed", aspect, before: shown(was), after: shown(is) } as const;
    changes.push({ entry, name, kind: was.kind, change });
  }
  const renames = pairRenames(removed, added);
  const gone = new Set(removed.map(([name]) => name));
  for (const [name, was] of removed) {
    // The removal of a class says it for its members.
    if (gone.has(name.slice(0, Math.max(0, name.lastIndexOf("."))))) continue;
    const to = renames.get(name);
    const change = to === undefined ? ({ kind: "removed" } as const) : ({ kind: "renamed", to } as const);
    changes.push({ entry, name, kind: was.kind, change });
  }
  return changes;
}

/** A member is missing only when its owner is still there, was the same form of thing, and all its members are known. */
function isProvenMissing(name: string, old: EntryPoint, now: EntryPoint): boolean {
  const dot = name.lastIndexOf(".");
  if (dot < 0) return !now.isOpen;
  const owner = name.slice(0, dot);
  const is = now.names.get(owner);
  if (is === undefined || is.hasUnknownMembers) return false;
  const was = old.names.get(owner) ?? is;
  return isSameForm(was, is) && is.outsideBases.every((base) => was.outsideBases.includes(base));
}

/** True for a member whose owner became something else, which is reported itself. */
function isOfChangedForm(name: string, old: EntryPoint, now: EntryPoint): boolean {
  const dot = name.lastIndexOf(".");
  const owner = dot < 0 ? "" : name.slice(0, dot);
  const [was, is] = [old.names.get(owner), now.names.get(owner)];
  return was !== undefined && is !== undefined && aspectOf(was, is) === "form";
}

/** A class that becomes an interface, or a value that becomes a class, still has its members in common. */
function isSameForm(was: Declared, is: Declared): boolean {
  if (was.form === "unknown" || is.form === "unknown") return false;
  const hasMembers = (one: Declared): boolean =>
    ["class", "interface", "type", "enum", "module", "variable", "function"].includes(one.form);
  return hasMembers(was) && hasMembers(is) && (is.text !== null || is.form === "module");
}

function aspectOf(was: Declared, is: Declared): ApiAspect | null {
  if (was.form === "unknown" || is.form === "unknown") return null;
  if (was.text === null || is.text === null) return null;
  if (was.calls.length > 0 && is.calls.length > 0) return aspectOfCalls(was.calls, is.calls);
  // A class without a constructor, or a value whose calls are unknown.
  if (was.form === "class" || is.form === "class") {
    return was.form === "function" || (is.form !== "class" && is.form !== "variable") ? "form" : null;
  }
  if (was.calls.length > 0 && is.calls.length === 0) return is.outsideBases.length > 0 ? null : "form";
  if (was.form === "interface" || was.form === "enum" || was.form === "module") return null;
  if (was.text === is.text) return null;
  // More values than before: old code still compiles where it passes one.
  if (was.form === "type" && is.form === "type" && was.text.startsWith("=") && is.text.startsWith("="))
    return acceptsType(is.text.slice(1), was.text.slice(1)) ? null : "type";
  return was.form === is.form || (was.form === "variable" && is.form === "function") ? "type" : "form";
}

/** Null when every old way to call it still works. */
function aspectOfCalls(was: readonly Callable[], is: readonly Callable[]): ApiAspect | null {
  let aspect: ApiAspect | null = null;
  for (const old of was) {
    const accepting = is.filter((now) => accepts(now, old));
    if (accepting.length === 0)
      return is.some((now) => accepts(untyped(now), untyped(old))) ? "parameter-types" : "parameters";
    if (!accepting.some((now) => now.returns === "" || acceptsType(old.returns, now.returns)))
      aspect = "returns";
  }
  return aspect;
}

/** An unknown type accepts every other. */
function untyped({ parameters, returns }: Callable): Callable {
  return { parameters: parameters.map((parameter) => ({ ...parameter, type: "" })), returns };
}

function accepts(now: Callable, old: Callable): boolean {
  if (!old.parameters.every((parameter, at) => acceptsParameter(now, parameter, at))) return false;
  // A caller of `*args` may pass whatever the new version requires.
  const hasRest = old.parameters.some(({ isRest }) => isRest);
  return now.parameters.every(
    (parameter, at) =>
      hasRest ||
      parameter.isOptional ||
      parameter.isRest ||
      (at < old.parameters.length && old.parameters[at]?.isOptional === false) ||
      old.parameters.some(({ name, isOptional }) => name !== "" && name === parameter.name && !isOptional),
  );
}

function acceptsParameter(now: Callable, old: Callable["parameters"][number], at: number): boolean {
  if (old.isRest) return now.parameters.some(({ isRest, type }) => isRest && acceptsType(type, old.type));
  const byName = old.name === "" ? undefined : now.parameters.find(({ name }) => name === old.name);
  const last = now.parameters.at(-1);
  const found = byName ?? (old.name === "" ? now.parameters[at] : undefined);
  if (found === undefined)
    return last?.isRest === true && (last.type === "" || old.type === "" || old.name !== "");
  return acceptsType(found.type, old.type);
}

/** Every part of the old union is still accepted. */
function acceptsType(now: string, old: string): boolean {
  if (isSameText(now, old) || now === "any" || now === "unknown" || now === `readonly ${old}`) return true;
  if (!now.includes("|") && !old.includes("|")) return false;
  const accepted = unionParts(now);
  return [...unionParts(old)].every((part) => accepted.has(part) || accepted.has(`readonly ${part}`));
}

/** The parts of a union at its top level. */
function unionParts(type: string): ReadonlySet<string> {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < type.length; at++) {
    const char = type[at] ?? "";
    if ("([{<".includes(char)) depth++;
    else if (")]}".includes(char) || (char === ">" && type[at - 1] !== "=")) depth--;
    else if (char === "|" && depth === 0) {
      parts.push(type.slice(start, at));
      start = at + 1;
    }
  }
  return new Set([...parts, type.slice(start)]);
}

function isSameText(one: string, other: string): boolean {
  return one === "" || other === "" || one === other;
}

/** Pairs a removed name with a new one when each is the only one of its owner with that declaration. */
function pairRenames(
  removed: readonly (readonly [string, Declared])[],
  added: readonly (readonly [string, Declared])[],
): ReadonlyMap<string, string> {
  const byDeclaration = (names: typeof removed): Map<string, string | null> => {
    const found = new Map<string, string | null>();
    for (const [name, declared] of names) {
      if (declared.text === null || declared.text.length < MIN_RENAME_CHARS) continue;
      const key = `${name.slice(0, Math.max(0, name.lastIndexOf(".")))}\n${declared.form}\n${declared.text}`;
      found.set(key, found.has(key) ? null : name);
    }
    return found;
  };
  const now = byDeclaration(added);
  const renames = new Map<string, string>();
  for (const [key, name] of byDeclaration(removed)) {
    const to = now.get(key);
    if (name !== null && to !== null && to !== undefined) renames.set(name, to);
  }
  return renames;
}

function shown({ text, calls }: Declared): string {
  const whole = text === null || text === "" ? calls.map(shownCall).join("\n") : text;
  return whole.length <= MAX_SHOWN_CHARS ? whole : `${whole.slice(0, MAX_SHOWN_CHARS)}…`;
}

function shownCall({ parameters, returns }: Callable): string {
  const list = parameters.map(
    ({ name, type, isOptional, isRest }) =>
      `${isRest ? "..." : ""}${name}${isOptional && !isRest ? "?" : ""}${name !== "" && type !== "" ? ":" : ""}${type}`,
  );
  return `(${list.join(",")})${returns}`;
}
