/** Collects declarations of a source archive, with limits, and gives classes the members that they inherit within the archive. */
import { MAX_PARSED_CHARS } from "../../base/parse-limit.ts";
import type { Syntax, SyntaxLanguage, SyntaxNode } from "../../syntax/syntax.ts";
import type { PackageSource } from "./package-source.ts";
import type { ApiGap, ApiGapReason, ApiSurface, Callable, Declared, EntryPoint } from "./surface.ts";

/** More files than a library has in one archive. */
const MAX_FILES = 4_000;

/** Parsing takes about a second per 4 MiB. */
const MAX_CHARS = 16 * 1024 * 1024;

/** Large libraries have about 20,000 names with members. */
const MAX_NAMES = 60_000;

/** Classes above a class. */
const MAX_BASES = 100;

export type SourceDeclaration = {
  readonly name: string;
  readonly declared: Declared;
  /** Overloads have the same name. */
  readonly members: readonly { readonly name: string; readonly declared: Declared }[];
  /** Simple names of types whose members it has too. */
  readonly bases: readonly string[];
};

export type SurfaceBuilder = {
  /** The tree of a file; null when a limit or the parser prevents it, which is noted. */
  parse(path: string): SyntaxNode | null;
  note(reason: ApiGapReason, where: string): void;
  /** Adds a name. Members of the same name from several places are merged. */
  add(entry: string, declaration: SourceDeclaration): void;
  /** Names of this entry may come from elsewhere. */
  open(entry: string): void;
  touch(entry: string): void;
  done(): ApiSurface;
};

export function createSurfaceBuilder(
  files: PackageSource,
  language: SyntaxLanguage,
  syntax: Syntax,
): SurfaceBuilder {
  const entries = new Map<string, Map<string, SourceDeclaration>>();
  const openEntries = new Set<string>();
  const bySimpleName = new Map<string, SourceDeclaration[]>();
  const gaps = new Map<string, ApiGap>();
  let [fileCount, charCount, nameCount] = [0, 0, 0];

  const note = (reason: ApiGapReason, where: string): void => {
    gaps.set(`${reason}\n${where}`, { reason, where });
  };
  const entryOf = (entry: string): Map<string, SourceDeclaration> => {
    const known = entries.get(entry) ?? new Map<string, SourceDeclaration>();
    entries.set(entry, known);
    return known;
  };

  return {
    note,
    parse(path) {
      const text = files.get(path) ?? "";
      if (!syntax.supports(language)) note("no-parser", language);
      else if (++fileCount > MAX_FILES || (charCount += text.length) > MAX_CHARS) note("limit", path);
      else if (text.length > MAX_PARSED_CHARS) note("too-large", path);
      else return syntax.parse(language, text);
      return null;
    },
    add(entry, declaration) {
      nameCount += 1 + declaration.members.length;
      if (nameCount > MAX_NAMES) {
        note("limit", "");
        openEntries.add(entry);
        return;
      }
      const names = entryOf(entry);
      const known = names.get(declaration.name);
      const merged = known === undefined ? declaration : mergeDeclarations(known, declaration);
      names.set(declaration.name, merged);
      const simple = declaration.name.slice(declaration.name.lastIndexOf(".") + 1);
      const others = (bySimpleName.get(simple) ?? []).filter((one) => one !== known);
      bySimpleName.set(simple, [...others, merged]);
    },
    open: (entry) => void openEntries.add(entry),
    touch: (entry) => void entryOf(entry),
    done() {
      const made = new Map<string, EntryPoint>();
      for (const [entry, names] of entries) {
        const flat = new Map<string, Declared>();
        for (const declaration of names.values()) flatten(flat, declaration, { names, bySimpleName });
        made.set(entry, { names: flat, isOpen: openEntries.has(entry) });
      }
      if (made.size === 0 && gaps.size === 0) note("no-source", "");
      return { entries: made, gaps: [...gaps.values()] };
    },
  };
}

function mergeDeclarations(one: SourceDeclaration, other: SourceDeclaration): SourceDeclaration {
  return {
    name: one.name,
    declared: mergeDeclared(one.declared, other.declared),
    members: [...one.members, ...other.members],
    bases: [...one.bases, ...other.bases],
  };
}

function mergeDeclared(one: Declared, other: Declared): Declared {
  if (other.isIncidental === true) return one;
  if (one.isIncidental === true) return other;
  const isDuplicate = one.text === other.text;
  return {
    ...(one.form === "unknown" ? other : one),
    calls: isDuplicate ? one.calls : [...one.calls, ...other.calls],
    text: one.text === null || other.text === null || isDuplicate ? one.text : `${one.text}\n${other.text}`,
    hasUnknownMembers: one.hasUnknownMembers || other.hasUnknownMembers,
  };
}

function flatten(
  flat: Map<string, Declared>,
  declaration: SourceDeclaration,
  known: {
    readonly names: ReadonlyMap<string, SourceDeclaration>;
    readonly bySimpleName: ReadonlyMap<string, readonly SourceDeclaration[]>;
  },
): void {
  const members = new Map<string, Declared>();
  const outsideBases = new Set<string>();
  const queue = [declaration];
  const seen = new Set<SourceDeclaration>();
  for (const each of queue) {
    if (seen.has(each) || seen.size > MAX_BASES) continue;
    seen.add(each);
    const inherited = new Set(members.keys());
    for (const { name, declared } of each.members) {
      const own = members.get(name);
      if (own === undefined) members.set(name, declared);
      else if (!inherited.has(name)) members.set(name, mergeDeclared(own, declared));
    }
    for (const base of each.bases) {
      const simple = base.slice(base.lastIndexOf(".") + 1);
      const found = known.names.get(base) ?? (known.bySimpleName.get(simple) ?? [])[0];
      if (found === undefined || found.declared.form === "unknown") outsideBases.add(base);
      else queue.push(found);
    }
  }
  flat.set(declaration.name, { ...declaration.declared, outsideBases: [...outsideBases] });
  for (const [name, declared] of members) flat.set(`${declaration.name}.${name}`, declared);
}

export function declaredAs(
  form: Declared["form"],
  options: {
    readonly calls?: readonly Callable[];
    readonly text?: string | null;
    readonly hasUnknownMembers?: boolean;
  } = {},
): Declared {
  return {
    kind: "value",
    form,
    calls: options.calls ?? [],
    text: options.text ?? null,
    hasUnknownMembers: options.hasUnknownMembers ?? false,
    outsideBases: [],
  };
}
