/**
 * Hostile text through every way into the dashboard: addresses, forms, headers and cookies. It never becomes markup or a header, never
 * leads elsewhere, and never changes what a proxy could keep for others.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { ownPath, ownPathOfReferer } from "../../src/dashboard/access/own-path.ts";
import { DASHBOARD_PAGES } from "../../src/dashboard/pages/all-pages.ts";
import { createGithubLinks } from "../../src/forge/github/github-links.ts";
import { assertInertHtml } from "../support/dashboard/assert-inert-html.ts";
import { createBrowser, type Received, transportOver } from "../support/dashboard/browser.ts";
import { ADMIN, createDashboardScene } from "../support/dashboard/dashboard-scene.ts";
import { serveScene } from "../support/dashboard/serve-scene.ts";
import { HOSTILE_MARKDOWN } from "../support/inert-markdown.ts";

const HOSTILE = [
  ...HOSTILE_MARKDOWN,
  `"><script>alert(1)</script>`,
  `' onfocus='alert(1)' autofocus='`,
  `</title></textarea></select><img src=x onerror=alert(1)>`,
  "javascript:alert(1)",
  "//evil.example/",
  "x\r\nset-cookie: planted=1\r\n\r\n<b>",
  "\u2028location: //evil.example",
  "%0d%0aset-cookie:%20planted=1",
];

/** The query's names on all pages. */
const FIELDS = ["days", "repository", "pr", "status", "after", "before", "state", "return", "q"] as const;

const LINKED = { change: { links: createGithubLinks("https://github.com") } };

/** Headers have only our own text, and lead only to our own pages. */
function assertInertAnswer({ status, headers, text }: Received, what: string): void {
  assert.ok([200, 303, 400, 403, 404, 429].includes(status), `${what}: ${status}`);
  for (const [name, value] of Object.entries(headers)) {
    // The cookies of an answer are joined by line feeds.
    const lines = name === "set-cookie" ? value.split("\n") : [value];
    for (const line of lines) assert.doesNotMatch(line, /[\r\n]/, `${what}: ${name}`);
    if (name === "set-cookie")
      for (const line of lines) assert.match(line, /^kodiai-[\w-]+=[\w-]*; Path=/, what);
  }
  const location = headers["location"];
  if (location !== undefined) assert.match(location, /^\/(?![/\\])/, what);
  if (headers["content-type"]?.startsWith("text/html") === true) assertInertHtml(text);
}

test("hostile addresses lead to inert pages, or to none", async (t) => {
  const scene = await createDashboardScene(t, LINKED);
  const browser = await scene.signedIn(ADMIN);
  const stranger = scene.open();
  for (const text of HOSTILE) {
    const value = encodeURIComponent(text.toWellFormed());
    const query = FIELDS.map((name) => `${name}=${value}`).join("&");
    for (const { path } of DASHBOARD_PAGES.filter((page) => page.path !== "/live/events")) {
      const target = `${path.replaceAll(/:\w+/g, value)}?${query}`;
      assertInertAnswer(await browser.get(target), target);
      assertInertAnswer(await stranger.get(target), target);
    }
    for (const target of [
      `/sign-in?${query}`,
      `/sign-in/link?key=${value}`,
      `/sign-in/callback?state=${value}&code=${value}`,
    ])
      assertInertAnswer(await stranger.get(target), target);
  }
});

test("hostile text in forms is inert wherever it is shown", async (t) => {
  const scene = await createDashboardScene(t, LINKED);
  const browser = await scene.signedIn("ada");
  const admin = await scene.signedIn(ADMIN);
  const memory = `/repositories/${scene.shop.id}/memory`;
  const csrf = await browser.formToken(memory);
  const repository = String(scene.shop.id);
  const learning = String(scene.ids.filled[0]?.learning);
  for (const given of HOSTILE) {
    const text = given.toWellFormed();
    for (const [action, fields] of [
      ["add-learning", { repository, text, paths: text, kind: "context" }],
      ["edit-learning", { learning, text, paths: text }],
      ["edit-learning", { learning, kind: text, expires: text }],
      ["forget-memory", { memory: text }],
      [encodeURIComponent(text), { repository }],
    ] as const) {
      const sent = await browser.post(
        `/actions/${action}`,
        { ...fields, csrf },
        { from: `${memory}?before=9` },
      );
      assertInertAnswer(sent, `${action}: ${text}`);
      assertInertAnswer(await browser.get(memory), `after ${action}: ${text}`);
    }
    assertInertAnswer(await browser.get("/?days=7"), text);
    assertInertAnswer(await admin.get("/audit"), text);
  }
});

test("hostile cookies are no session, and a planted message is inert", async (t) => {
  const scene = await createDashboardScene(t, LINKED);
  const good = (await scene.signedIn("ada")).cookies.get("kodiai-session-3000") ?? "";
  for (const text of HOSTILE) {
    const cookie = `kodiai-session-3000=${text.toWellFormed().replaceAll(/[\r\n;]/g, " ")}`;
    const forged = await scene.open().get("/reviews", { cookie });
    assertInertAnswer(forged, text);
    assert.equal(forged.status, 303, text);
    const planted = Buffer.from(JSON.stringify([true, text])).toString("base64url");
    const notice = `kodiai-session-3000=${good}; kodiai-notice-3000=${planted}`;
    assertInertAnswer(await scene.open().get("/reviews", { cookie: notice }), text);
    assertInertAnswer(await scene.open().get("/sign-in", { cookie: `kodiai-notice-3000=${planted}` }), text);
  }
});

test("no text is a path that leaves the dashboard", () => {
  const isPage = (path: string): boolean => path === "/" || path.startsWith("/reviews");
  const part = fc.constantFrom(
    "/",
    "\\",
    "//",
    "evil.example",
    "@",
    ":",
    "https:",
    "reviews",
    "?",
    "#",
    "\t",
    "\n",
    "%2f",
    ".",
    "..",
  );
  const path = fc.oneof(
    fc.string(),
    fc.webUrl({ withQueryParameters: true }),
    fc.array(part, { maxLength: 8 }).map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(path, (given) => {
      for (const target of [given, `/${given}`, `/reviews${given}`])
        for (const own of [
          ownPath(target, isPage),
          ownPathOfReferer(`https://kodiai.test${target}`, "https://kodiai.test", isPage),
        ]) {
          assert.match(own, /^\/(?![/\\])/);
          const url = new URL(own, "https://kodiai.test");
          assert.equal(url.origin, "https://kodiai.test");
          assert.ok(isPage(url.pathname), own);
          assert.doesNotMatch(own, /[\r\n\t]/);
        }
    }),
    { numRuns: 2_000 },
  );
});

/** Headers that make some proxies and frameworks use another host, address or method. */
const MISLEADING: Readonly<Record<string, string>> = {
  "x-forwarded-host": "evil.example",
  "x-forwarded-proto": "javascript",
  "x-forwarded-prefix": "//evil.example",
  "x-forwarded-for": "127.0.0.1",
  "x-host": "evil.example",
  "x-original-url": "/evil",
  "x-rewrite-url": "/evil",
  "x-http-method-override": "POST",
  "x-forwarded-scheme": "http",
  forwarded: "host=evil.example;proto=http",
  range: "bytes=0-3",
  "if-none-match": "*",
  accept: "text/evil",
};

test("a proxy gets nothing that it may keep for others, whatever a request's headers say", async (t) => {
  const scene = await serveScene(t, LINKED);
  const { port } = new URL(scene.url);
  const browser = createBrowser(scene.url, transportOver(Number(port)));
  scene.fake.signInAs("ada");
  await browser.signIn();
  const paths = DASHBOARD_PAGES.filter(({ path }) => path !== "/live/events").map(({ path }) =>
    path
      .replace(":repositoryId", String(scene.shop.id))
      .replace("/reviews/:id", `/reviews/${scene.ids.filled[0]?.run}`)
      .replace("/queue/:id", `/queue/${scene.ids.job}`),
  );
  const plain = (text: string): string => text.replaceAll(/\d+ (?:s|min) ago/g, "ago");
  for (const path of [
    ...paths,
    "/sign-in",
    "/sign-in/callback",
    "/reviews/999999",
    "/reviews.css",
    "/reviews/1.js",
  ]) {
    const usual = await browser.get(path);
    if (usual.text === "not one of the dashboard's paths") continue;
    assert.equal(usual.headers["cache-control"], "no-store, private", path);
    assert.equal(usual.headers["vary"], "Cookie", path);
    assert.equal(usual.headers["etag"], undefined, path);
    for (const [name, value] of Object.entries(MISLEADING)) {
      const misled = await browser.get(path, { [name]: value });
      assert.equal(misled.status, usual.status, `${path} with ${name}`);
      assert.equal(plain(misled.text), plain(usual.text), `${path} with ${name}`);
      assert.doesNotMatch(JSON.stringify(misled.headers), /evil/, `${path} with ${name}`);
    }
  }
  // Assets are for everyone, so nothing of a request may be in them.
  const page = await browser.get("/");
  const assets = [...page.text.matchAll(/(?:href|src)="(\/[^"]+\.(?:css|js|svg))"/g)].map(
    ([, path = ""]) => path,
  );
  assert.equal(assets.length, 3);
  for (const path of assets) {
    const usual = await browser.get(path);
    assert.match(usual.headers["cache-control"] ?? "", /^public, .*immutable$/);
    for (const [name, value] of Object.entries(MISLEADING)) {
      const misled = await browser.get(`${path}?x=evil`, { [name]: value });
      assert.deepEqual(
        [misled.status, misled.text, misled.headers["set-cookie"]],
        [200, usual.text, undefined],
        name,
      );
    }
    assert.notEqual((await browser.get(path, { host: "evil.example" })).status, 200);
  }
});
