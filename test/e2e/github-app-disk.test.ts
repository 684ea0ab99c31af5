/** The SQLite file is deleted under a running server, or cannot grow: no webhook is acknowledged, and readiness says why. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { renameSync, rmSync } from "node:fs";
import { test, type TestContext } from "node:test";
import { eventually } from "../support/eventually.ts";
import { createScenario } from "../support/app/scenario.ts";

const TOKEN = "a-token-for-metrics-in-tests";

async function openServer(t: TestContext) {
  const scenario = await createScenario(t, { environment: { KODIAI_METRICS_TOKEN: TOKEN } });
  const app = await scenario.start(["serve", "--no-worker"]);
  const { fake, repository, folder } = scenario;
  const path = (folder.environment["DATABASE_URL"] ?? "").replace(/^sqlite:/, "");
  const send = async () => (await fake.send(fake.events.push(repository))).statusCode;
  /** Readiness as it is now, and not as it was a second ago. */
  const readiness = (status: 200 | 503) =>
    eventually(`readiness to answer with ${status}`, async () => {
      const headers = { authorization: `Bearer ${TOKEN}` };
      const response = await fetch(app.webhookUrl.replace("/webhooks/github", "/readyz"), { headers });
      const text = await response.text();
      return response.status === status && text;
    });
  assert.equal(await send(), 202);
  await readiness(200);
  return { app, path, send, readiness };
}

for (const [name, suffix] of [
  ["file", ""],
  ["log", "-wal"],
] as const) {
  test(`[P13] a database whose ${name} was deleted takes no webhook and is not ready, until it is back`, async (t) => {
    const { app, path, send, readiness } = await openServer(t);
    renameSync(`${path}${suffix}`, `${path}.away`);
    assert.equal(await send(), 503);
    assert.match(await readiness(503), /deleted or replaced/);
    assert.match(app.output(), /"not ready".*deleted or replaced/);
    renameSync(`${path}.away`, `${path}${suffix}`);
    assert.equal(await send(), 202);
    await readiness(200);
    rmSync(`${path}${suffix}`);
    assert.equal(await send(), 503);
    await readiness(503);
  });
}

test(
  "[P13] a disk without room for the database: no webhook is taken, not ready, and ready again when there is",
  { skip: process.platform === "linux" ? false : "the size of files is limited with Linux's prlimit" },
  async (t) => {
    const { app, send, readiness } = await openServer(t);
    const limit = (bytes: string) =>
      execFileSync("prlimit", ["--pid", String(app.pid), `--fsize=${bytes}:`], { stdio: "pipe" });
    limit("4096");
    assert.equal(await send(), 503);
    assert.match(await readiness(503), /can't be read or written|disk is full/);
    limit("unlimited");
    assert.equal(await send(), 202);
    await readiness(200);
  },
);
