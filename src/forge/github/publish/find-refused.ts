/**
 * Finds out which comments of a review GitHub refuses, given only that it refuses or accepts a whole set: halves, and
 * halves of halves. Pure: it says what to try next, and is told what came of it.
 *
 * A set is always tried together with everything accepted so far, so that the last one to be accepted is the review
 * itself. Comments are told by their index.
 */

export type RefusalSearch = {
  readonly accepted: readonly number[];
  readonly refused: readonly number[];
  /** Sets whose fate is open, tried from the front. */
  readonly open: readonly OpenSet[];
  readonly triesLeft: number;
};

type OpenSet = {
  readonly items: readonly number[];
  /** Together with the set before it this one was refused: when that one is accepted, this one need not be tried whole. */
  readonly isBlamedIfPreviousIsAccepted: boolean;
};

export type SearchStep =
  | {
      readonly kind: "try";
      readonly items: readonly number[];
      /** When this is accepted nothing is left to try: it is the review. */
      readonly isLast: boolean;
    }
  | { readonly kind: "settled"; readonly accepted: readonly number[] };

/**
 * One bad comment of fifteen takes at most eight tries, three at most eighteen. What is still open after this many is told
 * in the summary: each try creates content, of which 80 are allowed a minute.
 */
const MAX_TRIES = 20;

/** All of them together have been refused. */
export function startSearch(count: number): RefusalSearch {
  const all = Array.from({ length: count }, (_, index) => index);
  return splitRefused({ accepted: [], refused: [], open: [], triesLeft: MAX_TRIES }, all);
}

export function nextStep({ accepted, open, triesLeft }: RefusalSearch): SearchStep {
  const [first, ...rest] = open;
  if (first === undefined || triesLeft === 0) return { kind: "settled", accepted };
  return { kind: "try", items: inOrder([...accepted, ...first.items]), isLast: rest.length === 0 };
}

/** Continues with what came of the set that `nextStep` named. */
export function continueSearch(search: RefusalSearch, wasAccepted: boolean): RefusalSearch {
  const [first, ...rest] = search.open;
  if (first === undefined) return search;
  const tried = { ...search, open: rest, triesLeft: search.triesLeft - 1 };
  if (!wasAccepted) return splitRefused(clearBlame(tried), first.items);
  const further = { ...tried, accepted: inOrder([...search.accepted, ...first.items]) };
  const [blamed, ...others] = rest;
  return blamed?.isBlamedIfPreviousIsAccepted === true
    ? splitRefused({ ...further, open: others }, blamed.items)
    : further;
}

/** A set that is known to hold something bad: a single one is it, others are halved. */
function splitRefused(search: RefusalSearch, items: readonly number[]): RefusalSearch {
  if (items.length <= 1) return { ...search, refused: [...search.refused, ...items] };
  const middle = Math.ceil(items.length / 2);
  const halves = [
    { items: items.slice(0, middle), isBlamedIfPreviousIsAccepted: false },
    { items: items.slice(middle), isBlamedIfPreviousIsAccepted: true },
  ];
  return { ...search, open: [...halves, ...search.open] };
}

/** The front set was refused by itself, so that its neighbour may be good after all. */
function clearBlame(search: RefusalSearch): RefusalSearch {
  const [next, ...others] = search.open;
  if (next === undefined) return search;
  return { ...search, open: [{ ...next, isBlamedIfPreviousIsAccepted: false }, ...others] };
}

function inOrder(items: readonly number[]): readonly number[] {
  return [...items].sort((left, right) => left - right);
}
