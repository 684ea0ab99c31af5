/** The program of the GitHub Action on pushes and merge groups: the range is reviewed in the job, without a checkout and without comments. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { examplePayload } from "../../fake-github/examples.ts";
import { createActionRunner } from "../support/action/run-action.ts";
import { AFTER, BEFORE } from "../support/app/scenario.ts";
import { createWorkflowScenario, READ_ONLY } from "../support/token-fixtures.ts";

const ZERO = "0".repeat(40);

test("action: a push, a new branch and a merge group are reviewed as a range, with annotations and a failing gate", async (t) => {
  const scenario = await createWorkflowScenario(t);
  const { fake, repository } = scenario;
  const runner = createActionRunner(t, scenario);
  const token = fake.appToken(READ_ONLY);
  const before = (await fake.commitOf(repository, "main")) ?? "";
  await fake.commit(repository, { "src/other.ts": "export const other = 1;\n" }, "topic");
  const head = await fake.commit(repository, AFTER, "topic");
  const example = examplePayload("push", null);
  const push = (parts: Readonly<Record<string, unknown>>) => ({
    ...example,
    ref: "refs/heads/topic",
    before,
    after: head,
    deleted: false,
    forced: false,
    repository: { id: repository.id, default_branch: "main" },
    ...parts,
  });
  const group = {
    action: "checks_requested",
    merge_group: { head_sha: head, base_sha: before, base_ref: "refs/heads/main" },
    repository: { id: repository.id, default_branch: "main" },
  };
  const runs = [
    ["push", push({})],
    ["push", push({ before: ZERO })],
    ["merge_group", group],
  ] as const;
  for (const [event, payload] of runs) {
    const run = await runner.runInstalled({ event, payload, token, inputs: { "fail-on": "medium" } });
    assert.equal(run.code, 1, run.stdout + run.stderr);
    assert.match(run.stdout, /^::warning file=src\/users\.ts,line=4,endLine=4,title=Medium%3A/m);
    assert.match(
      run.stdout,
      /^::notice title=Kodiai::There are no comments, because this event belongs to no pull request/m,
    );
    assert.deepEqual([run.outputs["verdict"], run.outputs["findings"]], ["findings", "2"]);
    assert.match(run.summary, /SQL/);
  }
  const fixed = await fake.commit(repository, BEFORE, "topic");
  const clean = await runner.runInstalled({
    event: "push",
    payload: push({ before: head, after: fixed }),
    token,
  });
  assert.deepEqual([clean.code, clean.outputs["findings"]], [0, "0"], clean.stdout + clean.stderr);
  const gone = await runner.runInstalled({
    event: "push",
    payload: push({ after: ZERO, deleted: true }),
    token,
  });
  assert.deepEqual([gone.code, gone.outputs["verdict"]], [0, "skipped"], gone.stdout);
  assert.match(gone.stdout, /No review \(push\): branch-deleted/);
  const writes = fake.calls.filter(({ method }) => method !== "GET" && method !== "POST");
  assert.deepEqual(writes, []);
});
