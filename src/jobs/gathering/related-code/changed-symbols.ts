/** Compares the declarations of changed files: whose signature changed, and which functions the changed lines are in. */
import type { CodeReader } from "../../../reading/reader.ts";
import { languageOf } from "../../../languages/language-of.ts";
import type { ChangedFile } from "../../../review/change/change.ts";
import { compareOutlines, type SymbolChange } from "../../../languages/outline/compare-outlines.ts";
import type { Declaration, Outline } from "../../../languages/outline/outline.ts";
import { changedPlacesOf } from "../../../review/context/select-related-code.ts";

/** The outlines of a changed file. */
export type OutlinedFile = {
  readonly file: ChangedFile;
  /** At the head; empty for a deleted file. */
  readonly outline: Outline;
  readonly changes: readonly SymbolChange[];
};

/** A reader needs the whole of a function to judge a line of it. A longer one is read with a tool, where it matters. */
const MAX_FUNCTION_LINES = 150;

/** Types and classes: their other members rarely matter. */
const MAX_TYPE_LINES = 40;

/** A file with more changed lines is new or rewritten: the diff shows nearly all of it. */
const MAX_PLACES = 2_000;

/** Null when a side can't be parsed. */
export async function outlineChanged(
  file: ChangedFile,
  texts: { readonly before: string | null; readonly after: string | null },
  {
    reader,
    maxMs,
    onUsed,
  }: { readonly reader: CodeReader; readonly maxMs: number; readonly onUsed: (cpuMs: number) => void },
): Promise<OutlinedFile | null> {
  const language = languageOf(file.path);
  const sides = [texts.before ?? "", texts.after ?? ""].map((text) => ({ language, text }));
  const reading = await reader.ask("outline-files", { files: sides }, maxMs, onUsed);
  if (reading.kind !== "read") return null;
  const [before, after] = reading.value;
  if (before === undefined || before === null || after === undefined || after === null) return null;
  return { file, outline: after, changes: compareOutlines(before, after) };
}

/** The declarations around the changed lines of a file that are shown whole, in their order: the longest function, or else a short type. */
export function surroundingsOf({ file, outline }: OutlinedFile): readonly Declaration[] {
  if (file.status === "added") return [];
  const found = new Set<Declaration>();
  for (const place of changedPlacesOf(file).slice(0, MAX_PLACES)) {
    const around = outline
      .filter(
        (each) =>
          each.bodyLine !== null &&
          place >= each.startLine &&
          place <= each.endLine &&
          sizeOfDeclaration(each) < (isFunction(each) ? MAX_FUNCTION_LINES : MAX_TYPE_LINES),
      )
      .toSorted((one, other) => sizeOfDeclaration(other) - sizeOfDeclaration(one));
    const whole = around.find(isFunction) ?? around[0];
    if (whole !== undefined) found.add(whole);
  }
  return [...found];
}

function sizeOfDeclaration({ startLine, endLine }: Declaration): number {
  return endLine - startLine;
}

function isFunction({ kind }: Declaration): boolean {
  return kind === "function" || kind === "method";
}

/** A name whose uses may have to follow the change. */
export type ChangedSymbol = {
  readonly path: string;
  readonly name: string;
  readonly isGone: boolean;
  /** Where its declaration begins: at the head, or at the base when it's gone. */
  readonly line: number;
  readonly isMethod: boolean;
  /** Other files can use it. */
  readonly isExported: boolean;
  /** Null when it is gone. */
  readonly signature: string | null;
};

/** Shorter names are found everywhere. */
const MIN_NAME_CHARS = 3;

/** Names that are gone or have another signature; exported ones first. */
export function changedSymbols(files: readonly OutlinedFile[]): readonly ChangedSymbol[] {
  const found = files.flatMap(({ file, changes }) =>
    changes.filter(isWorthFollowing).map((change): ChangedSymbol => {
      const { before, kind } = change;
      return {
        path: file.path,
        name: before.name,
        isGone: kind !== "changed",
        line: kind === "changed" ? change.after.startLine : before.startLine,
        isMethod: before.kind === "method",
        isExported: before.isExported,
        signature: kind === "removed" ? null : change.after.signature,
      };
    }),
  );
  return found
    .filter(({ name }) => name.length >= MIN_NAME_CHARS && /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name))
    .toSorted((one, other) => Number(other.isExported) - Number(one.isExported));
}

/** Local values aren't used elsewhere, and a value that only changed is no signature. */
function isWorthFollowing({ kind, before }: SymbolChange): boolean {
  if (before.kind === "variable") return before.isExported && kind !== "changed";
  return true;
}

/** Names of the declarations that the changed lines are in, innermost first for each line. */
export function touchedNames({ file, outline, changes }: OutlinedFile): readonly string[] {
  const names = new Set(changes.map(({ before }) => before.name));
  for (const place of changedPlacesOf(file).slice(0, MAX_PLACES)) {
    const around = outline.filter(({ startLine, endLine }) => place >= startLine && place <= endLine);
    for (const { name } of around.toReversed()) names.add(name);
  }
  return [...names].filter((name) => name.length >= MIN_NAME_CHARS);
}
