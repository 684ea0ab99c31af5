/**
 * What is shipped to run Kodiai with: compose.yaml, the Dockerfile with its .dockerignore, and the names that
 * docs/deployment.md tells operators. No Docker is needed: what would break there without a word is looked for here.
 */
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { after, before, test } from "node:test";
import { minimatch } from "minimatch";
import { parse } from "yaml";
import { z } from "zod";
import { type AppSettings, readAppSettings } from "../src/config/server-settings.ts";
import { createMetrics } from "../src/server/metrics.ts";

const project = dirname(import.meta.dirname);
const read = (name: string): string => readFileSync(join(project, name), "utf8");

const Healthcheck = z.object({ test: z.array(z.string()) });
const Service = z.object({
  image: z.string(),
  build: z.string().optional(),
  pull_policy: z.string().optional(),
  command: z.array(z.string()).optional(),
  restart: z.string(),
  env_file: z.string().optional(),
  environment: z.record(z.string(), z.string()),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).optional(),
  ports: z.array(z.string()).optional(),
  volumes: z.array(z.string()),
  healthcheck: Healthcheck.optional(),
  stop_grace_period: z.string(),
  read_only: z.boolean().optional(),
  tmpfs: z.array(z.string()).optional(),
  deploy: z.object({ replicas: z.number() }).optional(),
});
const Compose = z.object({
  services: z.object({ postgres: Service, server: Service, worker: Service }),
  volumes: z.record(z.string(), z.null()),
});

const { services, volumes } = Compose.parse(parse(read("compose.yaml"), { merge: true }));
const { postgres, server, worker } = services;

/** As compose would fill it in. */
const PASSWORD = "0123456789abcdef";
const filledIn = (environment: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [
      name,
      value.replaceAll(/\$\{POSTGRES_PASSWORD:\?[^}]+\}/g, PASSWORD),
    ]),
  );

const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });

/** What `.env` brings. */
const SECRETS = {
  GITHUB_APP_ID: "12345",
  GITHUB_PRIVATE_KEY: Buffer.from(privateKey.export({ type: "pkcs1", format: "pem" })).toString("base64"),
  GITHUB_WEBHOOK_SECRET: "0123456789abcdef0123",
};

function settingsOf(environment: Readonly<Record<string, string>>): AppSettings {
  return readAppSettings({ environment, dotEnv: null, readText: () => null });
}

/** The names of all settings, by watching which of them are asked for. */
function settingNames(): ReadonlySet<string> {
  const names = new Set<string>();
  const environment = new Proxy<Record<string, string>>(SECRETS, {
    get(secrets, name) {
      names.add(String(name));
      return Reflect.get(secrets, name);
    },
  });
  settingsOf(environment);
  return names;
}

test("compose sets what the program reads, and the program takes it", () => {
  const names = settingNames();
  for (const { environment } of [server, worker]) {
    assert.deepEqual(
      Object.keys(environment).filter((name) => !names.has(name)),
      [],
    );
    const settings = settingsOf({ ...SECRETS, ...filledIn(environment) });
    assert.deepEqual(
      [settings.host, settings.port, settings.dataFolder, settings.databaseUrl],
      ["0.0.0.0", 3_000, "/data", `postgres://kodiai:${PASSWORD}@postgres:5432/kodiai`],
    );
  }
  assert.deepEqual([server.env_file, worker.env_file], [".env", ".env"]);
});

test("compose's database is the one that the program is sent to, and a password is asked for", () => {
  const url = new URL(filledIn(server.environment)["DATABASE_URL"] ?? "");
  const { POSTGRES_USER, POSTGRES_DB, POSTGRES_PASSWORD } = filledIn(postgres.environment);
  assert.deepEqual(
    [url.hostname, url.username, url.pathname, url.password],
    ["postgres", POSTGRES_USER, `/${POSTGRES_DB}`, POSTGRES_PASSWORD],
  );
  assert.match(postgres.environment["POSTGRES_PASSWORD"] ?? "", /^\$\{POSTGRES_PASSWORD:\?.*openssl rand/);
  // The image of version 18 keeps its data below this folder; in the older place it would be lost with the container.
  assert.match(postgres.image, /:pg18$/);
  assert.ok(postgres.volumes.includes("postgres:/var/lib/postgresql"));
  const used = [postgres, server, worker].flatMap((service) =>
    service.volumes.map((volume) => volume.split(":")[0]),
  );
  assert.deepEqual([...new Set(used)], Object.keys(volumes));
});

test("server and two workers wait for the database, come back, stop in order and get one image", () => {
  for (const service of [server, worker]) {
    assert.deepEqual(service.depends_on, { postgres: { condition: "service_healthy" } });
    assert.equal(service.restart, "unless-stopped");
    // Jobs get 25 seconds, and what they hold some more.
    assert.ok(Number.parseInt(service.stop_grace_period, 10) >= 30, service.stop_grace_period);
    assert.deepEqual([service.read_only, service.tmpfs], [true, ["/tmp"]]);
    assert.equal(service.image, server.image);
  }
  assert.deepEqual(postgres.healthcheck?.test.slice(0, 2), ["CMD", "pg_isready"]);
  assert.equal(worker.deploy?.replicas, 2);
  // Two builds of the same image at a time fail, and no foreign image of that name may be pulled instead.
  assert.deepEqual([server.build, server.pull_policy], [".", "build"]);
  assert.deepEqual([worker.build, worker.pull_policy], [undefined, "never"]);
  assert.deepEqual([postgres.ports, worker.ports], [undefined, undefined]);
});

test("the server's port is open to this machine only, and its health check says what it sees", async (t) => {
  assert.deepEqual(server.ports, ["127.0.0.1:3000:3000"]);
  const [kind, program, ...args] = server.healthcheck?.test ?? [];
  assert.deepEqual([kind, program], ["CMD", "node"]);
  assert.match(args.at(-1) ?? "", /http:\/\/127\.0\.0\.1:3000\/healthz/);
  let status = 200;
  const asked: (string | undefined)[] = [];
  const stand = createServer((request, response) => {
    asked.push(request.url);
    response.writeHead(status).end();
  });
  stand.listen(0, "127.0.0.1");
  await once(stand, "listening");
  t.after(() => stand.close());
  const address = stand.address();
  assert.ok(typeof address === "object" && address !== null);
  const check = async (): Promise<unknown> => {
    const here = args.map((arg) => arg.replace(":3000/", `:${address.port}/`));
    const [code] = await once(spawn(process.execPath, here, { stdio: "ignore" }), "close");
    return code;
  };
  assert.equal(await check(), 0);
  status = 503;
  assert.equal(await check(), 1);
  assert.deepEqual(asked, ["/healthz", "/healthz"]);
  stand.close();
  stand.closeAllConnections();
  assert.equal(await check(), 1, "no answer");
});

type Instruction = { readonly name: string; readonly text: string };

/** The instructions of each stage, without comments and with continued lines as one. */
function readStages(): readonly (readonly Instruction[])[] {
  const lines = read("Dockerfile")
    .replaceAll(/^#.*\n/gm, "")
    .replaceAll(/\\\n\s*/g, "")
    .split("\n")
    .filter((line) => line !== "");
  const stages: Instruction[][] = [];
  for (const line of lines) {
    const [, name = "", text = ""] = /^([A-Z]+) +(.+)$/.exec(line) ?? [];
    assert.notEqual(name, "", line);
    if (name === "FROM") stages.push([]);
    stages.at(-1)?.push({ name, text });
  }
  return stages;
}

const stages = readStages();
const [build = [], image = []] = stages;
const textsOf = (stage: readonly Instruction[], name: string): readonly string[] =>
  stage.filter((instruction) => instruction.name === name).map(({ text }) => text);

/** Paths that .dockerignore lets through, and patterns of what it takes out of them again. */
function readContext(): { readonly paths: readonly string[]; readonly without: readonly string[] } {
  const [everything, ...lines] = read(".dockerignore")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  assert.equal(everything, "*", "only what is listed reaches the image");
  return {
    paths: lines.filter((line) => line.startsWith("!")).map((line) => line.slice(1)),
    without: lines.filter((line) => !line.startsWith("!")),
  };
}

const context = readContext();

test("the Dockerfile copies existing files, and nothing personal of its builder", () => {
  for (const path of context.paths) assert.ok(existsSync(join(project, path)), path);
  const { files } = z.object({ files: z.array(z.string()) }).parse(JSON.parse(read("package.json")));
  // The build makes it.
  const packed = files.filter((path) => path !== "dist").map((path) => path.replace(/\/\*\.\w+$/, ""));
  assert.deepEqual(
    [...packed, "README.md", "LICENSE"].filter((path) => !context.paths.includes(path)),
    [],
  );
  for (const text of textsOf(build, "COPY")) {
    const sources = text.split(" ").slice(0, -1);
    assert.deepEqual(
      sources.filter((path) => path !== "." && !context.paths.includes(path)),
      [],
    );
  }
  const made = textsOf(build, "RUN").join(" && ");
  const copies = textsOf(image, "COPY");
  assert.deepEqual(copies, ["--from=build /kodiai /opt/kodiai"]);
  assert.match(made, /mkdir \/kodiai && tar .*--directory \/kodiai --strip-components=1/);
});

test("the image runs as the user who owns its data, on the Node that the package needs", () => {
  assert.equal(stages.length, 2);
  for (const stage of stages) {
    const [from = ""] = textsOf(stage, "FROM");
    assert.match(from, /^node:24-bookworm-slim\b/);
  }
  const [variables = ""] = textsOf(image, "ENV");
  const environment = Object.fromEntries(variables.split(/\s+/).map((pair) => pair.split("=", 2)));
  const { NODE_ENV: forNode, ...ours } = z.record(z.string(), z.string()).parse(environment);
  assert.equal(forNode, "production");
  const names = settingNames();
  assert.deepEqual(
    Object.keys(ours).filter((name) => !names.has(name)),
    [],
  );
  const settings = settingsOf({ ...SECRETS, ...ours });
  assert.deepEqual([settings.databaseUrl, settings.dataFolder], ["sqlite:/data/kodiai.db", "/data"]);
  assert.deepEqual(textsOf(image, "VOLUME"), [settings.dataFolder]);
  assert.deepEqual(textsOf(image, "EXPOSE"), [String(settings.port)]);
  assert.ok(worker.volumes.some((volume) => volume.endsWith(`:${settings.dataFolder}`)));
  // The number of the user "node" of the base image, to whom the folder is given.
  assert.deepEqual(textsOf(image, "USER"), ["1000:1000"]);
  assert.match(textsOf(image, "RUN").join("\n"), /install --directory --owner=node .* \/data$/m);
});

const work = mkdtempSync(join(tmpdir(), "kodiai-deployment-"));
const source = join(work, "source");
const unpacked = join(work, "kodiai");
const linked = join(work, "linked");
const nowhere = join(work, "nowhere");

/** Repeats the Dockerfile's build with the packages of this checkout. */
before(() => {
  for (const folder of [source, unpacked, nowhere]) mkdirSync(folder);
  for (const path of context.paths) {
    cpSync(join(project, path), join(source, path), {
      recursive: true,
      filter: (from) => !context.without.some((pattern) => minimatch(relative(project, from), pattern)),
    });
  }
  symlinkSync(join(project, "node_modules"), join(source, "node_modules"));
  execFileSync("npm", ["pack", "--pack-destination", work], { cwd: source, stdio: "pipe" });
  execFileSync(
    "sh",
    ["-c", "tar --extract --gzip --file kodiai-*.tgz --directory kodiai --strip-components=1"],
    {
      cwd: work,
    },
  );
  const { dependencies } = z
    .object({ dependencies: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync(join(unpacked, "package.json"), "utf8")));
  for (const name of Object.keys(dependencies)) {
    const place = join(unpacked, "node_modules", name);
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(join(project, "node_modules", name), place);
  }
  const [, target = ""] =
    /ln -s \/opt\/kodiai\/(\S+) \/usr\/local\/bin\/kodiai/.exec(textsOf(image, "RUN").join()) ?? [];
  symlinkSync(join(unpacked, target), linked);
});
after(() => rmSync(work, { recursive: true, force: true }));

function kodiai(...args: readonly string[]) {
  const { PATH = "" } = process.env;
  return spawnSync(process.execPath, [linked, ...args], { cwd: nowhere, env: { PATH }, encoding: "utf8" });
}

test("the files that reach the image are enough to build the package, and it runs from there", () => {
  const run = kodiai("--version");
  assert.deepEqual([run.status, run.stderr], [0, ""]);
  assert.match(run.stdout, /^\d+\.\d+\.\d+\n$/);
  assert.ok(!existsSync(join(unpacked, "src")));
});

test("the commands that containers start exist, with their options", () => {
  const [entry = "[]"] = textsOf(image, "ENTRYPOINT");
  const [command = "[]"] = textsOf(image, "CMD");
  // In this form there is no shell between the first process and the program, so that signals reach it.
  assert.deepEqual(JSON.parse(entry), ["tini", "--", "kodiai"]);
  assert.match(textsOf(image, "RUN").join("\n"), /apt-get install .*\bca-certificates git tini\b/);
  const lines = [z.array(z.string()).parse(JSON.parse(command)), server.command ?? [], worker.command ?? []];
  assert.deepEqual(
    lines.map(([name]) => name),
    ["serve", "serve", "worker"],
  );
  for (const line of lines) {
    const run = kodiai(...line);
    assert.equal(run.status, 2, line.join(" "));
    // It has understood all of the line when it asks for its settings.
    assert.match(run.stderr, /GITHUB_APP_ID is not set/, line.join(" "));
  }
  assert.match(kodiai("serve", "--no-workers").stderr, /unknown option --no-workers/);
});

const guide = read("docs/deployment.md");

test("every setting that docs/deployment.md names is read", () => {
  const names = settingNames();
  const named = new Set<string>(guide.match(/\b(?:KODIAI|GITHUB)_[A-Z_]+\b|\bDATABASE_URL\b/g));
  assert.ok(named.has("DATABASE_URL"));
  assert.deepEqual(
    [...named].filter((name) => !names.has(name)),
    [],
  );
});

test("every metric that docs/deployment.md names is measured", async () => {
  const metrics = createMetrics({ stats: async () => ({ queued: 0, running: 0, oldestReadyMs: null }) });
  const { text } = await metrics.render();
  // The queue's schema is no metric.
  const named = new Set<string>(guide.match(/(?<=`)kodiai_(?!queue`)\w+(?=`)/g));
  assert.ok(named.has("kodiai_oldest_ready_job_seconds"));
  assert.deepEqual(
    [...named].filter((name) => !text.includes(`# TYPE ${name} `)),
    [],
  );
});

test("every command that docs/deployment.md names exists", () => {
  const { stdout } = kodiai("--help");
  const named = new Set(
    Array.from(guide.matchAll(/\bkodiai (serve|worker|jobs|migrate)\b/g), ([, name]) => name),
  );
  assert.equal(named.size, 4);
  for (const name of named) assert.match(stdout, new RegExp(`^ +${name} `, "m"));
});
