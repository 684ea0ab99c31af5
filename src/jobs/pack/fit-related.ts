/**
 * Adds related files to a pack until the budget is used up: first those with places that have to do with changed declarations, then close
 * tests up to their share, then all others. Within each group, by rank.
 */
import { yieldToEventLoop } from "../../base/event-loop.ts";
import type { TreeFile } from "../../repository/repository.ts";
import { categoryOf } from "../../review/analysis/categories.ts";
import { isProgramming, languageOf } from "../../languages/language-of.ts";
import type { PackReason, SelectedFile } from "../../review/pack/context-pack.ts";
import type { FittedCandidate } from "../../review/pack/fit/assemble-pack.ts";
import { choosePieces } from "../../review/pack/fit/choose-pieces.ts";
import { filterCandidate, type PackFilters } from "../../review/pack/filters/filter-file.ts";
import type { RankedFile } from "../../review/pack/rank/ranked-file.ts";
import {
  type PlacedFile,
  renderCandidate,
  renderPieces,
  renderSignatures,
} from "../../review/pack/render/render-code.ts";
import type { Fitting } from "./fit-changed.ts";
import { batchesOf, type PackedText } from "./packed-texts.ts";

/** One part in this many of the budget for related files is kept for close tests. */
const TEST_SHARE = 10;
/**
 * The most that one related file gets, unless the budget is to be filled. Of 407 real changes, packs of 16,000 tokens then have the file that
 * belongs to the change as often as packs of 32,000 tokens with whole files.
 */
const MAX_FILE_TOKENS = 1_500;
/** About how many characters of code a token has, for choosing pieces before they're counted. */
const CHARS_PER_TOKEN = 3;
/** Files that are less close than this, in thousandths of the closest one, are left out: 98 of 100 files that belong to a change are closer. */
const MIN_CLOSENESS = 200;
/** Signatures of files further down say little about the change, and each takes a syntax tree. */
const MAX_OUTLINED = 100;
/** Files that fit into less are empty modules and stubs. */
const MIN_LEFT_TOKENS = 200;

export type Candidate = RankedFile & TreeFile;

/** Decides by name alone; the others are null. */
export function filterCandidates(
  candidates: readonly Candidate[],
  changed: readonly string[],
  filters: PackFilters,
): ReadonlyMap<string, PackReason | null> {
  return new Map(
    candidates.map((candidate) => [candidate.path, filterCandidate(candidate, changed, filters)]),
  );
}

/** By rank. */
export async function fitRelated(
  candidates: readonly Candidate[],
  reasons: ReadonlyMap<string, PackReason | null>,
  fitting: Fitting,
): Promise<readonly FittedCandidate[]> {
  const { places } = fitting;
  const isTooFar = ({ path, closeness }: Candidate): boolean =>
    !fitting.isFilled && closeness < MIN_CLOSENESS && !places.has(path);
  const reasonOf = ({ path }: Candidate): PackReason | null => {
    const reason = reasons.get(path) ?? null;
    // It's known to be about the change.
    return reason === "filtered:tests-not-close" && places.has(path) ? null : reason;
  };
  const open = candidates
    .filter((each) => reasonOf(each) === null && !isTooFar(each))
    .map((each) => ({ ...each, places: places.get(each.path) ?? [] }));
  const fitted = new Map<string, FittedCandidate>();
  const isFitted = ({ path }: Candidate): boolean => (fitted.get(path)?.block ?? null) !== null;
  const placed = open.filter((each) => each.places.length > 0);
  await fitAll(placed, fitted, { ...fitting, least: 0, maxOutlined: MAX_OUTLINED });
  const testTokens = Math.floor(fitting.ledger.left() / TEST_SHARE);
  const tests = open.filter((each) => categoryOf(each.path) === "test" && !isFitted(each));
  await fitAll(tests, fitted, { ...fitting, least: fitting.ledger.left() - testTokens, maxOutlined: 0 });
  const others = open.filter((each) => !isFitted(each));
  await fitAll(others, fitted, { ...fitting, least: 0, maxOutlined: MAX_OUTLINED });
  return candidates.map((candidate) => {
    const found = fitted.get(candidate.path);
    const reason = reasonOf(candidate) ?? (isTooFar(candidate) ? "too-far" : "over-budget");
    return found ?? omit(candidate, reason, null);
  });
}

/** Rows of candidates when nothing of them is shown. */
export function omitAll(
  candidates: readonly Candidate[],
  reasons: ReadonlyMap<string, PackReason | null>,
): readonly FittedCandidate[] {
  return candidates.map((candidate) => omit(candidate, reasons.get(candidate.path) ?? "over-budget", null));
}

type Limits = {
  /** Tokens that must be left. */
  readonly least: number;
  readonly maxOutlined: number;
};

type PlacedCandidate = Candidate & PlacedFile;

async function fitAll(
  candidates: readonly PlacedCandidate[],
  fitted: Map<string, FittedCandidate>,
  fitting: Fitting & Limits,
): Promise<void> {
  const { ledger, texts, signal, least } = fitting;
  let outlined = 0;
  const left = (): number => ledger.left() - least;
  for (const batch of batchesOf(candidates)) {
    if (left() < MIN_LEFT_TOKENS) return;
    const canOutline = (path: string): boolean =>
      outlined < fitting.maxOutlined && isProgramming(languageOf(path));
    // Any file may have a piece that fits.
    const wanted = fitting.isFilled
      ? batch.filter(({ path, bytes }) => ledger.mayFit(bytes, left()) || canOutline(path))
      : batch;
    const read = await texts.read(wanted);
    for (const candidate of wanted) {
      await yieldToEventLoop();
      signal.throwIfAborted();
      if (left() < MIN_LEFT_TOKENS) return;
      const whole = fitWhole(candidate, read.get(candidate.path), fitting);
      fitted.set(candidate.path, whole.row);
      if (whole.text === null) continue;
      const pieces = fitPieces(candidate, whole.text, fitting);
      if (pieces !== null) fitted.set(candidate.path, pieces);
      if (pieces !== null || !canOutline(candidate.path)) continue;
      outlined++;
      const reduced = await fitSignatures(candidate, whole, fitting);
      if (reduced !== null) fitted.set(candidate.path, reduced);
    }
    fitting.onFitted();
  }
}

type FittedWhole = {
  readonly row: FittedCandidate;
  /** The text of a file that doesn't fit; null when there is nothing more to try. */
  readonly text: string | null;
};

function fitWhole(
  candidate: PlacedCandidate,
  read: PackedText | undefined,
  { ledger, mask, least, isFilled }: Fitting & Limits,
): FittedWhole {
  if (read === undefined) return { row: omit(candidate, "filtered:missing", null), text: null };
  if (read.kind === "binary") return { row: omit(candidate, "filtered:binary", null), text: null };
  const { text } = read;
  const maxTokens = mostTokens({ ledger, least, isFilled });
  if (!ledger.mayFit(candidate.bytes, maxTokens)) return { row: omit(candidate, "over-budget", null), text };
  let tokens: number | null = null;
  const block = ledger.take(renderCandidate(candidate, text, mask), {
    maxTokens,
    onCounted: (counted) => void (tokens = counted),
  });
  if (block === null) return { row: omit(candidate, "over-budget", tokens), text };
  return { row: rowOf(candidate, { decision: "included", reason: null, tokens, block }), text: null };
}

function mostTokens({
  ledger,
  least,
  isFilled,
}: Pick<Fitting & Limits, "ledger" | "least" | "isFilled">): number {
  const left = ledger.left() - least;
  return isFilled ? left : Math.min(left, MAX_FILE_TOKENS);
}

const NO_WORDS: ReadonlyMap<string, number> = new Map();

function fitPieces(
  candidate: PlacedCandidate,
  text: string,
  { ledger, mask, least, isFilled, words }: Fitting & Limits,
): FittedCandidate | null {
  const maxTokens = Math.min(mostTokens({ ledger, least, isFilled }), MAX_FILE_TOKENS);
  const first = candidate.places.map(({ startLine, text: shown }) => ({
    startLine,
    endLine: startLine + shown.split("\n").length - 1,
  }));
  // Of a file that is far, only those say something.
  const weights = !isFilled && candidate.closeness < MIN_CLOSENESS ? NO_WORDS : words;
  const ranges = choosePieces(text.split("\n"), weights, maxTokens * CHARS_PER_TOKEN, first);
  if (ranges.length === 0) return null;
  const block = ledger.take(renderPieces(candidate, { text, ranges }, mask), { maxTokens });
  if (block === null) return null;
  return rowOf(candidate, { decision: "reduced", reason: "reduced:pieces", tokens: block.tokens, block });
}

async function fitSignatures(
  candidate: PlacedCandidate,
  { text }: FittedWhole,
  { ledger, mask, texts, least, isFilled }: Fitting & Limits,
): Promise<FittedCandidate | null> {
  const outline = text === null ? null : await texts.outline(candidate.path, text);
  const signatures = outline === null ? null : renderSignatures(candidate, outline, mask);
  const maxTokens = mostTokens({ ledger, least, isFilled });
  const block = signatures === null ? null : ledger.take(signatures, { maxTokens });
  if (block === null) return null;
  const { tokens } = block;
  return rowOf(candidate, { decision: "reduced", reason: "reduced:signatures", tokens, block });
}

function omit(candidate: Candidate, reason: PackReason, tokens: number | null): FittedCandidate {
  return rowOf(candidate, { decision: "omitted", reason, tokens, block: null });
}

function rowOf(
  { path, rank, closeness, signals, relation, frequency, distance }: Candidate,
  { block, ...result }: Pick<SelectedFile, "decision" | "reason" | "tokens"> & Pick<FittedCandidate, "block">,
): FittedCandidate {
  return { row: { path, rank, closeness, signals, relation, frequency, distance, ...result }, block };
}
