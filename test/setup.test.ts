/** `kodiai setup` through the command: what it stores, and answers that don't belong to it. */
import assert from "node:assert/strict";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { confirmApp, installOnAll, startSetup } from "./support/setup-run.ts";
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
