/**
 * Packs the results of a review into a short text for the marker on the pull request. With it, a pull request can be reviewed on even if
 * the database is lost.
 */
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { UNREAD } from "../review/change/readings.ts";
import { type PriorFinding, PriorReview, type PriorRun } from "../review/context/prior-review.ts";

/** A run as it is stored: its diff is read from git. */
export type StoredRun = Omit<PriorRun, "files">;

/** The results of earlier runs, without their diffs. */
export type StoredReview = {
  readonly runs: readonly StoredRun[];
  readonly findings: readonly PriorFinding[];
};

/** As much as the marker allows. */
const MAX_STATE_CHARS = 24_000;

/** A signed state is never larger; the limit is for memory. */
const MAX_JSON_BYTES = 4 * 1024 * 1024;

const FORMAT = 1;

/**
 * Without the reports behind findings. Leaves out what a lost database costs least: words, then who has read what, then findings that are
 * settled, then the oldest ones, whose comments on the pull request say that they were reported.
 */
export function encodeState({ runs, findings }: PriorReview): string {
  const [last] = runs;
  if (last === undefined) return "";
  const { files: _, ...run } = last;
  // Files without readings of their own count as usual, so a shorter list would say that unread code was read.
  const short = { ...run, readings: { usual: UNREAD, others: [] } };
  const unlinked = findings.map(({ sources: _sources, ...finding }) => ({ ...finding, thread: null }));
  const withoutWords = unlinked.map((finding) => ({ ...finding, words: [] }));
  const open = withoutWords.filter(({ state }) => state !== "verified" && state !== "expired");
  for (const state of [
    { runs: [run], findings: unlinked },
    { runs: [run], findings: withoutWords },
    { runs: [short], findings: withoutWords },
    { runs: [short], findings: open },
  ]) {
    const text = pack(state);
    if (text.length <= MAX_STATE_CHARS) return text;
  }
  const newest = open.toSorted((a, b) => b.number - a.number);
  for (let kept = newest.length; kept > 0; kept = Math.floor(kept * KEPT_SHARE)) {
    const text = pack({ runs: [short], findings: newest.slice(0, kept) });
    if (text.length <= MAX_STATE_CHARS) return text;
  }
  return pack({ runs: [short], findings: [] });
}

/** Each round leaves out a part of the rest, so that there are few rounds. */
const KEPT_SHARE = 0.8;

function pack(state: StoredReview): string {
  return deflateRawSync(JSON.stringify({ format: FORMAT, ...state })).toString("base64url");
}

/** Null for a text that this version can't read. */
export function decodeState(text: string): StoredReview | null {
  try {
    const json: unknown = JSON.parse(
      inflateRawSync(Buffer.from(text, "base64url"), { maxOutputLength: MAX_JSON_BYTES }).toString(),
    );
    if (!isState(json) || json.format !== FORMAT) return null;
    const parsed = PriorReview.safeParse({
      ...json,
      runs: json.runs.map((run) => ({ ...run, files: null })),
    });
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

function isState(json: unknown): json is { readonly format: number; readonly runs: readonly object[] } {
  return (
    typeof json === "object" &&
    json !== null &&
    "format" in json &&
    "runs" in json &&
    Array.isArray(json.runs)
  );
}
