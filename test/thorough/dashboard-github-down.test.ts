/**
 * The dashboard while GitHub is down, refuses requests, or answers with something else: nothing is shown or changed, each page says what
 * to do next, and everyone is still signed in afterwards.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { DASHBOARD_PAGES } from "../../src/dashboard/pages/all-pages.ts";
import { readLearning } from "../../src/store/repositories/learnings.ts";
import type { Fault } from "../../fake-github/faults.ts";
import { createDashboardScene } from "../support/dashboard/dashboard-scene.ts";

const MINUTE_MS = 60_000;

/** The questions behind a permission, in their order. */
const OPERATIONS = [
  "users/get-authenticated",
  "apps/list-installations-for-authenticated-user",
  "apps/list-installation-repos-for-authenticated-user",
] as const;

const FAULTS: Readonly<Record<string, Fault>> = {
  "an outage": { kind: "status", status: 503 },
  "a page of another server": { kind: "status", status: 200, body: {} },
  "a connection that breaks": { kind: "reset" },
  "half an answer": { kind: "truncate", bytes: 20 },
  "too many requests": { kind: "secondary-limit", status: 403, retryAfterSeconds: 3_600 },
};

type Scene = Awaited<ReturnType<typeof createDashboardScene>>;

/** Every page with the ids of the first repository. */
function pathsOf({ shop, ids }: Scene): readonly string[] {
  return DASHBOARD_PAGES.map(({ path }) =>
    path
      .replace(":repositoryId", String(shop.id))
      .replace("/reviews/:id", `/reviews/${ids.filled[0]?.run}`)
      .replace("/queue/:id", `/queue/${ids.job}`),
  );
}

const sessionsOf = ({ store }: Scene) =>
  store.database.query("select id_hash, token from dashboard_sessions order by id_hash");

for (const operation of OPERATIONS)
  test(`while ${operation} fails, pages show nothing, and people stay signed in`, async (t) => {
    const scene = await createDashboardScene(t);
    const browsers = [await scene.signedIn("ada"), await scene.signedIn("grace")];
    const review = `/reviews/${scene.ids.filled[0]?.run}`;
    const csrf = await browsers[0]?.formToken(review);
    const sessions = await sessionsOf(scene);
    assert.equal(sessions.length, 2);
    const learning = scene.ids.filled[0]?.learning ?? 0;
    for (const [what, fault] of Object.entries(FAULTS)) {
      scene.pass(5 * MINUTE_MS);
      scene.fake.faults.add({ operation, fault, times: 1_000 });
      for (const browser of browsers) {
        for (const path of pathsOf(scene)) {
          const { status, text, headers } = await browser.get(path);
          assert.equal(status, 503, `${what}: ${path}`);
          assert.match(text, /GitHub can&#39;t be reached[\s\S]*You stay signed in\. Reload the page/, path);
          assert.doesNotMatch(text, /acme|rival|Found in|Learned in|name="csrf"/, path);
          assert.equal(headers["set-cookie"], undefined, path);
        }
        for (const action of ["forget-learning", "export-memory", "nothing"]) {
          const fields = {
            learning: String(learning),
            repository: String(scene.shop.id),
            csrf: csrf ?? "",
          };
          const { status, text } = await browser.post(`/actions/${action}`, fields, { from: review });
          assert.equal(status, 503, `${what}: ${action}`);
          assert.match(text, /Nothing was changed[\s\S]*send the form again/, action);
        }
      }
      scene.fake.faults.clear();
      scene.pass(6_000);
      for (const browser of browsers) assert.equal((await browser.get(review)).status, 200, what);
      assert.deepEqual(await sessionsOf(scene), sessions, what);
    }
    assert.notEqual(await readLearning(learning, scene.store.database), null);
    assert.deepEqual(await scene.store.database.query("select * from dashboard_audit"), []);
  });

test("a token that GitHub refuses for a while signs in again by itself, and the sign-in page says why it is shown", async (t) => {
  const scene = await createDashboardScene(t);
  const browser = await scene.signedIn("ada");
  scene.pass(5 * MINUTE_MS);
  const fault: Fault = { kind: "status", status: 401, body: { message: "Bad credentials" } };
  scene.fake.faults.add({ operation: "users/get-authenticated", fault, times: 1_000 });
  const sent = await browser.get("/reviews?days=7");
  assert.deepEqual([sent.status, sent.headers["location"]], [303, "/sign-in?return=%2Freviews%3Fdays%3D7"]);
  const page = await browser.get("/sign-in?return=%2Freviews%3Fdays%3D7");
  assert.match(
    page.text,
    /role="alert">GitHub doesn&#39;t accept your sign-in any more[\s\S]*name="return" value="\/reviews\?days=7"/,
  );
  assert.doesNotMatch((await browser.get("/sign-in")).text, /any more/, "it is said once");
  assert.equal((await browser.post("/actions/sign-out", { csrf: "" })).status, 401);
  scene.fake.faults.clear();
  scene.pass(5 * MINUTE_MS);
  assert.equal((await browser.get("/reviews?days=7")).status, 200);
});

test("people can sign out while GitHub is down", async (t) => {
  const scene = await createDashboardScene(t);
  const browser = await scene.signedIn("ada");
  const csrf = await browser.formToken("/");
  scene.pass(5 * MINUTE_MS);
  const fault: Fault = { kind: "status", status: 503 };
  scene.fake.faults.add({ operation: "users/get-authenticated", fault, times: 1_000 });
  assert.equal((await browser.post("/actions/sign-out", { csrf: "forged" })).status, 503);
  assert.equal((await sessionsOf(scene)).length, 1);
  const { status, headers } = await browser.post("/actions/sign-out", { csrf });
  assert.deepEqual([status, headers["location"]], [303, "/sign-in"]);
  assert.deepEqual(await sessionsOf(scene), []);
});

test("a sign-in during an outage says so, and leaves nothing half done", async (t) => {
  const scene = await createDashboardScene(t);
  for (const operation of ["oauth/access-token", ...OPERATIONS]) {
    const browser = scene.open();
    scene.fake.signInAs("ada");
    const back = await browser.consent("/reviews");
    scene.fake.faults.add({ operation, fault: { kind: "status", status: 502 }, times: 1_000 });
    const { status, text } = await browser.get(back);
    assert.equal(status, 503, operation);
    assert.match(text, /Kodiai couldn&#39;t ask GitHub who you are[\s\S]*href="\/sign-in"/, operation);
    assert.equal(browser.cookies.has("kodiai-session-3000"), false);
    assert.deepEqual(await sessionsOf(scene), []);
    scene.fake.faults.clear();
    assert.equal((await browser.get("/sign-in")).status, 200);
    assert.equal((await browser.signIn("/reviews")).headers["location"], "/reviews", operation);
    await scene.store.database.query("delete from dashboard_sessions");
  }
});
