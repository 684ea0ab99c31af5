/** Markdown on the fake's pages: what GitHub renders, and what must never reach a browser. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { renderGithubMarkdown } from "./render-markdown.ts";

function render(text: string, replaced: readonly string[] = []): string {
  const addressOf = (number: number): string | null => (number === 12 ? "/acme/shop/pull/12" : null);
  const html = renderGithubMarkdown(text, { addressOf, replaced });
  const [, body = ""] = /^<div class="markdown-body">([^]*)<\/div>$/.exec(html) ?? [];
  return body.replaceAll(/\n/g, "").trim();
}

const LINK = 'rel="nofollow noopener noreferrer"';
const RENDERED: readonly (readonly [what: string, markdown: string, html: string])[] = [
  [
    "a table",
    "| a | b |\n|---|:-:|\n| `x` | 1 |",
    '<table><thead><tr><th>a</th><th align="center">b</th></tr></thead><tbody><tr><td><code>x</code></td><td align="center">1</td></tr></tbody></table>',
  ],
  [
    "a task list",
    "- [x] done\n- [ ] open",
    '<ul><li><input type="checkbox" disabled checked /> done</li><li><input type="checkbox" disabled /> open</li></ul>',
  ],
  [
    "details with Markdown inside",
    "<details>\n<summary>More</summary>\n\n- **a**\n\n</details>",
    "<details><summary>More</summary><ul><li><strong>a</strong></li></ul></details>",
  ],
  [
    "an alert",
    "> [!WARNING]\n> Look *here*.",
    '<div class="markdown-alert markdown-alert-warning"><p class="markdown-alert-title">Warning</p><p>Look <em>here</em>.</p></div>',
  ],
  ["a quote that is no alert", "> [!OTHER]\n> b", "<blockquote><p>[!OTHER]<br />b</p></blockquote>"],
  ["line breaks", "a\nb", "<p>a<br />b</p>"],
  [
    "an address",
    "see https://a.test/b",
    `<p>see <a href="https://a.test/b" ${LINK}>https://a.test/b</a></p>`,
  ],
  ["a relative link", "[a](docs/a.md#b)", `<p><a href="docs/a.md#b" ${LINK}>a</a></p>`],
  ["a mention", "cc @ada-l, a@b", '<p>cc <span class="mention">@ada-l</span>, a@b</p>'],
  ["no mention in code", "`@ada`", "<p><code>@ada</code></p>"],
  ["a reference", "(#12)", `<p>(<a href="/acme/shop/pull/12" ${LINK}>#12</a>)</p>`],
  ["no reference", "#13 a#12", "<p>#13 a#12</p>"],
  [
    "what Kodiai writes to keep a mention from being one",
    "&#8203;@\u200bada &#47;x",
    "<p>\u200b@\u200bada /x</p>",
  ],
  ["code", "```ts\na < b\n```", '<pre><code class="language-ts">a &lt; b</code></pre>'],
  ["a hidden comment", "a <!-- marker --> b", "<p>a  b</p>"],
  [
    "an image as a link: a page loads nothing",
    "![x](https://a.test/x.png)",
    `<p><a href="https://a.test/x.png" ${LINK}>x</a></p>`,
  ],
];
for (const [what, markdown, html] of RENDERED)
  test(`GitHub renders ${what}`, () => assert.equal(render(markdown), html));

test("a suggestion shows the lines that it replaces", () => {
  const lines = (kind: string, text: string): string => `<pre class="${kind}"><code>${text}</code></pre>`;
  const box = (inside: string): string => `<div class="suggestion"><p>Suggested change</p>${inside}</div>`;
  const markdown = "```suggestion\nnew <b>\n```";
  assert.equal(render(markdown, ["old"]), box(lines("removed", "old") + lines("added", "new &lt;b&gt;")));
  assert.equal(render(markdown), box(lines("added", "new &lt;b&gt;")));
  assert.equal(render("```suggestion\n```", ["old"]), box(lines("removed", "old")));
});

const HOSTILE: readonly string[] = [
  "<script>alert(1)</script>",
  "<scr<script>ipt>alert(1)</scr</script>ipt>",
  "<SCRIPT SRC=//a.test/x.js></SCRIPT>",
  "<img src=x onerror=alert(1)>",
  "<b onclick='alert(1)' onmouseover=alert(1)>b</b>",
  "<a href='javascript:alert(1)'>a</a>",
  "<a href='jav&#x09;ascript:alert(1)'>a</a>",
  "<a href=' &#1; javascript:alert(1)'>a</a>",
  "[a](javascript:alert(1))",
  "[a](java&#115;cript:alert(1))",
  "[a](data:text/html;base64,PHNjcmlwdD4=)",
  "[a](vbscript:x)",
  "![a](javascript:alert(1))",
  "<javascript:alert(1)>",
  "[a](//a.test/x)",
  "[x]: javascript:alert(1)\n\n[x]",
  "<iframe src='https://a.test'></iframe>",
  "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
  "<object data='x'></object><embed src='x'>",
  "<svg onload=alert(1)><script>alert(1)</script></svg>",
  "<math><mtext></mtext><style><img src=x onerror=alert(1)></style></math>",
  "<style>body { display: none }</style>",
  "<p style='position:fixed;inset:0;background:url(https://a.test)'>x</p>",
  "<div class='box state' id='issue-1' name='body'>x</div>",
  "<link rel=stylesheet href='https://a.test/x.css'><meta http-equiv=refresh content='0;url=https://a.test'>",
  "<base href='https://a.test/'>",
  "<form action='https://a.test'><button>a</button><input name=password type=password></form>",
  "<input type=image src=https://a.test/x.png><input type=checkbox onclick=alert(1)>",
  "<textarea></textarea><select><option>a</select><video src=https://a.test autoplay></video>",
  "</div></article></body><h1>outside</h1><div>",
  "<details open><summary>x</summary><table><tr><td>",
  "<!--><script>alert(1)</script-->",
  "<noscript><p title='</noscript><img src=x onerror=alert(1)>'></noscript>",
  "`a`<b/onclick=alert(1)>",
  '```x" onclick="alert(1)\na\n```',
  "> [!NOTE]\n> <script>alert(1)</script>",
  "```suggestion\n</code></pre><script>alert(1)</script>\n```",
  "@ada<img src=x onerror=alert(1)> #12<script>alert(1)</script>",
  "| a |\n|---|\n| <img src=x onerror=alert(1)> |",
];

const ATTRIBUTE =
  /^(?:rel="nofollow noopener noreferrer"|href="(?:(?:https?:\/\/|mailto:)[^"]*|(?!\/\/)[^":]*)"|class="(?:markdown-alert[\w -]*|suggestion|added|removed|mention|language-[^"<>\s]*)"|type="checkbox"|disabled|checked|open|align="\w+"|(?:col|row)span="\d+"|start="\d+"|title="[^"]*")$/;
const VOID: ReadonlySet<string> = new Set(["br", "hr", "wbr", "input"]);
const HARMLESS =
  /^(?:h[1-6]|br|b|i|strong|em|a|pre|code|div|p|ol|ul|li|table|thead|tbody|tr|td|th|blockquote|del|hr|details|summary|span|wbr|input)$/;

/** Reads HTML like a strict parser: each tag and attribute must be known, and each element closed in order. */
function assertHarmless(html: string): void {
  const open: string[] = [];
  const rest = html.replaceAll(
    /<(\/?)([a-z][a-z0-9]*)((?:\s+[a-z-]+(?:="[^"]*")?)*)\s*(?:\/?)>/g,
    (_, slash: string, tag: string, attributes: string) => {
      assert.match(tag, HARMLESS, html);
      for (const [attribute] of attributes.matchAll(/[a-z-]+(?:="[^"]*")?/g))
        assert.match(attribute, ATTRIBUTE, html);
      if (slash !== "") assert.equal(open.pop(), tag, html);
      else if (!VOID.has(tag)) open.push(tag);
      return "";
    },
  );
  assert.doesNotMatch(rest, /[<>]/, html);
  assert.deepEqual(open, [], html);
}

for (const text of HOSTILE)
  test(`harmless: ${text.replaceAll("\n", " ")}`, () => {
    assertHarmless(render(text));
    assertHarmless(render(`- a\n\n  ${text}\n\n**b**`));
  });

test("the check for harmless HTML finds what isn't", () => {
  const bad = [
    "<script>x</script>",
    '<b onclick="x">a</b>',
    '<a href="javascript:x">a</a>',
    '<a href="//a.test">a</a>',
    '<p style="x">a</p>',
    "<p>a",
    "a</p>",
    "<img src=x",
  ];
  for (const html of bad) assert.throws(() => assertHarmless(html), assert.AssertionError);
});
