/** Finds the places that use a changed name: git finds lines, syntax trees drop comments, imports tell which uses are certain. The others are left to find_references. */
import { containingFolder } from "../../../base/containing-folder.ts";
import type { WorkBudget } from "../../../base/work-budget.ts";
import type { Repository, Revision, SearchHit } from "../../../repository/repository.ts";
import { categoryOf } from "../../../review/analysis/categories.ts";
import { enclosingDeclaration } from "../../../languages/outline/outline.ts";
import type { Importer } from "../../../languages/resolve/find-importers.ts";
import type { RelatedCandidate } from "../../../review/context/select-related-code.ts";
import type { ChangedSymbol } from "./changed-symbols.ts";
import { cutBlock, type BlockRange } from "../../../languages/cut-block.ts";
import type { RelatedFiles } from "./related-files.ts";

/** A name with more hits is a common word. */
const MAX_HITS = 300;

/** Files per name whose imports are read. */
const MAX_FILES = 60;

/** Files per name that are parsed. */
const MAX_PARSED = 12;

/** A longer function is cut around the use. */
const MAX_PIECE_LINES = 40;

export type CallerSources = {
  readonly repository: Repository;
  readonly revision: Revision;
  readonly files: RelatedFiles;
  /** Which of the files import the name; none when imports can't be read. */
  readonly findImporters: (symbol: ChangedSymbol, among: readonly string[]) => Promise<readonly Importer[]>;
  readonly budget: WorkBudget;
  readonly signal: AbortSignal;
};

export async function findCallers(
  symbol: ChangedSymbol,
  sources: CallerSources,
): Promise<readonly RelatedCandidate[]> {
  const { repository, revision, files, findImporters, budget, signal } = sources;
  // Methods are called on values, whose types imports don't show.
  const isOnlyOwn = symbol.isMethod;
  const { hits } = await repository.search(
    revision,
    {
      text: symbol.name,
      isWord: true,
      folder: isOnlyOwn || !symbol.isExported ? containingFolder(symbol.path) : "",
      accepts: ({ path }) => (isOnlyOwn ? path === symbol.path : files.isWanted(path)),
      maxHits: MAX_HITS,
      onUsed: budget.spend,
    },
    { maxMs: budget.leftMs(), signal },
  );
  const byPath = Map.groupBy(hits, ({ path }) => path);
  const paths = [...byPath.keys()].slice(0, MAX_FILES);
  const importers = isOnlyOwn ? [] : await findImporters(symbol, paths);
  const certain = new Set(importers.filter(({ isCertain }) => isCertain).map(({ path }) => path));
  const parsed = paths
    .filter((path) => certain.has(path) || path === symbol.path)
    .toSorted((one, other) => rank(one) - rank(other))
    .slice(0, MAX_PARSED);
  await files.read(parsed);
  const found: RelatedCandidate[] = [];
  for (const path of parsed) {
    signal.throwIfAborted();
    const its = importers.filter((each) => each.path === path);
    found.push(...(await findInFile(path, byPath.get(path) ?? [], { symbol, importers: its, files })));
  }
  return found;
}

/** Tests last. */
function rank(path: string): number {
  return categoryOf(path) === "test" ? 1 : 0;
}

type InFile = {
  readonly symbol: ChangedSymbol;
  /** Of this file. */
  readonly importers: readonly Importer[];
  readonly files: RelatedFiles;
};

async function findInFile(
  path: string,
  hits: readonly SearchHit[],
  { symbol, importers, files }: InFile,
): Promise<readonly RelatedCandidate[]> {
  const lines = files.linesOf(path);
  if (lines.length === 0) return [];
  const aliases = new Set([
    symbol.name,
    ...importers.flatMap(({ kind, alias }) => (kind === "named" ? alias : [])),
  ]);
  const used = new Set<number>();
  for (const alias of aliases) {
    const uses = await files.usesOf(path, alias);
    for (const line of uses ?? (alias === symbol.name ? hits.map((hit) => hit.line) : [])) used.add(line);
  }
  const outline = await files.outlineOf(path);
  const imported = new Set(importers.flatMap(({ line }) => line ?? []));
  const places = [...used].toSorted((one, other) => one - other);
  const calls = places.filter((line) => !isImport(line, imported, lines));
  // A name that is gone breaks its import, too.
  const wanted = calls.length > 0 || !symbol.isGone ? calls : places.slice(0, 1);
  const { line: changedLine, isGone } = symbol;
  const changedAt = { line: changedLine, isGone };
  const common = {
    path,
    reason: "caller",
    about: symbol.name,
    changedPath: symbol.path,
    changedAt,
  } as const;
  return wanted.flatMap((line): readonly RelatedCandidate[] => {
    if (!isCertainUse(lines[line - 1] ?? "", path, { symbol, importers })) return [];
    const around = outline === null ? null : enclosingDeclaration(outline, line);
    const isShort = around !== null && around.endLine - around.startLine < MAX_PIECE_LINES;
    const { startLine, endLine }: BlockRange = isShort ? around : cutBlock(lines, line, MAX_PIECE_LINES);
    return [{ ...common, startLine, endLine, line, isTest: categoryOf(path) === "test" }];
  });
}

/** Names of an import that spans lines are on lines that end with a comma. */
function isImport(line: number, imported: ReadonlySet<number>, lines: readonly string[]): boolean {
  if (imported.has(line) || looksImported(lines[line - 1] ?? "")) return true;
  if (!/^\s*(?:type\s+)?[\w$]+(?:\s+as\s+[\w$]+)?,?\s*$/.test(lines[line - 1] ?? "")) return false;
  return [...imported].some((start) => start < line && line - start < MAX_PIECE_LINES);
}

/** Whether a line that contains a name only imports it, as far as the line shows. */
export function looksImported(text: string): boolean {
  return /^\s*(?:import|from|use|using|require|require_relative|#\s*include)\b|\brequire\(/.test(text);
}

function isCertainUse(
  text: string,
  path: string,
  {
    symbol,
    importers,
  }: { readonly symbol: Pick<ChangedSymbol, "path">; readonly importers: readonly Importer[] },
): boolean {
  if (path === symbol.path) return true;
  return importers.some(
    ({ kind, alias, isCertain }) =>
      isCertain && (kind === "named" || kind === "module-imported") && text.includes(alias),
  );
}
