/** Reads the fake's pages like a browser. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, tokenOf } from "../client.ts";
import { startFakeGithub } from "../fake-github.ts";

/** The part that a reader sees, without the style and the script that every page has. */
function bodyOf(page: string): string {
  const [, body = ""] = /<body[^>]*>([^]*)<script>[^<]*<\/script><\/body>/.exec(page) ?? [];
  assert.doesNotMatch(body, /<script/);
  return body;
}

test("the page of a pull request shows the comments on their lines, the summary and the check, all harmless", async (context) => {
  const fake = await startFakeGithub();
  context.after(() => fake.close());
  const pullRequest = await fake.openPullRequest(await fake.createRepository(), {
    title: "<script>alert(1)</script>",
    files: { "a.ts": "const one = 1;\nconst two = '<i>';\n" },
  });
  const token = await tokenOf(fake);
  const base = "/repos/acme/shop";
  const review = {
    event: "COMMENT",
    comments: [
      { path: "a.ts", line: 1, body: "<img src=x> first<!-- marker -->\n```suggestion\nlet one\n```" },
    ],
  };
  await ask(fake, `POST ${base}/pulls/1/reviews`, { token, body: review });
  await ask(fake, `POST ${base}/issues/1/comments`, {
    token,
    body: { body: "| the | summary |\n|---|---|\n| #1 | **bold** |" },
  });
  const output = { title: "2 findings", summary: "> [!NOTE]\n> a" };
  const check = { name: "Kodiai", head_sha: pullRequest.head, conclusion: "neutral", output };
  await ask(fake, `POST ${base}/check-runs`, { token, body: check });
  const index = await (await fetch(`${fake.gitUrl}/`)).text();
  assert.match(index, /<a href="\/acme\/shop\/pull\/1">/);
  const answer = await fetch(`${fake.gitUrl}/acme/shop/pull/1`);
  assert.match(
    answer.headers.get("content-security-policy") ?? "",
    /default-src 'none'.*script-src 'sha256-/,
  );
  const page = bodyOf(await answer.text());
  assert.doesNotMatch(page, /<img|<i>|marker/);
  assert.match(page, /&lt;script&gt;alert\(1\)/);
  assert.match(page, /<b>Kodiai<\/b> <span class="muted">neutral — 2 findings<\/span>/);
  assert.match(page, /<div class="markdown-alert markdown-alert-note">/);
  assert.match(
    page,
    /<td><a href="\/acme\/shop\/pull\/1"[^>]*>#1<\/a><\/td>\s*<td><strong>bold<\/strong><\/td>/,
  );
  const [beforeTwo = "", afterTwo = ""] = page.split("const two");
  assert.match(
    beforeTwo,
    /const one[^]*id="discussion_r\d+"[^]*first[^]*<pre class="removed"><code>const one = 1;</,
  );
  assert.doesNotMatch(afterTwo, /first/);
  assert.equal((await fetch(`${fake.gitUrl}/acme/shop/pull/2`)).status, 404);
});

test("the page of an issue shows its conversation, harmless", async (context) => {
  const fake = await startFakeGithub();
  context.after(() => fake.close());
  const issue = fake.createIssue(await fake.createRepository(), { title: "<i>Broken</i>", author: "grace" });
  fake.comment(issue, { author: "ada", body: "@kodiai ask <u>why</u>" });
  assert.match(await (await fetch(`${fake.gitUrl}/`)).text(), /<a href="\/acme\/shop\/issues\/1">/);
  const page = bodyOf(await (await fetch(`${fake.gitUrl}/acme/shop/issues/1`)).text());
  assert.match(page, /&lt;i&gt;Broken/);
  assert.match(page, /<span class="mention">@kodiai<\/span> ask why/);
  assert.doesNotMatch(page, /<i>|<u>/);
  assert.equal((await fetch(`${fake.gitUrl}/acme/shop/pull/1`)).status, 404);
});
