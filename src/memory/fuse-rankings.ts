/** Reciprocal rank fusion: each list gives a memory a share that falls with its place, and the shares are added. */

/** How much the first places stand out. Larger values make the order within the lists matter less than their agreement. */
const FLATNESS = 60;

/** Vectors alone find more than words alone, the local ones too (bench/memory-quality.ts). */
const OF_VECTORS = 2;
const OF_TEXTS = 1;

/** Ids, best first, each at most once in a list. */
export type FoundIds = { readonly vectors: readonly number[]; readonly texts: readonly number[] };

/** The share of each id; larger is better. */
export function fuseRankings({ vectors, texts }: FoundIds): ReadonlyMap<number, number> {
  const shares = new Map<number, number>();
  for (const [ids, weight] of [[vectors, OF_VECTORS] as const, [texts, OF_TEXTS] as const])
    for (const [index, id] of ids.entries())
      shares.set(id, (shares.get(id) ?? 0) + weight / (FLATNESS + index + 1));
  return shares;
}
