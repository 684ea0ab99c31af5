/** Chooses the learnings that a review uses: those that apply, the most reliable first, within the limits of the prompt. Pure. */
import { compileGlobs } from "../base/glob.ts";
import type { Learning } from "../review/context/learning.ts";

const MAX_LEARNINGS = 20;
const MAX_CHARS = 2_000;

/** A convention that Kodiai saw by itself is shown after several pull requests have confirmed it. */
const MIN_SEEN_CONFIDENCE = 0.7;

/** The prompt's marks around a learning: its kind, brackets, a line feed. */
const MARK_CHARS = 22;

/** Globs are compared with this many changed files at most; a learning that applies to none of them hardly matters to the change. */
const MAX_PATHS = 1_000;

export type LearningSituation = {
  /** Changed files, the most important first. */
  readonly paths: readonly string[];
  /** Milliseconds since 1970. */
  readonly now: number;
};

export function rankLearnings(
  learnings: readonly Learning[],
  { paths, now }: LearningSituation,
): readonly Learning[] {
  const compared = paths.slice(0, MAX_PATHS);
  const ranked = learnings
    .filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
    .filter(({ source, confidence }) => source !== "analysis" || confidence > MIN_SEEN_CONFIDENCE)
    .toSorted(
      (a, b) =>
        b.confidence - a.confidence ||
        (b.lastUsedAt ?? 0) - (a.lastUsedAt ?? 0) ||
        b.uses - a.uses ||
        (a.id ?? 0) - (b.id ?? 0),
    );
  const chosen: Learning[] = [];
  const texts = new Set<string>();
  let roomChars = MAX_CHARS;
  for (const learning of ranked) {
    const { text, paths: globs } = learning;
    const sizeChars = text.length + globs.join(", ").length + MARK_CHARS;
    // One that was proposed and merged is in the file and still stored.
    if (chosen.length === MAX_LEARNINGS || sizeChars > roomChars || texts.has(text)) continue;
    if (globs.length > 0 && !compared.some(compileGlobs(globs))) continue;
    roomChars -= sizeChars;
    texts.add(text);
    chosen.push(learning);
  }
  return chosen;
}
