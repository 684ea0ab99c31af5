/** Measures how much slower webhooks are acknowledged while fifty people reload the dashboard of the same server, on both engines. */
import { spawn } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { startCluster } from "../test/support/postgres/cluster.ts";
import { LIMITS } from "./limits.ts";
import { judge } from "./measure.ts";
import { type LoadGenerator, type Server, start, startLoadGenerator } from "./support/app-server.ts";

const ROUNDS = 3;
const SECONDS = 6;
/** The server has to sustain this rate. */
const RATE = 100;
const SECRET = "a secret for measurements only";

const root = dirname(import.meta.dirname);

export async function dashboardReloads(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "kodiai-bench-"));
  const cluster = await startCluster({ isDurable: true });
  const { privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
  });
  const servers: Server[] = [];
  const generator = startLoadGenerator();
  try {
    for (const [name, databaseUrl] of [
      ["SQLite", `sqlite:${join(folder, "kodiai.db")}`],
      ["PostgreSQL", cluster.url("postgres")],
    ] as const) {
      const args = [join(root, "bin", "kodiai.js"), "serve", "--no-worker", "--port", "0"];
      const server = await start(name, args, folder, {
        GITHUB_APP_ID: "1",
        GITHUB_PRIVATE_KEY: privateKey,
        GITHUB_WEBHOOK_SECRET: SECRET,
        // Kodiai only receives webhooks here and calls no API.
        GITHUB_API_URL: "http://127.0.0.1:9",
        DATABASE_URL: databaseUrl,
        HOST: "127.0.0.1",
        LOG_LEVEL: "error",
      });
      servers.push(server);
      await compare(server, generator);
    }
  } finally {
    generator.stop();
    for (const { process: child } of servers) child.kill("SIGKILL");
    await cluster.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function compare({ name, url, output }: Server, generator: LoadGenerator): Promise<void> {
  const link = new URL(/sign in once within 15 minutes: (\S+)/.exec(output)?.[1] ?? "");
  const entered = await fetch(link, { redirect: "manual" });
  const cookie = entered.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  const quiet: number[] = [];
  const busy: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const alone = await acknowledge(url, generator);
    const stop = startReloading(link.origin, cookie);
    const together = await acknowledge(url, generator);
    const { pages, failed } = await stop();
    // Each of fifty people gets a page a second, or this measures nothing.
    if (failed > 0 || pages < 50) throw new Error(`${name}: ${pages} pages, ${failed} failed`);
    // The first round warms up.
    if (round === 0) continue;
    quiet.push(alone.p99Ms);
    busy.push(together.p99Ms);
    console.log(
      `  ${name.padEnd(12)} p50 ${alone.p50Ms.toFixed(1)} → ${together.p50Ms.toFixed(1)} ms, p99 ${alone.p99Ms.toFixed(1)} → ${together.p99Ms.toFixed(1)} ms, ${pages} pages`,
    );
  }
  judge(LIMITS.acknowledgementWithReloads, middle(busy) / middle(quiet), name);
}

async function acknowledge(url: string, generator: LoadGenerator): ReturnType<LoadGenerator["send"]> {
  const result = await generator.send({ url, secret: SECRET, seconds: SECONDS, rate: RATE });
  if (result.failed > 0) throw new Error(`${result.failed} webhooks weren't answered`);
  return result;
}

/** Ends with the number of pages. */
function startReloading(
  origin: string,
  cookie: string,
): () => Promise<{ readonly pages: number; readonly failed: number }> {
  const script = join(import.meta.dirname, "support", "reload-pages.ts");
  const child = spawn(process.execPath, [script, `${origin}/`, cookie], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text));
  return async () => {
    child.kill("SIGTERM");
    await new Promise((resolve) => child.once("close", resolve));
    // Only that script writes this text.
    return JSON.parse(printed) as { pages: number; failed: number };
  };
}

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
