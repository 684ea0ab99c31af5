/** Describes what a pull request shows after publishing, and which writes led there. */
import type { CheckAnnotation } from "../../src/review/publication/pull-request-publication.ts";
import type { Scenario } from "./publish-scenario.ts";

const WRITES = /^(pulls|issues|checks|reactions)\/(create|update|delete|submit)/;

export function writesOf({ fake }: Scenario): readonly string[] {
  return fake.calls.filter(({ operation }) => WRITES.test(operation)).map(({ operation }) => operation);
}

/** The visible state of the pull request. */
export function seen({ fake, pullRequest }: Scenario) {
  const submitted = fake.reviewsOf(pullRequest).filter(({ state }) => state !== "PENDING");
  const lines = fake.reviewCommentsOf(pullRequest).filter(({ review }) => review.state !== "PENDING");
  return {
    reviews: submitted.map(({ state, commit }) => ({ state, isHead: commit === pullRequest.head })),
    lines: lines.map(({ line }) => line),
    summaries: fake.commentsOf(pullRequest).map(({ body }) => body.split("\n")[0]),
    checks: fake.checksOf(pullRequest).map(({ status, conclusion }) => `${status} ${conclusion}`),
  };
}

export function expected(scenario: Scenario, lines: readonly number[] = [1, 5], moved = "none") {
  const head = scenario.pullRequest.head.slice(0, 8);
  return {
    reviews: lines.length === 0 ? [] : [{ state: "COMMENTED", isHead: true }],
    lines: [...lines],
    summaries: [`Reviewed ${head}: ${lines.length} on lines. Moved: ${moved}.`],
    checks: ["completed neutral"],
  };
}

/** Annotations for three requests. */
export const ANNOTATIONS: readonly CheckAnnotation[] = Array.from({ length: 120 }, (_, index) => ({
  path: "new.ts",
  startLine: (index % 12) + 1,
  endLine: (index % 12) + 1,
  level: "warning",
  title: `Major: problem ${index}`,
  message: "It fails.\n\nsome-rule",
}));

export function annotated(scenario: Scenario, annotations = ANNOTATIONS): void {
  const { publication } = scenario;
  scenario.publication = (head) => {
    const composed = publication(head);
    return { ...composed, check: { ...composed.check, annotations } };
  };
}

export function annotationsOf({ fake, pullRequest }: Scenario): readonly (string | null)[] {
  return fake.checksOf(pullRequest).flatMap(({ annotations }) => annotations.map(({ title }) => title));
}

/** The guard is called at the start, before a review is created, and before it is submitted. */
export const ASKED_BEFORE_PENDING = 2;
