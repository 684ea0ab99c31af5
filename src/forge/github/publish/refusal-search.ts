/**
 * Finds the comments of a review that GitHub rejects, although GitHub only accepts or rejects a whole set: a binary search.
 * Pure: it returns what to try next, and the caller passes in the result.
 *
 * A set is always tried together with everything accepted so far, so the last accepted set is the review itself. Comments
 * are identified by their index.
 */

export type RefusalSearch = {
  readonly accepted: readonly number[];
  readonly refused: readonly number[];
  /** Sets with an unknown result, tried from the front. */
  readonly open: readonly OpenSet[];
  readonly triesLeft: number;
};

type OpenSet = {
  readonly items: readonly number[];
  /** This set was rejected together with the previous one. If that one is accepted, this one needn't be tried as a whole. */
  readonly isBlamedIfPreviousIsAccepted: boolean;
};

export type SearchStep =
  | {
      readonly kind: "try";
      readonly items: readonly number[];
      /** If this set is accepted, nothing is left to try, and it is the review. */
      readonly isLast: boolean;
    }
  | { readonly kind: "settled"; readonly accepted: readonly number[] };

/**
 * One bad comment of fifteen takes up to eight tries, three take up to eighteen. Comments still unknown after this many move
 * to the summary, because each try creates content, and GitHub allows 80 such requests per minute.
 */
const MAX_TRIES = 20;

/** Starts after GitHub has rejected all comments together. */
export function startSearch(count: number): RefusalSearch {
  const all = Array.from({ length: count }, (_, index) => index);
  return splitRefused({ accepted: [], refused: [], open: [], triesLeft: MAX_TRIES }, all);
}

export function nextStep({ accepted, open, triesLeft }: RefusalSearch): SearchStep {
  const [first, ...rest] = open;
  if (first === undefined || triesLeft === 0) return { kind: "settled", accepted };
  return { kind: "try", items: inOrder([...accepted, ...first.items]), isLast: rest.length === 0 };
}

/** Continues with the result of the set from `nextStep`. */
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

/** Splits a set that contains a bad comment. A single comment is the bad one. */
function splitRefused(search: RefusalSearch, items: readonly number[]): RefusalSearch {
  if (items.length <= 1) return { ...search, refused: [...search.refused, ...items] };
  const middle = Math.ceil(items.length / 2);
  const halves = [
    { items: items.slice(0, middle), isBlamedIfPreviousIsAccepted: false },
    { items: items.slice(middle), isBlamedIfPreviousIsAccepted: true },
  ];
  return { ...search, open: [...halves, ...search.open] };
}

/** The front set was rejected on its own, so its neighbor may be good after all. */
function clearBlame(search: RefusalSearch): RefusalSearch {
  const [next, ...others] = search.open;
  if (next === undefined) return search;
  return { ...search, open: [{ ...next, isBlamedIfPreviousIsAccepted: false }, ...others] };
}

function inOrder(items: readonly number[]): readonly number[] {
  return [...items].sort((left, right) => left - right);
}
