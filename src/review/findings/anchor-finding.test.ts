import assert from "node:assert/strict";
import { test } from "node:test";
import { changedFile } from "../../../test/support/analysis-fixtures.ts";
import { findingOf } from "../../../test/support/findings-fixtures.ts";
import { anchorFinding, locateFinding } from "./anchor-finding.ts";

const FILE = changedFile({
  path: "src/a.ts",
  status: "modified",
  newStart: 10,
  lines: [
    " function total(items) {",
    "-  return items.length;",
    "+  let sum = 0;",
    "+  for (const item of items) {",
    "+    sum += item.price;",
    "+  }",
    "+  return sum;",
    " }",
    " function other() {",
    "+  return sum;",
    " }",
  ],
});

const CASES: readonly (readonly [
  what: string,
  quote: string,
  hint: number | null,
  side: "new" | "old",
  expected: unknown,
])[] = [
  ["an exact line", "  let sum = 0;", null, "new", ["new", 11, 11, "exact", true]],
  [
    "several lines",
    "  for (const item of items) {\n    sum += item.price;",
    null,
    "new",
    ["new", 12, 13, "exact", true],
  ],
  ["a wrong line hint does not matter", "  let sum = 0;", 999, "new", ["new", 11, 11, "exact", true]],
  [
    "an ambiguous quote takes the candidate much nearer to the hint",
    "  return sum;",
    19,
    "new",
    ["new", 18, 18, "exact", true],
  ],
  ["no ambiguous quote without a hint", "  return sum;", null, "new", null],
  ["no ambiguous quote whose hint is as near to both", "  return sum;", 16, "new", null],
  ["other white space", "let   sum=0;", null, "new", ["new", 11, 11, "whitespace", true]],
  ["a fragment of one line", "item.price", null, "new", ["new", 13, 13, "whitespace", true]],
  ["a slightly misquoted line", "    sum += itme.price;", null, "new", ["new", 13, 13, "fuzzy", true]],
  ["another name on the line given", "    sum += items.price;", 13, "new", ["new", 13, 13, "fuzzy", true]],
  ["no twin with another name", "    sum += items.price;", null, "new", null],
  ["no twin with another name near the line given", "    sum += items.price;", 14, "new", null],
  ["no twin with another literal", "  let sum = 1;", 12, "new", null],
  ["no twin with another operator", "    sum -= item.price;", 13, "new", null],
  ["no twin without the negation", "  return !sum;", 15, "new", null],
  ["no twin with another keyword", "    sum += await item.price;", 40, "new", null],
  ["removed code, on the old side", "  return items.length;", null, "old", ["old", 11, 11, "exact", true]],
  [
    "removed code with the wrong side given",
    "  return items.length;",
    null,
    "new",
    ["old", 11, 11, "exact", true],
  ],
  [
    "an unchanged line of the hunk",
    " function total(items) {".slice(1),
    null,
    "new",
    ["new", 10, 10, "exact", false],
  ],
  ["blank lines around the quote", "\n  let sum = 0;\n\n", null, "new", ["new", 11, 11, "exact", true]],
  [
    "CRLF in the quote",
    "  let sum = 0;\r\n  for (const item of items) {\r",
    null,
    "new",
    ["new", 11, 12, "exact", true],
  ],
  ["no quote that is nowhere", "  return database.query(sql);", 11, "new", null],
  ["no fragment too short to mean a line", "sum", 11, "new", null],
  ["no empty quote", "", 11, "new", null],
];

/** A file with code that is there twice, both sides of a line, and lines that resemble each other. */
const SHOP = changedFile({
  path: "src/shop.ts",
  status: "modified",
  newStart: 100,
  lines: [
    " export class Shop {",
    "+  async load(userName: string, options: Options): Promise<Cart> {",
    "+    const cart = await this.carts.find(userName, { deep: true });",
    "+",
    "+    if (cart === null) {",
    '+      throw new NotFound("no cart of this user");',
    "+    }",
    "+    return cart;",
    "+  }",
    "-    const total = sum(cart.items);",
    '-    log("total", total);',
    "+    const total = sumOf(cart.items, options);",
    "+    const total2 = sumOf(cart.items, options);",
    "+    return cart;",
    "+    // ```",
    "+    - listed",
    " }",
  ],
});

/** A model's quote and the expected lines: [start, end] of the new side, or null when it must not be placed. */
const MISQUOTES: readonly (readonly [
  what: string,
  quote: string,
  hint: number | null,
  expected: readonly [number, number] | null,
])[] = [
  ["a fence", "```ts\n    if (cart === null) {\n```", 104, [104, 104]],
  [
    "a fence of a diff with its header",
    "```diff\n@@ -99,3 +100,9 @@ class\n+    if (cart === null) {\n```",
    104,
    [104, 104],
  ],
  ["backticks", "`if (cart === null) {`", 104, [104, 104]],
  [
    "a Markdown quote",
    '> if (cart === null) {\n> throw new NotFound("no cart of this user");',
    104,
    [104, 105],
  ],
  [
    "lines joined into one",
    'if (cart === null) { throw new NotFound("no cart of this user"); }',
    104,
    [104, 106],
  ],
  ["a literal line break", "    if (cart === null) {\\n      throw", 104, [104, 105]],
  [
    "a long line split",
    "async load(userName: string,\n    options: Options): Promise<Cart> {",
    101,
    [101, 101],
  ],
  ["a blank line dropped", "{ deep: true });\n    if (cart === null) {", 102, [102, 104]],
  [
    "blank lines added",
    '    if (cart === null) {\n\n\n      throw new NotFound("no cart of this user");',
    104,
    [104, 105],
  ],
  ["the end cut with dots", "const cart = await this.carts.find(...", 102, [102, 102]],
  ["the end cut with an ellipsis", "const cart = await this.carts.find(userName…", 102, [102, 102]],
  ["the start cut", "... this.carts.find(userName, { deep: true });", 102, [102, 102]],
  ["a gap in a line", "async load(userName ... Promise<Cart> {", 101, [101, 101]],
  [
    "a gap of lines",
    "  async load(userName: string, options: Options): Promise<Cart> {\n  ...\n  }",
    101,
    [101, 108],
  ],
  [
    "a gap of lines in a comment",
    '    const cart = await this.carts.find(userName, { deep: true });\n// ... existing code ...\n      throw new NotFound("no cart of this user");',
    102,
    [102, 105],
  ],
  ["a forgotten line", "    if (cart === null) {\n    }\n    return cart;", 104, [104, 107]],
  [
    "signs of added lines",
    '+    if (cart === null) {\n+      throw new NotFound("no cart of this user");',
    104,
    [104, 105],
  ],
  [
    "removed and added lines with signs",
    "-    const total = sum(cart.items);\n+    const total = sumOf(cart.items, options);",
    109,
    [109, 109],
  ],
  [
    "removed and added lines without signs",
    'log("total", total);\nconst total = sumOf(cart.items, options);',
    109,
    [109, 109],
  ],
  [
    "13: ",
    '104:     if (cart === null) {\n105:       throw new NotFound("no cart of this user");',
    null,
    [104, 105],
  ],
  ["13→", "   107→    return cart;", null, [107, 107]],
  ["L13:", "L104: if (cart === null) {", 104, [104, 104]],
  ["+13 ", "+104     if (cart === null) {", 104, [104, 104]],
  ["the gutter of a diff", "        104 |+    if (cart === null) {", 104, [104, 104]],
  [
    "a name in another case",
    "const cart = await this.carts.find(user_name, { deep: true });",
    102,
    [102, 102],
  ],
  ["other quotation marks", "throw new NotFound('no cart of this user')", 105, [105, 105]],
  ["HTML entities", "async load(userName: string, options: Options): Promise&lt;Cart&gt; {", 101, [101, 101]],
  [
    "the more alike of two lines, not the changed or the nearer one",
    "    const total2 = sumOff(cart.items, options);",
    107,
    [110, 110],
  ],
  ["the twin at the line", "    return cart;", 111, [111, 111]],
  ["the twin that is much nearer to the line", "    return cart;", 112, [111, 111]],
  ["a list whose mark looks like a sign", "    - listed", 113, [113, 113]],
  ["nothing between twins", "    return cart;", 109, null],
  [
    "nothing for code that only resembles a line far from the one given",
    "const carts = await this.carts.find(name, { deep: true });",
    400,
    null,
  ],
  ["nothing for a few words far from the line given", "cart.items", 400, null],
  ["nothing for an ellipsis alone", "...", 104, null],
  ["nothing for pieces in another order", "    return cart;\n...\n    if (cart === null) {", 107, null],
];

for (const [what, quote, lineHint, expected] of MISQUOTES) {
  test(`places ${what}`, () => {
    const anchor = anchorFinding(findingOf({ path: SHOP.path, quote, lineHint }), SHOP);
    assert.deepEqual(anchor && [anchor.startLine, anchor.endLine], expected);
    if (anchor === null) return;
    // A placed finding is placed there again from its own lines.
    const again = findingOf({ path: SHOP.path, quote: anchor.lines.join("\n"), lineHint: anchor.startLine });
    assert.deepEqual(anchorFinding(again, SHOP), { ...anchor, method: "exact" });
  });
}

test("an exact quote is placed whole where removed lines look like its beginning", () => {
  const file = changedFile({
    path: "src/a.go",
    status: "modified",
    newStart: 10,
    lines: [
      "   one();",
      "   }",
      "-  if old() {",
      "-    return err",
      "-  }",
      "+  if three() {",
      "+    return err",
      "   }",
    ],
  });
  const quote = "  }\n  if three() {\n    return err";
  for (const lineHint of [11, 12, 13, null]) {
    const anchor = anchorFinding(findingOf({ path: file.path, quote, lineHint }), file);
    assert.deepEqual(anchor && [anchor.startLine, anchor.endLine, anchor.method], [11, 13, "exact"]);
  }
});

test("an ambiguous quote is distinguished from a missing one, and lists its possible places", () => {
  const located = locateFinding(
    findingOf({ path: SHOP.path, quote: "    return cart;", lineHint: null }),
    SHOP,
  );
  assert.ok(located.kind === "ambiguous");
  assert.deepEqual(
    located.anchors.map(({ startLine }) => startLine),
    [107, 111],
  );
  const nowhere = locateFinding(findingOf({ path: SHOP.path, quote: "database.query(sql)" }), SHOP);
  assert.equal(nowhere.kind, "not-found");
});

/** Files of the largest size, and quotes that made looking for them slow. */
const LARGE: Readonly<Record<string, readonly string[]>> = {
  "of usual code": Array.from(
    { length: 19_000 },
    (_, at) => `+  const value${at} = compute(${at}, "some text");`,
  ),
  "of one line": Array.from(
    { length: 20_000 },
    () => '+  const value = compute(1, "some text of usual length");',
  ),
  "of brackets": Array.from({ length: 20_000 }, () => "+}"),
  "of one letter": Array.from({ length: 500 }, () => `+${"a".repeat(3_999)}`),
};
const SLOW_QUOTES: Readonly<Record<string, string>> = {
  "nearly the last line": '  const valu18999 = compute(18999, "some text");',
  "many alike lines": `${'  const value = comput(1, "some text of usual length");\n'.repeat(48)}zzzzzzzzzzzzzzzzz`,
  "a long line that nearly repeats": `\`\`\`\n${"a".repeat(3_900)}b\n\`\`\``,
  brackets: "}\n".repeat(49),
  "many gaps": "a...".repeat(1_000),
  "gaps between brackets": "}...".repeat(19),
  "a comment of spaces": `// ${" ".repeat(3_900)}x`,
};

for (const [what, lines] of Object.entries(LARGE)) {
  test(`looks for any quote within bounds, in a large file ${what}`, () => {
    const file = changedFile({ path: "src/large.ts", lines });
    for (const [name, quote] of Object.entries(SLOW_QUOTES)) {
      for (const lineHint of [null, 5, 18_000]) {
        const startedAt = process.cpuUsage();
        locateFinding(findingOf({ path: file.path, quote, lineHint }), file);
        const ms = process.cpuUsage(startedAt).user / 1_000;
        // Half a second at most on the machine it was measured on; without bounds it is 3 to 8.
        assert.ok(ms < 2_500, `${name}, line ${lineHint}: ${ms} ms`);
      }
    }
  });
}

for (const [what, quote, lineHint, sideHint, expected] of CASES) {
  test(`places ${what}`, () => {
    const anchor = anchorFinding(findingOf({ quote, lineHint, sideHint }), FILE);
    const found = anchor && [anchor.side, anchor.startLine, anchor.endLine, anchor.method, anchor.isChanged];
    assert.deepEqual(found, expected);
  });
}
