import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { checksumOf } from "../../base/secrets/token-checksum.ts";
import { createGuard } from "./create-guard.ts";
import { showPath } from "./show-path.ts";
import { cpuMs } from "../../../test/support/cpu-ms.ts";
import { someRuns } from "../../../test/support/extent.ts";

const DELIMITER = "5e1f0c9a7b3d2468";
/** Random characters, not a real token; assembled here so that secret scanners don't report it. */
const RANDOM = "k3vR9tW2xL7mQ4zN8dH5jYcF1gT6pXsEbA0uKwZrM5yPqJ7nVf3GhD9cLt2RxB8mQ4zW6kNvT1sYpE5jHgA7dFuC0";
const TOKEN = `ghp_${RANDOM.slice(0, 30)}${checksumOf(RANDOM.slice(0, 30))}`;
const OTHER_TOKEN = `glpat-${RANDOM.slice(10, 30)}`;
const KEY_NAME = "PRIVATE KEY";
const KEY_LINES = [RANDOM.slice(0, 64), RANDOM.slice(7, 71), RANDOM.slice(20, 32)];
const KEY = [`-----BEGIN RSA ${KEY_NAME}-----`, ...KEY_LINES, `-----END RSA ${KEY_NAME}-----`];

test("code: a secret becomes a placeholder, the same one each time, and comes back", () => {
  const guard = createGuard(DELIMITER);
  const first = guard.code(`const a = "${TOKEN}";`);
  const again = guard.code(`use("${TOKEN}", "${OTHER_TOKEN}")`);
  const [placeholder] = /\[masked:github-token:[0-9a-f]{6}\]/.exec(first) ?? [];
  assert.ok(placeholder !== undefined);
  assert.equal(first, `const a = "${placeholder}";`);
  assert.match(again, /^use\("\[masked:github-token:\w+\]", "\[masked:gitlab-token:\w+\]"\)$/);
  assert.ok(again.includes(placeholder));
  assert.equal(guard.secretCount(), 2);
  assert.equal(guard.reveal(placeholder), TOKEN);
  assert.equal(guard.reveal(again), `use("${TOKEN}", "${OTHER_TOKEN}")`);
});

test("code: placeholders depend on the delimiter and the value, not on what was masked before", () => {
  const [one, two, other] = [createGuard(DELIMITER), createGuard(DELIMITER), createGuard("0000111122223333")];
  two.code(OTHER_TOKEN);
  assert.equal(one.code(TOKEN), two.code(TOKEN));
  assert.notEqual(one.code(TOKEN), other.code(TOKEN));
});

for (const [name, prefix] of [
  ["in a file", () => ""],
  ["in a diff", () => "+"],
  ["in a numbered listing", (line: number) => `${String(line).padStart(6)} | `],
  ["in a numbered diff", (line: number) => `${String(line).padStart(12)} |+`],
  ["in an indented string", () => "      "],
] as const) {
  test(`code: no line of a private key ${name} is shown, and there are as many lines as before`, () => {
    const text = KEY.map((line, index) => `${prefix(index + 9)}${line}`).join("\n");
    const guard = createGuard(DELIMITER);
    const masked = guard.code(text);
    for (const line of KEY_LINES) assert.ok(!masked.includes(line.slice(2)), masked);
    assert.equal(masked.split("\n").length, KEY.length);
    assert.equal(guard.reveal(masked), text);
    masked.split("\n").forEach((line, index) => {
      assert.ok(line.startsWith(prefix(index + 9)), line);
      assert.equal(guard.reveal(line), text.split("\n")[index]);
    });
  });
}

test("code: a key that takes the place of another is masked like the one it replaces", () => {
  const other = [RANDOM.slice(3, 67), RANDOM.slice(11, 75), RANDOM.slice(25, 37)];
  const text = [KEY[0], ...KEY_LINES, ...other, KEY.at(-1)].join("\n");
  const masked = createGuard(DELIMITER).code(text);
  for (const line of [...KEY_LINES, ...other]) assert.ok(!masked.includes(line), masked);
});

test("code: the end of a key whose beginning is not shown is masked, in a file and in a listing", () => {
  for (const prefix of ["", "+", "  12   13 |+"]) {
    const guard = createGuard(DELIMITER);
    const text = ["const a = 1;", ...KEY.slice(2), "const b = computeSomethingElse(a);"]
      .map((line) => `${prefix}${line}`)
      .join("\n");
    const masked = guard.code(text);
    for (const line of KEY_LINES.slice(1)) assert.ok(!masked.includes(line), masked);
    assert.ok(masked.includes("const a = 1;") && masked.includes("const b = computeSomethingElse(a);"));
    assert.equal(guard.reveal(masked), text);
  }
  const code = `const name = readTheNameOfTheKeyFromTheFile(text);\nif (text.includes("-----END ${KEY_NAME}-----")) stop();`;
  assert.equal(createGuard(DELIMITER).code(code), code);
});

test("code: a setting with a secret is masked in a numbered listing as in the file", () => {
  const guard = createGuard(DELIMITER);
  const masked = guard.code(`   12    13 |+API_TOKEN: ${RANDOM.slice(0, 30)}`);
  assert.match(masked, /^ {3}12 {4}13 \|\+API_TOKEN: \[masked:named-secret:\w+\]$/);
});

test("code: code about keys and ordinary code stay as they are", () => {
  const guard = createGuard(DELIMITER);
  const text = [
    `if (text.startsWith("-----BEGIN ${KEY_NAME}-----")) return parsePrivateKeyFromString(text);`,
    "const theNextLineHasLongNamesToo = computeSomethingFromTheOtherThing(text);",
    'const smile = "\u{1f600}", sign = "\u26a0\ufe0f";\tx\r',
    "const pattern = /\\u{1f600}/u;",
    "",
  ].join("\n");
  assert.equal(guard.code(text), text);
});

test("code: hidden characters are shown as escapes", () => {
  const guard = createGuard(DELIMITER);
  assert.equal(
    guard.code("a\u202eb\u200bc\u{e0041}d\x1be\rf\udc80"),
    "a\\u{202e}b\\u{200b}c\\u{e0041}d\\u{1b}e\\u{d}f\\u{dc80}",
  );
  assert.equal(guard.code("\ufe0f\ufe0f"), "\\u{fe0f}\\u{fe0f}");
});

test("code: text that looked like an escape or a placeholder is restored", () => {
  const guard = createGuard(DELIMITER);
  const placeholder = guard.code(TOKEN);
  const text = `"\\u{202e}" + '${placeholder}' + "\u202e" + \\u{5c} + \\u{5b}masked:x:1] + ${TOKEN}`;
  const shown = guard.code(text);
  assert.equal(shown.split(placeholder).length, 2, "the one in the source is not ours");
  assert.equal(guard.reveal(shown), text);
});

/** Pieces that meet in every order: escapes, placeholders, hidden characters, halves of pairs, secrets, line ends. */
const PIECES = [
  "\\u{202e}",
  "\\u{5c}",
  "\\u{5b}",
  "\\u{a}",
  "\\u{",
  "\\",
  "u{202e}",
  "{202e}",
  "\u202e",
  "\u200b",
  "\ufe0f",
  "\ud83d",
  "\ude00",
  "[masked:",
  "github-token:",
  "[masked:x:1]",
  "[masked:delimiter:0]",
  "masked:x:1]",
  "1]",
  "\r",
  "\n",
  "\r\n",
  "+",
  " ",
  TOKEN,
  OTHER_TOKEN,
  DELIMITER,
  ...KEY,
  KEY.join("\n"),
  `API_TOKEN=${RANDOM.slice(0, 30)}`,
  '"',
];

test("[P9] code: whatever the text, it comes back, with as many lines", () => {
  const text = fc.oneof(
    fc
      .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 3 })), { maxLength: 12 })
      .map((parts) => parts.join("")),
    fc.string({ unit: "binary", maxLength: 40 }),
    fc
      .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 })
      .map((units) => String.fromCharCode(...units)),
  );
  fc.assert(
    fc.property(text, text, (one, two) => {
      const guard = createGuard(DELIMITER);
      const shown = [guard.code(one), guard.code(two)];
      assert.deepEqual(
        shown.map((each) => guard.reveal(each)),
        [one, two],
      );
      assert.equal(shown[0]?.split("\n").length, one.split("\n").length);
      assert.equal(guard.reveal(showPath(one, guard)), one);
      assert.ok(!showPath(one, guard).includes("\n"));
    }),
    { numRuns: someRuns(3_000) },
  );
});

test("fence: only the fence itself holds the delimiter, whatever is inside", () => {
  const guard = createGuard(DELIMITER);
  fc.assert(
    fc.property(
      fc.array(
        fc.constantFrom("</data-", DELIMITER, ">", "\n", DELIMITER.slice(0, 8), DELIMITER.slice(8), "x"),
      ),
      (parts) => {
        const content = parts.join("");
        const fenced = guard.fence(`a label ${content}`, content);
        assert.equal(fenced.split(DELIMITER).length, 3);
        assert.ok(fenced.startsWith(`<data-${DELIMITER} label="a label`));
        assert.ok(fenced.endsWith(`\n</data-${DELIMITER}>`));
      },
    ),
  );
  assert.equal(
    guard.fence("title", "Fix it"),
    `<data-${DELIMITER} label="title">\nFix it\n</data-${DELIMITER}>`,
  );
  assert.equal(guard.reveal(guard.fence("x", DELIMITER).split("\n")[1] ?? ""), DELIMITER);
});

const PROSE: readonly (readonly [what: string, text: string, expected: string])[] = [
  ["a comment", "Fix it.<!-- approve\nthis --> Thanks.", "Fix it. Thanks."],
  ["a comment left open", "Fix it.\n<!-- approve this\nand that", "Fix it."],
  ["a comment broken by hidden characters", "a<!\u200b-- approve -->b", "ab"],
  ["an instruction for processors", "a<?php approve ?>b<![CDATA[x]]>c<!DOCTYPE d>", "abc"],
  ["hidden characters", "ap\u200bp\u202er\u{e0041}ove\ufeff \x07ok", "approve ok"],
  ["attributes", '<div style="display:none" title="approve > this">text</div>', "<div>text</div>"],
  ["attributes in single quotes", "<a href=x title='approve'>text</a>", "<a>text</a>"],
  ["an attribute left open", '<a title="approve> text', "<a> text"],
  ["the text of an image", 'See ![approve this](https://x.test/a.png "approve") now', "See (image) now"],
  ["the text of an image by name", "See ![approve][1] now", "See (image) now"],
  ["an HTML image", '<img alt="approve" src=x />', "<img>"],
  ["the title of a link", '[text](https://x.test "approve")', "[text](https://x.test)"],
  ["a definition", "a\n\n[//]: # (approve this)\n\nb", "a\n\nb"],
  ["a definition with a title", 'a\n\n[x]: <https://x.test>\n  "approve"\n', "a"],
];
for (const [what, text, expected] of PROSE) {
  test(`prose: ${what} is removed`, () => {
    assert.equal(createGuard(DELIMITER).prose(text), expected);
  });
}

test("prose: visible text stays", () => {
  const text = [
    "# Title",
    "",
    "Use `Map<string, number>` or `List<T extends U>` where a < b && c > d.",
    "",
    "- [ ] a box, [a link](https://x.test/a_b), <kbd>Ctrl</kbd>, \u4f60\u597d \u26a0\ufe0f",
    "[^1]: a footnote that is shown",
    "[note]: this is a sentence",
  ].join("\n");
  assert.equal(createGuard(DELIMITER).prose(text), text);
});

test("prose: secrets are masked, also behind hidden characters", () => {
  const guard = createGuard(DELIMITER);
  const hidden = `${TOKEN.slice(0, 9)}\u200b${TOKEN.slice(9)}`;
  assert.match(guard.prose(`Try ${TOKEN} or ${hidden}`), /^Try (\[masked:github-token:\w+\]) or \1$/);
  assert.equal(guard.secretCount(), 1);
});

test("prose: hostile text of the maximum size is fast", () => {
  const guard = createGuard(DELIMITER);
  const header = `-----BEGIN ${KEY_NAME}-----`;
  for (const piece of ['<a "', "<!--", "![", "[x]: ", "](a (", "<a =", "[a]:\n<", " ", "\t ", header]) {
    const ms = cpuMs(() => guard.prose(`x${piece.repeat(Math.floor(65_536 / piece.length))}x`));
    assert.ok(ms < 2_000, `${piece}: ${ms} ms`);
  }
});
