/** The dashboard while its database can't be written or doesn't answer, and its streams while permissions change. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { KodiaiError } from "../src/base/errors.ts";
import type { DashboardPage } from "../src/dashboard/page.ts";
import type { Database } from "../src/store/database.ts";
import type { Browser } from "./support/dashboard/browser.ts";
import { createDashboardScene } from "./support/dashboard/dashboard-scene.ts";
import { PROBE_PAGES } from "./support/dashboard/probe-pages.ts";

const MINUTE_MS = 60_000;

test("a stream ends when its person signs out, or when GitHub takes a permission away", async (t) => {
  const endless: DashboardPage = {
    path: "/probe/endless",
    needs: "anyone-signed-in",
    answer: async () => ({ kind: "events", texts: repeat() }),
  };
  const scene = await createDashboardScene(t, { pages: [...PROBE_PAGES, endless] });
  const streamOf = async (browser: Browser): Promise<AsyncIterator<string>> => {
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { host: "127.0.0.1:3000", cookie };
    const request = { method: "GET", url: "/probe/endless", headers, body: "", remoteAddress: "127.0.0.1" };
    const answer = await scene.dashboard(request);
    assert.ok(answer !== null && typeof answer.body !== "string" && !(answer.body instanceof Uint8Array));
    return answer.body[Symbol.asyncIterator]();
  };
  const ada = await scene.signedIn("ada");
  const stream = await streamOf(ada);
  for (let text = 0; text < 3; text++) assert.equal((await stream.next()).done, false);
  const csrf = await ada.formToken("/probe");
  await ada.post("/actions/sign-out", { csrf });
  assert.equal((await stream.next()).done, true);
  const grace = await scene.signedIn("grace");
  const other = await streamOf(grace);
  assert.equal((await other.next()).done, false);
  scene.shop.roles.delete("grace");
  scene.pass(5 * MINUTE_MS);
  assert.equal((await other.next()).done, true);
});

async function* repeat(): AsyncGenerator<string> {
  for (;;) yield ":\n\n";
}

test("while the database can't be written, pages are shown, and sign-ins and actions say why not", async (t) => {
  const scene = await createDashboardScene(t, { pages: PROBE_PAGES });
  const browser = await scene.signedIn("ada");
  const csrf = await browser.formToken("/probe");
  const { database } = scene.store;
  const readOnly: Database = {
    ...database,
    transaction: () => Promise.reject(failure()),
    query: (sql, params) =>
      /^\s*select/i.test(sql) ? database.query(sql, params) : Promise.reject(failure()),
  };
  const other = scene.openOther({ database: readOnly });
  for (const [name, value] of browser.cookies) other.cookies.set(name, value);
  scene.pass(10 * MINUTE_MS);
  const shop = `/repositories/${scene.shop.id}`;
  const review = `/reviews/${scene.ids.filled[0]?.run}`;
  for (const path of ["/probe", "/", "/reviews", review, "/memory", shop, `${shop}/memory`, "/dependencies"])
    assert.equal((await other.get(path)).status, 200, path);
  const learning = String(scene.ids.filled[0]?.learning);
  const { status } = await other.post("/actions/forget-learning", { learning, csrf }, { from: "/probe" });
  assert.equal(status, 303);
  assert.match((await other.get("/probe")).text, /Nothing was changed: the database can&#39;t be written/);
  const stranger = scene.openOther({ database: readOnly });
  const refused = await stranger.post("/sign-in", {});
  assert.equal(refused.status, 503);
  assert.match(refused.text, /People can&#39;t sign in while the database/);
});

test("while the database doesn't answer, every page says so without details, and it works again afterwards", async (t) => {
  const scene = await createDashboardScene(t, { pages: PROBE_PAGES });
  const browser = await scene.signedIn("ada");
  const { database } = scene.store;
  let isGone = false;
  const killed: Database = {
    ...database,
    transaction: (work) => (isGone ? Promise.reject(failure()) : database.transaction(work)),
    query: (sql, params) => (isGone ? Promise.reject(failure()) : database.query(sql, params)),
  };
  const other = scene.openOther({ database: killed });
  for (const [name, value] of browser.cookies) other.cookies.set(name, value);
  isGone = true;
  for (const path of ["/", "/reviews", "/live", "/live/events", `/repositories/${scene.shop.id}`]) {
    const { status, text } = await other.get(path);
    assert.equal(status, 503, path);
    assert.match(text, /The database didn&#39;t answer/, path);
    assert.doesNotMatch(text, /readonly database|Make it writable/, path);
  }
  isGone = false;
  assert.equal((await other.get("/")).status, 200);
});

function failure(): KodiaiError {
  return new KodiaiError("database", "attempt to write a readonly database", { hint: "Make it writable." });
}
