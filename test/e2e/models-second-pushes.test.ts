/** A second push with a model: it reads what is new, and its findings are resolved when a fix is confirmed. */
import assert from "node:assert/strict";
import {
  FIXED,
  SHIP,
  TABLE,
  TOTAL,
  confirming,
  finding,
  openReviewed,
  orders,
  prompts,
  push,
} from "../support/model-scenes/orders.ts";
import { testModels } from "../support/model-scenes/model-scene.ts";
import { threadStates } from "../support/app/pushes.ts";

testModels("only new hunks reach the model, and a confirmed fix is resolved", async (openModelScene) => {
  const scene = await openReviewed(openModelScene, [
    finding({ path: "src/prices.ts", quote: '  ["apple", 30],', title: "The price has no currency" }),
    finding({ path: "src/orders.ts", quote: TOTAL, title: "The amount of each item is ignored" }),
  ]);
  const reviewed = scene.pullRequest.head;
  const [first = ""] = prompts(scene);
  for (const code of ['["apple", 30]', '["apple", 100]', TOTAL, '"zone 29"']) assert.ok(first.includes(code));
  assert.doesNotMatch(first, /reviewed before|Don't repeat these/);

  await push(scene, { "src/orders.ts": orders({ total: TOTAL, table: TABLE, ship: SHIP }) }, []);
  const [, second = "", ...more] = prompts(scene);
  assert.equal(more.length, 0);
  assert.ok(
    second.includes(`at commit ${reviewed.slice(0, 12)}. Review what changed since: 1 hunk in 1 file.`),
  );
  // Its file has new code, so the model is asked about it.
  assert.match(
    second,
    /# Check again\n.*\n.*\n- \(\d\) src\/orders\.ts:2 \[major\] The amount of each item is ignored/,
  );
  assert.match(second, /Don't repeat these\.\n.*\n- src\/prices\.ts:2 \[major\] The price has no currency$/m);
  // The new hunk is shown in full, and those around it as context.
  assert.match(
    second,
    /^@@ 3\/3 export const second17 = 17;\n.*second18.*\n.*second19.*\n.*canShip.*\n47-  return true;\n77\+  return order\.stock > order\.amount;\n/m,
  );
  assert.match(second, /^@@ 1\/3 \(reviewed before\)\n/m);
  assert.match(second, /^@@ 2\/3 export const first17 = 17; \(reviewed before\)\n/m);
  assert.match(second, /^\(27 lines reviewed before\)$/m);
  assert.doesNotMatch(second, /zone 29|"apple"|too much to read/);
  assert.match(second, /^- src\/prices\.ts: reviewed before$/m);
  assert.equal((await threadStates(scene)).length, 2);
  assert.match(scene.summary(), /Still open \(2\)/);

  const number = Number(/^- \((\d)\) src\/orders\.ts:2 /m.exec(second)?.[1]);
  const fixed = { "src/orders.ts": orders({ total: FIXED, table: TABLE, ship: SHIP }) };
  await push(scene, fixed, [confirming(number, "fixed", FIXED)]);
  assert.deepEqual((await threadStates(scene)).toSorted(), [
    "The amount of each item is ignored | kodiai[bot]",
    "The price has no currency | open",
  ]);
  assert.match(scene.summary(), /### Resolved \(1\)/);
  scene.check();
});
