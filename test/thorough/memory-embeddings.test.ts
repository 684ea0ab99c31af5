/** Embeddings as the operator and a repository choose them: new findings are embedded, and another choice embeds all of them again. */
import assert from "node:assert/strict";
import { planReconcile, RECONCILE_EVERY_MS } from "../../src/jobs/reconcile.ts";
import type { Scenario } from "../support/app/scenario.ts";
import { testAppInOneProcess } from "../support/app/test-app.ts";
import { startEmbeddingsServer } from "../support/embeddings-server.ts";
import { eventually } from "../support/eventually.ts";

async function spacesOf({ database }: Scenario): Promise<readonly string[]> {
  const rows = await database.query<{ space: string | null }>("select space from memories");
  return rows.map(({ space }) => space ?? "none");
}

/** All memories of the review, of which there are some, are in this space. */
async function untilAllIn(scenario: Scenario, space: string): Promise<void> {
  await eventually(`vectors in ${space}`, async () => {
    const spaces = await spacesOf(scenario);
    return spaces.length > 0 && spaces.every((each) => each === space);
  });
}

/** The next one, without waiting for it. */
async function reconcile({ database, queue }: Scenario): Promise<void> {
  const request = planReconcile(Date.now() + RECONCILE_EVERY_MS);
  await database.transaction((sql) => queue.enqueue([request], sql));
  queue.wake();
}

testAppInOneProcess(
  "after another choice of the operator, all findings are embedded again",
  async (openScenario) => {
    const ends: (() => void)[] = [];
    const server = await startEmbeddingsServer({ after: (step) => void ends.push(step) });
    const scenario = await openScenario();
    const choice = (model: string): Readonly<Record<string, string>> => ({
      KODIAI_EMBEDDINGS: `openai-compatible:${model}`,
      KODIAI_EMBEDDINGS_URL: server.url,
    });
    const first = await scenario.start(["serve"], choice("one"));
    await scenario.send("opened");
    await scenario.settled();
    await untilAllIn(scenario, "openai-compatible/one/64");
    await first.stop();

    const second = await scenario.start(["serve"], choice("two"));
    await reconcile(scenario);
    await untilAllIn(scenario, "openai-compatible/two/64");
    assert.deepEqual([...new Set(server.calls.map(({ body }) => body["model"]))], ["one", "two"]);
    await second.stop();
    for (const end of ends) end();
    scenario.check();
  },
);

testAppInOneProcess(
  "a repository can keep its texts on the server, and a choice without credentials stays there too",
  async (openScenario) => {
    const ends: (() => void)[] = [];
    const server = await startEmbeddingsServer({ after: (step) => void ends.push(step) });
    const environment = {
      KODIAI_EMBEDDINGS: "openai-compatible:one",
      KODIAI_EMBEDDINGS_URL: server.url,
    };
    const scenario = await openScenario({ config: "memory:\n  embeddings: local\n", environment });
    const app = await scenario.start();
    await scenario.send("opened");
    await scenario.settled();
    assert.deepEqual(await scenario.database.query("select id from vectors"), []);
    assert.equal(server.calls.length, 0);
    await app.stop();
    for (const end of ends) end();
    scenario.check();
  },
);
