/** Reads the fake's pages like a browser. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, tokenOf } from "./client.ts";
import { startFakeGithub } from "./fake-github.ts";

test("the page of a pull request shows the comments on their lines, the summary and the check, all escaped", async (context) => {
  const fake = await startFakeGithub();
  context.after(() => fake.close());
  const pullRequest = await fake.openPullRequest(await fake.createRepository(), {
    title: "<script>alert(1)</script>",
    files: { "a.ts": "const one = 1;\nconst two = '<b>';\n" },
  });
  const token = await tokenOf(fake);
  const base = "/repos/acme/shop";
  const review = {
    event: "COMMENT",
    comments: [{ path: "a.ts", line: 1, body: "<img src=x> first<!-- marker -->" }],
  };
  await ask(fake, `POST ${base}/pulls/1/reviews`, { token, body: review });
  await ask(fake, `POST ${base}/issues/1/comments`, { token, body: { body: "the summary" } });
  const check = { name: "Kodiai", head_sha: pullRequest.head, conclusion: "neutral" };
  await ask(fake, `POST ${base}/check-runs`, { token, body: check });
  const index = await (await fetch(`${fake.gitUrl}/`)).text();
  assert.match(index, /<a href="\/acme\/shop\/pull\/1">/);
  const page = await (await fetch(`${fake.gitUrl}/acme/shop/pull/1`)).text();
  assert.doesNotMatch(page, /<script|<img|<b>|marker/);
  assert.match(page, /&lt;script&gt;alert\(1\)/);
  assert.match(page, /Check Kodiai: neutral/);
  assert.match(page, /the summary/);
  const [beforeTwo = "", afterTwo = ""] = page.split("const two");
  assert.match(beforeTwo, /const one[^]*&lt;img src=x&gt; first/);
  assert.doesNotMatch(afterTwo, /first/);
  assert.equal((await fetch(`${fake.gitUrl}/acme/shop/pull/2`)).status, 404);
});

test("the page of an issue shows its conversation, escaped", async (context) => {
  const fake = await startFakeGithub();
  context.after(() => fake.close());
  const issue = fake.createIssue(await fake.createRepository(), { title: "<b>Broken</b>", author: "grace" });
  fake.comment(issue, { author: "ada", body: "@kodiai ask <i>why</i>" });
  assert.match(await (await fetch(`${fake.gitUrl}/`)).text(), /<a href="\/acme\/shop\/issues\/1">/);
  const page = await (await fetch(`${fake.gitUrl}/acme/shop/issues/1`)).text();
  assert.match(page, /&lt;b&gt;Broken/);
  assert.match(page, /@kodiai ask &lt;i&gt;why/);
  assert.doesNotMatch(page, /<b>|<i>/);
  assert.equal((await fetch(`${fake.gitUrl}/acme/shop/pull/1`)).status, 404);
});
