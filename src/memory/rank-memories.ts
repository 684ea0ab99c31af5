/** Decides which earlier findings resemble a change enough to be shown, and in which order. */
import type { Category } from "../base/severity.ts";
import { areRelated } from "./related-languages.ts";
import { fuseRankings } from "./fuse-rankings.ts";
import { MAX_BODY_CHARS, memoryText, type RememberedText } from "./memory-text.ts";
import { isSameProblem } from "./problems.ts";
import { termsOf } from "./terms-of.ts";

/** Factors of the rank; smaller is better. */
const SAME_LANGUAGE = 0.85;
const OTHER_LANGUAGE = 1.15;
const SAME_CATEGORY = 0.9;

/** The factor for old memories never gets worse than 1 / 0.9. */
const RECENCY_FLOOR = 0.9;
const HALF_LIFE_MS = 90 * 24 * 60 * 60 * 1000;

/**
 * From this share of common words on, a memory without a vector passes. At 0.45, 78 % of the relevant ones among the first five pass, and
 * every second query without a relevant one gets none (bench/memory-quality.ts).
 */
const MIN_COMMON_SHARE = 0.45;

/** As many of them have to be in the title or the body: the words of a path alone don't make a finding similar. */
const MIN_COMMON_WORDS = 3;

/** A query has many words that a memory can't have, so more than this many times its own don't count. */
const MAX_QUERY_WORDS_RATIO = 1.5;

export type MemoryCandidate = RememberedText & {
  readonly id: number;
  readonly repositoryId: number;
  readonly createdAt: number;
  readonly pattern: string;
  readonly outcome: string;
};

export type FoundMemories = {
  /** The text that was searched for. */
  readonly query: string;
  /** The nearest vectors, nearest first. */
  readonly nearest: readonly { readonly id: number; readonly distance: number }[];
  /** From full text, best first. */
  readonly texts: readonly { readonly id: number; readonly score: number }[];
  /** Distances of memories that only full text found, in any order. Those without a vector are missing. */
  readonly measured: readonly { readonly id: number; readonly distance: number }[];
};

export type RankSituation = {
  /** The reviewed repository. */
  readonly repositoryId: number;
  /** Distances up to which its memories pass, and those of other repositories. */
  readonly threshold: { readonly own: number; readonly shared: number };
  /** Of the change. Empty if the language shall not matter. */
  readonly languages: readonly string[];
  /** That the change suggests; see expected-categories.ts. */
  readonly categories: readonly Category[];
  readonly now: number;
  readonly topK: number;
};

export type RankedMemory<Row> = Row & {
  readonly distance: number | null;
  readonly method: "vector" | "text" | "both";
};

/** `repeats`: lower ranks about the same problem. */
export type DistinctMemory<Row> = RankedMemory<Row> & { readonly repeats: readonly Row[] };

/**
 * At most `topK` of `rows`, best first. Equal ranks are in order of age, newest first. Rows about one problem with one outcome are one:
 * the best of them, with the others as `repeats`.
 */
export function rankMemories<Row extends MemoryCandidate>(
  rows: readonly Row[],
  found: FoundMemories,
  situation: RankSituation,
): readonly DistinctMemory<Row>[] {
  const distinct: { readonly best: RankedMemory<Row>; readonly repeats: Row[] }[] = [];
  for (const row of rankAll(rows, found, situation)) {
    const same = distinct.find(({ best }) => best.outcome === row.outcome && isSameProblem(best, row));
    if (same !== undefined) same.repeats.push(row);
    else if (distinct.length < situation.topK) distinct.push({ best: row, repeats: [] });
  }
  return distinct.map(({ best, repeats }) => ({ ...best, repeats }));
}

function rankAll<Row extends MemoryCandidate>(
  rows: readonly Row[],
  found: FoundMemories,
  situation: RankSituation,
): readonly RankedMemory<Row>[] {
  const shares = fuseRankings({
    vectors: found.nearest.map(({ id }) => id),
    texts: found.texts.map(({ id }) => id),
  });
  const nearest = new Map(found.nearest.map(({ id, distance }) => [id, distance]));
  const measured = new Map(found.measured.map(({ id, distance }) => [id, distance]));
  const texts = new Set(found.texts.map(({ id }) => id));
  const query = termsOf(found.query);
  const passed = rows.flatMap((row) => {
    const share = shares.get(row.id);
    if (share === undefined) return [];
    const distance = nearest.get(row.id) ?? measured.get(row.id) ?? null;
    const { own, shared } = situation.threshold;
    const isNear =
      distance !== null && distance <= (row.repositoryId === situation.repositoryId ? own : shared);
    // A distance decides. Without one, only words do.
    if (distance === null ? !(texts.has(row.id) && hasCommonWords(row, query)) : !isNear) return [];
    const method = !texts.has(row.id) ? "vector" : nearest.has(row.id) ? "both" : "text";
    const ranked: RankedMemory<Row> = { ...row, distance, method };
    return [{ ranked, rank: factorOf(row, situation) / share }];
  });
  return passed
    .sort((a, b) => a.rank - b.rank || b.ranked.createdAt - a.ranked.createdAt || b.ranked.id - a.ranked.id)
    .map(({ ranked }) => ranked);
}

function hasCommonWords(memory: RememberedText, query: ReadonlyMap<string, number>): boolean {
  const isCommon = (term: string): boolean => query.has(term);
  const said = termsOf(`${memory.title}\n${memory.body.slice(0, MAX_BODY_CHARS)}`);
  if (said.keys().filter(isCommon).toArray().length < MIN_COMMON_WORDS) return false;
  const terms = [...termsOf(memoryText(memory)).keys()];
  const reach = Math.sqrt(terms.length * Math.min(query.size, MAX_QUERY_WORDS_RATIO * terms.length));
  return terms.filter(isCommon).length / reach >= MIN_COMMON_SHARE;
}

function factorOf(memory: MemoryCandidate, { languages, categories, now }: RankSituation): number {
  const age = Math.max(0, now - memory.createdAt);
  const recency = RECENCY_FLOOR + (1 - RECENCY_FLOOR) * 2 ** (-age / HALF_LIFE_MS);
  const isExpected = categories.some((category) => category === memory.category);
  return (languageFactor(memory.language, languages) * (isExpected ? SAME_CATEGORY : 1)) / recency;
}

function languageFactor(language: string, languages: readonly string[]): number {
  if (language === "unknown" || languages.length === 0) return 1;
  return languages.some((each) => areRelated(each, language)) ? SAME_LANGUAGE : OTHER_LANGUAGE;
}
