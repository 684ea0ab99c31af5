import assert from "node:assert/strict";
import { test } from "node:test";
import { assertGolden } from "../../../../test/support/golden.ts";
import { openFinding, priorFinding, settledOf, threadAt } from "../../../../test/support/prior-fixtures.ts";
import {
  againPublication,
  READ_ALL,
  sampleAnalysis,
  sampleAnchor,
  sampleChange,
  sampleFile,
  sampleFileAnalysis,
  sampleFinding,
  sampleJudged,
  samplePublication,
  SAMPLE_PUBLICATIONS,
  modelPass,
} from "../../../../test/support/sample-publication.ts";
import { MAX_MARKDOWN_COMMENT_CHARS } from "./markdown-blocks.ts";
import { renderMarkdown } from "./render-markdown.ts";

for (const [name, compose] of Object.entries(SAMPLE_PUBLICATIONS)) {
  test(`markdown: ${name}`, () => assertGolden(`publication/markdown/${name}.md`, renderMarkdown(compose())));
}

test("markdown: too many findings are cut and counted, and the details stay", () => {
  const judged = Array.from({ length: 200 }, (_, index) =>
    sampleJudged(sampleFinding({ body: `Word ${index}. `.repeat(200) }), sampleAnchor(), {
      id: String(index).padStart(3, "0"),
    }),
  );
  const text = renderMarkdown(samplePublication({ judged }));
  assert.ok(text.length <= MAX_MARKDOWN_COMMENT_CHARS);
  const shown = text.match(/^\*\*\(\d+\)/gm)?.length ?? 0;
  assert.ok(shown > 10);
  assert.ok(text.includes(`${200 - shown} more findings didn't fit in this comment`));
  assert.match(text, /<summary>Review details<\/summary>[^]*<\/details>\n$/);
});

test("markdown: earlier findings have sections after the new ones, and the details name what was read", () => {
  const text = renderMarkdown(againPublication());
  assert.match(
    text,
    /^\*\*\(6\) SQL is built[^]*^### Still open \(3\)\n\n- \(5\) Critical: [^\n]+\n- \(2\) Major: Errors are swallowed, `src\/session\.ts:11`\n[^]*^### Ignored or suppressed \(1\)\n\n- \(3\) A debugger statement, `src\/db\/users\.ts`: a demo\n[^]*^### Resolved \(1\) in `2{12}`\n\n- \(1\) A secret is logged, `src\/db\/users\.ts`: its rule ran again and no longer finds it\n[^]*<summary>Review details/m,
  );
  assert.match(text, /^- Read: 1 of 5 files since `1a2b3c4` \(2 read before\)$/m);
  assert.match(text, /^- Reviewed: 3 of 8 added lines \(3 reviewed before\) in 3 of 5 files$/m);
  assert.doesNotMatch(renderMarkdown(samplePublication()), /Still open|### Ignored|### Resolved|- Read:/);
});

test("markdown: never over the limit, however the text grows by escaping", () => {
  const flood = "@".repeat(5_000);
  const paths = Array.from({ length: 60 }, (_, index) => `${flood}${index}`);
  const finding = sampleFinding({ title: flood, body: flood, path: flood, quote: flood, rule: flood });
  const publication = samplePublication({
    change: sampleChange(
      paths.map((path) => sampleFile(path, [], { unreadable: "binary" })),
      { description: flood, notes: paths },
    ),
    judged: [
      sampleJudged(finding, null),
      sampleJudged(finding, sampleAnchor({ lines: [flood] }), {
        suggestion: { kind: "verified", replacement: flood },
      }),
      ...paths.map((path) => sampleJudged({ ...finding, path }, null, { placement: "details" as const })),
    ],
    settled: settledOf(
      paths.map((path) => openFinding({ path, title: flood })),
      paths.map((path) => ({
        prior: priorFinding({ path, title: flood }),
        state: "verified",
        because: flood,
      })),
      paths.map((path) => ({
        prior: priorFinding({ path, title: flood }),
        state: "ignored",
        because: flood,
      })),
    ),
    degradations: paths.map((what) => ({ what, message: flood, count: 2 })),
    configOrigin: flood,
    overview: paths.slice(0, 10).map((pass) => ({ pass, text: flood })),
    passes: [modelPass(flood)],
  });
  const text = renderMarkdown(publication);
  assert.ok(text.length <= MAX_MARKDOWN_COMMENT_CHARS, `${text.length} characters`);
  assert.match(text, /^- … and \d+ more$/m);
});

test("[P6] markdown: nothing of the change is live, in any field", () => {
  const live =
    "@octocat #1 <img src=x> ![a](https://e.example/x.png) https://e.example\n/approve\n# h\n</details>";
  const finding = sampleFinding({
    title: live,
    body: live,
    path: `${live}\`.ts`,
    quote: live,
    source: "model",
    rule: null,
  });
  const anchor = sampleAnchor({ path: `${live}\`.ts`, startLine: 10, endLine: 10, lines: [live, "```"] });
  const text = renderMarkdown(
    samplePublication({
      change: sampleChange([sampleFile("a", ["+x"])], { description: live, notes: [live] }),
      judged: [
        sampleJudged(finding, anchor, {
          suggestion: { kind: "verified", replacement: `${live}\n\`\`\`\`` },
          notes: [live],
        }),
        sampleJudged(finding, null, { suggestion: { kind: "prose", reason: live, text: live } }),
        sampleJudged(finding, anchor, { placement: "details" }),
      ],
      settled: settledOf(
        [openFinding({ title: live, path: `${live}\`.ts`, thread: threadAt(`https://e.example/ ${live}`) })],
        [{ prior: priorFinding({ title: live, path: live }), state: "verified", because: live }],
        [{ prior: priorFinding({ title: live, path: live }), state: "suppressed", because: live }],
      ),
      degradations: [{ what: live, message: live, count: 1 }],
      configOrigin: live,
      overview: [
        { pass: "review", text: live },
        { pass: live, text: `/close ${live}` },
      ],
      passes: [modelPass(live)],
    }),
  );
  // Removes fences, then code spans; a forge acts on the rest.
  const outside = text
    .replaceAll(/^(`{3,})[^`\n]*\n[^]*?\n\1$/gm, "")
    .replaceAll(/(?<![\\`])(`+)(?!`)[^]*?[^`]\1(?!`)/g, "");
  assert.doesNotMatch(outside, /@(?!&#8203;)/);
  assert.doesNotMatch(outside, /#(?!&#8203;|8203;|47;)\d/);
  assert.doesNotMatch(outside, /<(?!\/?(?:details|summary)>)/);
  assert.doesNotMatch(outside, /https?:|!\[|^\/approve|^\/close|^# /m);
  assert.match(text, /^### Summary by the model\n\n@&#8203;octocat #&#8203;1 &lt;img/m);
  assert.equal(outside.match(/<\/details>/g)?.length, 2);
});

test("markdown: if the model fails, the change is shown as reviewed by built-in rules only, never as skipped", () => {
  const file = sampleFile("a.ts", ["+x", "+y"]);
  const analysis = sampleAnalysis([sampleFileAnalysis("a.ts")]);
  const coverage = { ...READ_ALL, byModel: new Map([["a.ts", "limit:budget"]] as const) };
  const text = renderMarkdown(samplePublication({ change: sampleChange([file]), analysis, coverage }));
  assert.match(text, /^- Reviewed by built-in rules only: 2 lines in 1 file \(budget reached\): `a\.ts`$/m);
  assert.doesNotMatch(text, /^- Reviewed:|^- Skipped/m);
});
