import assert from "node:assert/strict";
import { test } from "node:test";
import {
  analysisOf,
  changedFile,
  changeOf,
  configOf,
  fileAnalysis,
} from "../../test/support/analysis-fixtures.ts";
import { priorRun } from "../../test/support/prior-fixtures.ts";
import type { PullRequest } from "../forge/forge.ts";
import type { Analysis } from "../review/analysis/analysis.ts";
import { NO_PRIOR_REVIEW } from "../review/context/prior-findings.ts";
import type { PriorReview } from "../review/context/prior-review.ts";
import { type GateInput, gateReview, reviewNotBefore, type SkipReason } from "./gate-review.ts";
import { isExplicit, REVIEW_TRIGGERS, type ReviewTrigger } from "./review-job.ts";

const HEAD = "a".repeat(40);
const BASE = "b".repeat(40);

const PULL_REQUEST: PullRequest = {
  repositoryRef: {
    host: "github.com",
    installationId: 7,
    forgeId: 42,
    repositoryId: 42,
    owner: "octo",
    name: "cat",
  },
  number: 5,
  title: "feat: log in",
  body: "",
  isOpen: true,
  isDraft: false,
  mergedAt: null,
  mergedBy: null,
  isLocked: false,
  head: HEAD,
  headLabel: "ada:login",
  headRef: "topic",
  baseRef: "main",
  base: BASE,
  isFork: false,
  isPrivate: false,
  author: { login: "Ada", isBot: false },
  association: "MEMBER",
  updatedAt: 1,
  url: "https://example.org/octo/cat/pull/5",
};

function analysisWith(
  intent: Partial<Analysis["intent"]>,
  areSkipped: readonly boolean[] = [false],
): Analysis {
  const analysis = analysisOf(changeOf([changedFile({ path: "a.ts", lines: ["+x"] })]));
  const files = areSkipped.map((isSkipped, index) => fileAnalysis({ path: `${index}.ts`, isSkipped }));
  return { ...analysis, intent: { ...analysis.intent, ...intent }, files };
}

function reviewedAt(head: string, base: string): PriorReview {
  return { runs: [priorRun({ head, base })], findings: [] };
}

function gate(given: Partial<GateInput>): SkipReason | null {
  return gateReview({
    triggers: ["opened"],
    pullRequest: PULL_REQUEST,
    config: configOf().values,
    analysis: analysisWith({}),
    prior: NO_PRIOR_REVIEW,
    base: BASE,
    isPaused: false,
    isPausedByPerson: false,
    mayRepeat: false,
    isModelOwed: false,
    ...given,
  });
}

function writtenBy(login: string, isBot: boolean): Partial<GateInput> {
  return { pullRequest: { ...PULL_REQUEST, author: { login, isBot } } };
}

/** Inputs that each differ in one detail from a pull request that is reviewed. */
const GATES: readonly (readonly [name: string, given: Partial<GateInput>, verdict: SkipReason | null])[] = [
  ["an opened pull request", {}, null],
  [
    "a pull request with reviews turned off",
    { config: configOf({ review: { enabled: false } }).values },
    "skipped:review-disabled",
  ],
  ["a draft", { pullRequest: { ...PULL_REQUEST, isDraft: true } }, "skipped:draft"],
  [
    "a pull request with a draft tag in its title",
    { analysis: analysisWith({ isDraft: true }) },
    "skipped:draft",
  ],
  [
    "a draft where drafts are reviewed",
    {
      pullRequest: { ...PULL_REQUEST, isDraft: true },
      analysis: analysisWith({ isDraft: true }),
      config: configOf({ review: { drafts: true } }).values,
    },
    null,
  ],
  [
    "a pull request with a no-review tag",
    { analysis: analysisWith({ skipReview: true }) },
    "skipped:no-review",
  ],
  [
    "an author in skipAuthors, in any letter case,",
    { config: configOf({ review: { skipAuthors: ["bob", "ADA"] } }).values },
    "skipped:author",
  ],
  [
    "an author whose name only starts like one in skipAuthors",
    { config: configOf({ review: { skipAuthors: ["ad", "ada-2"] } }).values },
    null,
  ],
  ["a change with only skipped files", { analysis: analysisWith({}, [true, true]) }, "skipped:skip-paths"],
  ["a change with some skipped files", { analysis: analysisWith({}, [true, false]) }, null],
  ["a change without files", { analysis: analysisWith({}, []) }, null],
  ["a head that was reviewed with this base", { prior: reviewedAt(HEAD, BASE) }, "skipped:already-reviewed"],
  ["a head that was reviewed with another base", { prior: reviewedAt(HEAD, HEAD) }, null],
  ["a head other than the reviewed one", { prior: reviewedAt(BASE, BASE) }, null],
  ["a change with an unknown base", { prior: reviewedAt(HEAD, BASE), base: "" }, null],
];

for (const [name, given, verdict] of GATES) {
  test(`gate: ${name} is ${verdict ?? "reviewed"}`, () => assert.equal(gate(given), verdict));
}

test("an explicit request passes every gate, even among other triggers", () => {
  const explicit = REVIEW_TRIGGERS.filter(isExplicit);
  assert.deepEqual(explicit, ["review-requested", "comment", "resume", "check-rerequested", "command-line"]);
  const triggers = {
    onOpened: false,
    onReadyForReview: false,
    onReviewRequested: true,
    onSynchronize: false,
  };
  const everything: Partial<GateInput> = {
    config: configOf({ review: { enabled: false, triggers, skipAuthors: ["ci[bot]"] } }).values,
    pullRequest: { ...PULL_REQUEST, isDraft: true, author: { login: "ci[bot]", isBot: true } },
    analysis: analysisWith({ isDraft: true, skipReview: true }, [true]),
    prior: reviewedAt(HEAD, BASE),
  };
  for (const trigger of explicit) {
    assert.equal(gate({ ...everything, triggers: [trigger] }), null, trigger);
    assert.equal(gate({ ...everything, triggers: ["synchronize", trigger] }), null, trigger);
  }
  assert.equal(gate({ ...everything, triggers: ["opened", "synchronize"] }), "skipped:review-disabled");
});

type Switch = "onOpened" | "onReadyForReview" | "onReviewRequested" | "onSynchronize";

const SWITCHES: readonly Switch[] = ["onOpened", "onReadyForReview", "onReviewRequested", "onSynchronize"];

/** The only setting that each trigger follows. */
const OBEYED: readonly (readonly [ReviewTrigger, Switch])[] = [
  ["opened", "onOpened"],
  ["reopened", "onOpened"],
  ["ready-for-review", "onReadyForReview"],
  ["title-changed", "onReadyForReview"],
  ["synchronize", "onSynchronize"],
  ["base-changed", "onSynchronize"],
  ["sweep", "onOpened"],
  ["review-requested", "onReviewRequested"],
];

function switchedOn(isOn: (name: Switch) => boolean): GateInput["config"] {
  const triggers = Object.fromEntries(SWITCHES.map((name) => [name, isOn(name)]));
  return configOf({ review: { triggers } }).values;
}

/** All but the end of an outage, which is another look at a review that has passed the gates. */
const TRIGGERS = REVIEW_TRIGGERS.filter((trigger) => trigger !== "model-back");

test("every trigger is either explicit or in the table", () => {
  const known = [...OBEYED.map(([trigger]) => trigger), ...REVIEW_TRIGGERS.filter(isExplicit)];
  assert.deepEqual(new Set(known), new Set(TRIGGERS));
});

test("the end of an outage leads to a review only of a head that the model is owed to", () => {
  const reviewed = { triggers: ["model-back"], prior: reviewedAt(HEAD, BASE) } as const;
  const owed = { ...reviewed, isModelOwed: true };
  const off = configOf({ review: { enabled: false } }).values;
  const draft = { ...PULL_REQUEST, isDraft: true };
  assert.equal(gate(owed), null);
  assert.equal(gate({ ...owed, config: switchedOn(() => false), pullRequest: draft }), null);
  assert.equal(gate({ ...owed, triggers: ["synchronize", "model-back"] }), null);
  assert.equal(gate({ ...owed, config: off }), "skipped:review-disabled");
  assert.equal(gate({ ...owed, isPausedByPerson: true }), "skipped:already-reviewed");
  assert.equal(gate(reviewed), "skipped:already-reviewed");
  assert.equal(gate({ ...reviewed, prior: reviewedAt(BASE, BASE) }), "skipped:already-reviewed");
  assert.equal(gate({ ...owed, triggers: ["reopened"] }), "skipped:already-reviewed");
});

for (const [trigger, obeyed] of OBEYED) {
  test(`${trigger} follows ${obeyed} and no other setting`, () => {
    const triggers = [trigger];
    assert.equal(gate({ triggers, config: switchedOn((name) => name === obeyed) }), null);
    assert.equal(gate({ triggers, config: switchedOn((name) => name !== obeyed) }), "skipped:trigger-off");
  });
}

test("by default, every trigger is reviewed", () => {
  for (const trigger of TRIGGERS) assert.equal(gate({ triggers: [trigger] }), null, trigger);
});

test("one enabled trigger among those of the replaced jobs is enough", () => {
  const config = switchedOn((name) => name === "onOpened");
  assert.equal(gate({ triggers: ["synchronize", "opened"], config }), null);
  assert.equal(gate({ triggers: ["synchronize", "base-changed"], config }), "skipped:trigger-off");
  assert.equal(gate({ triggers: [] }), "skipped:trigger-off");
});

test("a pause stops only pushes that lead to a review alone", () => {
  for (const trigger of TRIGGERS) {
    const verdict = trigger === "synchronize" ? "skipped:paused" : null;
    assert.equal(gate({ triggers: [trigger], isPaused: true }), verdict, trigger);
    assert.equal(gate({ triggers: ["synchronize", trigger], isPaused: true }), verdict, trigger);
  }
  const again = gate({ triggers: ["synchronize"], isPaused: true, prior: reviewedAt(HEAD, BASE) });
  assert.equal(again, "skipped:already-reviewed");
});

test("a person's pause stops everything that no one requested", () => {
  for (const trigger of TRIGGERS) {
    const verdict = isExplicit(trigger) ? null : "skipped:paused";
    assert.equal(gate({ triggers: [trigger], isPausedByPerson: true }), verdict, trigger);
    assert.equal(gate({ triggers: ["synchronize", trigger], isPausedByPerson: true }), verdict, trigger);
  }
});

test("a sweep counts as opened before the first review and as a push after it", () => {
  const triggers: readonly ReviewTrigger[] = ["sweep"];
  const earlier = reviewedAt(BASE, BASE);
  const pushesOnly = switchedOn((name) => name === "onSynchronize");
  const opensOnly = switchedOn((name) => name === "onOpened");
  assert.equal(gate({ triggers, config: opensOnly, prior: NO_PRIOR_REVIEW }), null);
  assert.equal(gate({ triggers, config: opensOnly, prior: earlier }), "skipped:trigger-off");
  assert.equal(gate({ triggers, config: pushesOnly, prior: NO_PRIOR_REVIEW }), "skipped:trigger-off");
  assert.equal(gate({ triggers, config: pushesOnly, prior: earlier }), null);
});

const AUTHORS: readonly (readonly [
  login: string,
  isBot: boolean,
  allow: readonly string[],
  isReviewed: boolean,
])[] = [
  ["dependabot[bot]", true, [], true],
  ["dependabot-preview[bot]", true, [], true],
  ["Renovate[bot]", true, [], true],
  ["renovate-bot", false, [], true],
  ["ci[bot]", true, [], false],
  ["ci[bot]", true, ["CI[bot]"], true],
  ["ci[bot]", true, ["other[bot]"], false],
  ["not-dependabot[bot]", true, [], false],
  ["robot", false, [], true],
];

for (const [login, isBot, allow, isReviewed] of AUTHORS) {
  const allowed = allow.length === 0 ? "" : ` where ${allow.join(", ")} may`;
  test(`a pull request of ${login}${allowed} is ${isReviewed ? "" : "not "}reviewed`, () => {
    const verdict = gate({ ...writtenBy(login, isBot), config: configOf({ bots: { allow } }).values });
    assert.equal(verdict, isReviewed ? null : "skipped:bot-author");
  });
}

test("Kodiai's own pull request is reviewed, unless its base says otherwise", () => {
  const { pullRequest = PULL_REQUEST } = writtenBy("kodiai[bot]", true);
  const own = { pullRequest: { ...pullRequest, isOwn: true } };
  assert.equal(gate(own), null);
  assert.equal(gate({ pullRequest }), "skipped:bot-author");
  const config = configOf({ review: { skipAuthors: ["kodiai[bot]"] } }).values;
  assert.equal(gate({ ...own, config }), "skipped:author");
});

test("a dependency bot in skipAuthors is not reviewed", () => {
  const config = configOf({ review: { skipAuthors: ["dependabot[bot]"] } }).values;
  assert.equal(gate({ ...writtenBy("dependabot[bot]", true), config }), "skipped:author");
});

test("a job that only pushes triggered waits; any other job doesn't", () => {
  const config = configOf({ review: { debounceSeconds: 20 } }).values;
  assert.equal(reviewNotBefore({ triggers: ["synchronize"], config }, 1_000), 21_000);
  assert.equal(reviewNotBefore({ triggers: ["synchronize", "opened"], config }, 1_000), 1_000);
  assert.equal(reviewNotBefore({ triggers: ["comment"], config }, 1_000), 1_000);
});
