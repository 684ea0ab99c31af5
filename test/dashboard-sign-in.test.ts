/** Signing in to the dashboard, and everything that must not be a sign-in: forged, replayed, expired and foreign requests. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ADMIN, createDashboardScene } from "./support/dashboard/dashboard-scene.ts";
import { PROBE_PAGES } from "./support/dashboard/probe-pages.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const SECURE = "https://kodiai.example.org";

test("[P21] a person signs in with GitHub, sees what GitHub lets them read, and signs out", async (t) => {
  const scene = await createDashboardScene(t, { pages: PROBE_PAGES });
  const browser = scene.open();
  const before = await browser.get("/sign-in");
  assert.equal(before.status, 200);
  assert.deepEqual([...browser.cookies.keys()], [], "no cookie before the sign-in");
  scene.fake.signInAs("grace");
  const back = await browser.consent("/probe?q=%22%3E%3Cscript%3E");
  const entered = await browser.get(back);
  assert.deepEqual([entered.status, entered.headers["location"]], [303, "/probe?q=%22%3E%3Cscript%3E"]);
  assert.deepEqual([...browser.cookies.keys()], ["kodiai-session-3000"]);
  const page = await browser.get("/probe?q=%22%3E%3Cscript%3E");
  assert.match(page.text, new RegExp(`viewer=grace sees=${scene.shop.id} ${scene.vault.id};`));
  assert.ok(!page.text.includes('"><script>') && page.text.includes("q=&quot;&gt;&lt;script&gt;"));
  const csrf = await browser.formToken("/probe");
  const stolen = browser.cookies.get("kodiai-session-3000") ?? "";
  await browser.post("/actions/sign-out", { csrf });
  assert.deepEqual([...browser.cookies.keys()], []);
  browser.cookies.set("kodiai-session-3000", stolen);
  assert.equal((await browser.get("/probe")).status, 303, "the session is over, not only its cookie");
  const tokens = scene.fake.world.personTokens.map(({ value }) => value);
  const rows = JSON.stringify(await scene.store.database.query("select * from dashboard_sessions"));
  assert.ok(tokens.every((token) => !rows.includes(token) && !scene.logged.join().includes(token)));
  assert.deepEqual(scene.fake.violations, []);
});

test("the store has no cookie and no token, and each browser can be signed out from one", async (t) => {
  const scene = await createDashboardScene(t, { pages: PROBE_PAGES });
  const [one, two, other] = [
    await scene.signedIn("ada"),
    await scene.signedIn("ada"),
    await scene.signedIn("grace"),
  ];
  const stored = JSON.stringify(await scene.store.database.query("select * from dashboard_sessions"));
  for (const { value } of scene.fake.world.personTokens) assert.ok(!stored.includes(value));
  for (const browser of [one, two, other])
    for (const value of browser.cookies.values()) assert.ok(!stored.includes(value));
  // A process with another secret can't read the tokens, so people sign in again.
  assert.equal((await scene.openOther({ signIn: null }).get("/probe")).status, 303);
  await one.post("/actions/sign-out-everywhere", { csrf: await one.formToken("/probe") });
  assert.equal((await two.get("/probe")).status, 303);
  assert.equal((await other.get("/probe")).status, 200);
});

test("[P21] a sign-in counts once, in the browser that began it, and within ten minutes", async (t) => {
  const scene = await createDashboardScene(t, { pages: PROBE_PAGES });
  const [victim, attacker] = [scene.open(), scene.open()];
  const doesntCount = async (answer: Promise<{ readonly status: number; readonly text: string }>) => {
    const { status, text } = await answer;
    assert.equal(status, 400);
    assert.match(text, /This sign-in doesn&#39;t count/);
  };
  // The attacker's own code in the victim's browser, which has begun nothing.
  const attackers = await attacker.consent();
  await doesntCount(victim.get(attackers));
  assert.equal(victim.cookies.size, 0);
  // Also if it has begun another one.
  await victim.consent();
  await doesntCount(victim.get(await attacker.consent()));
  // Twice, with the cookie of the first time.
  const browser = scene.open();
  const back = await browser.consent();
  const cookies = [...browser.cookies];
  assert.equal((await browser.get(back)).status, 303);
  for (const [name, value] of cookies) browser.cookies.set(name, value);
  await doesntCount(browser.get(back));
  // A state that was never given out, a missing one, one that is too old.
  await doesntCount(browser.get("/sign-in/callback?code=x&state=forged"));
  await doesntCount(browser.get("/sign-in/callback"));
  const late = scene.open();
  const lateBack = await late.consent();
  scene.pass(10 * MINUTE_MS);
  await doesntCount(late.get(lateBack));
  // A code that GitHub doesn't know, or has exchanged, with a state that counts.
  const forger = scene.open();
  const fresh = await forger.consent();
  const refused = await forger.get(fresh.replace(/code=\w+/, "code=0123456789abcdef0123"));
  assert.equal(refused.status, 403);
  assert.equal(forger.cookies.has("kodiai-session-3000"), false);
  scene.fake.signInAs(null);
  const denied = scene.open();
  assert.equal((await denied.get(await denied.consent())).status, 403);
});

test("a person without a role in any repository isn't let in, unless they administer the installation", async (t) => {
  const scene = await createDashboardScene(t, { pages: PROBE_PAGES });
  const browser = scene.open();
  scene.fake.signInAs("stranger");
  const { status, text } = await browser.signIn();
  assert.equal(status, 403);
  assert.match(text, /nothing to see for you/);
  assert.equal((await browser.get("/probe")).status, 303);
  const admin = await scene.signedIn(ADMIN);
  assert.match((await admin.get("/probe")).text, /viewer=olga sees=;/);
});

test("forged and expired sessions sign in no one", async (t) => {
  const scene = await createDashboardScene(t, { pages: PROBE_PAGES });
  const browser = await scene.signedIn("ada");
  const good = browser.cookies.get("kodiai-session-3000") ?? "";
  const { id_hash: hash } =
    (await scene.store.database.query("select id_hash from dashboard_sessions"))[0] ?? {};
  for (const bad of [String(hash), `${good}x`, good.slice(1), "", "%00", "../..", "a".repeat(9_000)]) {
    browser.cookies.set("kodiai-session-3000", bad);
    assert.equal((await browser.get("/probe")).status, 303, bad.slice(0, 50));
  }
  // Two cookies of the name: one was planted.
  browser.cookies.delete("kodiai-session-3000");
  const twice = await browser.get("/probe", {
    cookie: `kodiai-session-3000=planted; kodiai-session-3000=${good}`,
  });
  assert.equal(twice.status, 303);
  browser.cookies.set("kodiai-session-3000", good);
  // In use it lasts, but not longer than GitHub's token.
  for (let hour = 0; hour < 7; hour++) {
    scene.pass(HOUR_MS);
    assert.equal((await browser.get("/probe")).status, 200, `after ${hour + 1} hours`);
  }
  scene.pass(HOUR_MS);
  assert.equal((await browser.get("/probe")).status, 303);
  const idle = await scene.signedIn("ada");
  scene.pass(2 * HOUR_MS);
  assert.equal((await idle.get("/probe")).status, 303);
});

test("a new sign-in ends the session that the browser had", async (t) => {
  const scene = await createDashboardScene(t, { pages: PROBE_PAGES });
  const browser = await scene.signedIn("ada");
  const before = browser.cookies.get("kodiai-session-3000") ?? "";
  scene.fake.signInAs("grace");
  await browser.signIn();
  const after = browser.cookies.get("kodiai-session-3000") ?? "";
  assert.notEqual(before, after);
  const old = scene.open();
  old.cookies.set("kodiai-session-3000", before);
  assert.equal((await old.get("/probe")).status, 303);
});

test("[P21] a permission that GitHub takes away is gone within five minutes, and a revoked token at once after that", async (t) => {
  const scene = await createDashboardScene(t, { pages: PROBE_PAGES });
  const browser = await scene.signedIn("grace");
  const shop = `/probe/repositories/${scene.shop.id}`;
  assert.equal((await browser.get(shop)).status, 200);
  scene.shop.roles.delete("grace");
  scene.pass(5 * MINUTE_MS);
  assert.equal((await browser.get(shop)).status, 404);
  assert.equal((await browser.get(`/probe/repositories/${scene.vault.id}`)).status, 200);
  // Write access becomes read access.
  scene.vault.roles.set("grace", "read");
  scene.pass(5 * MINUTE_MS);
  const csrf = await browser.formToken("/probe");
  const learning = String(scene.ids.filled[1]?.learning);
  assert.equal((await browser.post("/actions/forget-learning", { learning, csrf })).status, 403);
  scene.fake.uninstall(scene.fake.world.installations[1] ?? scene.fake.installation);
  scene.pass(5 * MINUTE_MS);
  assert.equal((await browser.get(`/probe/repositories/${scene.vault.id}`)).status, 404);
  for (const token of scene.fake.world.personTokens) token.isRevoked = true;
  scene.pass(5 * MINUTE_MS);
  assert.equal((await browser.get("/probe")).status, 303);
});

test("[P21] while GitHub can't be asked, nothing is shown, and nothing is changed", async (t) => {
  const scene = await createDashboardScene(t, { pages: PROBE_PAGES });
  const browser = await scene.signedIn("ada");
  const csrf = await browser.formToken("/probe");
  scene.pass(5 * MINUTE_MS);
  scene.fake.faults.add({
    operation: "users/get-authenticated",
    times: 10,
    fault: { kind: "status", status: 503 },
  });
  for (const answer of [
    await browser.get("/probe"),
    await browser.get(`/probe/repositories/${scene.shop.id}`),
    await browser.post("/actions/forget-learning", { learning: String(scene.ids.filled[0]?.learning), csrf }),
  ]) {
    assert.equal(answer.status, 503);
    assert.match(answer.text, /GitHub can&#39;t be reached/);
    assert.doesNotMatch(answer.text, /viewer=|csrf/);
  }
  scene.fake.faults.clear();
  scene.pass(6_000);
  assert.equal((await browser.get("/probe")).status, 200, "and it is back with GitHub");
  scene.fake.faults.add({ operation: "oauth/access-token", fault: { kind: "status", status: 502 } });
  const other = scene.open();
  assert.equal((await other.get(await other.consent())).status, 503);
});

test("[P21] forms of other sites, of other sessions and without a token change nothing", async (t) => {
  const scene = await createDashboardScene(t, { pages: PROBE_PAGES });
  const [ada, grace] = [await scene.signedIn("ada"), await scene.signedIn("grace")];
  const csrf = await ada.formToken("/probe");
  const learning = String(scene.ids.filled[0]?.learning);
  const foreign: readonly Readonly<Record<string, string | undefined>>[] = [
    { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
    { origin: "https://evil.example", "sec-fetch-site": undefined },
    { origin: "http://127.0.0.1:3001", "sec-fetch-site": "same-site" },
    { origin: "null", "sec-fetch-site": undefined },
    { origin: undefined, "sec-fetch-site": undefined },
    { origin: "http://127.0.0.1:3000.evil.example", "sec-fetch-site": undefined },
    { origin: undefined, "sec-fetch-site": "none" },
  ];
  for (const headers of foreign) {
    const { status } = await ada.post("/actions/forget-learning", { learning, csrf }, { headers });
    assert.equal(status, 403, JSON.stringify(headers));
    assert.equal((await scene.open().post("/sign-in", {}, { headers })).status, 403);
  }
  for (const token of ["", "x", await grace.formToken("/probe")]) {
    const { status } = await ada.post("/actions/forget-learning", { learning, csrf: token });
    assert.equal(status, 403, token);
    assert.equal((await ada.post("/actions/sign-out", { csrf: token })).status, 403);
  }
  assert.equal((await scene.open().post("/actions/forget-learning", { learning, csrf })).status, 401);
  assert.equal((await ada.send("PUT", "/actions/forget-learning")).status, 404);
  const before = await scene.store.database.query("select count(*) as n from dashboard_audit");
  assert.equal(before[0]?.["n"], 0);
  assert.equal((await ada.post("/actions/forget-learning", { learning, csrf })).status, 303);
});

test("[P21] every redirect goes to a page of the dashboard", async (t) => {
  const scene = await createDashboardScene(t, { pages: PROBE_PAGES });
  const targets = [
    "https://evil.example/",
    "//evil.example/probe",
    "/\\evil.example/probe",
    "/\t/evil.example",
    "javascript:alert(1)",
    "probe",
    "/actions/sign-out",
    "/webhooks/github",
    "/probe\r\nset-cookie: x=y",
    `/probe?${"x".repeat(3_000)}`,
  ];
  for (const target of targets) {
    const browser = scene.open();
    const { headers } = await browser.signIn(target);
    const location = headers["location"] ?? "";
    assert.ok(location === "/" || location.startsWith("/probe"), `${target} → ${location}`);
    assert.ok(!/[\r\n]/.test(location));
    const page = await browser.get(`/sign-in?return=${encodeURIComponent(target)}`);
    assert.match(page.text, /name="return" value="\/(?:probe[^"]*)?"/, target);
  }
  const ada = await scene.signedIn("ada");
  const csrf = await ada.formToken("/probe");
  for (const referer of ["https://evil.example/probe", "http://127.0.0.1:3000//evil.example", "nothing"]) {
    const fields = { learning: String(scene.ids.filled[0]?.learning), kind: "context", csrf };
    const { headers } = await ada.post("/actions/edit-learning", fields, { headers: { referer } });
    assert.equal(headers["location"], "/", referer);
  }
});

test("[P21] another name of the host is no address of the dashboard, so that no other site reads it", async (t) => {
  const scene = await createDashboardScene(t, { pages: PROBE_PAGES });
  const browser = await scene.signedIn("ada");
  for (const host of [
    "evil.example:3000",
    "127.0.0.1.evil.example:3000",
    "kodiai",
    "",
    "127.0.0.1:3000@evil.example",
  ]) {
    const { status, text } = await browser.get("/probe", { host });
    assert.equal(status, 421, host);
    assert.doesNotMatch(text, /viewer=/);
    assert.equal((await browser.get("/sign-in", { host })).status, 421);
  }
  const alias = await browser.get("/probe?q=1", { host: "localhost:3000" });
  assert.deepEqual([alias.status, alias.headers["location"]], [303, "http://127.0.0.1:3000/probe?q=1"]);
  const poisoned = await browser.get("/probe", {
    "x-forwarded-host": "evil.example",
    "x-original-url": "/evil",
  });
  assert.ok(poisoned.status === 200 && !poisoned.text.includes("evil"));
});

test("[P21] no answer about a person can be cached, embedded or sniffed, and cookies are kept from scripts and other hosts", async (t) => {
  const scene = await createDashboardScene(t, { pages: PROBE_PAGES, origin: SECURE });
  const browser = scene.open();
  const begun = await browser.post("/sign-in", { return: "/probe" });
  const answers = [
    await browser.get("/sign-in"),
    begun,
    await (await scene.signedIn("ada")).get("/probe"),
    await browser.get("/probe"),
    await browser.get("/sign-in/callback?state=x&code=y"),
    await browser.post("/actions/sign-out", {}),
  ];
  for (const { headers, status } of answers) {
    assert.equal(headers["cache-control"], "no-store, private", String(status));
    assert.equal(headers["vary"], "Cookie");
    assert.equal(headers["x-content-type-options"], "nosniff");
    assert.equal(headers["referrer-policy"], "same-origin");
    const policy = headers["content-security-policy"] ?? "";
    assert.match(policy, /^default-src 'none'; style-src 'self'; img-src 'self' data:; script-src 'self'/);
    assert.match(policy, /frame-ancestors 'none'; base-uri 'none'$/);
    assert.ok(!policy.includes("unsafe"));
  }
  const login = await scene.signedIn("ada");
  assert.deepEqual([...login.cookies.keys()], ["__Host-kodiai-session"]);
  const other = scene.open();
  const finished = await other.get(await other.consent());
  for (const line of [begun, finished].flatMap(({ headers }) => headers["set-cookie"]?.split("\n") ?? []))
    assert.match(line, /^__Host-kodiai-[\w-]+=[\w-]*; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/);
  const authorize = new URL(begun.headers["location"] ?? "");
  assert.equal(authorize.searchParams.get("redirect_uri"), `${SECURE}/sign-in/callback`);
  assert.equal(authorize.searchParams.get("code_challenge_method"), "S256");
  // Only this machine's own address has a link.
  assert.equal((await browser.get(scene.linkPath)).status, 403);
});

test("[P21] the link of this machine signs an administrator in once, on this machine only, and for a while", async (t) => {
  const scene = await createDashboardScene(t, { pages: PROBE_PAGES, hasOauth: false });
  const away = scene.open("10.0.0.9");
  assert.equal((await away.get(scene.linkPath)).status, 403);
  const proxied = scene.open();
  assert.equal((await proxied.get(scene.linkPath, { "x-forwarded-for": "10.0.0.9" })).status, 403);
  assert.equal((await proxied.get("/sign-in/link?key=wrong")).status, 403);
  assert.equal((await proxied.send("HEAD", scene.linkPath)).status, 404);
  const operator = scene.open();
  assert.equal((await operator.get(scene.linkPath)).status, 303);
  assert.match((await operator.get("/probe")).text, /viewer=local administrator sees=all;/);
  assert.equal((await operator.get("/probe/admin")).status, 200);
  assert.equal((await operator.get(`/probe/repositories/${scene.vault.id}`)).status, 200);
  const second = scene.open();
  assert.equal((await second.get(scene.linkPath)).status, 403);
  assert.match((await second.get("/sign-in")).text, /Signing in with GitHub isn't set up/);
  assert.equal((await second.post("/sign-in", {})).status, 404);

  const later = await createDashboardScene(t, { pages: PROBE_PAGES, hasOauth: false });
  later.pass(15 * MINUTE_MS);
  assert.equal((await later.open().get(later.linkPath)).status, 403);
});

test("attempts to sign in are limited for each address, and signed-in people aren't", async (t) => {
  const scene = await createDashboardScene(t, { pages: PROBE_PAGES });
  const person = await scene.signedIn("ada");
  const flood = scene.open("192.0.2.1");
  const statuses = new Set<number>();
  for (let attempt = 0; attempt < 101; attempt++)
    statuses.add((await flood.get("/sign-in/callback?state=x&code=y")).status);
  assert.deepEqual([...statuses], [400, 429]);
  assert.equal((await person.get("/probe")).status, 200);
  assert.equal((await flood.get("/sign-in")).status, 200);
  scene.pass(5 * MINUTE_MS);
  assert.equal((await flood.get("/sign-in/callback?state=x&code=y")).status, 400);
});
