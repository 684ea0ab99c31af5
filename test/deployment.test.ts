/**
 * What is shipped to run Kodiai with: compose.yaml, the Dockerfile with its .dockerignore, and the names that
 * docs/deployment.md tells operators. No Docker is needed: what would break there without a word is looked for here.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { z } from "zod";
import { type AppSettings, readAppSettings } from "../src/config/server-settings.ts";
import { GITHUB_LIMITS_METRIC } from "../src/forge/github/limits-metric.ts";
import { createMetrics } from "../src/server/metrics.ts";
import {
  project,
  readProjectFile,
  volumes,
  postgres,
  server,
  worker,
  stages,
  build,
  image,
  textsOf,
  context,
  guide,
} from "./support/deployment-files.ts";

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

test("the Dockerfile copies existing files, and nothing personal of its builder", () => {
  for (const path of context.paths) assert.ok(existsSync(join(project, path)), path);
  const { files } = z
    .object({ files: z.array(z.string()) })
    .parse(JSON.parse(readProjectFile("package.json")));
  // The build makes `dist`, and a pattern with `!` leaves parts of it out.
  const packed = files
    .filter((path) => !/^!?dist\b/.test(path))
    .map((path) => path.replace(/\/\*\.\w+$/, ""));
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
  const metrics = createMetrics(
    { stats: async () => ({ queued: 0, running: 0, oldestReadyMs: null }) },
    GITHUB_LIMITS_METRIC,
  );
  const { text } = await metrics.render();
  // The queue's schema is no metric.
  const named = new Set<string>(guide.match(/(?<=`)kodiai_(?!queue`)\w+(?=`)/g));
  assert.ok(named.has("kodiai_oldest_ready_job_seconds"));
  assert.deepEqual(
    [...named].filter((name) => !text.includes(`# TYPE ${name} `)),
    [],
  );
});
