import assert from "node:assert/strict";
import { test } from "node:test";
import { splitChangelog, versionInTitle } from "./split-changelog.ts";
import { assertLinear } from "../../../test/support/assert-linear.ts";

const TITLES: readonly [title: string, version: string | null][] = [
  ["[1.2.3] - 2024-01-31", "1.2.3"],
  ["[1.2.3](https://github.com/a/b/compare/v1.2.2...v1.2.3) (2024-01-31)", "1.2.3"],
  ["v1.2.3", "1.2.3"],
  ["V4", "4"],
  ["**v1.2.3**", "1.2.3"],
  ["`1.2.3`", "1.2.3"],
  ["Version 1.2.3", "1.2.3"],
  ["Version 2", "2"],
  ["Release 1.2", "1.2"],
  ["🎉 1.2.3", "1.2.3"],
  ["1.2.3 / 2015-01-31", "1.2.3"],
  ["1.2.3:", "1.2.3"],
  ["1.2.3.RELEASE", "1.2.3.RELEASE"],
  ["2.0.0-beta.1 (unreleased)", "2.0.0-beta.1"],
  ["2.0.0rc1", "2.0.0rc1"],
  ["@scope/name@1.2.3", "1.2.3"],
  ["name v1.2.3", "1.2.3"],
  ["name-1.2.3", "1.2.3"],
  ["Express 5.0.0", "5.0.0"],
  ["2024-01-31, Version 20.1.0 (Current), @someone", "20.1.0"],
  ['<a name="1.2.3"></a>1.2.3', "1.2.3"],
  ["What's new in 2.0", "2.0"],
  ["Unreleased", null],
  ["3 new features", null],
  ["2024-01-31", null],
  ["Upgrading from 1.2.3", null],
  ["Features", null],
  ["1.2.3/4 of the users", null],
  ["", null],
];

test("the version of a title", () => {
  for (const [title, version] of TITLES) assert.equal(versionInTitle(title), version, title);
});

const EXPECTED = [
  { version: "2.0.0", text: "- new" },
  { version: "1.9.0", text: "- old" },
];

const FILES: Readonly<Record<string, string>> = {
  markdown: "# Changelog\n\nAbout it.\n\n## [2.0.0] - 2024-01-31\n\n- new\n\n## [1.9.0]\n\n- old\n",
  "Windows line ends": "## 2.0.0\r\n\r\n- new\r\n## 1.9.0\r\n- old\r\n",
  underlined:
    "2.0.0 / 2024-01-31\n==================\n\n- new\n\n1.9.0 / 2023-01-31\n==================\n\n- old\n",
  reStructuredText:
    "Changes\n#######\n\nVersion 2.0.0\n-------------\n\n- new\n\nVersion 1.9.0\n-------------\n\n- old\n",
  "tildes below titles": "2.0.0 (new)\n~~~~~~~~~~~\n\n- new\n\n1.9.0\n~~~~~\n\n- old\n",
  RDoc: "=== 2.0.0 / 2024-01-31\n\n- new\n\n=== 1.9.0\n\n- old\n",
  "plain text": "v2.0.0 (2024-01-31)\n- new\n\nv1.9.0 (2023-01-31)\n- old\n",
  bold: "**2.0.0**\n\n- new\n\n**1.9.0**\n- old\n",
  "an unreleased section": "## Unreleased\n\n- next\n\n## 2.0.0\n\n- new\n\n## 1.9.0\n- old",
};

for (const [what, text] of Object.entries(FILES)) {
  test(`sections of ${what}`, () => assert.deepEqual(splitChangelog(text), EXPECTED));
}

test("titles inside a section belong to it, and code isn't a title", () => {
  const body = "### Breaking\n\n- a\n\n```sh\n# 1.0.0\n```\n\n1.5.0 is mentioned\n\n#### Fixes\n\n- b";
  assert.deepEqual(splitChangelog(`## 2.0.0\n\n${body}\n\n## 1.9.0\n`), [
    { version: "2.0.0", text: body },
    { version: "1.9.0", text: "" },
  ]);
});

test("two sections of one version are one", () => {
  assert.deepEqual(splitChangelog("## 1.0.0\na\n## 1.0.0\nb"), [{ version: "1.0.0", text: "a\n\nb" }]);
});

test("hostile texts take time linear in their length", () => {
  for (const text of [
    "#".repeat(100_000),
    "## 1.".repeat(100_000),
    "[".repeat(200_000),
    `## ${"[](".repeat(50)}\n`.repeat(5_000),
    `${"1.".repeat(70)}\n`.repeat(10_000),
    `${"*_`".repeat(50)}1.0.0\n---\n`.repeat(5_000),
    "## 1.0.0\n".repeat(100_000),
    `a ${"-".repeat(150)}\n`.repeat(10_000),
  ]) {
    assertLinear(text, splitChangelog);
  }
});
