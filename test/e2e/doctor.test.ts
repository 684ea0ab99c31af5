/** `kodiai doctor` against a fake GitHub and a scripted provider: healthy, and with settings and options that can't be right. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { createScenario } from "../support/app/scenario.ts";
import { assertNoSecrets, runDoctor } from "../support/app/run-doctor.ts";
import { startProvider } from "../support/doctor-fixtures.ts";
import { runKodiai } from "../support/run-kodiai.ts";

test("a healthy installation: everything is ok, and the exit code is 0", async (t) => {
  const { provider, settings } = await startProvider();
  t.after(() => provider.close());
  const scenario = await createScenario(t, { environment: settings });
  const { folder, fake } = scenario;
  await scenario.start(["serve", "--no-worker"]);
  assert.equal(await scenario.send("opened"), 202);
  const env = folder.environment;
  const { code, checks, troubles } = await runDoctor({ cwd: folder.path, env });
  assert.deepEqual(troubles, []);
  assert.equal(code, 0);
  const ok = checks.filter(({ state }) => state === "ok").map(({ name, what }) => `${name}: ${what}`);
  for (const expected of [
    /^node: Node \d+\./,
    /^git: git \d+\./,
    /^settings: All settings are valid/,
    /^database: The database .*kodiai\.db is reachable, migrated and writable/,
    /^database: .*B are free for the database/,
    /^queue: \d+ jobs? queued and 0 running; no worker is running a job now/,
    /^disk: .* are free in .*repositories; KODIAI_CACHE_GB allows copies of 10 GB/,
    /^app: The host accepts the credentials of the app kodiai/,
    /^webhook: The host sends webhooks to 127\.0\.0\.1/,
    /^webhook: The server accepted the last delivery, so the secret is right/,
    /^installations: Installed on acme with 1 repository\./,
    /^model: The provider accepts the key and has anthropic:claude-sonnet-5-5/,
    /^embeddings: Similar findings are found by their words alone/,
    /^linters: oxlint [\d.]+ starts and finds a mistake/,
    /^linters: ruff /,
    /^linters: shellcheck /,
    /^linters: actionlint /,
    /^network: The app's host \(127\.0\.0\.1:\d+\) is contacted directly/,
  ])
    assert.ok(
      ok.some((line) => expected.test(line)),
      `${expected} in\n${ok.join("\n")}`,
    );
  assert.deepEqual(
    checks.filter(({ state }) => state === "not-checked"),
    [],
  );
  assert.deepEqual(provider.requests, [], "no model was called");
  assert.deepEqual(fake.violations, []);
  assert.ok(
    fake.tokens.every(({ isRevoked }) => isRevoked),
    "every token was revoked",
  );

  const called = await runDoctor({ cwd: folder.path, env, args: ["--call-model"] });
  assert.equal(called.code, 0);
  assert.ok(called.checks.some(({ name, what }) => name === "model" && /^anthropic:\S+ answered/.test(what)));
  assert.equal(provider.requests.length, 1);
});

test("incomplete settings of an app: each is named with how to get it, and nothing that depends on them passes", async (t) => {
  const cwd = mkdtempSync(join(tmpdir(), "kodiai-doctor-"));
  t.after(() => rmSync(cwd, { recursive: true }));
  writeFileSync(join(cwd, ".env"), "GITHUB_APP_ID=12\nGITHUB_WEBHOOK_SECRET=too-short\nKODIAI_MODLE=floor\n");
  const { code, stdout } = await runKodiai(["doctor"], { cwd });
  assert.equal(code, 1);
  assert.match(
    stdout,
    /^failure +settings +GITHUB_PRIVATE_KEY is not set\. .*Generate a private key.*#setting-invalid\)$/m,
  );
  assert.match(stdout, /^failure +settings +GITHUB_WEBHOOK_SECRET must have at least 16 characters\./m);
  assert.match(stdout, /^warning +settings +KODIAI_MODLE .* Did you mean KODIAI_MODEL\?/m);
  for (const name of ["app", "webhook", "installations"])
    assert.match(stdout, new RegExp(`^unknown +${name} .*because settings of the app are invalid`, "m"));
  assertNoSecrets(stdout, { GITHUB_WEBHOOK_SECRET: "too-short" });
});

test("bad options get an error with a fix", async () => {
  for (const [args, says] of [
    [["--pr", "3"], /--pr needs --repository OWNER\/NAME/],
    [["--repository", "acme"], /--repository must be OWNER\/NAME/],
    [["--repository", "acme/shop", "--pr", "x"], /--pr must be a whole number/],
  ] as const) {
    const { code, stderr, stdout } = await runKodiai(["doctor", ...args], { cwd: tmpdir() });
    assert.deepEqual([code, stdout], [2, ""]);
    assert.match(stderr, says);
  }
});
