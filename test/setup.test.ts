/** `kodiai setup` through the command: what it stores, interruptions, and misuse. */
import assert from "node:assert/strict";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { runKodiai } from "./support/run-kodiai.ts";
import { confirmApp, installOnAll, setupFolder, startSetup } from "./support/setup-run.ts";
import { stage, settingsIn, conversions, visit } from "./support/setup-stage.ts";

test("an app is created, stored privately next to other lines, and its installation is reported", async (t) => {
  const { fake, folder } = await stage(t);
  await fake.createRepository({ owner: "octo", name: "web" });
  writeFileSync(join(folder, ".env"), "# mine\nPORT=4000\n", { mode: 0o644 });
  const args = ["--public-url", "https://kodiai.example.org", "--organization", "octo"];
  const run = startSetup(t, fake, { folder, args });
  const { callbackUrl, manifest } = await confirmApp(await run.startUrl());
  assert.deepEqual(manifest["hook_attributes"], {
    url: "https://kodiai.example.org/webhooks/github",
    active: true,
  });
  assert.match(await visit(callbackUrl), /^200 The app kodiai-octo exists$/);
  await run.until(/install the app on the repositories/);
  const { app } = fake.world;
  assert.deepEqual([app.slug, app.owner.login], ["kodiai-octo", "octo"]);
  assert.match(readFileSync(join(folder, ".env"), "utf8"), /^# mine\nPORT=4000\nGITHUB_APP_ID=/);
  assert.equal(statSync(join(folder, ".env")).mode & 0o777, 0o600);
  await installOnAll(fake);
  assert.equal(await run.ended, 0);
  assert.match(run.output(), /installed on octo: octo\/web\n.*run `kodiai serve` to start/);
  const settings = settingsIn(folder);
  for (const name of ["GITHUB_PRIVATE_KEY", "GITHUB_WEBHOOK_SECRET"]) {
    assert.ok((settings[name] ?? "").length > 20, name);
    assert.ok(!run.output().includes(settings[name] ?? ""), `${name} was printed`);
  }
  assert.ok(!run.output().includes("PRIVATE KEY"));
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

test("an answer with a wrong state is refused, and the right one still works", async (t) => {
  const { fake, folder } = await stage(t);
  const run = startSetup(t, fake, { folder });
  const { callbackUrl } = await confirmApp(await run.startUrl());
  const forged = new URL(callbackUrl);
  forged.searchParams.set("state", "0".repeat(32));
  assert.match(await visit(forged.href), /^400 This answer doesn't belong to this setup$/);
  await run.until(/ignored an answer that doesn't belong to this setup/);
  assert.equal(conversions(fake), 0);
  assert.match(await visit(callbackUrl), /^200 /);
  // A second code with the right state, as after a stolen state.
  const second = new URL(callbackUrl);
  second.searchParams.set("code", "another");
  assert.match(await visit(second.href).catch(() => "400 closed"), /^400 /);
  assert.equal(conversions(fake), 1);
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
