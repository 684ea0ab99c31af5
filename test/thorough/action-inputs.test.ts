/** The GitHub Action's input `persist`: facts about code are kept between jobs in the cache of Actions. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startCacheService } from "../support/action/cache-service.ts";
import { createActionRunner, requestOf } from "../support/action/run-action.ts";
import { createWorkflowScenario, WORKFLOW_PERMISSIONS } from "../support/token-fixtures.ts";

test("action: with `persist` a job restores what the one before it kept, and without it nothing is asked for", async (t) => {
  const cache = await startCacheService(t);
  // Nothing of a draft is read, so that the folder has what the test puts there.
  const scenario = await createWorkflowScenario(t, { pullRequest: { isDraft: true } });
  const { fake, pullRequest } = scenario;
  const runner = createActionRunner(t, scenario);
  const data = join(runner.temporaryFolder, "kodiai-data");
  const [fact, clone] = [join(data, "code/fact.json"), join(data, "repositories/head")];
  const token = fake.appToken(WORKFLOW_PERMISSIONS);
  const opened = await fake.events.pullRequest("opened", pullRequest);
  const runWith = async (persist: string): Promise<void> => {
    const run = await runner.run(requestOf(opened, token, { inputs: { persist }, env: cache.env }));
    assert.equal(run.code, 0, run.stdout + run.stderr);
    assert.doesNotMatch(run.stdout, /^::warning/m);
  };
  for (const [path, text] of [
    [fact, "a fact"],
    [clone, "a clone"],
  ] as const) {
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, text);
  }
  await runWith("false");
  assert.deepEqual(cache.asked(), []);
  await runWith("true");
  assert.equal(cache.keys().length, 1);
  // The next job begins with an empty folder.
  rmSync(data, { recursive: true });
  await runWith("true");
  assert.equal(readFileSync(fact, "utf8"), "a fact");
  assert.equal(existsSync(clone), false, "what a review trusts isn't kept");
  assert.equal(new Set(cache.keys()).size, 2);
});
