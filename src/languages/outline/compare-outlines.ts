/** Compares two outlines of one file: which declarations are gone, renamed, or have another signature. */
import { escapePattern } from "../../base/escape-pattern.ts";
import type { Declaration, Outline, DeclaredParameter } from "./outline.ts";

export type SymbolChange =
  /** `before` has no counterpart. */
  | { readonly kind: "removed"; readonly before: Declaration }
  /** One new declaration has the same body and the same signature but for its name. */
  | { readonly kind: "renamed"; readonly before: Declaration; readonly after: Declaration }
  | {
      readonly kind: "changed";
      readonly before: Declaration;
      readonly after: Declaration;
      /** Calls that passed just enough arguments now pass too few. */
      readonly needsMore: boolean;
    };

/** A shorter body, such as `return null`, doesn't prove that two declarations are the same. */
const MIN_BODY_CHARS = 24;

/** In the order of the old declarations. Nothing is reported for declarations that are only new. */
export function compareOutlines(before: Outline, after: Outline): readonly SymbolChange[] {
  const now = Map.groupBy(after, placeOf);
  const was = Map.groupBy(before, placeOf);
  const added = after.filter((each) => !was.has(placeOf(each)));
  const removed = before.filter((each) => !now.has(placeOf(each)));
  const renames = pairRenames(removed, added);
  const changes: SymbolChange[] = [];
  for (const [place, declarations] of was) {
    const [first] = declarations;
    if (first === undefined) continue;
    const counterparts = now.get(place);
    const renamed = renames.get(first);
    if (renamed !== undefined) changes.push({ kind: "renamed", before: first, after: renamed });
    else if (counterparts === undefined) changes.push({ kind: "removed", before: first });
    else changes.push(...compareNamesakes(declarations, counterparts));
  }
  return changes;
}

function placeOf({ containers, name }: Declaration): string {
  return [...containers, name].join("\n");
}

/** Overloads share a name. When there are several, which one became which is unknown, so nothing is said about calls. */
function compareNamesakes(
  before: readonly Declaration[],
  after: readonly Declaration[],
): readonly SymbolChange[] {
  const kept = new Set(after.map(({ signature }) => signature));
  const known = new Set(before.map(({ signature }) => signature));
  const gone = before.find(({ signature }) => !kept.has(signature));
  const fresh = after.find(({ signature }) => !known.has(signature));
  const [was, now] = [gone ?? before[0], fresh ?? after[0]];
  if (was === undefined || now === undefined) return [];
  if (gone === undefined && fresh === undefined && was.isExported === now.isExported) return [];
  const isSingle = before.length === 1 && after.length === 1;
  return [{ kind: "changed", before: was, after: now, needsMore: isSingle && needsMoreThan(was, now) }];
}

function needsMoreThan(before: Declaration, after: Declaration): boolean {
  if (before.parameters === null || after.parameters === null) return false;
  return requiredOf(after.parameters) > requiredOf(before.parameters);
}

/** The number of arguments that every call has to pass. */
export function requiredOf(parameters: readonly DeclaredParameter[]): number {
  return parameters.filter(({ isOptional }) => !isOptional).length;
}

/** Pairs a removed declaration with a new one when each is the only one of its container with that body and signature. */
function pairRenames(removed: Outline, added: Outline): ReadonlyMap<Declaration, Declaration> {
  const now = onlyOnes(added);
  const pairs = new Map<Declaration, Declaration>();
  for (const [key, before] of onlyOnes(removed)) {
    const after = now.get(key);
    if (before !== null && after !== null && after !== undefined) pairs.set(before, after);
  }
  return pairs;
}

/** By body and signature; null for one that several share. */
function onlyOnes(declarations: Outline): ReadonlyMap<string, Declaration | null> {
  const found = new Map<string, Declaration | null>();
  for (const each of declarations) {
    const { bodyHash, containers, kind, name, signature } = each;
    if (bodyHash === undefined || Number.parseInt(bodyHash, 10) < MIN_BODY_CHARS) continue;
    const key = [...containers, kind, withoutName(signature, name), bodyHash].join("\n");
    found.set(key, found.has(key) ? null : each);
  }
  return found;
}

function withoutName(signature: string, name: string): string {
  return signature.replace(new RegExp(`(?<![\\w$])${escapePattern(name)}(?![\\w$])`), "");
}
