/** Ranks every file of the repository that wasn't changed. The same input gives the same order on every machine. */
import { categoryOf } from "../../analysis/categories.ts";
import { comparePaths } from "../../analysis/triage.ts";
import { fuseRanks, placesOf } from "./fuse-ranks.ts";
import { findImportWays, type ImportWay } from "./import-ways.ts";
import { type NameParts, namePartsOf } from "./name-parts.ts";
import { scoreHistory } from "./rank-history.ts";
import { scoreImports } from "./rank-imports.ts";
import type { RankGround, RankInput, Scores } from "./rank-input.ts";
import { scoreNames } from "./rank-names.ts";
import { scoreWords } from "./rank-words.ts";
import { type RankedFile, type Ranker, RANKERS } from "./ranked-file.ts";

const SCORERS: Readonly<Record<Ranker, (ground: RankGround) => Scores>> = {
  imports: scoreImports,
  names: scoreNames,
  words: scoreWords,
  history: scoreHistory,
};

export function rankCandidates(input: RankInput): readonly RankedFile[] {
  const ground = toGround(input);
  const places = RANKERS.map((ranker) => placesOf(SCORERS[ranker](ground)));
  const ways = findImportWays(ground.graph, ground.changedPaths);
  const relationOf = createRelations(ground.changedPaths);
  return Array.from(fuseRanks(places, ground.paths.length), (number, index) => {
    const path = ground.paths[number] ?? "";
    const way = ways.get(path) ?? null;
    const [imports = null, names = null, words = null, history = null] = places.map(
      (list) => list[number] || null,
    );
    return {
      path,
      rank: index + 1,
      signals: { imports, names, words, history },
      relation: relationOf(path, way),
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
    changedPaths: sortPaths(
      changed.flatMap(({ path, oldPath }) => (oldPath === null ? [path] : [path, oldPath])),
    ),
  };
}

function sortPaths(paths: readonly string[]): readonly string[] {
  return [...new Set(paths)].sort(comparePaths);
}

/** A test with the name of a changed file is its test, whatever it imports. */
function createRelations(
  changedPaths: readonly string[],
): (path: string, way: ImportWay | null) => RankedFile["relation"] {
  const changed = changedPaths.map((path) => namePartsOf(path));
  const stems = new Set(changed.map(({ stem }) => stem).filter((stem) => stem !== ""));
  const folders = new Set(changed.map(({ folder }) => folder));
  const isSibling = ({ stem, folder }: NameParts): boolean => stems.has(stem) || folders.has(folder);
  return (path, way) => {
    const parts = namePartsOf(path);
    if (stems.has(parts.stem) && categoryOf(path) === "test") return "test";
    return way?.relation ?? (isSibling(parts) ? "sibling" : "none");
  };
}
