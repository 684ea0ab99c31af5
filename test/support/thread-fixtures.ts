/** A pull request with threads of the app. */
import assert from "node:assert/strict";
import type { PublishOutcome, PublishRequest, ReviewThread } from "../../src/forge/forge.ts";
import { commentOn, publicationOf, repositoryRefOf, type Scenario } from "./publish-scenario.ts";

/** The scope of the pull request's markers. */
export function scopeOf({ repository, pullRequest }: Scenario) {
  return { ...repositoryRefOf(repository), number: pullRequest.number };
}

export function readThreads(scenario: Scenario): Promise<readonly ReviewThread[]> {
  return scenario.inSession((session) => session.reviews.readThreads(scenario.pullRequest.number));
}

/** Publishes comments on these lines, and returns their threads. */
export async function publishThreads(scenario: Scenario, lines: readonly number[]) {
  scenario.publication = (head) =>
    publicationOf(
      head,
      lines.map((line) => commentOn(line)),
    );
  assert.equal((await scenario.publish()).kind, "published");
  scenario.publication = (head) => publicationOf(head, []);
  return readThreads(scenario);
}

/** Pushes a commit and publishes a review of it that resolves these threads. */
export async function resolve(
  scenario: Scenario,
  threads: readonly Pick<ReviewThread, "id">[],
  more: Partial<PublishRequest> = {},
): Promise<PublishOutcome> {
  const { fake, pullRequest, journal } = scenario;
  await fake.push(pullRequest, { "other.ts": `${pullRequest.head}\n` });
  journal.intents.delete("review");
  journal.intents.delete("check");
  return scenario.publishUntilDone({ threadsToResolve: threads.map(({ id }) => id), ...more });
}

export function resolvers({ fake, pullRequest }: Scenario) {
  return fake.threadsOf(pullRequest).then((threads) => threads.map(({ resolvedBy }) => resolvedBy));
}

export function countOf({ fake }: Scenario, operation: string): number {
  return fake.calls.filter((call) => call.operation === operation).length;
}

export function unresolved(outcome: PublishOutcome): number {
  assert.ok(outcome.kind === "published");
  return outcome.unresolvedThreads;
}

export const RESOLVE = "graphql/resolveReviewThread";
