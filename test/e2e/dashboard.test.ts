/** The dashboard as an operator opens it first: the link that `kodiai serve` prints, and the page of a review that was just published. */
import assert from "node:assert/strict";
import { assertInertHtml } from "../support/dashboard/assert-inert-html.ts";
import { createBrowser, linkIn, transportOver } from "../support/dashboard/browser.ts";
import { FINDINGS, ONE_REVIEW } from "../support/app/scenario.ts";
import { testAppInOneProcess } from "../support/app/test-app.ts";

testAppInOneProcess(
  "[P21] the link that serve prints signs the operator in, once, and webhooks go on",
  async (openScenario) => {
    const scenario = await openScenario({ config: "review:\n  drafts: true\n" });
    const app = await scenario.start();
    const link = linkIn(app.output());
    assert.equal(link.port, new URL(app.webhookUrl).port);
    const browser = createBrowser(link.origin, transportOver(Number(link.port)));
    const entered = await browser.get(`${link.pathname}${link.search}`);
    assert.deepEqual([entered.status, entered.headers["location"]], [303, "/"], entered.text);
    assert.equal((await browser.get(`${link.pathname}${link.search}`)).status, 403);
    const signIn = await browser.get("/sign-in");
    assert.match(signIn.text, /<title>Sign in · Kodiai<\/title>/);
    const [, style = ""] = /href="(\/assets\/[^"]+\.css)"/.exec(signIn.text) ?? [];
    const sheet = await browser.get(style);
    assert.equal(sheet.headers["content-type"], "text/css; charset=utf-8");
    assert.match(sheet.headers["cache-control"] ?? "", /immutable/);
    // The server's own endpoints are where they were, and an unknown path is still answered in JSON.
    assert.match((await browser.get("/healthz")).text, /"status":"ok"/);
    assert.match((await browser.get("/nothing-here")).text, /"error":"not-found"/);
    const huge = await browser.send("POST", "/actions/sign-out", {
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: `csrf=${"x".repeat(100_000)}`,
    });
    assert.equal(huge.status, 400);
    await scenario.send("opened");
    await scenario.settled();
    assert.deepEqual(scenario.published(), ONE_REVIEW);
    // The published review was stored, and its page shows it.
    const views = await scenario.database.query<{ run_id: number }>("select run_id from review_views");
    assert.equal(views.length, 1);
    const path = `/reviews/${views[0]?.run_id}`;
    assert.ok((await browser.get("/reviews")).text.includes(`href="${path}"`));
    const review = await browser.get(path);
    assertInertHtml(review.text.replaceAll(scenario.fake.gitUrl, "https://github.com"));
    for (const { path: file, line, rule } of FINDINGS)
      assert.match(review.text, new RegExp(`<code>${file}:${line}</code>[\\s\\S]*?, ${rule}, finding`));
    for (const shown of ['class="row added anchor"', "select * from users", "added lines read", "Receipt"])
      assert.ok(review.text.includes(shown), shown);
    assert.match((await browser.get("/")).text, /Reviews published<\/dt>\s*<dd>\s*1\s*</);
    // The configuration of the review is stored with it.
    const [, repository = ""] = /href="(\/repositories\/\d+)"/.exec(review.text) ?? [];
    const settings = await browser.get(repository);
    assert.match(
      settings.text,
      /<code>review\.drafts<\/code>[\s\S]*?true[\s\S]*?<code>\.kodiai\.yml<\/code>/,
    );
    // The stream of live numbers begins with what is running now.
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const leaving = new AbortController();
    const { headers, body } = await fetch(`${link.origin}/live/events`, {
      headers: { cookie },
      signal: leaving.signal,
    });
    assert.equal(headers.get("content-type"), "text/event-stream; charset=utf-8");
    const first = await body?.getReader().read();
    assert.match(Buffer.from(first?.value ?? []).toString(), /^event: live\ndata: <div id="live"/);
    leaving.abort();
    assert.equal((await browser.get("/")).status, 200);
    assert.ok(review.text.includes(`/pull/${scenario.pullRequest.number}"`));
    assert.ok(!scenario.folder.path.includes(link.search));
    scenario.check();
  },
);
