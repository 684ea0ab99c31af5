/** Further failures that `kodiai doctor` names, each made real: the host, databases, linters, git, models, and no settings at all. */
import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { test } from "node:test";
import { KNOWLEDGE_MIGRATIONS } from "../../src/store/migrations/all-migrations.ts";
import { sqlitePathOf } from "../../src/store/store.ts";
import { runDoctor } from "../support/app/run-doctor.ts";
import { createScenario } from "../support/app/scenario.ts";
import { startProvider } from "../support/doctor-fixtures.ts";
import { installedWith } from "../support/installed-program.ts";
import { startModelServer } from "../support/model-server/model-server.ts";
import { administer } from "../support/postgres/shared-cluster.ts";
import { engineNamed } from "../support/queue-contract/engines.ts";
import { runKodiai } from "../support/run-kodiai.ts";

test("a database of an older version, and one that is gone", async (t) => {
  const scenario = await createScenario(t);
  const { folder, database } = scenario;
  const settings = { cwd: folder.path, env: folder.environment };
  await database.query("delete from schema_migrations where number = 17");
  const older = await runDoctor(settings);
  assert.deepEqual(older.troubles, [
    "warning database database-not-migrated",
    "warning webhook webhook-silent",
    "unknown queue database-unreachable",
  ]);
  const [row] = await database.query<{ count: number }>("select count(*) as count from schema_migrations");
  assert.equal(row?.count, KNOWLEDGE_MIGRATIONS.length - 1, "doctor doesn't migrate");
  const env = { ...folder.environment, DATABASE_URL: `sqlite:${join(folder.path, "gone.db")}` };
  const gone = await runDoctor({ ...settings, env });
  assert.deepEqual(gone.troubles, ["warning database database-missing", "warning webhook webhook-silent"]);
});

test("a PostgreSQL database that accepts no writes", async (t) => {
  const scenario = await createScenario(t, { engine: engineNamed("postgres") });
  const { folder } = scenario;
  const name = new URL(folder.environment["DATABASE_URL"] ?? "").pathname.slice(1);
  await administer(`alter database ${name} set default_transaction_read_only = on`);
  const { troubles } = await runDoctor({ cwd: folder.path, env: folder.environment });
  assert.deepEqual(troubles, [
    "warning webhook webhook-silent",
    "unknown queue database-unreachable",
    "failure database database-read-only",
  ]);
});

/** Root may write everything, so that another user runs the program then. */
const OTHER_USER = 65_534;

test("an SQLite file that this user may not write", async (t) => {
  const scenario = await createScenario(t);
  const { environment } = scenario.folder;
  const path = sqlitePathOf(environment["DATABASE_URL"] ?? "");
  for (const file of ["", "-wal", "-shm"]) chmodSync(`${path}${file}`, 0o444);
  chmodSync(dirname(path), 0o555);
  chmodSync(dirname(dirname(path)), 0o755);
  const user = process.getuid?.() === 0 ? { uid: OTHER_USER } : {};
  try {
    const { troubles } = await runDoctor({ cwd: tmpdir(), env: environment, ...user });
    assert.ok(troubles.includes("failure database database-read-only"), troubles.join("\n"));
  } finally {
    // So that the folder can be removed.
    chmodSync(dirname(path), 0o700);
  }
});

for (const [title, program, expected] of [
  ["isn't installed", null, "failure linters linter-missing"],
  ["crashes", "process.exit(3);\n", "failure linters linter-failed"],
  ["finds nothing", "console.log('{\"diagnostics\": []}');\n", "failure linters linter-failed"],
] as const)
  test(`a linter that ${title}`, async (t) => {
    const cwd = mkdtempSync(join(tmpdir(), "kodiai-doctor-"));
    t.after(() => rmSync(cwd, { recursive: true }));
    const { troubles } = await runDoctor({ cwd, env: {}, bin: installedWith(t, program) });
    assert.deepEqual(troubles, [expected]);
  });

test("no git, and models that can't be checked or used", async (t) => {
  const cwd = mkdtempSync(join(tmpdir(), "kodiai-doctor-"));
  const provider = await startModelServer();
  t.after(() => provider.close());
  t.after(() => rmSync(cwd, { recursive: true }));
  const withModel = (name: string, more: Readonly<Record<string, string>> = {}) =>
    runDoctor({
      cwd,
      env: { KODIAI_MODEL: name, KODIAI_COMPATIBLE_URL: `${provider.url}/v1`, PATH: cwd, ...more },
    });
  assert.deepEqual((await withModel("compatible:qwen3")).troubles, [
    "warning model model-price-unknown",
    "failure git git-missing",
  ]);
  assert.deepEqual((await withModel("compatible:qwen3", { KODIAI_BUDGET_REVIEW_USD: "2" })).troubles, [
    "failure git git-missing",
    "failure model model-price-unknown",
  ]);
  assert.deepEqual((await withModel("gpt-6.1-sol")).troubles, [
    "failure git git-missing",
    "failure model model-unusable",
  ]);
  provider.script([{ faults: [{ kind: "status", status: 401, times: "always" }] }]);
  const called = await runDoctor({
    cwd,
    env: { KODIAI_MODEL: "compatible:qwen3", KODIAI_COMPATIBLE_URL: `${provider.url}/v1` },
    args: ["--call-model"],
  });
  assert.deepEqual(called.troubles, ["warning model model-price-unknown", "failure model model-key-refused"]);
});

test("problems on the machine are named", async (t) => {
  const scenario = await createScenario(t);
  const { fake, folder } = scenario;
  const { provider, settings } = await startProvider();
  t.after(() => provider.close());
  // No server listens there.
  fake.setWebhookUrl("http://127.0.0.1:1/webhooks/github");
  await fake.send(fake.events.push(scenario.repository));
  fake.uninstall(fake.installation);
  const path = fakeGit(t, "echo git version 2.17.1");
  const env = {
    ...folder.environment,
    ...settings,
    ANTHROPIC_API_KEY: "sk-ant-api03-another-key-that-is-accepted-nowhere",
    DATABASE_URL: "postgres://kodiai:a-password-of-this-test@127.0.0.1:1/kodiai",
    KODIAI_CACHE_GB: "9000",
    GIT_SSL_CAINFO: join(folder.path, "none.pem"),
    PATH: `${path}${delimiter}${process.env["PATH"]}`,
  };
  const { code, troubles, checks } = await runDoctor({ cwd: folder.path, env });
  assert.equal(code, 1);
  assert.deepEqual(troubles, [
    "warning disk disk-smaller-than-cache",
    "unknown queue database-unreachable",
    "failure git git-too-old",
    "failure database database-unreachable",
    "failure webhook webhook-deliveries-failed",
    "failure installations installation-none",
    "failure model model-key-refused",
    "failure network certificate-unreadable",
  ]);
  assert.match(checks.find(({ docs }) => docs?.endsWith("deliveries-failed"))?.what ?? "", /failed with 502/);
});

test("wrong credentials: the app's checks fail, and the others still run", async (t) => {
  const scenario = await createScenario(t);
  const { folder } = scenario;
  const { privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
  });
  const env = { ...folder.environment, GITHUB_PRIVATE_KEY: Buffer.from(privateKey).toString("base64") };
  const { troubles, checks } = await runDoctor({ cwd: folder.path, env });
  assert.deepEqual(troubles, [
    "failure app app-credentials-refused",
    "failure webhook app-credentials-refused",
    "failure installations app-credentials-refused",
  ]);
  assert.ok(checks.some(({ name, state }) => name === "database" && state === "ok"));
});

test("problems at the host, in the database and with the model are named, the worst last", async (t) => {
  const { provider, settings } = await startProvider();
  t.after(() => provider.close());
  const scenario = await createScenario(t, {
    engine: engineNamed("postgres"),
    environment: { ...settings, KODIAI_MODEL: "anthropic:claude-none-1", KODIAI_CACHE_BG: "3" },
  });
  const { fake, folder, database } = scenario;
  const app = await scenario.start(["serve", "--no-worker"]);
  assert.match(
    app.output(),
    /"unknown setting, which has no effect","name":"KODIAI_CACHE_BG","nearest":"KODIAI_CACHE_GB"/,
  );
  const { checks: _none, ...permissions } = fake.world.app.permissions;
  const events = fake.world.app.events.filter((name) => name !== "issue_comment");
  Object.assign(fake.world.app, { permissions, events });
  fake.createInstallation("late", {
    ...permissions,
    checks: "write",
    issues: "read",
    contents: "read",
    pull_requests: "read",
  });
  fake.suspend(fake.installation);
  await fake.send(fake.events.push(scenario.repository), { secret: "not the secret of the server" });
  await database.query("insert into schema_migrations (number, name, applied_at) values (9000, 'future', 1)");
  const { code, troubles, checks } = await runDoctor({ cwd: folder.path, env: folder.environment });
  assert.equal(code, 1);
  assert.deepEqual(troubles, [
    "warning settings setting-unknown",
    "warning installations installation-suspended",
    "warning installations installation-empty",
    "warning model model-price-unknown",
    "unknown queue database-unreachable",
    "failure database database-newer",
    "failure app app-permission-missing",
    "failure app app-event-missing",
    "failure webhook webhook-secret-differs",
    "failure installations installation-not-updated",
    "failure model model-not-found",
  ]);
  const saying = (text: RegExp) =>
    assert.ok(
      checks.some(({ what, remedy }) => text.test(`${what} ${remedy}`)),
      String(text),
    );
  saying(/KODIAI_CACHE_BG is set, .* Did you mean KODIAI_CACHE_GB\?/);
  saying(/lacks the permission "Checks: read and write"/);
  saying(/doesn't subscribe to the event "Issue comment"/);
  saying(/installation on late hasn't accepted the permission "Pull requests: read and write"/);
});

test("without any settings, what a review needs is checked, and the report says what wasn't", async (t) => {
  const cwd = mkdtempSync(join(tmpdir(), "kodiai-doctor-"));
  t.after(() => rmSync(cwd, { recursive: true }));
  const { code, stdout, stderr } = await runKodiai(["doctor"], { cwd });
  assert.equal(code, 0, stdout);
  assert.equal(stderr, "");
  const lines = stdout.trimEnd().split("\n");
  assert.match(lines.at(-1) ?? "", /^\d+ ok, \d+ not checked$/);
  for (const expected of [
    /^not checked {2}database +There is no database\. Only the app needs one\.$/m,
    /^not checked {2}app +.*: no app is configured\. See docs\/github-app\.md\.$/m,
    /^not checked {2}model +No model is configured\./m,
    /^ok {11}linters +ruff [\d.]+ starts/m,
  ])
    assert.match(stdout, expected);
});

/** A folder with a git that runs this line of shell. */
function fakeGit(t: { after(work: () => void): void }, line: string): string {
  const folder = mkdtempSync(join(tmpdir(), "kodiai-git-"));
  t.after(() => rmSync(folder, { recursive: true }));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "git"), `#!/bin/sh\n${line}\n`, { mode: 0o755 });
  return folder;
}
