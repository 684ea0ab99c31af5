import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { announcesBreakingChange, hasBreakingFooter } from "./breaking-change.ts";

const ANNOUNCED: readonly string[] = [
  "This is a breaking change.",
  "This PR introduces breaking changes for all callers.",
  "BREAKING CHANGE: the flag is gone",
  "Renames the flag. Breaking change!",
  "**Breaking change**: `a` is now `b`.",
  "The new format is backwards incompatible.",
  "This breaks backward compatibility with v1.",
  "It does not add a flag, but it is a breaking change.",
  "- [x] Breaking change",
  "* [X] Breaking change (fix or feature that would cause existing functionality to change)",
  "## Type of change\n\n- [ ] Bug fix\n- [x] Breaking change\n",
  "**Does this PR introduce a breaking change?**\n\n- [x] Yes\n- [ ] No",
  "Does this PR introduce a breaking change? Yes",
  "### Is this a breaking change?\n\nYes, callers must pass a name.",
  "## Breaking changes\n\nThe `a` option was removed.",
  "## Breaking changes\n\n- No longer supports Node 18",
  "Breaking changes:\n- a is gone",
  "| Q | A |\n| --- | --- |\n| Breaking change? | yes |",
  "<!-- No breaking changes -->\nThis is a breaking change.",
  "```\ncode\n```\nThis is a breaking change.",
];

const NOT_ANNOUNCED: readonly string[] = [
  "",
  "Fixes a typo.",
  "No breaking changes.",
  "There are no known breaking changes.",
  "This is not a breaking change.",
  "This isn't a breaking change.",
  "This isn’t a breaking change.",
  "This should not be a breaking change.",
  "Adds a flag without any breaking changes.",
  "A non-breaking change.",
  "Breaking changes: none",
  "Breaking change: No",
  "Breaking changes: N/A",
  "**Breaking changes**: none",
  "- [ ] Breaking change",
  "- [ ] Breaking change (fix or feature that would cause\n      existing functionality to break: a breaking change)",
  "1. [ ] This is a breaking change",
  "## Type of change\n\n- [x] Bug fix\n- [ ] Breaking change\n",
  "## Type of change\n\nDelete what is not relevant:\n\n- Bug fix\n- Breaking change\n\n## How\n\nTested.",
  "**Does this PR introduce a breaking change?**\n\n- [ ] Yes\n- [x] No",
  "Does this PR introduce a breaking change? No",
  "Does this PR introduce a breaking change?\n\nNo.",
  "## Breaking changes\n\nNone",
  "## Breaking changes\n\nN/A\n\n## Notes\n\nBody",
  "## Breaking changes\n\n<!-- Describe them -->\n\n## Notes\n\nBody",
  "## Breaking changes\n\nNo breaking changes.",
  "## No breaking changes",
  "| Breaking change? | no |",
  "```\nThis is a breaking change.\n```",
  "~~~md\nBREAKING CHANGE: x\n~~~",
  "````\n```\nThis is a breaking change.\n````",
  "Parses `BREAKING CHANGE: x` footers.",
  "<!-- This is a breaking change. -->",
  "<!--\nThis is a breaking change.",
  "> This is a breaking change.",
  "<details>\n<summary>Release notes</summary>\n\n### BREAKING CHANGES\n\n- x\n</details>",
  "~~This is a breaking change.~~",
  "Detects breaking changes in pull requests.",
  "Fixes the breaking change of last week.",
  "A guide for breaking changes.",
  "The groundbreaking changes of 2020.",
  "- [x] I checked that there are no breaking changes",
];

test("announcements are found", () => {
  for (const body of ANNOUNCED) assert.ok(announcesBreakingChange(body), body);
});

test("templates, denials and code aren't announcements", () => {
  for (const body of NOT_ANNOUNCED) assert.ok(!announcesBreakingChange(body), body);
});

const FOOTERS: readonly [body: string, isBreaking: boolean][] = [
  ["BREAKING CHANGE: a is gone", true],
  ["text\n\nBREAKING-CHANGE: a is gone\nSigned-off-by: x", true],
  ["text\r\n\r\nBREAKING CHANGE: a\r\n", true],
  ["BREAKING CHANGE:\n\na is gone", true],
  ["BREAKING CHANGE: none", false],
  ["BREAKING CHANGE: N/A", false],
  ["breaking change: a", false],
  ["see BREAKING CHANGE: a", false],
  ["BREAKING CHANGES", false],
  ["", false],
];

test("footers follow the conventional commits grammar", () => {
  for (const [body, isBreaking] of FOOTERS) assert.equal(hasBreakingFooter(body), isBreaking, body);
});

test("no text makes it fail, and text in a code block is never an announcement", () => {
  const part = fc.constantFrom(
    "breaking change",
    "\n",
    "- [ ] ",
    "- [x] ",
    "`",
    "```",
    "<!--",
    "-->",
    "# ",
    "?",
    "no ",
    "|",
    "**",
  );
  const text = fc.oneof(
    fc.string(),
    fc.array(part, { maxLength: 30 }).map((parts) => parts.join("")),
  );
  const property = fc.property(text, (body) => {
    assert.equal(typeof announcesBreakingChange(body), "boolean");
    assert.equal(announcesBreakingChange("`````\n" + body.replaceAll("`````", "") + "\n`````"), false);
  });
  fc.assert(property);
});
