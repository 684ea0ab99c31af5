import assert from "node:assert/strict";
import { test } from "node:test";
import { findChangedNames } from "./changed-names.ts";
import { excerptChangelog } from "./excerpt-changelog.ts";
import { assertLinear } from "../../../test/support/assert-linear.ts";

const excerptOf = (...texts: readonly string[]) =>
  excerptChangelog({
    origin: "archive",
    notes: texts.map((text, index) => ({ version: `${texts.length - index}.0.0`, text, url: null })),
    compareUrl: null,
  });

test("an excerpt has 2,000 characters of the newest notes", () => {
  const long = "- a change\n".repeat(300);
  const { notes, omittedChars } = excerptOf("- first", long, "- never shown");
  assert.deepEqual(
    notes.map(({ version }) => version),
    ["3.0.0", "2.0.0"],
  );
  const keptChars = notes.reduce((sum, { text }) => sum + text.length, 0);
  assert.ok(keptChars <= 2_000 && keptChars > 1_900);
  assert.equal(keptChars + omittedChars, "- first".length + long.length + "- never shown".length);
});

test("breaking notes and names are found behind the excerpt", () => {
  const { breaking, symbols } = excerptOf(`${"- a change\n".repeat(300)}\n- **BREAKING**: removed \`open\``);
  assert.deepEqual(breaking, ["- **BREAKING**: removed `open`"]);
  assert.deepEqual(symbols, ["open"]);
});

test("a character isn't cut in two", () => {
  const { notes } = excerptOf("😀".repeat(1_500));
  assert.ok(notes[0]?.text.isWellFormed());
});

const BREAKING: readonly [text: string, breaking: readonly string[]][] = [
  ["### Breaking Changes\n\n- `a` takes two\n- b\n\n### Fixes\n\n- c", ["- `a` takes two", "- b"]],
  ["### BREAKING CHANGE\n* **core:** a", ["* **core:** a"]],
  ["**Breaking:**\n- a\n\n**Fixes**\n- b", ["- a"]],
  ["### Removed\n- Old things\n- `old`", ["- `old`"]],
  ["- Removed an unused dependency\n- Dropped the build step", []],
  ["- feat(api)!: new names\n- feat: more", ["- feat(api)!: new names"]],
  ["- Drop support for Node 18", ["- Drop support for Node 18"]],
  ["- `a` has been removed\n- Removed `b`\n- a bug was fixed", ["- `a` has been removed", "- Removed `b`"]],
  ["This release is backwards incompatible.", ["This release is backwards incompatible."]],
  ["- No breaking changes\n- non-breaking rename\n### No breaking changes\n- a", []],
  ["- Fixed the removal of items", []],
  ["## Potentially breaking changes\n\n- Nothing yet.\n\n## Core\n- a", []],
  ["### Breaking\n\nNone\n\n### Fixes\n- a", []],
  ["CAVEATS / POTENTIALLY BREAKING CHANGES\n\n- Nothing yet.\n\nCore Grammars:\n\n- enh(css) a", []],
  ["BREAKING CHANGES:\n\n- `a` takes two\n  and more\n- b\n\nFixes:\n\n- c", ["- `a` takes two", "- b"]],
  ["**Breaking changes:** none", []],
  ["- This doesn't contain any breaking changes\n- It should not be breaking", []],
  ["- fix line breaking\n- avoid breaking old links", []],
  ["### Breaking changes\n\nThe default export is gone.\nUse another.", ["The default export is gone."]],
  ["### Breaking changes\n\n```js\nopen()\n\nclose()\n```", []],
  [
    "## \u26a0\ufe0f `.pick()` disallowed on schemas with refinements",
    ["\u26a0\ufe0f `.pick()` disallowed on schemas with refinements"],
  ],
  ["## \u26a0\ufe0f Deprecations\n- `a`", []],
  [
    "- `pick` is disallowed now\n- `b` is no longer accepted\n- nothing is disallowed",
    ["- `pick` is disallowed now", "- `b` is no longer accepted"],
  ],
];

test("breaking notes", () => {
  for (const [text, breaking] of BREAKING) assert.deepEqual(excerptOf(text).breaking, breaking, text);
});

test("there are at most 20 breaking notes of 300 characters", () => {
  const { breaking } = excerptOf(
    Array.from({ length: 50 }, (_, at) => `- BREAKING ${at} ${"x".repeat(500)}`).join("\n"),
  );
  assert.equal(breaking.length, 20);
  assert.ok(breaking.every(({ length }) => length === 300));
});

const NAMES: readonly [text: string, names: readonly string[]][] = [
  ["- Removed `foo()` and `Bar.baz`", ["foo", "Bar.baz"]],
  ["- Remove `foo` in favor of `bar`", ["foo"]],
  ["- `foo` was removed. Use `bar` instead.", ["foo"]],
  ["- Dropped `foo` from `Bar`", ["foo"]],
  ["- Renamed `foo` to `bar` and `a` to `b`", ["foo", "a"]],
  ["- `foo` has been renamed to `bar`", ["foo"]],
  ["- `foo` no longer accepts `null`", ["foo"]],
  ["- The option `foo` is no longer supported", ["foo"]],
  ["### Removed\n\n- `foo`: it was old\n\n### Added\n\n- `bar`", ["foo"]],
  ["- fix: removed `foo` twice", []],
  ["- Removed the dependency `lodash`", []],
  ["- Drop support for `node` 18", []],
  ["- Removed `npm run test` and `1.2.3`", []],
  ["- Added `foo`", []],
  ["- Removed a thing", []],
];

test("removed, renamed and changed names", () => {
  for (const [text, names] of NAMES) assert.deepEqual(findChangedNames(text), names, text);
});

test("hostile notes take time linear in their length", () => {
  for (const text of [
    "`a` removed ".repeat(50_000),
    "- `a` removed\n".repeat(100_000),
    "breaking ".repeat(100_000),
    "`".repeat(300_000),
  ]) {
    assertLinear(text, excerptOf);
  }
});
