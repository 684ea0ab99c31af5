/** `kodiai report` after a real review, real reactions and a merge. */
import assert from "node:assert/strict";
import type { Report } from "../../src/jobs/report/report.ts";
import { pushAndReview, reasonOf } from "../support/app/pushes.ts";
import { AFTER } from "../support/app/scenario.ts";
import { testAppInOneProcess as test } from "../support/app/test-app.ts";
import { CONFIG, begin, commentOn, learning, mention } from "../support/feedback-fixtures.ts";
import { runKodiai } from "../support/run-kodiai.ts";

test("reactions and a merge are in the report by confidence, source, category and mode", async (openScenario) => {
  const scenario = await openScenario({ config: CONFIG });
  const { fake, pullRequest } = scenario;
  const app = await begin(scenario);
  const [sql, empty] = [commentOn(scenario, pullRequest, 4), commentOn(scenario, pullRequest, 10)];
  fake.react(empty, { by: "ben", content: "-1" });
  await learning(scenario, () => mention(scenario, sql));
  const fixed = AFTER["src/users.ts"].replace(/`select.*`/, '"select * from users where id = $1", [id]');
  assert.notEqual(fixed, AFTER["src/users.ts"]);
  assert.equal(await pushAndReview(scenario, { "src/users.ts": fixed }), "published");
  await learning(scenario, async () => {
    await reasonOf(scenario, () =>
      fake.closePullRequest(pullRequest, { isMerged: true, by: "ben" }).then(() => scenario.send("closed")),
    );
    // The closing itself has read everything.
    await mention(scenario, sql);
  });
  await app.stop();
  const report = async (...args: readonly string[]): Promise<string> => {
    const { path: cwd, environment: env } = scenario.folder;
    const { code, stdout, stderr } = await runKodiai(["report", ...args], { cwd, env });
    assert.equal(code, 0, stderr);
    return stdout;
  };
  const { total } = JSON.parse(await report("--json")) as Report;
  const { bySource, byCategory, byMode, atMerge, advice } = total.reported;
  assert.deepEqual(bySource["rule"], {
    accepted: 1,
    dismissed: 1,
    ignored: 0,
    open: 0,
    unknown: 0,
    acceptance: 0.5,
  });
  assert.deepEqual([byCategory["security"]?.accepted, byMode["unknown"], advice], [1, undefined, null]);
  assert.deepEqual([atMerge.merged, atMerge.resolved, atMerge.resolution], [2, 1, 0.5]);
  assert.match(await report(), /^at the merge +50 % resolved: 1 of 2;/m);
  assert.match(await report("--csv"), /^total,,reported\.bySource\.rule\.dismissed,1\r$/m);
  scenario.check();
});
