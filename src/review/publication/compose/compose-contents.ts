/**
 * Says what a change consists of, from the diff alone: what its files do, how much of it people read, exported symbols, migrations and
 * dependencies. It leaves out what the diff doesn't prove.
 */
import type { DependencyReport } from "../../../ecosystems/dependency-report.ts";
import type { Analysis, FileAnalysis } from "../../analysis/analysis.ts";
import { isDataFile } from "../../analysis/data-files.ts";
import type { ChangedFile } from "../../change/change.ts";
import type { ChangeContents, ContentsKind, UncountedKind } from "../publication.ts";
import { compareSymbols, type SymbolChanges } from "./compare-symbols.ts";

/** Tools number migrations or date them. */
const MIGRATION =
  /(?:^|\/)(?:migrations?|migrate|versions)\/(?:[^/]{1,100}\/)?[^/]{0,40}\d[^/]{0,100}\.(?:sql|py|rb|[cm]?[jt]s|php|go|cs|java|kt|exs)$/i;

type Known = { readonly file: ChangedFile; readonly facts: FileAnalysis };

export function composeContents(
  files: readonly ChangedFile[],
  { byPath }: Pick<Analysis, "byPath">,
  dependencies: DependencyReport | null = null,
): ChangeContents {
  const known = files.flatMap((file): readonly Known[] => {
    const facts = byPath.get(file.path);
    return facts === undefined ? [] : [{ file, facts }];
  });
  const byReason = Map.groupBy(known, whyUncounted);
  const toRead = byReason.get(null) ?? [];
  const written = known.filter(({ facts }) => facts.mark === null);
  return {
    toRead: {
      files: toRead.length,
      lines: toRead.reduce((sum, { file }) => sum + file.addedLines + file.removedLines, 0),
    },
    kinds: [...Map.groupBy(toRead, ({ facts }) => kindOf(facts))].map(([kind, own]) => ({
      kind,
      files: own.length,
      languages: own.map(({ facts }) => facts.language),
    })),
    uncounted: [...byReason].flatMap(([kind, own]) => (kind === null ? [] : [{ kind, files: own.length }])),
    symbols: compareWritten(written),
    migrations: written.filter(({ file, facts }) => facts.category !== "test" && MIGRATION.test(file.path))
      .length,
    manifests: written.flatMap(({ file: { path } }) => {
      const own =
        dependencies?.packages.filter(({ change }) => change.places.some((place) => place.path === path)) ??
        [];
      return own.length === 0 ? [] : [{ path, packages: own.length }];
    }),
  };
}

/** Null for a file that people read. The first matching reason wins. */
function whyUncounted({ file, facts }: Known): UncountedKind | null {
  if (facts.mark !== null) return facts.mark;
  if (facts.isSkipped) return "skipped";
  if (file.status === "deleted") return "deleted";
  switch (file.unreadable) {
    case "binary":
    case "submodule":
    case "symlink":
    case "lfs-pointer":
      return "without-text";
    case "mode-only":
      return "mode";
    case "too-many-files":
      return "folder";
    case "too-large":
      return isDataFile(facts) ? "data" : null;
    // Kodiai can't read it, but people can.
    case "filtered":
    case "unreadable":
      return null;
    case null:
      return isMoved(file) ? "moved" : null;
  }
}

function isMoved({ status, addedLines, removedLines }: ChangedFile): boolean {
  return (status === "renamed" || status === "copied") && addedLines + removedLines === 0;
}

/** Files that are in no other category and hold no code: images, fixtures, tables. */
const OTHER_LANGUAGES: ReadonlySet<string> = new Set([
  "csv",
  "ini",
  "json",
  "text",
  "toml",
  "unknown",
  "xml",
  "yaml",
]);

function kindOf({ category, language }: FileAnalysis): ContentsKind {
  return category === "source" && OTHER_LANGUAGES.has(language) ? "other" : category;
}

/** A symbol may have moved to or from a file that wasn't read, so then nothing is said about symbols. */
function compareWritten(written: readonly Known[]): SymbolChanges | null {
  const sources = written.filter(({ facts }) => kindOf(facts) === "source");
  const isUnread = sources.some(({ file }) => file.unreadable !== null || file.cutLines.length > 0);
  return isUnread ? null : compareSymbols(sources);
}
