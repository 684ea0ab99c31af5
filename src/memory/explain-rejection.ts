/** Finds the reason that a person of the team gave for rejecting findings of one pattern, and words it as a learning. Pure. */
import type { Learning } from "../review/context/learning.ts";
import { containingFolder } from "../base/containing-folder.ts";
import { type Feedback, type FeedbackOnFinding, isOfTeam, type ReplyReading } from "./feedback.ts";
import { mayBeSecurity } from "./pattern-of.ts";
import { quotable } from "./quotable.ts";
import { opinionsOf, SIGNAL_MEANINGS } from "./weigh-feedback.ts";

/** "Wrong" and "false positive" reject a finding. They don't explain how the team works. */
const MIN_WORDS = 4;

/** A person said it once. Repeated feedback is more certain. */
const CONFIDENCE = 0.5;

/** A person's words of a year ago say little about how the team works today. */
const EXPIRES_AFTER_MS = 360 * 24 * 60 * 60 * 1_000;

const MAX_TITLE_CHARS = 120;

/** Learnings from one person's reason have names of their own, because repeated feedback on the pattern is another learning. */
const NAME = "explained:";

export function nameOfExplained(pattern: string): string {
  return `${NAME}${pattern}`;
}

/** The pattern of such a learning; null for another one. */
export function explainedPattern({
  source,
  name,
}: {
  readonly source: string;
  readonly name: string;
}): string | null {
  return source === "feedback" && name.startsWith(NAME) ? name.slice(NAME.length) : null;
}

/**
 * `feedback` is of one pattern. Null without a reason, for a security finding, which nothing excuses, or if the newest opinion accepts the
 * finding.
 */
export function explainRejection(
  feedback: readonly FeedbackOnFinding[],
  now: number,
): FeedbackOnFinding | null {
  const rows = feedback.filter(
    (row) => isOfTeam(row) && row.at > now - EXPIRES_AFTER_MS && !isAboutSecurity(row),
  );
  const opinions = new Set<Feedback>(opinionsOf(rows));
  const [newest] = rows
    .filter((row) => opinions.has(row) && SIGNAL_MEANINGS[row.signal].isExplicit)
    .toSorted((one, other) => other.at - one.at);
  if (newest !== undefined && SIGNAL_MEANINGS[newest.signal].side === "accepts") return null;
  const [explained] = rows
    .filter(({ signal, words }) => SIGNAL_MEANINGS[signal].side === "rejects" && isReason(words))
    .toSorted((one, other) => other.at - one.at);
  return explained ?? null;
}

/** A finding that isn't remembered may be one about security if its pattern allows it. */
function isAboutSecurity({ about, pattern }: FeedbackOnFinding): boolean {
  return about === null ? mayBeSecurity(pattern) : about.category === "security";
}

/** A question explains nothing. */
export function isReason(words: string): boolean {
  const stated = words.replaceAll(/[^.!?]*\?/g, " ");
  return (stated.match(/\p{L}+/gu) ?? []).length >= MIN_WORDS;
}

export type ExplainedLearning = Pick<
  Learning,
  "kind" | "text" | "paths" | "confidence" | "provenance" | "owner"
> & {
  readonly createdBy: string;
  readonly confirmations: number;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
};

/** `reading`: how a model understood the words, which are quoted if there is none. */
export function wordReason(
  { title, words, person, url, at, about }: FeedbackOnFinding,
  reading: Pick<ReplyReading, "reason" | "scope"> | null,
): ExplainedLearning {
  const place = about === null ? "" : ` in ${quotable(about.path, MAX_TITLE_CHARS)}`;
  const understood = quotable(reading?.reason ?? "");
  const reason = understood === "" ? `"${quotable(words)}"` : understood;
  return {
    kind: "preference",
    text: `${person} rejected "${quotable(title, MAX_TITLE_CHARS)}"${place}: ${reason}`,
    paths: reading === null || about === null ? [] : globsOf(about.path, reading.scope),
    confidence: CONFIDENCE,
    provenance: url,
    owner: person,
    createdBy: person,
    confirmations: 1,
    expiresAt: at + EXPIRES_AFTER_MS,
  };
}

/** Characters that mean something in a glob. A path with them isn't worth one. */
const SPECIAL = /[*?[\]{}()!\\]/;

function globsOf(path: string, scope: ReplyReading["scope"]): readonly string[] {
  if (scope === "repository" || SPECIAL.test(path)) return [];
  const folder = containingFolder(path);
  if (scope !== "folder") return [path];
  return folder === "" ? [] : [`${folder}/**`];
}
