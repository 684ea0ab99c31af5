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
import { type LoadGenerator, type Server, start, startLoadGenerator } from "./support/app-server.ts";
import { filledOnce, isOpen } from "./support/attempts.ts";
import type { LoadResult } from "./support/webhook-load.ts";

/** Turns are short and many, so that a slow moment of the machine affects neighbours alike, and few turns. */
const ROUNDS = 7;
const SECONDS = 1;
const WARM_UP_SECONDS = 3;
const STEADY_RATE = 600;
const STEADY_ROUNDS = 5;
const STEADY_SECONDS = 4;
const BARE_NAME = "bare node:http";
const DURABLE_NAME = "bare node:http, SQLite";
const DURABLE_POSTGRES_NAME = "bare node:http, PostgreSQL";
const KODIAI_NAME = "kodiai serve, SQLite";
const KODIAI_POSTGRES_NAME = "kodiai serve, PostgreSQL";
const AT_ONCE = "32 at a time";
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

const JUDGED: ReadonlySet<string> = new Set([BARE_NAME, DURABLE_NAME, KODIAI_NAME]);

type Started = {
  readonly servers: readonly Server[];
  readonly generator: LoadGenerator;
  readonly remove: () => Promise<void>;
};

const startOnce = filledOnce(startAll, ({ remove }) => remove());

export async function acknowledgements(): Promise<void> {
  const started = await startOnce();
  if (isOpen(AT_ONCE)) await measureRates(started);
  await measureSteady(started);
}

async function measureRates({ servers, generator }: Started): Promise<void> {
  // Nothing is judged by the others, so that later attempts leave them out.
  const measured = servers.filter(({ name }) => JUDGED.has(name) || isOpen(name));
  const rates = new Map<string, number[]>(measured.map(({ name }) => [name, []]));
  for (let round = 1; round <= ROUNDS; round++) {
    for (const server of measured) rates.get(server.name)?.push((await send(server, generator)).perSecond);
  }
  /** The median of what each round shows, because a slow moment of the machine is a slow one for both. */
  const share = (name: string, of: string): number =>
    median((rates.get(name) ?? []).map((rate, round) => rate / (rates.get(of)?.[round] ?? Number.NaN)));
  for (const [name, values] of rates) {
    const shares = `${share(name, BARE_NAME).toFixed(2)} of the bare server, ${share(name, DURABLE_NAME).toFixed(2)} of the durable one`;
    console.log(`  ${name.padEnd(28)} ${median(values).toFixed(0).padStart(6)} per second, ${shares}`);
  }
  judge(LIMITS.acknowledgements, share(KODIAI_NAME, BARE_NAME), AT_ONCE);
}

/** At a steady rate, in turns: the median of the rounds, because one slow moment of the machine decides the p99 of its round. */
async function measureSteady({ servers, generator }: Started): Promise<void> {
  const pairs = [...BASELINES].filter(([name]) => isOpen(name));
  const names = new Set(pairs.flat());
  const measured = servers.filter(({ name }) => names.has(name));
  const rounds = new Map<string, LoadResult[]>(measured.map(({ name }) => [name, []]));
  for (let round = 1; round <= STEADY_ROUNDS; round++) {
    for (const server of measured)
      rounds
        .get(server.name)
        ?.push(await send(server, generator, { seconds: STEADY_SECONDS, rate: STEADY_RATE }));
  }
  const p99Of = (name: string): number => median((rounds.get(name) ?? []).map(({ p99Ms }) => p99Ms));
  for (const [name, results] of rounds) {
    const p50Ms = median(results.map((each) => each.p50Ms));
    const all = results.map(({ p99Ms }) => p99Ms.toFixed(1)).join(", ");
    console.log(
      `  ${name.padEnd(28)} at ${STEADY_RATE}/s: p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Of(name).toFixed(1)} ms (${all})`,
    );
  }
  for (const [name, baseline] of pairs) {
    judge(LIMITS.acknowledgementP99, p99Of(name), name);
    // A webhook takes three round trips to PostgreSQL, and the bare server's one.
    if (name === KODIAI_NAME) judge(LIMITS.acknowledgementTail, p99Of(name) / p99Of(baseline), name);
  }
}

async function send(
  { name, url }: Server,
  generator: LoadGenerator,
  { seconds = SECONDS, rate = 0 } = {},
): Promise<LoadResult> {
  const result = await generator.send({ url, secret: SECRET, seconds, rate });
  if (result.failed > 0) throw new Error(`${name} failed to answer ${result.failed} requests`);
  return result;
}

async function startAll(): Promise<Started> {
  const folder = mkdtempSync(join(tmpdir(), "kodiai-bench-"));
  const cluster = await startCluster({ isDurable: true });
  const generator = startLoadGenerator();
  let servers: readonly Server[] = [];
  const remove = async (): Promise<void> => {
    generator.stop();
    for (const { process: child } of servers) child.kill("SIGKILL");
    await cluster.remove();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    servers = await startServers(folder, cluster);
    for (const server of servers) await send(server, generator, { seconds: WARM_UP_SECONDS });
  } catch (error) {
    await remove();
    throw error;
  }
  return { servers, generator, remove };
}

async function startServers(folder: string, cluster: Cluster): Promise<readonly Server[]> {
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
