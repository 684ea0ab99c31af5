import assert from "node:assert/strict";
import { test } from "node:test";
import { isAtLeast } from "../../../base/severity.ts";
import { SAMPLE_PUBLICATIONS } from "../../../../test/support/sample-publication.ts";
import type { PriorFinding } from "../../context/prior-review.ts";
import type { Publication, PublishedFinding } from "../publication.ts";
import { isComplete } from "../words.ts";
import { composePullRequest } from "./compose-pull-request.ts";
import { settlePublication } from "./settle-publication.ts";

const POLICY = { failOn: "major", autoApprove: true, summary: "findings", mention: "@kodiai" } as const;

function priorOf({ id, number, finding, severity }: PublishedFinding, isDismissed: boolean): PriorFinding {
  const { path, title, category, rule, source } = finding;
  return {
    identity: id,
    number,
    path,
    side: null,
    startLine: null,
    endLine: null,
    others: [],
    title,
    words: [],
    severity,
    category,
    rule,
    source,
    thread: null,
    state: isDismissed ? "contested" : "open",
    ...(isDismissed ? { verdict: { by: "ada", reason: "no" } } : {}),
  };
}

function settle(publication: Publication, dismissed: ReadonlySet<string>): Publication {
  const open = [...publication.findings, ...publication.stillOpen.map(({ judged }) => judged)];
  const priors = new Map(open.map((each) => [each.id, priorOf(each, dismissed.has(each.id))]));
  return settlePublication(publication, null, { priors, feedbackOn: () => null });
}

for (const [name, compose] of Object.entries(SAMPLE_PUBLICATIONS))
  test(`${name}: a check is green only if all that fails it was dismissed and everything was read`, () => {
    const original = compose();
    // As it is kept.
    const kept = JSON.parse(JSON.stringify(original)) as Publication;
    // In the samples, some have the same id.
    const stillOpen = kept.stillOpen.map((open, index) => ({
      ...open,
      judged: { ...open.judged, id: `open-${index}` },
    }));
    const answered = kept.answered.map((open, index) => ({
      ...open,
      judged: { ...open.judged, id: `answered-${index}` },
    }));
    const publication = { ...kept, stillOpen, answered };
    if (publication.verdict.outcome === "skipped") return;
    const open = [...publication.findings, ...publication.stillOpen.map(({ judged }) => judged)];
    const failing = open.filter(({ severity }) => isAtLeast(severity, "major"));
    const subsets = [[], open, failing, ...failing.map((left) => failing.filter((each) => each !== left))];
    for (const subset of subsets) {
      const dismissed = new Set(subset.map(({ id }) => id));
      const settled = settle(publication, dismissed);
      const { check, review } = composePullRequest(settled, POLICY, []);
      const isLeft = failing.some(({ id }) => !dismissed.has(id));
      assert.equal(check.conclusion, isLeft ? "failure" : isComplete(original) ? "success" : "neutral");
      assert.notEqual(dismissed.size > 0 && review?.event, "approve");
      assert.equal(settled.answered.length - publication.answered.length, dismissed.size);
    }
    const untouched = composePullRequest(settle(publication, new Set()), POLICY, []);
    const before = composePullRequest(original, POLICY, []);
    assert.deepEqual(
      [untouched.summary, untouched.check],
      [before.summary, before.check],
      "nothing said, nothing changed",
    );
  });
