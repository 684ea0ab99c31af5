import assert from "node:assert/strict";
import { test } from "node:test";
import { priorFinding, threadAt } from "../../../../test/support/prior-fixtures.ts";
import {
  sampleAnchor,
  sampleFinding,
  sampleJudged,
  samplePublication,
} from "../../../../test/support/sample-publication.ts";
import type { Anchor, Finding, JudgedFinding } from "../../findings/finding.ts";
import { MAX_MARKDOWN_COMMENT_CHARS } from "./markdown-blocks.ts";
import { renderInlineComment } from "./render-inline-comment.ts";

const LINKS = { repositoryUrl: "https://github.example/acme/shop", base: "b1", head: "h1" };

type Given = {
  readonly finding?: Partial<Finding>;
  readonly anchor?: Partial<Anchor>;
  readonly judged?: Partial<JudgedFinding>;
};

function comment({ finding = {}, anchor = {}, judged = {} }: Given = {}): string {
  const publication = samplePublication({
    judged: [sampleJudged(sampleFinding(finding), sampleAnchor(anchor), judged)],
  });
  const [published] = publication.findings;
  assert.ok(published !== undefined);
  return renderInlineComment(published, { ...LINKS, rulesUrl: publication.rulesUrl });
}

function suggesting(replacement: string, anchor: Partial<Anchor> = {}): string {
  return comment({ anchor, judged: { suggestion: { kind: "verified", replacement } } });
}

/** The text that a forge would commit: the content of the suggestion block, or null without one. */
function committed(markdown: string): string | null {
  const block = /^(`{3,})suggestion\n(?<text>[^]*?)^\1$/m.exec(markdown);
  return block?.groups?.["text"] ?? null;
}

test("a comment has a title, a number, a reason, a fix and a source", () => {
  const text = comment({
    finding: { title: "A name is unclear", body: "Call it `count`.", path: "src/a.ts", rule: "unclear-name" },
    anchor: { startLine: 13, endLine: 14 },
    judged: { notes: ["Lowered from major to medium."], suggestion: { kind: "verified", replacement: "x" } },
  });
  assert.equal(
    text,
    [
      "**[critical] A name is unclear** (1)",
      "",
      "Call it `count`.",
      "",
      "```suggestion",
      "x",
      "```",
      "",
      "Note: Lowered from major to medium.",
      "",
      "<sub>security · `unclear-name`</sub>",
    ].join("\n"),
  );
});

const THREADS: readonly (readonly [what: string, url: string | null, name: string])[] = [
  [
    "with a link to its thread",
    "https://github.example/acme/shop/pull/7#discussion_r1",
    "[(3)](https://github.example/acme/shop/pull/7#discussion_r1)",
  ],
  ["without a thread", null, "(3)"],
  ["without a link that breaks out", "https://e.example/) @octocat [x](https://e.example", "(3)"],
  ["without a link that runs code", "javascript:alert(1)", "(3)"],
];
for (const [what, url, name] of THREADS) {
  test(`a finding that is back after it was resolved names the earlier one, ${what}`, () => {
    const thread = url === null ? null : threadAt(url);
    const text = comment({ judged: { reopens: priorFinding({ number: 3, thread }) } });
    assert.deepEqual(text.split("\n").slice(0, 5), [
      "**[critical] SQL is built from a string** (3)",
      "",
      `Back again: reported before as ${name}`,
      "",
      "The name is put into the statement unescaped. An attacker who chooses it can read or change any row; pass it as a parameter instead.",
    ]);
  });
}

test("a new finding doesn't refer to an earlier one", () => {
  assert.doesNotMatch(comment(), /Back again/);
});

test("a comment carries the severity after judging", () => {
  assert.match(comment({ judged: { severity: "must-fix" } }), /^\*\*\[must fix\] /);
});

test("a finding without a rule names its reviewer", () => {
  assert.match(comment({ finding: { rule: null, source: "model" } }), /<sub>security · model<\/sub>$/);
});

const EXACT: readonly (readonly [what: string, replacement: string])[] = [
  ["a line", "  return 1;"],
  ["several lines", "if (a) {\n  b();\n}"],
  ["tabs", "\tif err != nil {\n\t\treturn err\n\t}"],
  ["blank lines in a row", "import os\n\n\nclass A:\n    pass"],
  ["blank lines first and last", "\n\n\nx\n\n"],
  ["backticks", "const a = `b`;\n```\n````"],
  ["HTML and mentions inside a line", 'const a = "<b>@octocat</b> #1 </details>";'],
  ["paths inside a line", "cp a /approve"],
  ["letters of other scripts", "ключ = 'ключ' // 鍵 \u{1F511}"],
  ["spaces at the ends", "   x   "],
];

for (const [what, replacement] of EXACT) {
  test(`a suggestion can be committed as it was verified: ${what}`, () => {
    assert.equal(committed(suggesting(replacement)), `${replacement}\n`);
  });
}

test("a suggestion to delete the lines can be committed", () => {
  assert.equal(committed(suggesting("")), "");
});

const INEXACT: readonly (readonly [what: string, replacement: string, shown: string])[] = [
  ["a control character", "a\u0007b", "+ a\\x07b"],
  ["a line end of another kind", "a\r\nb", "+ a\\r"],
  ["an invisible character", "a\u200bb", "+ a\\u{200b}b"],
  ["a change of direction", "a\u202eb", "+ a\\u{202e}b"],
  ["half a character", "a\ud800b", "+ a\\u{d800}b"],
  ["a command of a bot", "x\n/approve", "+ /approve"],
  ["a command of a bot, indented", "x\n  /lgtm cancel", "+   /lgtm cancel"],
  ["a workflow command", "::add-mask::x", "+ ::add-mask::x"],
  ["a mention at the start of a line", "@dependabot merge", "+ @dependabot merge"],
];

for (const [what, replacement, shown] of INEXACT) {
  test(`an escaped suggestion is shown but can't be committed: ${what}`, () => {
    const text = suggesting(replacement, { lines: ["old"] });
    assert.equal(committed(text), null);
    assert.doesNotMatch(text, /suggestion\n/);
    const diff = /^```diff\n(?<lines>[^]*?)\n```$/m.exec(text)?.groups?.["lines"] ?? "";
    assert.deepEqual(diff.split("\n")[0], "- old");
    assert.ok(diff.split("\n").includes(shown), diff);
  });
}

test("a suggestion about removed code can't be committed", () => {
  const text = suggesting("new", { side: "old", lines: ["old"] });
  assert.equal(committed(text), null);
  assert.match(text, /```diff\n- old\n\+ new\n```/);
});

test("an unverified suggestion is shown as text", () => {
  const suggestion = { kind: "prose", reason: "the file wouldn't parse with it", text: "Use `b`." } as const;
  const text = comment({ judged: { suggestion } });
  assert.match(text, /\n\nUnverified suggestion \(the file wouldn't parse with it\):\n\nUse `b`\.\n\n/);
  assert.equal(committed(text), null);
});

const FLOODS: readonly (readonly [what: string, given: Given])[] = [
  ["a long body", { finding: { body: "@".repeat(100_000) } }],
  ["a long title", { finding: { title: "\u200b".repeat(100_000) } }],
  ["a long path", { finding: { path: "\u0007".repeat(30_000) } }],
  ["a long suggestion", { judged: { suggestion: { kind: "verified", replacement: "x".repeat(100_000) } } }],
  ["a deleted page", { anchor: { lines: Array(5_000).fill("some line") }, judged: deleting("\u0007") }],
  [
    "a long advice and a long body",
    {
      finding: { body: "\u200b".repeat(9_000) },
      judged: { suggestion: { kind: "prose", reason: "@".repeat(9_000), text: "\u200b".repeat(9_000) } },
    },
  ],
  ["many notes", { judged: { notes: Array(100).fill("@".repeat(1_000)) } }],
];

function deleting(replacement: string): Partial<JudgedFinding> {
  return { suggestion: { kind: "verified", replacement } };
}

for (const [what, given] of FLOODS) {
  test(`a comment is never longer than a forge accepts: ${what}`, () => {
    const text = comment(given);
    assert.ok(text.length <= MAX_MARKDOWN_COMMENT_CHARS, `${text.length} characters`);
    assert.match(text, /^\*\*\[critical\] /);
    assert.match(text, /<sub>security · `sql-from-strings`<\/sub>$/);
  });
}

test("parts that don't fit are left out from the end, and a comment that lost its suggestion says so", () => {
  const withoutPrompt = comment({ finding: { title: "\u200b".repeat(9_000) }, judged: deleting("y") });
  assert.equal(committed(withoutPrompt), "y\n");
  assert.doesNotMatch(withoutPrompt, /Prompt for a coding agent/);
  const withoutSuggestion = suggesting("x".repeat(100_000));
  assert.equal(committed(withoutSuggestion), null);
  assert.match(withoutSuggestion, /The rest of this finding doesn't fit in a comment/);
});

test("the places where a finding was seen are links, and other code isn't", () => {
  const seenAt = [
    { path: "src/my_shop.ts", startLine: 3, endLine: 3 },
    { path: "src/b.ts", startLine: 7, endLine: 9 },
  ];
  const body =
    "Still used at src/my_shop.ts:3, `src/b.ts:7` and src/b.ts:70. `x src/b.ts:7` and lib/src/b.ts:7 aren't it.\n\n```\nsrc/b.ts:7\n```";
  const text = comment({ finding: { body, seenAt } });
  const url = "https://github.example/acme/shop/blob/h1/src";
  assert.ok(
    text.includes(
      `Still used at [\`src/my_shop.ts:3\`](${url}/my_shop.ts#L3), [\`src/b.ts:7\`](${url}/b.ts#L7-L9) and src/b.ts:70.`,
    ),
    text,
  );
  assert.equal(text.split("](https://github.example/").length, 3, text);
});
