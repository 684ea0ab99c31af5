/**
 * Ranks files by imports: neighbors of the changed files first, then neighbors of those. A file that many others import, or that
 * imports many, says less than one with few edges.
 */
import { LOG2_ONE, log2Fixed } from "./integer-math.ts";
import { neighborsOf } from "./import-ways.ts";
import type { RankGround, Scores } from "./rank-input.ts";

/** The second step doesn't go on from a file with more edges in one direction: half of the repository would be near. */
const MAX_FAN = 40;

/** A neighbor counts as much as this many files one step further, over a file with one edge. */
const NEIGHBOR = 4;

/** 1.0 in scores. */
const ONE = 2 ** 20;

export function scoreImports({ paths, numbers, changedPaths, graph }: RankGround): Scores {
  const scores = new Float64Array(paths.length);
  const degreeOf = (path: string): number =>
    (graph.dependencies.get(path)?.size ?? 0) + (graph.dependents.get(path)?.size ?? 0);
  const add = (path: string, amount: number): void => {
    const number = numbers.get(path);
    if (number === undefined) return;
    const divisor = log2Fixed(2 + degreeOf(path));
    scores[number] = (scores[number] ?? 0) + Math.floor((amount * LOG2_ONE) / divisor);
  };
  const near = new Map<string, number>();
  for (const changed of changedPaths) {
    for (const path of neighborsOf(graph, changed)) near.set(path, (near.get(path) ?? 0) + 1);
  }
  for (const [path, times] of near) {
    add(path, NEIGHBOR * ONE * times);
    const share = Math.floor((ONE * times) / (1 + degreeOf(path)));
    for (const edges of [graph.dependencies.get(path), graph.dependents.get(path)]) {
      if (edges === undefined || edges.size >= MAX_FAN) continue;
      for (const next of edges) add(next, share);
    }
  }
  return scores;
}
