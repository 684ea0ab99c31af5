/**
 * Measures how fast Kodiai acknowledges webhooks, which it writes to disk first. The baselines are a bare node:http server that only
 * checks the signature, and two that also write the id of each webhook to SQLite or PostgreSQL, durably, with one commit for those that
 * arrive together; the peer is Probot, which doesn't store webhooks. All run turn by turn.
 */
import { execFileSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Cluster, startCluster } from "../test/support/postgres/cluster.ts";
import { LIMITS } from "./limits.ts";
import { judge } from "./measure.ts";
import { load, type Server, start } from "./support/app-server.ts";

const ROUNDS = 3;
const SECONDS = 4;
const STEADY_RATE = 600;
const STEADY_ROUNDS = 5;
const STEADY_SECONDS = 4;
const BARE_NAME = "bare node:http";
const DURABLE_NAME = "bare node:http, SQLite";
const DURABLE_POSTGRES_NAME = "bare node:http, PostgreSQL";
const KODIAI_NAME = "kodiai serve";
const KODIAI_POSTGRES_NAME = "kodiai serve, PostgreSQL";
const SECRET = "a secret for measurements only";
const PROBOT = "probot@14.3.2";

const root = dirname(import.meta.dirname);

const BARE = `
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
const server = createServer((request, response) => {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    const expected = createHmac("sha256", process.env.SECRET).update(Buffer.concat(chunks)).digest();
    const given = Buffer.from(request.headers["x-hub-signature-256"].slice(7), "hex");
    response.writeHead(given.length === expected.length && timingSafeEqual(given, expected) ? 202 : 401).end();
  });
});
server.listen(0, "127.0.0.1", () => console.log("listening on port " + server.address().port));
`;

/** `open` defines `write`, which resolves when the ids are on disk. */
const durableServer = (open: string): string => `
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
${open}
let waiting = [];
let isWriting = false;
async function commit() {
  isWriting = true;
  while (waiting.length > 0) {
    const group = waiting;
    waiting = [];
    await write(group.map(({ guid }) => guid));
    for (const { response } of group) response.writeHead(202).end();
  }
  isWriting = false;
}
const server = createServer((request, response) => {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    const expected = createHmac("sha256", process.env.SECRET).update(Buffer.concat(chunks)).digest();
    const given = Buffer.from(request.headers["x-hub-signature-256"].slice(7), "hex");
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return response.writeHead(401).end();
    if (waiting.push({ guid: request.headers["x-github-delivery"], response }) === 1 && !isWriting) setImmediate(commit);
  });
});
server.listen(0, "127.0.0.1", () => console.log("listening on port " + server.address().port));
`;

const SQLITE_BARE = durableServer(`
import { DatabaseSync } from "node:sqlite";
const database = new DatabaseSync(process.env.DATABASE);
database.exec("pragma journal_mode = wal; pragma synchronous = full; create table deliveries (guid text primary key)");
const insert = database.prepare("insert into deliveries (guid) values (?)");
async function write(guids) {
  database.exec("begin immediate");
  for (const guid of guids) insert.run(guid);
  database.exec("commit");
}
`);

const POSTGRES_BARE = durableServer(`
import { createRequire } from "node:module";
const { Client } = createRequire(process.env.PROJECT)("pg");
const client = new Client({ connectionString: process.env.DATABASE });
await client.connect();
await client.query("create table bare_deliveries (guid text primary key)");
const write = (guids) => client.query({ name: "insert", text: "insert into bare_deliveries select unnest($1::text[])", values: [guids] });
`);

const PROBOT_SERVER = `
import { createServer } from "node:http";
import { createNodeMiddleware, createProbot } from "probot";
const probot = createProbot({ env: { APP_ID: "1", PRIVATE_KEY: process.env.KEY, WEBHOOK_SECRET: process.env.SECRET, LOG_LEVEL: "fatal" } });
const middleware = await createNodeMiddleware((app) => app.on("pull_request.opened", async () => {}), { probot, webhooksPath: "/webhooks/github" });
const server = createServer((request, response) => middleware(request, response, () => response.writeHead(404).end()));
server.listen(0, "127.0.0.1", () => console.log("listening on port " + server.address().port));
`;

/** The bare server that writes to the same database. */
const BASELINES: ReadonlyMap<string, string> = new Map([
  [KODIAI_NAME, DURABLE_NAME],
  [KODIAI_POSTGRES_NAME, DURABLE_POSTGRES_NAME],
]);

export async function acknowledgements(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "kodiai-bench-"));
  const servers: Server[] = [];
  const cluster = await startCluster({ isDurable: true });
  try {
    servers.push(...(await startAll(folder, cluster)));
    const rates = new Map(servers.map(({ name }) => [name, [] as number[]]));
    for (let round = 0; round <= ROUNDS; round++) {
      for (const { name, url } of servers) {
        const { perSecond, failed } = load(url, { secret: SECRET, seconds: SECONDS, rate: 0, run: round });
        if (failed > 0) throw new Error(`${name} failed to answer ${failed} requests`);
        // The first round warms up.
        if (round > 0) rates.get(name)?.push(perSecond);
      }
    }
    const medians = new Map([...rates].map(([name, values]) => [name, median(values)]));
    for (const [name, value] of medians)
      console.log(`  ${name.padEnd(28)} ${value.toFixed(0).padStart(6)} per second`);
    const rateOf = (name: string): number => medians.get(name) ?? Number.NaN;
    for (const [name, value] of medians) {
      if (name === BARE_NAME) continue;
      const [toBare, toDurable] = [value / rateOf(BARE_NAME), value / rateOf(DURABLE_NAME)];
      console.log(
        `  ${name}: ${toBare.toFixed(2)} of the bare server, ${toDurable.toFixed(2)} of the durable one`,
      );
    }
    judge(LIMITS.acknowledgements, rateOf(KODIAI_NAME) / rateOf(BARE_NAME));
    const steady = measureSteady(servers);
    for (const [name, { p99Ms }] of steady) {
      const baseline = steady.get(BASELINES.get(name) ?? "");
      if (baseline === undefined) continue;
      judge(LIMITS.acknowledgementP99, p99Ms, name);
      // A webhook takes three round trips to PostgreSQL, and the bare server's one.
      if (name === KODIAI_NAME) judge(LIMITS.acknowledgementTail, p99Ms / baseline.p99Ms, name);
    }
  } finally {
    for (const { process: child } of servers) child.kill("SIGKILL");
    await cluster.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

type Steady = { readonly p50Ms: number; readonly p99Ms: number };

/** At a steady rate, in turns: the median of the rounds, because one slow moment of the machine decides the p99 of its round. */
function measureSteady(servers: readonly Server[]): ReadonlyMap<string, Steady> {
  const rounds = new Map(servers.map(({ name }) => [name, [] as Steady[]]));
  for (let round = 1; round <= STEADY_ROUNDS; round++) {
    for (const { name, url } of servers) {
      const options = { secret: SECRET, seconds: STEADY_SECONDS, rate: STEADY_RATE, run: ROUNDS + round };
      const { p50Ms, p99Ms, failed } = load(url, options);
      if (failed > 0) throw new Error(`${name} failed to answer ${failed} requests`);
      rounds.get(name)?.push({ p50Ms, p99Ms });
    }
  }
  const steady = new Map<string, Steady>();
  for (const [name, measured] of rounds) {
    const [p50Ms, p99Ms] = [
      median(measured.map((each) => each.p50Ms)),
      median(measured.map((each) => each.p99Ms)),
    ];
    steady.set(name, { p50Ms, p99Ms });
    const all = measured.map((each) => each.p99Ms.toFixed(1)).join(", ");
    console.log(
      `  ${name.padEnd(28)} at ${STEADY_RATE}/s: p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms (${all})`,
    );
  }
  return steady;
}

async function startAll(folder: string, cluster: Cluster): Promise<readonly Server[]> {
  const { privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
  });
  writeFileSync(join(folder, "bare.mjs"), BARE);
  writeFileSync(join(folder, "sqlite.mjs"), SQLITE_BARE);
  writeFileSync(join(folder, "postgres.mjs"), POSTGRES_BARE);
  const bare = await start(BARE_NAME, [join(folder, "bare.mjs")], folder, { SECRET });
  const onSqlite = await start(DURABLE_NAME, [join(folder, "sqlite.mjs")], folder, {
    SECRET,
    DATABASE: join(folder, "bare.db"),
  });
  const onPostgres = await start(DURABLE_POSTGRES_NAME, [join(folder, "postgres.mjs")], folder, {
    SECRET,
    DATABASE: cluster.url("postgres"),
    PROJECT: join(root, "package.json"),
  });
  const startKodiai = (name: string, databaseUrl: string): Promise<Server> =>
    start(name, [join(root, "bin", "kodiai.js"), "serve", "--no-worker", "--port", "0"], folder, {
      GITHUB_APP_ID: "1",
      GITHUB_PRIVATE_KEY: privateKey,
      GITHUB_WEBHOOK_SECRET: SECRET,
      // Kodiai only receives webhooks here and calls no API.
      GITHUB_API_URL: "http://127.0.0.1:9",
      DATABASE_URL: databaseUrl,
      HOST: "127.0.0.1",
      LOG_LEVEL: "error",
    });
  const kodiai = await startKodiai(KODIAI_NAME, `sqlite:${join(folder, "kodiai.db")}`);
  const kodiaiOnPostgres = await startKodiai(KODIAI_POSTGRES_NAME, cluster.url("postgres"));
  const probot = await startProbot(folder, privateKey);
  return [bare, onSqlite, onPostgres, kodiai, kodiaiOnPostgres, ...(probot === null ? [] : [probot])];
}

/** Installs Probot for the measurement. If that fails, for example without a registry, returns null. */
async function startProbot(folder: string, key: string): Promise<Server | null> {
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder, "probot.mjs"), PROBOT_SERVER);
  try {
    execFileSync("npm", ["install", "--silent", "--no-audit", "--no-fund", PROBOT], {
      cwd: folder,
      stdio: "ignore",
    });
    return await start(PROBOT, [join(folder, "probot.mjs")], folder, { SECRET, KEY: key });
  } catch (error) {
    console.log(
      `  ${PROBOT} is not measured: ${error instanceof Error ? error.message.split("\n")[0] : String(error)}`,
    );
    return null;
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
