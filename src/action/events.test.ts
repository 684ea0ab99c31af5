import assert from "node:assert/strict";
import { test } from "node:test";
import { examplePayload } from "../../fake-github/examples.ts";
import { KodiaiError } from "../base/errors.ts";
import { type ActionTask, taskOf } from "./events.ts";

const NO_INPUTS = { pullRequest: null, isFull: false };
const [A, B] = ["a".repeat(40), "b".repeat(40)];
const ZERO = "0".repeat(40);

const push = (parts: Readonly<Record<string, unknown>>): unknown => ({
  ref: "refs/heads/topic",
  before: A,
  after: B,
  deleted: false,
  forced: false,
  repository: { default_branch: "main" },
  ...parts,
});

const range = (base: string | null, description = "push to topic"): ActionTask => ({
  kind: "range",
  range: { head: B, base, defaultBranch: "main", description },
});

const group = (action: string): unknown => ({
  action,
  merge_group: { head_sha: B, base_sha: A, base_ref: "refs/heads/main" },
  repository: { default_branch: "main" },
});

const TASKS: readonly (readonly [string, string, unknown, ActionTask])[] = [
  ["a push", "push", push({}), range(A)],
  ["a new branch", "push", push({ before: ZERO }), range(null)],
  ["a forced push", "push", push({ forced: true }), range(null)],
  [
    "a forced push to the default branch",
    "push",
    push({ forced: true, ref: "refs/heads/main" }),
    range(A, "push to main"),
  ],
  [
    "a deleted branch",
    "push",
    push({ deleted: true, after: ZERO }),
    { kind: "nothing", reason: "branch-deleted" },
  ],
  ["a tag", "push", push({ ref: "refs/tags/v1" }), { kind: "nothing", reason: "tag-pushed" }],
  ["a merge group", "merge_group", group("checks_requested"), range(A, "merge group for main")],
  [
    "the end of a merge group",
    "merge_group",
    group("destroyed"),
    { kind: "nothing", reason: "merge-group-destroyed" },
  ],
  ["the target of a pull request", "pull_request_target", {}, { kind: "deliver", event: "pull_request" }],
  ["a schedule", "schedule", { schedule: "0 4 * * *" }, { kind: "open-pull-requests" }],
];
for (const [name, event, payload, task] of TASKS)
  test(`events: ${name}`, () => assert.deepEqual(taskOf({ name: event, payload }, NO_INPUTS), task));

for (const event of ["push", "merge_group", "pull_request", "issue_comment", "pull_request_review_comment"])
  test(`events: GitHub's example of ${event} is understood`, () => {
    const { kind } = taskOf({ name: event, payload: examplePayload(event, null) }, NO_INPUTS);
    assert.match(kind, /^(?:deliver|range|nothing)$/);
  });

test("events: a named pull request is reviewed whatever the event is, and a full review is a request of its own", () => {
  const named = taskOf({ name: "workflow_run", payload: {} }, { pullRequest: 7, isFull: false });
  assert.deepEqual(named, { kind: "pull-request", number: 7 });
  const full = taskOf({ name: "pull_request", payload: { number: 8 } }, { pullRequest: null, isFull: true });
  assert.deepEqual(full, { kind: "pull-request", number: 8 });
});

test("events: other events and files that don't match are errors", () => {
  for (const name of ["release", "constructor"])
    assert.throws(
      () => taskOf({ name, payload: {} }, NO_INPUTS),
      (error) => error instanceof KodiaiError && /pull_request_target.*merge_group/.test(error.hint),
    );
  assert.throws(() => taskOf({ name: "push", payload: { after: "x; rm" } }, NO_INPUTS), /event file/);
});
