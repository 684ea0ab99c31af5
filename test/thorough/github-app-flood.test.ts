/** Strangers who know no secret hold connections and unfinished bodies open; GitHub's webhooks are accepted all the same. */
import assert from "node:assert/strict";
import { connect, type Socket } from "node:net";
import { test, type TestContext } from "node:test";
import { eventually } from "../support/eventually.ts";
import { createScenario, type Scenario } from "../support/app/scenario.ts";

const MIB = 1024 * 1024;

/** GitHub's own limit, and the largest body the endpoint reads. */
const LARGEST_BODY_BYTES = 25 * MIB;

const WEBHOOKS = 30;

const FLOODS = [
  { name: "11 unfinished bodies of 25 MB", connections: 11, sentBytes: LARGEST_BODY_BYTES - 1 },
  { name: "3,000 unfinished bodies of 100 KB", connections: 3_000, sentBytes: 100 * 1024 },
  { name: "3,000 connections that send no request", connections: 3_000, sentBytes: null },
] as const;

type Flood = { readonly connections: number; readonly sentBytes: number | null };

/** Resolves when each connection has handed over what it sends, or was closed by the server. */
async function flood(t: TestContext, url: string, { connections, sentBytes }: Flood): Promise<void> {
  const { port } = new URL(url);
  const sockets: Socket[] = [];
  t.after(() => {
    for (const socket of sockets) socket.destroy();
  });
  const head = "POST /webhooks/github HTTP/1.1\r\nHost: kodiai\r\n";
  const announced = sentBytes === null ? head : `${head}Content-Length: ${sentBytes + 1}\r\n\r\n`;
  const body = Buffer.alloc(sentBytes ?? 0, " ");
  const open = (): Promise<void> =>
    new Promise((resolve) => {
      const socket = connect(Number(port), "127.0.0.1");
      sockets.push(socket);
      socket.on("error", () => {});
      socket.on("close", () => resolve());
      socket.on("connect", () => {
        socket.write(announced);
        socket.write(body, () => resolve());
      });
      // The answer to a refused body has to be read for the connection to close.
      socket.resume();
    });
  await Promise.all(Array.from({ length: connections }, open));
}

async function webhookStatuses({ fake, repository }: Scenario): Promise<readonly (number | null)[]> {
  const sent = Array.from({ length: WEBHOOKS }, () => fake.send(fake.events.push(repository)));
  return (await Promise.all(sent)).map(({ statusCode }) => statusCode);
}

test("[P16] unsigned strangers who hold unfinished requests open keep no signed webhook out", async (t) => {
  const scenario = await createScenario(t);
  const { webhookUrl } = await scenario.start(["serve", "--no-worker"]);
  for (const { name, ...request } of FLOODS) {
    await t.test(name, async (inside) => {
      await flood(inside, webhookUrl, request);
      const startedAt = performance.now();
      const statuses = await webhookStatuses(scenario);
      inside.diagnostic(`${WEBHOOKS} webhooks answered in ${Math.round(performance.now() - startedAt)} ms`);
      assert.deepEqual(
        statuses,
        statuses.map(() => 202),
      );
    });
  }
  await eventually("both refusals to be counted", async () => {
    const counts = await scenario.database.query<{ reason: string }>("select reason from rejections");
    const reasons = new Set(counts.map(({ reason }) => reason));
    return reasons.has("overloaded") && reasons.has("too-many-connections");
  });
});
