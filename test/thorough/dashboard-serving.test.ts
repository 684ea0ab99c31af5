/** How the dashboard is served: where it is off, what it refuses to start without, alone for this machine, and with a sign-in in a real browser. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { createBrowser, linkIn, transportOver } from "../support/dashboard/browser.ts";
import { createScenario } from "../support/app/scenario.ts";
import { findChromium, startChromium, WITHOUT_CHROMIUM } from "../support/chromium.ts";
import { engineNamed } from "../support/queue-contract/engines.ts";

const chromium = findChromium();

/** A port that is free at this moment: the address of the dashboard has to be known before it starts. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  // A server that listens on a port has this kind of address.
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test("the dashboard is off where others could reach it, unless it is set up, and says what is missing", async (t) => {
  const scenario = await createScenario(t, { engine: engineNamed("postgres") });
  const app = await scenario.start(["serve", "--no-dashboard"]);
  assert.doesNotMatch(app.output(), /dashboard at/);
  const browser = createBrowser(
    new URL(app.webhookUrl).origin,
    transportOver(Number(new URL(app.webhookUrl).port)),
  );
  assert.equal((await browser.get("/sign-in")).status, 404);
  await app.stop();
  const open = await scenario.start(["serve"], { HOST: "0.0.0.0" });
  assert.doesNotMatch(open.output(), /dashboard at/);
  await open.stop();
  await assert.rejects(
    scenario.start(["serve"], { HOST: "0.0.0.0", KODIAI_DASHBOARD_ADMINS: "olga" }),
    /the dashboard needs KODIAI_DASHBOARD_URL, GITHUB_CLIENT_ID, GITHUB_CLIENT_SECRET, because the server listens on 0\.0\.0\.0/,
  );
  await assert.rejects(
    scenario.start(["serve"], {
      KODIAI_DASHBOARD_URL: "http://kodiai.example.org",
      GITHUB_CLIENT_ID: "Iv1.x",
    }),
    /KODIAI_DASHBOARD_URL must be the address[\s\S]*GITHUB_CLIENT_SECRET is not set, but GITHUB_CLIENT_ID is/,
  );
  await assert.rejects(
    scenario.start(["dashboard", "--host", "0.0.0.0"]),
    /without an address that people open/,
  );
  const alone = await scenario.start(["dashboard", "--port", "0", "--local"]);
  const link = linkIn(alone.output());
  const operator = createBrowser(link.origin, transportOver(Number(link.port)));
  await operator.get(`${link.pathname}${link.search}`);
  const overview = await operator.get("/");
  assert.equal(overview.status, 200, `${overview.text}${alone.output()}`);
  await alone.stop();
  assert.equal(await alone.ended, "0", alone.output());
  scenario.check();
});

test(
  "a person signs in with GitHub in a browser, and out again",
  { skip: chromium === null ? `this test ${WITHOUT_CHROMIUM}` : false },
  async (t) => {
    const scenario = await createScenario(t);
    const { fake } = scenario;
    const origin = `http://127.0.0.1:${await freePort()}`;
    const app = await scenario.start(["dashboard", "--port", new URL(origin).port], {
      KODIAI_DASHBOARD_URL: origin,
      GITHUB_CLIENT_ID: fake.clientId,
      GITHUB_CLIENT_SECRET: fake.clientSecret,
    });
    const browser = await startChromium(chromium ?? "");
    t.after(() => browser.close());
    const page = await browser.newPage();
    const problems: string[] = [];
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("console", (line) => line.type() === "error" && problems.push(line.text()));
    await page.goto(`${origin}/sign-in`);
    assert.deepEqual(await page.context().cookies(), []);
    await page.getByRole("button", { name: "Sign in with GitHub" }).click();
    await page.getByRole("button", { name: "Sign out" }).waitFor();
    assert.equal(new URL(page.url()).pathname, "/");
    const [cookie] = await page.context().cookies();
    assert.deepEqual([cookie?.httpOnly, cookie?.sameSite], [true, "Lax"]);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("button", { name: "Sign in with GitHub" }).waitFor();
    assert.deepEqual(await page.context().cookies(), []);
    assert.deepEqual(problems, [], app.output());
    assert.deepEqual(fake.violations, []);
  },
);
