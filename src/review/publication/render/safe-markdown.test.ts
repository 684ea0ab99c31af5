import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { assertInert, HOSTILE_MARKDOWN, withoutCodeSpans } from "../../../../test/support/inert-markdown.ts";
import { codeSpan, fence, neutralise, neutraliseInline } from "./safe-markdown.ts";
import { cpuMs } from "../../../../test/support/cpu-ms.ts";
import { someRuns } from "../../../../test/support/extent.ts";

/** Input and exact output. */
const EXACT: readonly (readonly [string, string])[] = [
  // Kept unchanged.
  ["Plain words, with commas; and (brackets).", "Plain words, with commas; and (brackets)."],
  ["Call `close()` here.", "Call `close()` here."],
  ["Use ``a `tick` inside``.", "Use `` a `tick` inside ``."],
  ["This is **important**, really.", "This is **important**, really."],
  ["**`x`** is bold code", "**`x`** is bold code"],
  ["- one\n- two", "- one\n- two"],
  ["* one\n+ two", "- one\n- two"],
  ["1. one\n2) two", "1. one\n2. two"],
  ["a\n\n\n\nb", "a\n\nb"],
  ["```js\nlet a = 1;\n```", "```\nlet a = 1;\n```"],
  ["~~~\ncode\n~~~", "```\ncode\n```"],
  ["```\nnever closed", "```\nnever closed\n```"],
  ["````\n```\ninner\n```\n````", "````\n```\ninner\n```\n````"],
  // Mentions.
  ["ping @octocat please", "ping @&#8203;octocat please"],
  ["@org/team", "@&#8203;org/team"],
  ["mail a@b.example", "mail a@&#8203;b.example"],
  ["**@octocat**", "**@&#8203;octocat**"],
  ["`@octocat`", "`@octocat`"],
  ["`@octocat", "\\`@&#8203;octocat"],
  ["``@octocat`", "\\`\\`@&#8203;octocat\\`"],
  ["`a``@octocat`", "``` a``@octocat ```"],
  ["&#64;octocat", "&amp;#&#8203;64;octocat"],
  ["&commat;octocat", "&amp;commat;octocat"],
  ["\\@octocat", "\\\\@&#8203;octocat"],
  // Cross-references.
  ["fixes #12", "fixes #&#8203;12"],
  ["owner/repo#12", "owner/repo#&#8203;12"],
  ["GH-12 and gh-13", "GH-&#8203;12 and gh-&#8203;13"],
  [
    "owner/repo@0123456789abcdef0123456789abcdef01234567",
    "owner/repo@&#8203;`0123456789abcdef0123456789abcdef01234567`",
  ],
  ["reverted in deadbee.", "reverted in `deadbee`."],
  ["see https://github.com/o/r/issues/1.", "see `https://github.com/o/r/issues/1`."],
  ["HTTPS://EVIL.EXAMPLE", "`HTTPS://EVIL.EXAMPLE`"],
  ["www.evil.example/x", "`www.evil.example/x`"],
  ["1https://evil.example", "`1https://evil.example`"],
  ["deadbeefhttps://evil.example", "`deadbeefhttps://evil.example`"],
  ["_www.evil.example_", "\\_`www.evil.example_`"],
  ["x #[1](https://evil.example)", "x #&#8203;1 (`https://evil.example`)"],
  ["dead[beef](https://evil.example)", "dead&#8203;beef (`https://evil.example`)"],
  [`https://evil.example/${"a".repeat(1_500)}`, `\`https://evil.example/${"a".repeat(1_500)}\``],
  ["`a`https://evil.example", "`a` `https://evil.example`"],
  ["`https://evil.example", "\\``https://evil.example`"],
  // Links and images.
  ["[docs](https://evil.example/a)", "&#8203;docs (`https://evil.example/a`)"],
  ["[@octocat](https://evil.example)", "&#8203;@&#8203;octocat (`https://evil.example`)"],
  ["![x](https://evil.example/p.png)", "&#8203;x (`https://evil.example/p.png`)"],
  ["![x][ref]", "!\\[x\\]\\[ref\\]"],
  ["[x](javascript:alert(1))", "\\[x\\](javascript:alert(1))"],
  ["[ref]: https://evil.example", "\\[ref\\]: `https://evil.example`"],
  ["[^1]: note", "\\[^1\\]: note"],
  ["<https://evil.example>", "&lt;`https://evil.example`&gt;"],
  // HTML.
  ["<img src=x onerror=alert(1)>", "&lt;img src=x onerror=alert(1)&gt;"],
  ["<!-- kodiai:marker -->", "&lt;!-- kodiai:marker --&gt;"],
  ["</details><h1>Approved</h1>", "&lt;/details&gt;&lt;h1&gt;Approved&lt;/h1&gt;"],
  ["&lt;b&gt;", "&amp;lt;b&amp;gt;"],
  // Blocks.
  ["# Approved", "\\# Approved"],
  ["Approved\n===", "Approved\n\\==="],
  ["Approved\n---", "Approved\n\\---"],
  ["> quoted", "&gt; quoted"],
  ["> [!WARNING]\n> fake", "&gt; \\[!WARNING\\]\n&gt; fake"],
  ["| a | b |\n|---|---|", "\\| a \\| b \\|\n\\|---\\|---\\|"],
  ["    indented code", "indented code"],
  ["- [x] done", "- \\[x\\] done"],
  ["- # heading", "- \\# heading"],
  ["- - - -", "- \\- - -"],
  ["*em* _em_ ~~del~~", "\\*em\\* \\_em\\_ \\~\\~del\\~\\~"],
  ["**no partner", "\\*\\*no partner"],
  ["$$\\href{https://evil.example}{x}$$", "&#36;&#36;\\\\href{`https://evil.example}{x}$$`"],
  // Commands of other bots.
  ["/approve", "&#47;approve"],
  ["ok\n/lgtm cancel", "ok\n&#47;lgtm cancel"],
  ["@dependabot merge", "@&#8203;dependabot merge"],
  ["bors r+", "&#8203;bors r+"],
  ["- /retest", "- &#47;retest"],
  ["::add-mask::x", "&#8203;::add-mask::x"],
  ["```\n/approve\n// a comment\n```", "```\n /approve\n// a comment\n```"],
  // Invisible characters.
  ["a\u202eb", "a\\\\u{202e}b"],
  ["a\u0000b\u001b[31mc", "a\\\\x00b\\\\x1b\\[31mc"],
  ["@\u200boctocat", "@&#8203;\\\\u{200b}octocat"],
  ["a\u2028# b", "a\\\\u{2028}# b"],
  ["`\u202e`", "`\\u{202e}`"],
  ["\u{e0041}x", "\\\\u{e0041}x"],
];

for (const [text, expected] of EXACT) {
  test(`neutralise ${JSON.stringify(text.slice(0, 80))}`, () => assert.equal(neutralise(text), expected));
}

test("neutralised text is inert", () => {
  for (const [text] of EXACT) {
    assertInert(text, neutralise(text));
    assertInert(text, neutraliseInline(text));
  }
});

test("any neutralised text is inert", () => {
  const hostile = fc.array(fc.oneof(fc.constantFrom(...HOSTILE_MARKDOWN), fc.string({ maxLength: 3 })), {
    maxLength: 30,
  });
  fc.assert(
    fc.property(
      hostile.map((pieces) => pieces.join("")),
      (text) => {
        assertInert(text, neutralise(text));
        const inline = neutraliseInline(text);
        assertInert(text, inline);
        assert.ok(!inline.includes("\n"));
      },
    ),
    { numRuns: someRuns(3_000) },
  );
});

test("a code span holds its text, whatever backticks are in it", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom("`", "``", "a", " ", "\n", "@"), { minLength: 1, maxLength: 12 }),
      (pieces) => {
        assert.equal(withoutCodeSpans(codeSpan(pieces.join(""))), "\u{E001}");
      },
    ),
  );
});

test("a fence is longer than any run of backticks inside and keeps tabs", () => {
  assert.deepEqual(fence(["\ta", "`````"], "diff"), ["", "``````diff", "\ta", "`````", "``````", ""]);
});

test("an endless text is cut and neutralised in reasonable time", () => {
  for (const piece of ["`", "[", "@", "a://", "**", "![](", "``` \n", "a.", "0123456 "]) {
    let text = "";
    const ms = cpuMs(() => (text = neutralise(piece.repeat(200_000))));
    assert.ok(ms < 1_000, `${piece} is slow: ${ms} ms`);
    assert.ok(text.length < 60_000);
  }
});
