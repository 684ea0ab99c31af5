/** The result of ranking: every file of the repository that wasn't changed, best first, with the signals that placed it. */

/** Each ranker sees all candidates and orders those it knows something about. */
export const RANKERS = ["imports", "names", "words", "likeness", "history", "question"] as const;
export type Ranker = (typeof RANKERS)[number];

export type RankedFile = {
  readonly path: string;
  /** Starting at 1, over all candidates. */
  readonly rank: number;
  /** How close it is, in thousandths of the closest file. The closest has 1,000, a file that no ranker knows 0. */
  readonly closeness: number;
  /** The place in each ranker's own list, starting at 1; null where the ranker has no opinion. */
  readonly signals: Readonly<Record<Ranker, number | null>>;
  /** How the file is connected with a changed one; "none" when neither imports nor names connect them. */
  readonly relation: "dependency" | "dependent" | "test" | "sibling" | "none";
  /** How many changed files reach this one through imports. */
  readonly frequency: number;
  /** Imports between this file and the closest changed one; null when there is no way. */
  readonly distance: number | null;
};
