/** Ranks every file of the repository that wasn't changed. The same input gives the same order on every machine. */
import { categoryOf } from "../../analysis/categories.ts";
import { comparePaths } from "../../analysis/triage.ts";
import { fuseRanks, placesOf } from "./fuse-ranks.ts";
import { findImportWays, type ImportWay } from "./import-ways.ts";
import { type NameParts, namePartsOf } from "./name-parts.ts";
import { scoreHistory } from "./rank-history.ts";
import { scoreImports } from "./rank-imports.ts";
import { scoreLikeness } from "./rank-likeness.ts";
import type { RankGround, RankInput, Scores } from "./rank-input.ts";
import { scoreNames } from "./rank-names.ts";
import { scoreQuestion } from "./rank-question.ts";
import { scoreWords } from "./rank-words.ts";
import { type RankedFile, type Ranker, RANKERS } from "./ranked-file.ts";

const SCORERS: Readonly<Record<Ranker, (ground: RankGround) => Scores>> = {
  imports: scoreImports,
  names: scoreNames,
  words: scoreWords,
  likeness: scoreLikeness,
  history: scoreHistory,
  question: scoreQuestion,
};

/**
 * How much each says, in eighths. Words find what neither imports nor names connect. Files that changed together once often have nothing more
 * in common; history repeats what the others know, or is the only one that knows. Likeness orders files that the others find equally close.
 */
const WEIGHTS: Readonly<Record<Ranker, number>> = {
  imports: 8,
  names: 8,
  words: 10,
  likeness: 5,
  history: 6,
  question: 8,
};

export function rankCandidates(input: RankInput): readonly RankedFile[] {
  const ground = toGround(input);
  const places = RANKERS.map((ranker) => placesOf(SCORERS[ranker](ground)));
  const ways = findImportWays(ground.graph, ground.changedPaths);
  const relationOf = createRelations(ground.changedPaths);
  const weighted = RANKERS.map((ranker, index) => ({
    places: places[index] ?? new Uint32Array(),
    weight: WEIGHTS[ranker],
  }));
  return fuseRanks(weighted, ground.paths.length).map(({ number, closeness }, index) => {
    const path = ground.paths[number] ?? "";
    const way = ways.get(path) ?? null;
    const [imports = null, names = null, words = null, likeness = null, history = null, question = null] =
      places.map((list) => list[number] || null);
    return {
      path,
      rank: index + 1,
      closeness,
      signals: { imports, names, words, likeness, history, question },
      relation: relationOf(path, ground.nameParts[number] ?? namePartsOf(path), way),
      frequency: way?.frequency ?? 0,
      distance: way?.distance ?? null,
    };
  });
}

function toGround({ changed, candidates, ...rest }: RankInput): RankGround {
  const atHead = new Set(changed.filter(({ status }) => status !== "deleted").map(({ path }) => path));
  const paths = sortPaths(candidates.map(({ path }) => path).filter((path) => !atHead.has(path)));
  return {
    ...rest,
    paths,
    numbers: new Map(paths.map((path, number) => [path, number])),
    nameParts: paths.map(namePartsOf),
    changedPaths: sortPaths(
      changed.flatMap(({ path, oldPath }) => (oldPath === null ? [path] : [path, oldPath])),
    ),
  };
}

function sortPaths(paths: readonly string[]): readonly string[] {
  return [...new Set(paths)].sort(comparePaths);
}

/** A test with the name of a changed file is its test if it imports it, or if their folders are the same apart from those of tests. */
function createRelations(
  changedPaths: readonly string[],
): (path: string, parts: NameParts, way: ImportWay | null) => RankedFile["relation"] {
  const changed = changedPaths.map((path) => namePartsOf(path));
  const stems = new Set(changed.map(({ stem }) => stem).filter((stem) => stem !== ""));
  const places = new Set(changed.map(testedPlace));
  const folders = new Set(changed.map(({ folder }) => folder));
  const isSibling = ({ stem, folder }: NameParts): boolean => stems.has(stem) || folders.has(folder);
  return (path, parts, way) => {
    const isNamesake = stems.has(parts.stem) && categoryOf(path) === "test";
    if (isNamesake && (way !== null || places.has(testedPlace(parts)))) return "test";
    return way?.relation ?? (isSibling(parts) ? "sibling" : "none");
  };
}

/** Folders that tests have and their subjects don't, or the other way round. */
const SIDES = /^(?:tests?|__tests__|specs?|src|lib|app|main|pkg|unit|internal)$/i;

function testedPlace({ folder, stem }: NameParts): string {
  const segments = folder.split("/").filter((segment) => !SIDES.test(segment));
  return [...segments, stem].join("/");
}
