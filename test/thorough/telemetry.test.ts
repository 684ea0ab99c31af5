/** Statistics: none about a repository that doesn't want them, kept as long as it says, and shown by `kodiai report` and the metrics. */
import assert from "node:assert/strict";
import type { Report } from "../../src/jobs/report/report.ts";
import { runKodiai } from "../support/run-kodiai.ts";
import {
  FINISHING,
  oneByOne,
  type OpenModelScene,
  pricesOf,
  testModels,
} from "../support/model-scenes/model-scene.ts";

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
  // Jobs that don't read the configuration must not name the repository either.
  await scene.send("closed");
  await scene.settled();
  await app.stop();
  const named = await scene.telemetry.query("select 1 from executions where repository is not null");
  assert.equal(named.length, config.includes("false") ? 0 : 1);
  const tables = ["executions", "degradations", "model_runs", "prompt_sections"];
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
      "prompt_sections",
    ]);
  },
);

const DAY_MS = 24 * 60 * 60 * 1_000;
const TOKEN = "a-token-for-metrics-in-tests";

testModels(
  "retentionDays decides how long statistics are kept, and `kodiai report` and the metrics show them",
  async (openModelScene) => {
    const scene = await openModelScene({
      script: oneByOne([FINISHING]),
      config: `telemetry:\n  retentionDays: 7\n${pricesOf("openai:scripted")}`,
      environment: { KODIAI_METRICS_TOKEN: TOKEN },
    });
    const app = await scene.start();
    await scene.send("opened");
    await scene.settled();
    const metrics = await fetch(app.webhookUrl.replace("/webhooks/github", "/metrics"), {
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    const shown = await metrics.text();
    const valueOf = (name: string): number =>
      Number(
        shown
          .split("\n")
          .find((line) => line.startsWith(name))
          ?.slice(name.length) ?? Number.NaN,
      );
    const tokens = valueOf('kodiai_model_tokens_total{model="openai:scripted",kind="input"}');
    assert.ok(tokens > 0, shown);
    assert.ok(valueOf('kodiai_model_cost_usd_total{model="openai:scripted"}') > 0, shown);
    await app.stop();
    const rows = await scene.telemetry.query<{ days: number }>(
      `select (expires_at - at) / ${DAY_MS} as days from prompt_sections union
       select (expires_at - at) / ${DAY_MS} from model_runs union
       select (expires_at - started_at) / ${DAY_MS} from executions where kind = 'review-pull-request'`,
    );
    assert.deepEqual(
      rows.map(({ days }) => days),
      [7],
    );
    const report = async (...args: readonly string[]): Promise<string> => {
      const { code, stdout, stderr } = await runKodiai(["report", ...args], {
        cwd: scene.folder.path,
        env: { ...scene.folder.environment },
      });
      assert.equal(code, 0, stderr);
      return stdout;
    };
    const { repositories, models } = JSON.parse(await report("--json", "--since", "1h")) as Report;
    assert.deepEqual(
      [repositories[0]?.reviews.completed, repositories[0]?.findings.reported, models[0]?.inputTokens],
      [1, 2, tokens],
    );
    assert.match(await report(), /^reviews +1 published/m);
    const csv = await report("--csv", "--repo", repositories[0]?.repository ?? "");
    assert.match(csv, /^repository,[^,]+,reviews\.completed,1\r$/m);
    assert.match(await report("--repo", "someone/else"), /^reviews +0 published/m);
  },
);
