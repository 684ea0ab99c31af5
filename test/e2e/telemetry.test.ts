/** `telemetry.enabled: false`: the app stores no statistics about a repository that doesn't want them. */
import assert from "node:assert/strict";
import { FINISHING, oneByOne, type OpenModelScene, testModels } from "../support/model-scenes/model-scene.ts";

/** The tables with rows after a review by a model, once the app has stopped. A part of the review fails and is tolerated. */
async function statisticsWith(config: string, openModelScene: OpenModelScene): Promise<readonly string[]> {
  const scene = await openModelScene({ script: oneByOne([FINISHING]), config });
  scene.fake.faults.add({
    operation: "checks/create",
    fault: { kind: "status", status: 422 },
  });
  const app = await scene.start();
  await scene.send("opened");
  const [job] = await scene.settled();
  assert.deepEqual([job?.state, job?.reason], ["done", "published"]);
  await app.stop();
  const tables = ["executions", "degradations", "model_runs"];
  const counts = tables.map((table) =>
    scene.telemetry.query(`select 1 from ${table} where job_id = $1`, [job?.id ?? 0]),
  );
  const rows = await Promise.all(counts);
  return tables.filter((_, index) => rows[index]?.length !== 0);
}

testModels(
  "a repository with telemetry.enabled: false leaves no statistics; others do",
  async (openModelScene) => {
    assert.deepEqual(await statisticsWith("telemetry:\n  enabled: false\n", openModelScene), []);
    assert.deepEqual(await statisticsWith("telemetry:\n  enabled: true\n", openModelScene), [
      "executions",
      "degradations",
      "model_runs",
    ]);
  },
);
