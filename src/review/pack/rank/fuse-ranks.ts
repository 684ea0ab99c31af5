/** Weighted reciprocal rank fusion: each ranker gives a file a share that falls with its place, and the shares are added. */
import type { Scores } from "./rank-input.ts";

/** How much the first places stand out. Larger values make the rankers' order matter less than their agreement. */
const FLATNESS = 15;

/** 1.0 in shares. */
const ONE = 2 ** 30;

/** A ranker's places by file number, starting at 1; 0 where it has no opinion. Equal scores are in byte order of the paths. */
export function placesOf(scores: Scores): Uint32Array {
  const places = new Uint32Array(scores.length);
  for (const [index, number] of orderByScore(scores).entries()) {
    if ((scores[number] ?? 0) === 0) break;
    places[number] = index + 1;
  }
  return places;
}

export type FusedFile = {
  readonly number: number;
  /** Its shares in thousandths of those of the first file. */
  readonly closeness: number;
};

export type WeightedPlaces = { readonly places: Uint32Array; readonly weight: number };

/** All files, best first. */
export function fuseRanks(lists: readonly WeightedPlaces[], fileCount: number): readonly FusedFile[] {
  const shares = new Float64Array(fileCount);
  for (const { places, weight } of lists) {
    for (const [number, place] of places.entries()) {
      if (place > 0) shares[number] = (shares[number] ?? 0) + Math.floor((ONE * weight) / (FLATNESS + place));
    }
  }
  const order = orderByScore(shares);
  const most = Math.max(1, shares[order[0] ?? 0] ?? 0);
  return Array.from(order, (number) => ({
    number,
    closeness: Math.floor(((shares[number] ?? 0) * 1_000) / most),
  }));
}

function orderByScore(scores: Scores): Uint32Array {
  const numbers = Uint32Array.from(scores.keys());
  return numbers.sort((one, other) => (scores[other] ?? 0) - (scores[one] ?? 0) || one - other);
}
