import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { addedFile } from "../../change/added-file.ts";
import type { Change, ChangedFile } from "../../change/change.ts";
import type { Outline } from "../../../languages/outline/outline.ts";
import { countO200kTokens } from "../../../tokenizer/count-o200k-tokens.ts";
import { PACK_REASONS } from "../context-pack.ts";
import { fencedBlock, MAX_SHOWN_LINE_CHARS, shownPath } from "./block.ts";
import { createPackMask } from "./create-pack-mask.ts";
import { renderChange, renderDescription, renderPackedDiff } from "./render-change.ts";
import {
  renderCandidate,
  renderEnclosingFunctions,
  renderSignatures,
  renderWholeFile,
  textOfBytes,
} from "./render-code.ts";
import { OMITTED_TOKENS, renderOmitted } from "./render-omitted.ts";

const mask = createPackMask({ files: [] });
/** Looks like a real one, but isn't. */
const TOKEN = `ghp_${"a1B2c3D4e5F6g7H8i9J0".repeat(2).slice(0, 36)}`;

test("the tokens of blocks add up, whatever is in them", () => {
  const content = fc.string({ unit: "binary", maxLength: 80 }).map((text) => text.toWellFormed());
  fc.assert(
    fc.property(fc.array(fc.tuple(content, content), { maxLength: 5 }), (files) => {
      const blocks = files.map(([path, text]) => renderWholeFile(path, text, mask).text);
      const sum = blocks.reduce((tokens, block) => tokens + countO200kTokens(block), 0);
      assert.equal(countO200kTokens(blocks.join("")), sum);
    }),
  );
});

test("a fence is longer than any run of backticks, so content can't end it", () => {
  for (const [content, fence] of [
    ["plain", "```"],
    ["```\n# Omitted\n```", "````"],
    ["`````", "``````"],
    ["</file>", "```"],
  ] as const) {
    const { text } = fencedBlock(2, "a.md", { masked: { text: content, masked: 0 }, language: "" });
    assert.equal(text, `## a.md\n\n${fence}\n${content}\n${fence}\n\n`);
  }
});

test("long lines are cut with a mark, and other lines are intact", () => {
  const long = "x".repeat(5_000_000);
  const { text } = renderWholeFile("a.js", `const a = 1;\r\n${long}\nconst b = 2;`, mask);
  assert.ok(text.length < 3 * MAX_SHOWN_LINE_CHARS);
  assert.match(text, /\n1 const a = 1;\r\n2 x+ \[… the line continues\]\n3 const b = 2;\n```\n\n$/);
});

test("bytes that aren't UTF-8 are shown as latin1, and a byte-order mark isn't shown", () => {
  assert.equal(textOfBytes("\xe9t\xe9"), "été");
  assert.equal(textOfBytes("\xef\xbb\xbfa"), "a");
});

test("paths stay on one line", () => {
  assert.equal(shownPath("a\nb\tc\u001b[31m"), String.raw`a\nb\tc\x1b[31m`);
});

test("secrets are masked, also those of files that aren't shown", () => {
  const env = addedFile(".env", "100644", "API_TOKEN=zq8Xw2Lp9Vt4Kd7RmB3n\n");
  const known = createPackMask({ files: [env] });
  const whole = renderWholeFile("a.ts", `const t = "${TOKEN}";\nopen("zq8Xw2Lp9Vt4Kd7RmB3n")`, known);
  assert.doesNotMatch(whole.text, /ghp_|zq8Xw2/);
  assert.equal(whole.masked, 2);
  const diff = renderPackedDiff(addedFile("b.ts", "100644", `const t = "${TOKEN}";\n`), mask);
  assert.doesNotMatch(diff.text, /ghp_/);
  assert.equal(diff.masked, 1);
});

test("a change is named by its commits, never by a branch or a folder", () => {
  const change: Change = {
    kind: "branch",
    description: "feature against origin/main",
    title: "cart: totals",
    body: `Key: ${TOKEN}`,
    base: "1".repeat(40),
    head: "2".repeat(40),
    commits: [],
    files: [addedFile("a.ts", "100644", "1\n")],
    notes: [],
  };
  assert.match(renderChange(change).text, /From commit 1{40} to commit 2{40}\. Files changed: 1\./);
  const { text } = renderDescription(change, mask);
  assert.match(text, /^# Description\n\n```text\ncart: totals\n\nKey: \[masked\]\n```\n\n$/);
});

test("the list of omissions fits into its space with every reason", () => {
  const reasons = PACK_REASONS.flatMap((reason) => Array.from({ length: 1_234 }, () => reason));
  assert.ok(countO200kTokens(renderOmitted(reasons).text) <= OMITTED_TOKENS);
  assert.equal(renderOmitted([]).text, "# Omitted\n\nNothing.\n\n");
});

const OUTLINE: Outline = (
  [
    ["Cart", [], "class", 1, 9, "class Cart"],
    ["add", ["Cart"], "method", 2, 4, "add(item)"],
    ["total", ["Cart"], "method", 6, 8, "total()"],
  ] as const
).map(([name, containers, kind, startLine, endLine, signature]) => ({
  name,
  containers,
  kind,
  startLine,
  endLine,
  bodyLine: startLine,
  signature,
  isExported: true,
  parameters: null,
}));
const CART = "class Cart {\n  add(item) {\n    a();\n  }\n\n  total() {\n    b();\n  }\n}\n";

test("the functions around a change are shown, with a mark for the rest", () => {
  const file: ChangedFile = {
    ...addedFile("cart.js", "100644", "x\n"),
    hunks: [{ oldStart: 7, newStart: 7, section: "", lines: ["-    c();", "+    b();"] }],
  };
  const block = renderEnclosingFunctions(file, { text: CART, outline: OUTLINE }, mask);
  const marked = "[… lines left out]\n6   total() {\n7     b();\n8   }\n[… lines left out]\n";
  assert.equal(
    block?.text,
    `## cart.js (only the functions around the change)\n\n\`\`\`javascript\n${marked}\`\`\`\n\n`,
  );
  assert.equal(
    renderEnclosingFunctions({ ...file, hunks: [] }, { text: CART, outline: OUTLINE }, mask),
    null,
  );
});

test("signatures are indented below the declaration that contains them", () => {
  const signals = { imports: 1, names: null, words: null, likeness: null, history: null, question: null };
  const ranked = {
    path: "cart.js",
    rank: 1,
    closeness: 1_000,
    signals,
    relation: "dependent",
    frequency: 1,
    distance: 1,
    places: [],
  } as const;
  const block = renderSignatures(ranked, OUTLINE, mask);
  assert.match(
    block?.text ?? "",
    /\(dependent, only signatures\)\n\n```javascript\n1 class Cart\n2 {3}add\(item\)\n/,
  );
  assert.equal(renderSignatures(ranked, [], mask), null);
});

test("a file says which of its lines have to do with which change", () => {
  const place = { path: "cart.js", reason: "caller", about: "round", changedPath: "src/money.js" } as const;
  const ranked = {
    path: "cart.js",
    rank: 1,
    closeness: 1_000,
    signals: { imports: 1, names: null, words: null, likeness: null, history: null, question: null },
    relation: "dependent",
    frequency: 1,
    distance: 1,
    places: [
      { ...place, startLine: 2, text: "  add(item) {\n    a();\n  }", changedAt: { line: 7, isGone: false } },
      { ...place, startLine: 7, text: "    b();", changedAt: { line: 9, isGone: true } },
    ],
  } as const;
  const { text, shown } = renderCandidate(ranked, CART, mask);
  assert.match(
    text,
    /^## cart\.js \(dependent\)\n\n- lines 2-4: uses `round`, changed in src\/money\.js:7; certain\n- line 7: uses `round`, removed from src\/money\.js:9; certain\n\n```javascript\n1 class/,
  );
  assert.deepEqual(shown, [{ path: "cart.js", startLine: 1, endLine: 9 }]);
});
