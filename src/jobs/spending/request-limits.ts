/**
 * How often people may have a model review one pull request within an hour, by what they are to the repository. A class
 * shares its limit, so that more accounts don't get more reviews. Pure: it decides from what was granted before.
 */
import type { RepoConfig } from "../../config/repo-config/schema.ts";

/** A writer may push to the repository; a contributor has had a pull request merged; a stranger is everyone else. */
export type RequesterClass = "stranger" | "contributor" | "writer";

/** Reviews per pull request and hour; null for no limit. */
export type RequestLimits = Readonly<Record<RequesterClass, number | null>>;

/** The window slides, so that there is no full hour at which everything is allowed again. */
export const LIMIT_WINDOW_MS = 60 * 60 * 1_000;

/** One earlier decision about a run of the same pull request, not older than the window. */
export type EarlierRequest = {
  readonly runId: number;
  /** Job of the request that was granted or refused. */
  readonly jobId: number;
  readonly requesterClass: string;
  readonly isGranted: boolean;
  /** The refusal was answered on the pull request. */
  readonly isAnswered: boolean;
  readonly at: number;
};

export type ReviewRequester = {
  readonly jobId: number;
  readonly login: string;
  readonly requesterClass: RequesterClass;
};

export type Decision =
  | { readonly kind: "granted"; readonly by: ReviewRequester }
  | {
      readonly kind: "refused";
      readonly by: ReviewRequester;
      readonly limit: number;
      /** When the class may request the next review; milliseconds since 1970. */
      readonly againAtMs: number;
      /** This refusal is answered: it is the first within the hour. */
      readonly isAnswered: boolean;
    };

/** A repository can lower the operator's limits, never raise them. */
export function effectiveLimits(
  repository: RepoConfig["limits"],
  operator: Partial<RepoConfig["limits"]>,
): RequestLimits {
  const smaller = (key: keyof RepoConfig["limits"]): number | null => {
    const least = Math.min(repository[key] ?? Infinity, operator[key] ?? Infinity);
    return least === Infinity ? null : least;
  };
  return {
    stranger: smaller("strangersPerHour"),
    contributor: smaller("contributorsPerHour"),
    writer: smaller("writersPerHour"),
  };
}

/**
 * The first candidate is the job's own request; the others are the requests it superseded. A request that was granted before has had its
 * review, even if a newer job stopped it. Otherwise repeated pushes would repeat another user's request.
 */
export function decideRequest(
  { runId, candidates, limits, wantsAnswer, nowMs }: RequestToDecide,
  earlier: readonly EarlierRequest[],
): Decision {
  const [own, ...inherited] = candidates;
  const granted = earlier.filter(({ isGranted }) => isGranted);
  // A retry after a crash keeps its grant.
  const before = granted.find((request) => request.runId === runId);
  const holder = candidates.find(({ jobId }) => jobId === before?.jobId);
  if (holder !== undefined) return { kind: "granted", by: holder };
  const isFresh = ({ jobId }: ReviewRequester): boolean =>
    !granted.some((request) => request.jobId === jobId);
  const by = [own, ...inherited.filter(isFresh)].find(({ requesterClass }) => {
    const limit = limits[requesterClass];
    return (
      limit === null || granted.filter((request) => request.requesterClass === requesterClass).length < limit
    );
  });
  if (by !== undefined) return { kind: "granted", by };
  const times = granted
    .filter(({ requesterClass }) => requesterClass === own.requesterClass)
    .map(({ at }) => at);
  return {
    kind: "refused",
    by: own,
    limit: limits[own.requesterClass] ?? 0,
    againAtMs: Math.min(nowMs, ...times) + LIMIT_WINDOW_MS,
    isAnswered: wantsAnswer && !earlier.some((request) => request.isAnswered && request.runId !== runId),
  };
}

export type RequestToDecide = {
  readonly runId: number;
  readonly candidates: readonly [ReviewRequester, ...ReviewRequester[]];
  readonly limits: RequestLimits;
  /** False when the built-in rules review anyway: then the review itself shows that no model took part. */
  readonly wantsAnswer: boolean;
  readonly nowMs: number;
};
