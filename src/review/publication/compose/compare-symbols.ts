/**
 * Exported declarations that a change adds, removes or alters, read from its added and removed lines. It knows only
 * declarations at the left margin, where a line alone proves what it declares.
 */
import type { FileAnalysis } from "../../analysis/analysis.ts";
import type { ChangedFile } from "../../change/change.ts";
import { walkHunk } from "../../change/walk-hunks.ts";

type Source = { readonly file: ChangedFile; readonly facts: FileAnalysis };

export type SymbolChanges = {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
};

/**
 * Each has the groups `name` and, where a declaration can be private, `exported`. A name is at most 60 characters of a
 * plain identifier, so it's safe to show.
 */
const SCRIPT =
  /^(?<exported>export (?:default )?)?(?:declare )?(?:abstract )?(?:async )?(?:function\*?|class|interface|type|const enum|enum|const|let|var|namespace) (?<name>[A-Za-z_$][\w$]{0,59})(?![\w$])/;
const DECLARATIONS: Readonly<Record<string, RegExp>> = {
  javascript: SCRIPT,
  typescript: SCRIPT,
  tsx: SCRIPT,
  python: /^(?:async def|def|class) (?:(?<exported>(?!_))|)(?<name>[A-Za-z_]\w{0,59})\b/,
  go: /^(?:func|type) (?:(?<exported>(?=[A-Z]))|)(?<name>[A-Za-z]\w{0,59})\b/,
  rust: /^(?<exported>pub )?(?:pub\([a-z]{1,10}\) )?(?:async |unsafe |const )?(?:fn|struct|enum|trait|type|const|static|mod|union) (?<name>[A-Za-z_]\w{0,59})\b/,
  java: /^(?<exported>public )?(?:abstract |final |sealed )?(?:class|interface|enum|record|@interface) (?<name>[A-Za-z_]\w{0,59})\b/,
  ruby: /^(?<exported>)(?:class|module) (?<name>[A-Z]\w{0,59})$/,
  php: /^(?<exported>)(?:abstract |final |readonly )*(?:class|interface|trait|enum|function) (?<name>[A-Za-z_]\w{0,59})\b/,
};

/** The signature of an overload: the function is declared on another line. */
const OVERLOAD = /^(?:export )?(?:default )?(?:declare )?(?:async )?function[^{]*;$/;

const WORDS = /[A-Za-z_$][\w$]*/g;

type Declaration = { readonly path: string; readonly text: string; readonly isExported: boolean };

export function compareSymbols(sources: readonly Source[]): SymbolChanges {
  const sides = { removed: createSide(), added: createSide(), context: createSide() };
  for (const { file, facts } of sources) {
    const pattern = DECLARATIONS[facts.language];
    for (const { kind, text } of file.hunks.flatMap(walkHunk)) {
      const { declared, lines } = sides[kind];
      lines.push(text);
      const groups = OVERLOAD.test(text) ? undefined : pattern?.exec(text)?.groups;
      const name = groups?.["name"];
      if (name === undefined) continue;
      const declaration = { path: file.path, text, isExported: groups?.["exported"] !== undefined };
      const known = declared.get(name);
      if (known === undefined) declared.set(name, [declaration]);
      else known.push(declaration);
    }
  }
  const { removed: before, added: after, context } = sides;
  const named = (side: Side): readonly string[] =>
    [...side.declared]
      .filter(([name, found]) => !context.declared.has(name) && found.some(({ isExported }) => isExported))
      .map(([name]) => name);
  return {
    // A name that the other side mentions may have been declared or exported there in another form.
    added: unmentioned(named(after), before),
    removed: unmentioned(named(before), after),
    changed: [...new Set([...named(after), ...named(before)])].filter((name) =>
      isAltered(before.declared.get(name), after.declared.get(name)),
    ),
  };
}

type Side = {
  readonly declared: Map<string, Declaration[]>;
  readonly lines: string[];
};

function createSide(): Side {
  return { declared: new Map(), lines: [] };
}

/** The names that are no word on the lines of the side. */
function unmentioned(names: readonly string[], { lines }: Side): readonly string[] {
  // Most changes of many files only add.
  if (names.length === 0 || lines.length === 0) return names;
  const words = new Set(lines.flatMap((line) => line.match(WORDS) ?? []));
  return names.filter((name) => !words.has(name));
}

/** One declaration on each side, in the same file, with another text. A declaration that moved is neither. */
function isAltered(before: readonly Declaration[] = [], after: readonly Declaration[] = []): boolean {
  const [[old, ...otherOld], [now, ...otherNow]] = [before, after];
  if (old === undefined || now === undefined || otherOld.length + otherNow.length > 0) return false;
  return old.path === now.path && old.text.trimEnd() !== now.text.trimEnd();
}
