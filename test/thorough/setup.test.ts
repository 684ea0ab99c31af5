/** `kodiai setup` in further forms: interruptions, apps that exist, codes and settings that fail, other visitors, and misuse. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { FakeGithub } from "../../fake-github/fake-github.ts";
import { runKodiai } from "../support/run-kodiai.ts";
import { confirmApp, installOnAll, startSetup, setupFolder } from "../support/setup-run.ts";
import { stage, settingsIn, conversions, visit, visitAs } from "../support/setup-stage.ts";

test("an app that lacks a permission is reported", async (t) => {
  const { fake, folder } = await stage(t);
  const run = startSetup(t, fake, { folder });
  await visit((await confirmApp(await run.startUrl())).callbackUrl);
  await installOnAll(fake);
  assert.equal(await run.ended, 0);
  const { app } = fake.world;
  fake.world.app = { ...app, permissions: { ...app.permissions, checks: "read" }, events: ["pull_request"] };
  const again = startSetup(t, fake, { folder });
  assert.equal(await again.ended, 0);
  assert.match(again.output(), /the app lacks Checks: read and write, .*the event Issue comment/);
});

type Spoil = (fake: FakeGithub, callbackUrl: string) => Promise<void> | void;

const REFUSED_CODES: readonly (readonly [what: string, spoil: Spoil])[] = [
  [
    "used before",
    async (fake, callbackUrl) => {
      const code = new URL(callbackUrl).searchParams.get("code") ?? "";
      const used = await fetch(`${fake.url}/app-manifests/${code}/conversions`, { method: "POST" });
      assert.equal(used.status, 201);
    },
  ],
  ["expired", (fake) => fake.clock.advance(61 * 60_000)],
];

for (const [what, spoil] of REFUSED_CODES) {
  test(`a code that was ${what} is explained, and a new start works with a new state`, async (t) => {
    const { fake, folder } = await stage(t);
    const run = startSetup(t, fake, { folder });
    const startUrl = await run.startUrl();
    const { callbackUrl } = await confirmApp(startUrl);
    await spoil(fake, callbackUrl);
    assert.match(await visit(callbackUrl), /^400 GitHub refused the code$/);
    await run.until(/GitHub refused the code: it was used before.*Start again: http/);
    assert.ok(!existsSync(join(folder, ".env")));
    assert.match(await visit(callbackUrl), /^400 This answer doesn't belong/);
    const next = await confirmApp(startUrl, "Kodiai 2");
    const stateOf = (url: string): string | null => new URL(url).searchParams.get("state");
    assert.notEqual(stateOf(next.callbackUrl), stateOf(callbackUrl));
    assert.match(await visit(next.callbackUrl), /^200 The app kodiai-2 exists/);
    await run.until(/created the app kodiai-2/);
  });
}

test("a code that isn't GitHub's is refused", async (t) => {
  const { fake, folder } = await stage(t);
  const run = startSetup(t, fake, { folder });
  const url = new URL((await confirmApp(await run.startUrl())).callbackUrl);
  url.searchParams.set("code", "../../app");
  assert.match(await visit(url.href), /^400 GitHub refused the code$/);
  assert.ok(!existsSync(join(folder, ".env")));
});

test("while GitHub can't be reached, reloading the page tries the same code again", async (t) => {
  const { fake, folder } = await stage(t);
  const run = startSetup(t, fake, { folder });
  const { callbackUrl } = await confirmApp(await run.startUrl());
  fake.faults.add({ operation: "apps/create-from-manifest", fault: { kind: "reset" } });
  assert.match(await visit(callbackUrl), /^502 GitHub couldn't be reached$/);
  await run.until(/GitHub couldn't be reached: .*reload the page/);
  assert.match(await visit(callbackUrl), /^200 /);
  await run.until(/created the app/);
  assert.equal(fake.world.registrations.length, 1);
});

test("settings that couldn't be stored are stored when the page is reloaded, without a second app", async (t) => {
  const { fake, folder } = await stage(t);
  mkdirSync(join(folder, "etc"));
  const args = ["--public-url", "https://kodiai.example.org/hook", "--settings", "etc/env"];
  const run = startSetup(t, fake, { folder, args });
  const { callbackUrl, manifest } = await confirmApp(await run.startUrl());
  assert.deepEqual(manifest["hook_attributes"], { url: "https://kodiai.example.org/hook", active: true });
  renameSync(join(folder, "etc"), join(folder, "moved"));
  writeFileSync(join(folder, "etc"), "in the way");
  assert.match(await visit(callbackUrl), /^502 The credentials couldn't be stored$/);
  await run.until(/the app exists, but its settings couldn't be stored: /);
  rmSync(join(folder, "etc"));
  renameSync(join(folder, "moved"), join(folder, "etc"));
  assert.match(await visit(callbackUrl), /^200 /);
  await run.until(/its settings are in etc\/env/);
  assert.equal(settingsIn(folder, "etc/env")["GITHUB_APP_ID"], String(fake.world.app.id));
  assert.equal(conversions(fake), 1);
});

test("only the printed address is served: other hosts, paths and methods are refused", async (t) => {
  const { fake, folder } = await stage(t);
  const run = startSetup(t, fake, { folder });
  const startUrl = await run.startUrl();
  const { origin, host, port } = new URL(startUrl);
  const { callbackUrl } = await confirmApp(startUrl);
  assert.equal(await visitAs("evil.example.org", startUrl), 403);
  assert.equal(await visitAs("evil.example.org", callbackUrl), 403);
  assert.equal(await visitAs(`localhost:${port}`, startUrl), 200);
  assert.equal(await visitAs(host, `${origin}/`), 404);
  assert.equal(await visitAs(host, `${origin}/callback`), 400);
  assert.equal((await fetch(callbackUrl, { method: "POST" })).status, 405);
  assert.equal(conversions(fake), 0);
  const headers = (await fetch(startUrl)).headers;
  assert.match(headers.get("content-security-policy") ?? "", /default-src 'none'.*frame-ancestors 'none'/);
  assert.equal(headers.get("referrer-policy"), "origin");
});

test("a browser elsewhere: the page behind a proxy, and the ssh command", async (t) => {
  const { fake, folder } = await stage(t);
  const proxied = ["--public-url", "https://kodiai.example.org", "--callback-url"];
  const args = [...proxied, "https://setup.example.org/kodiai"];
  const run = startSetup(t, fake, { folder, args: [...args, "--port", "0"] });
  const startUrl = new URL(await run.startUrl());
  assert.match(startUrl.href, /^https:\/\/setup\.example\.org\/kodiai\/[0-9a-f]{32}$/);
  run.interrupt();
  await run.ended;
  const env = { SSH_CONNECTION: "10.0.0.2 50000 10.0.0.1 22", DISPLAY: ":0" };
  const remote = startSetup(t, fake, { folder, env });
  const { port } = new URL(await remote.startUrl());
  await remote.until(new RegExp(`ssh -L ${port}:127\\.0\\.0\\.1:${port} \\S+@10\\.0\\.0\\.1\n`));
});

test("two setups of one file: the second doesn't overwrite the first", async (t) => {
  const { fake, folder } = await stage(t);
  const runs = [startSetup(t, fake, { folder }), startSetup(t, fake, { folder })];
  const [first, second] = await Promise.all(runs.map(async (run) => confirmApp(await run.startUrl())));
  assert.match(await visit(first?.callbackUrl ?? ""), /^200 /);
  const stored = readFileSync(join(folder, ".env"), "utf8");
  assert.match(await visit(second?.callbackUrl ?? ""), /^502 The credentials couldn't be stored$/);
  await runs[1]?.until(/the file has the settings of another app by now/);
  assert.equal(readFileSync(join(folder, ".env"), "utf8"), stored);
});

test("interrupted before the app exists: nothing is written", async (t) => {
  const { fake, folder } = await stage(t);
  const run = startSetup(t, fake, { folder });
  await run.startUrl();
  run.interrupt();
  assert.equal(await run.ended, 130);
  assert.ok(!existsSync(join(folder, ".env")));
});

test("interrupted before the installation: the next run goes on with the same app", async (t) => {
  const { fake, folder } = await stage(t);
  const run = startSetup(t, fake, { folder });
  await visit((await confirmApp(await run.startUrl())).callbackUrl);
  await run.until(/install the app on the repositories/);
  run.interrupt();
  assert.equal(await run.ended, 130);
  assert.match(run.output(), /stopped waiting\. The settings in \.env are complete/);
  const before = readFileSync(join(folder, ".env"), "utf8");
  const again = startSetup(t, fake, { folder });
  await again.until(/\.env has the settings of the app kodiai-[0-9a-f]+, which work\n[^]*install the app/);
  await installOnAll(fake);
  assert.equal(await again.ended, 0);
  assert.equal(fake.world.registrations.length, 1);
  assert.equal(readFileSync(join(folder, ".env"), "utf8"), before);
});

const OTHER_APP = "GITHUB_APP_ID=1\nGITHUB_WEBHOOK_SECRET=0123456789abcdef\n# kept\nPORT=1\n";

test("settings of an app that doesn't work are replaced only after a question, or with --replace", async (t) => {
  const { fake, folder } = await stage(t);
  writeFileSync(join(folder, ".env"), OTHER_APP);
  const refused = startSetup(t, fake, { folder });
  assert.equal(await refused.ended, 2);
  assert.match(
    refused.output(),
    /incomplete settings of a GitHub App: GITHUB_APP_ID, GITHUB_WEBHOOK_SECRET\n[^]*Create a new app.*\n[^]*no app was created\n.*--replace/,
  );
  assert.equal(readFileSync(join(folder, ".env"), "utf8"), OTHER_APP);
  const agreed = startSetup(t, fake, { folder, input: "y\n" });
  await visit((await confirmApp(await agreed.startUrl(), "First")).callbackUrl);
  await agreed.until(/created the app first/);
  agreed.interrupt();
  await agreed.ended;
  assert.match(readFileSync(join(folder, ".env"), "utf8"), /# kept\nPORT=1\n/);
  const replaced = startSetup(t, fake, {
    folder,
    args: ["--replace", "--all-permissions", "--public-url", "https://kodiai.example.org"],
  });
  await visit((await confirmApp(await replaced.startUrl(), "Second")).callbackUrl);
  await replaced.until(/created the app second/);
  assert.equal(settingsIn(folder)["GITHUB_APP_ID"], String(fake.world.app.id));
  assert.deepEqual(
    [fake.world.app.permissions["contents"], fake.world.app.permissions["issues"]],
    ["write", "write"],
  );
});

const MISUSES: readonly (readonly [args: readonly string[], expected: RegExp])[] = [
  [[], /setup needs the address that GitHub sends webhooks to\n.*--public-url/],
  [["--public-url", "https://a.example.org", "--relay", "https://smee.io/x"], /can't be combined/],
  [["--public-url", "kodiai.example.org"], /--public-url must be an address/],
  [["--url", "https://user:word@ghe.example.org"], /--url must be an address/],
  [["--organization", "a/b"], /--organization must be the name/],
  [["--name", "x".repeat(35)], /--name must have at most 34 characters/],
  [["--port", "70000"], /--port must be a whole number/],
  [["--settings", "missing/.env", "--public-url", "https://a.example.org"], /could not write missing\/\.env/],
];

for (const [args, expected] of MISUSES)
  test(`kodiai setup ${args.join(" ")} says what is wrong`, async (t) => {
    const { code, stderr } = await runKodiai(["setup", ...args], { cwd: setupFolder(t) });
    assert.ok(code === 2 || code === 4, String(code));
    assert.match(stderr, expected);
  });
