/**
 * Checks that must pass after every scenario, even after crashes: no duplicates, nothing unfinished, nothing written in the wrong place.
 * The oracle looks at the state of the fake GitHub and at every request.
 */
import assert from "node:assert/strict";
import type { LoggedCall } from "./call-log.ts";
import type { FakeGithub } from "./fake-github.ts";
import { isAnswer, mentionProblems, mentionsIn } from "./oracle-mentions.ts";
import { pushProblems } from "./oracle-pushes.ts";
import { fullName, issueName, type Write } from "./world.ts";

export type OracleExpectations = {
  /** Visible reviews allowed per head; more than 1 if people requested the same head again. */
  readonly reviewsPerHead?: number;
  /** How often a line may have the same comment; more than 1 if a later head gets a fresh review. */
  readonly commentsPerLine?: number;
  /** Whether a pending review may remain, because the scenario ends before the clean-up. */
  readonly isPendingAllowed?: boolean;
  /** Which of the app's comments are summaries; default: all that aren't answers. */
  readonly isSummary?: (body: string) => boolean;
  /** Whether the scenario closes or moves the pull request during a write. */
  readonly isLateWriteAllowed?: boolean;
  /** Whether every token must be revoked or expired. */
  readonly tokensRevoked?: boolean;
  /** Whether the app may write while an earlier request hangs. */
  readonly isOverlapAllowed?: boolean;
  /** Whether the app may push branches and open pull requests. */
  readonly mayPush?: boolean;
  /** Whether the app may write only where a person has mentioned it. */
  readonly isMentionRequired?: boolean;
  /** Bots whose mentions the app answers, by their logins. */
  readonly answeredBots?: readonly string[];
};

/** All writes that the app may always make. It never merges, labels or edits other people's text. */
const ALLOWED_WRITES: ReadonlySet<string> = new Set([
  "apps/create-installation-access-token",
  "apps/revoke-installation-access-token",
  "apps/redeliver-webhook-delivery",
  "git/upload-pack",
  "pulls/create-review",
  "pulls/update-review",
  "pulls/delete-pending-review",
  "pulls/submit-review",
  "pulls/create-reply-for-review-comment",
  "issues/create-comment",
  "issues/update-comment",
  "reactions/create-for-issue",
  "reactions/create-for-issue-comment",
  "reactions/create-for-pull-request-review-comment",
  "checks/create",
  "checks/update",
  "graphql/query",
  "graphql/resolveReviewThread",
  "graphql/unresolveReviewThread",
]);

/** Writes that the app may make where people let it change code. */
const CHANGES_OF_CODE: ReadonlySet<string> = new Set(["git/receive-pack", "pulls/create", "pulls/update"]);

/** Requests that count towards GitHub's limit on content creation. */
const CONTENT_CREATING: ReadonlySet<string> = new Set(
  [...ALLOWED_WRITES, ...CHANGES_OF_CODE].filter((id) =>
    /^(pulls|issues|reactions|checks)\/|Thread$/.test(id),
  ),
);

// GitHub's secondary rate limit.
const MAX_CONTENT_PER_MINUTE = 80;
const MINUTE_MS = 60_000;

/** These finish or clean up, which is allowed on a closed pull request and on an old head. */
const CLEANING: ReadonlySet<string> = new Set([
  "pulls/delete-pending-review",
  "checks/update",
  "checks/create",
]);

function duplicates(keys: readonly string[], most: number): readonly string[] {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return [...counts].filter(([, count]) => count > most).map(([key, count]) => `${count} × ${key}`);
}

function conversationProblems(fake: FakeGithub, expectations: OracleExpectations): readonly string[] {
  const { world } = fake;
  const { bot } = world.app;
  const isSummary = expectations.isSummary ?? (() => true);
  // GitHub wraps a reply in a review, but it isn't a review of the change.
  const replies = new Set(
    world.reviewComments.filter(({ replyTo }) => replyTo !== null).map(({ review }) => review),
  );
  const own = world.reviews.filter((each) => each.author === bot && !replies.has(each));
  const submitted = own.filter(({ state }) => state !== "PENDING");
  const pending = own.filter(({ state }) => state === "PENDING");
  const summaries = world.issueComments.filter(
    ({ author, body }) => author === bot && !isAnswer(body) && isSummary(body),
  );
  const inline = world.reviewComments.filter(
    (each) => each.author === bot && each.review.state !== "PENDING",
  );
  const checks = world.checkRuns.filter(({ isViaApp }) => isViaApp);
  const others = world.reviewComments.filter(
    ({ id, author }) => author !== bot && world.resolvedThreads.get(id) === bot,
  );
  return [
    ...duplicates(
      submitted.map((each) => `submitted review of ${issueName(each.pullRequest)} at ${each.commit}`),
      expectations.reviewsPerHead ?? 1,
    ),
    ...(expectations.isPendingAllowed === true
      ? []
      : pending.map((each) => `a pending review is left on ${issueName(each.pullRequest)}`)),
    ...duplicates(
      summaries.map((each) => `summary on ${issueName(each.issue)}`),
      1,
    ),
    ...duplicates(
      checks.map((each) => `check run "${each.name}" on ${each.head}`),
      1,
    ),
    ...duplicates(
      checks.flatMap((each) =>
        each.annotations.map(({ path, startLine, title, message }) =>
          [`annotation on ${each.head}`, `${path}:${startLine}`, title, message].join(" "),
        ),
      ),
      1,
    ),
    ...duplicates(
      inline.map(
        (each) => `comment on ${issueName(each.pullRequest)} ${each.path}:${each.line} ${each.body}`,
      ),
      expectations.commentsPerLine ?? 1,
    ),
    ...others.map(
      (each) => `the app resolved a thread of ${each.author.login} on ${issueName(each.pullRequest)}`,
    ),
  ];
}

function lateWriteProblems(fake: FakeGithub, expectations: OracleExpectations): readonly string[] {
  if (expectations.isLateWriteAllowed === true) return [];
  const mentions = mentionsIn(fake.world);
  // People can mention the app where everything is closed already.
  const isAskedLate = ({ issue }: Write): boolean =>
    mentions.some((each) => each.issue === issue && each.atMs >= (issue?.closedAtMs ?? Infinity));
  return fake.world.writes
    .filter(({ isVisible, operation }) => isVisible && !CLEANING.has(operation))
    .flatMap((write) => {
      const name = write.pullRequest === null ? fullName(write.repository) : issueName(write.pullRequest);
      const isStale = write.commit !== null && write.headThen !== null && write.commit !== write.headThen;
      return [
        ...(write.isOpen || isAskedLate(write) ? [] : [`${write.operation} on ${name} after it was closed`]),
        ...(isStale
          ? [`${write.operation} on ${name} speaks of ${write.commit}, the head was ${write.headThen}`]
          : []),
      ];
    });
}

function isWrite({ method, operation }: LoggedCall): boolean {
  return method !== "GET" && operation !== "git/upload-pack";
}

/** Overlapping writes of one installation. */
function overlapProblems(fake: FakeGithub): readonly string[] {
  const writes = fake.calls.filter(
    (call) => CONTENT_CREATING.has(call.operation) && isWrite(call) && call.identity.installationId !== null,
  );
  return writes.flatMap((call, index) => {
    const earlier = writes
      .slice(0, index)
      .find(
        (each) =>
          each.identity.installationId === call.identity.installationId &&
          (each.endedAs === null || each.endedAs > call.startedAs),
      );
    return earlier === undefined
      ? []
      : [`${call.operation} was sent while ${earlier.operation} was under way`];
  });
}

function rateProblems(fake: FakeGithub): readonly string[] {
  const calls = fake.calls.filter(({ operation }) => CONTENT_CREATING.has(operation));
  const perInstallation = Map.groupBy(calls, ({ identity }) => identity.installationId);
  const isTooFast = [...perInstallation.values()].some((ofOne) =>
    ofOne.some(({ atMs }, index) => {
      const after = ofOne[index + MAX_CONTENT_PER_MINUTE];
      return after !== undefined && after.atMs - atMs < MINUTE_MS;
    }),
  );
  return isTooFast ? [`more than ${MAX_CONTENT_PER_MINUTE} content-creating requests within a minute`] : [];
}

function accessProblems(fake: FakeGithub, expectations: OracleExpectations): readonly string[] {
  const isAllowed = ({ method, operation }: LoggedCall): boolean =>
    method === "GET" ||
    ALLOWED_WRITES.has(operation) ||
    (expectations.mayPush === true && CHANGES_OF_CODE.has(operation));
  const forbidden = fake.calls.filter((call) => !isAllowed(call));
  const { bot } = fake.world.app;
  const foreign = fake.world.writes.filter(
    ({ operation, issue }) => operation === "pulls/update" && issue?.author !== bot,
  );
  const now = fake.clock.now();
  const alive = fake.tokens.filter((token) => !token.isRevoked && token.expiresAtMs > now);
  return [
    ...forbidden.map(({ method, path }) => `${method} ${path} is nothing the app may do`),
    ...foreign.map(({ issue }) => `the app edited a pull request of ${issue?.author.login}`),
    ...(expectations.tokensRevoked === true
      ? alive.map(({ id, permissions }) => `token ${id} ${JSON.stringify(permissions)} was not revoked`)
      : []),
  ];
}

/** All problems, as sentences. */
export function oracleProblems(fake: FakeGithub, expectations: OracleExpectations = {}): readonly string[] {
  return [
    ...fake.violations.map((violation) => `violation: ${violation}`),
    ...conversationProblems(fake, expectations),
    ...lateWriteProblems(fake, expectations),
    ...accessProblems(fake, expectations),
    ...mentionProblems(fake, expectations),
    ...pushProblems(fake),
    ...(expectations.isOverlapAllowed === true ? [] : overlapProblems(fake)),
    ...rateProblems(fake),
  ];
}

export function checkOracle(fake: FakeGithub, expectations: OracleExpectations = {}): void {
  assert.deepEqual(oracleProblems(fake, expectations), []);
}
