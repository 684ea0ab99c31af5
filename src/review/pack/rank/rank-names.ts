/**
 * Ranks files by names: words that their paths share with the path of a changed file, rare words first, and nearness of the
 * folders. So tests are near their implementation, headers near their source, and files of one feature near each other.
 */
import { log2Fixed } from "./integer-math.ts";
import { type NameParts, namePartsOf } from "./name-parts.ts";
import type { RankGround, Scores } from "./rank-input.ts";

/** The score of a path with the same words, and what the same folder adds to it. */
const SAME_WORDS = 10_000;
const SAME_FOLDER = 3_000;

/** A change of more files is everywhere. A part of them, evenly spread, keeps the time in bounds. */
const MAX_CHANGED = 256;

export function scoreNames({ paths, nameParts, changedPaths }: RankGround): Scores {
  const scores = new Float64Array(paths.length);
  const names = readNames(nameParts);
  const { starts, words, weights, totals } = names;
  const step = Math.max(1, Math.ceil(changedPaths.length / MAX_CHANGED));
  /** By number of the word: its weight in the changed path at hand. */
  const wanted = new Float64Array(names.wordCount);
  for (let index = 0; index < changedPaths.length; index += step) {
    const changed = namePartsOf(changedPaths[index] ?? "");
    const nearness = names.folders.map((folder) => folderNearness(folder, changed.folder));
    const known = names.weigh(changed);
    for (const { number, weight } of known.words) wanted[number] = weight;
    for (let file = 0; file < paths.length; file++) {
      let shared = 0;
      const end = starts[file + 1] ?? 0;
      for (let at = starts[file] ?? 0; at < end; at++) {
        shared += Math.min(weights[at] ?? 0, wanted[words[at] ?? 0] ?? 0);
      }
      const all = Math.max(1, (totals[file] ?? 0) + known.total - shared);
      const score = Math.floor((SAME_WORDS * shared) / all) + (nearness[names.folderOf[file] ?? 0] ?? 0);
      if (score > (scores[file] ?? 0)) scores[file] = score;
    }
    for (const { number } of known.words) wanted[number] = 0;
  }
  return scores;
}

/** The names of all candidates, flat: the words of a file are those from its start to the next file's. */
type Names = {
  readonly starts: Uint32Array;
  readonly words: Uint32Array;
  readonly weights: Float64Array;
  /** By file: the sum of its weights. */
  readonly totals: Float64Array;
  readonly folderOf: Uint32Array;
  readonly folders: readonly string[];
  readonly wordCount: number;
  weigh(parts: NameParts): WeighedName;
};

type WeighedName = {
  /** Without words that no candidate has. */
  readonly words: readonly { readonly number: number; readonly weight: number }[];
  /** The weights of all words, also of those. */
  readonly total: number;
};

type NameWord = { readonly number: number; files: number; rarity: number };

function readNames(parts: readonly NameParts[]): Names {
  const known = new Map<string, NameWord>();
  const folders = new Map<string, number>();
  const folderOf = new Uint32Array(parts.length);
  for (const [file, { folder, words }] of parts.entries()) {
    const number = folders.get(folder) ?? folders.size;
    folders.set(folder, number);
    folderOf[file] = number;
    for (const word of words.keys()) {
      const found = known.get(word);
      if (found === undefined) known.set(word, { number: known.size, files: 1, rarity: 0 });
      else found.files++;
    }
  }
  for (const word of known.values()) word.rarity = rarity(word.files, parts.length);
  const unknown = rarity(0, parts.length);
  const weigh = (name: NameParts): WeighedName => {
    const words: { number: number; weight: number }[] = [];
    let total = 0;
    for (const [word, factor] of name.words) {
      const found = known.get(word);
      const weight = factor * (found?.rarity ?? unknown);
      total += weight;
      if (found !== undefined) words.push({ number: found.number, weight });
    }
    return { words, total };
  };
  const weighed = parts.map(weigh);
  const flat = weighed.flatMap(({ words }) => words);
  const starts = new Uint32Array(parts.length + 1);
  for (const [file, { words }] of weighed.entries()) starts[file + 1] = (starts[file] ?? 0) + words.length;
  return {
    starts,
    words: Uint32Array.from(flat, ({ number }) => number),
    weights: Float64Array.from(flat, ({ weight }) => weight),
    totals: Float64Array.from(weighed, ({ total }) => total),
    folderOf,
    folders: [...folders.keys()],
    wordCount: known.size,
    weigh,
  };
}

/** log2(1 + all / (files + 1)) */
function rarity(files: number, all: number): number {
  return log2Fixed(all + files + 1) - log2Fixed(files + 1);
}

/** Leading folders that both have, out of those that the deeper one has. */
function folderNearness(one: string, other: string): number {
  if (one === other) return SAME_FOLDER;
  const segments = one.split("/");
  const others = other.split("/");
  let shared = 0;
  while (shared < segments.length && segments[shared] === others[shared]) shared++;
  return Math.floor((SAME_FOLDER * shared) / Math.max(segments.length, others.length));
}
