/** Tests what Kodiai keeps on the pull request itself: the findings of its comments, and the state in its summary. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createMarkers } from "../src/forge/github/markers.ts";
import { checkOracle } from "../fake-github/oracle.ts";
import {
  commentOn,
  publicationOf,
  repositoryRefOf,
  type Scenario,
  startScenario,
} from "./support/publish-scenario.ts";

/** The scope of the pull request's markers. */
function scopeOf({ repository, pullRequest }: Scenario) {
  return { ...repositoryRefOf(repository), number: pullRequest.number };
}

test("each comment on lines ends with the signed id of its finding, however long it is", async (t) => {
  const scenario = await startScenario(t);
  const { fake, pullRequest } = scenario;
  const markers = createMarkers(fake.webhookSecret);
  const long = commentOn(2, { findingId: "0123456789abcdef-2", body: "x".repeat(70_000) });
  scenario.publication = (head) => publicationOf(head, [commentOn(1), long]);
  // The first attempt crashes after the pending review was created. The second one adopts it.
  scenario.journal.crash = { atWrite: 3, isStored: true };
  assert.equal((await scenario.publishUntilDone()).kind, "published");
  assert.equal(scenario.journal.crash, null, "the crash was played");
  assert.equal(fake.calls.filter(({ operation }) => operation === "pulls/create-review").length, 1);
  const comments = fake.reviewCommentsOf(pullRequest);
  const found = comments.map(({ body }) => markers.readFinding(scopeOf(scenario), body));
  assert.deepEqual(found, ["finding-1", "0123456789abcdef-2"]);
  assert.match(
    comments[0]?.body ?? "",
    /^About line 1\.\n\n<!-- kodiai:finding:v1:finding-1:[0-9a-f]{64} -->$/,
  );
  assert.equal(comments[1]?.body.length, 65_536);
  checkOracle(fake);
});

test("the summary is edited when only its state changes", async (t) => {
  const scenario = await startScenario(t);
  const { fake, pullRequest } = scenario;
  const markers = createMarkers(fake.webhookSecret);
  const { publication } = scenario;
  const summary = { ...scopeOf(scenario), head: "", request: "", part: "summary" } as const;
  for (const state of ["", "first_-", "second", "second"]) {
    scenario.publication = (head) => ({ ...publication(head), state });
    assert.equal((await scenario.publish()).kind, "published");
    const [comment] = fake.commentsOf(pullRequest);
    assert.equal(markers.read(summary, comment?.body ?? "")?.state ?? "", state);
  }
  const edits = fake.calls.filter(({ operation }) => operation === "issues/update-comment");
  assert.equal(edits.length, 2);
  checkOracle(fake);
});
