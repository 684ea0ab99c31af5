/**
 * Decides what people's signals on a pattern mean for its next finding. Pure. Whether a finding may be suppressed at all (critical,
 * must-fix and security findings never are) is decided on that finding, by the judging rules.
 */
import { DAY_MS } from "../base/day-ms.ts";
import type { RepoConfig } from "../config/repo-config/schema.ts";
import type { FeedbackRuling, GivenReason } from "../review/context/feedback-ruling.ts";
import { explainRejection, isReason } from "./explain-rejection.ts";
import type { Feedback, FeedbackOnFinding, Suppression } from "./feedback.ts";
import { probabilityOfRejection } from "./posterior.ts";
import { byAuthority, opinionKeyOf, opinionsOf, SIGNAL_MEANINGS, weighOpinions } from "./weigh-feedback.ts";

/** How sure we must be that most people reject a pattern. */
export const MIN_CERTAINTY = 0.9;

/** Lowering by one step keeps a finding visible, so it takes less than a suppression. */
const MIN_REJECTIONS_TO_LOWER = 3;
const MIN_PEOPLE_TO_LOWER = 2;

export type FeedbackSituation = {
  /** Of the repository. */
  readonly feedback: readonly FeedbackOnFinding[];
  /** Of the repository, with those that have ended. */
  readonly suppressions: readonly Suppression[];
  /** Ids of the learnings from one person's reason, and from repeated feedback, by pattern. */
  readonly explained: ReadonlyMap<string, number>;
  readonly repeated: ReadonlyMap<string, number>;
  readonly settings: RepoConfig["feedback"];
  /** Milliseconds since 1970. */
  readonly now: number;
};

export function rulingOn(pattern: string, situation: FeedbackSituation): FeedbackRuling | null {
  const { now } = situation;
  const since = undoneAt(pattern, situation);
  const rows = situation.feedback.filter((row) => row.pattern === pattern && row.at > since);
  const explained = explainRejection(rows, now);
  return ruleByCount(pattern, situation, explained) ?? ruleByReason(pattern, situation, explained);
}

/** One person's reason is enough for a note, as long as its learning is remembered. */
function ruleByReason(
  pattern: string,
  { explained: learnings }: FeedbackSituation,
  explained: Feedback | null,
): FeedbackRuling | null {
  const learning = learnings.get(pattern);
  if (learning === undefined || explained === null) return null;
  // People's words about their own pull request hide nothing.
  return {
    kind: "explained",
    undo: `l${learning}`,
    reason: toReason(explained),
    isListed: explained.teaches,
  };
}

function toReason({ person, words, pullRequest, url }: Feedback): GivenReason {
  return { by: person, words: isReason(words) ? words : "", pullRequest, url };
}

function ruleByCount(
  pattern: string,
  situation: FeedbackSituation,
  explained: Feedback | null,
): FeedbackRuling | null {
  const standing = standingOf(pattern, situation);
  const newest = explained ?? standing.newest;
  if (standing.certainty < MIN_CERTAINTY || newest === undefined) return null;
  const reason = toReason(newest);
  const inForce = situation.suppressions.find(
    (each) => each.pattern === pattern && isInForce(each, situation.now),
  );
  const { autoSuppress } = situation.settings;
  if (autoSuppress.enabled && inForce !== undefined && standing.isUnwanted) {
    const { rejections, people, pullRequests } = standing.thumbsDown;
    const { id } = inForce;
    return { kind: "suppress", reason, undo: `s${id}`, id, rejections, people, pullRequests };
  }
  // Forgetting the learning undoes it.
  const learning = situation.repeated.get(pattern);
  const { rejections, people, signals } = standing.opinions;
  const isLowered = rejections >= MIN_REJECTIONS_TO_LOWER && people >= MIN_PEOPLE_TO_LOWER;
  if (!isLowered || learning === undefined) return null;
  return { kind: "lower", reason, undo: `l${learning}`, rejections, signals };
}

/**
 * The patterns that should be suppressed from now on. One whose suppression has expired is reported again, and needs a new thumbs-down
 * before it is suppressed again.
 */
export function patternsToSuppress(situation: Standing): readonly string[] {
  const { feedback, suppressions, settings, now } = situation;
  if (!settings.autoSuppress.enabled) return [];
  const byPattern = Map.groupBy(feedback, ({ pattern }) => pattern);
  return [...byPattern].flatMap(([pattern, rows]) => {
    const own = suppressions.filter((each) => each.pattern === pattern);
    if (own.some((each) => isInForce(each, now))) return [];
    const standing = standingOf(pattern, { ...situation, feedback: rows, suppressions: own });
    const lastEnd = Math.max(0, ...own.map(({ expiresAt, undoneAt }) => undoneAt ?? expiresAt));
    return standing.isUnwanted && standing.thumbsDown.lastAt > lastEnd ? [pattern] : [];
  });
}

export function isInForce({ undoneAt, expiresAt }: Suppression, now: number): boolean {
  return undoneAt === null && expiresAt > now;
}

/** When a person last undid a suppression of the pattern. Feedback from before doesn't count. */
function undoneAt(pattern: string, { suppressions }: Pick<FeedbackSituation, "suppressions">): number {
  return Math.max(
    Number.NEGATIVE_INFINITY,
    ...suppressions.flatMap((each) => (each.pattern === pattern ? (each.undoneAt ?? []) : [])),
  );
}

type Standing = Pick<FeedbackSituation, "suppressions" | "settings" | "now"> & {
  readonly feedback: readonly Feedback[];
};

function standingOf(pattern: string, { feedback, suppressions, settings, now }: Standing) {
  const { minThumbsDown, minPeople, minPullRequests, expireDays } = settings.autoSuppress;
  const since = undoneAt(pattern, { suppressions });
  const rows = feedback.filter((row) => row.pattern === pattern && row.teaches && row.at > since);
  const opinions = opinionsOf(rows);
  const rejecting = opinions.filter(({ signal }) => SIGNAL_MEANINGS[signal].side === "rejects");
  // A person who disagrees in words as well has one opinion. One who has come to agree has none against it.
  const rejected = new Set(rejecting.map(opinionKeyOf));
  const thumbsDown = rows.filter((row) => row.signal === "thumbs-down" && rejected.has(opinionKeyOf(row)));
  const counts = {
    rejections: thumbsDown.length,
    people: countDistinct(thumbsDown, ({ person }) => person),
    pullRequests: countDistinct(thumbsDown, ({ pullRequest }) => pullRequest),
    lastAt: Math.max(Number.NEGATIVE_INFINITY, ...thumbsDown.map(({ at }) => at)),
  };
  const certainty = probabilityOfRejection(weighOpinions(opinions, { now, halfLifeMs: expireDays * DAY_MS }));
  return {
    certainty,
    /** Enough thumbs-down by enough people on enough pull requests, and no opposition that makes it doubtful. */
    isUnwanted:
      certainty >= MIN_CERTAINTY &&
      counts.rejections >= minThumbsDown &&
      counts.people >= minPeople &&
      counts.pullRequests >= minPullRequests,
    thumbsDown: counts,
    /** The newest rejection, of those in which a person spoke if there are any. */
    newest: rejecting.toSorted(byAuthority)[0],
    opinions: {
      rejections: rejecting.length,
      people: countDistinct(rejecting, ({ person }) => person),
      signals: opinions.length,
    },
  };
}

function countDistinct(rows: readonly Feedback[], valueOf: (row: Feedback) => string | number): number {
  return new Set(rows.map(valueOf)).size;
}
