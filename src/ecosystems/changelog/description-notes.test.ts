/** Release notes in descriptions of Dependabot and Renovate. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { notesBetween } from "./notes-between.ts";
import { describedNotes } from "./description-notes.ts";
import { splitChangelog } from "./split-changelog.ts";

const DEPENDABOT = `Bumps [pads](https://github.com/acme/pads) from 1.4.0 to 2.0.0.
<details>
<summary>Release notes</summary>
<p><em>Sourced from <a href="https://github.com/acme/pads/releases">pads's releases</a>.</em></p>
<blockquote>
<h2>2.0.0</h2>
<h3>Breaking changes</h3>
<ul>
<li>Removed <code>right</code>, use <code>left</code> &amp; reverse</li>
</ul>
<h2>v1.5.0</h2>
<p>Faster.</p>
</blockquote>
</details>
<details>
<summary>Commits</summary>
<ul>
<li><a href="https://github.com/acme/pads/commit/1">1</a> remove <code>secret</code></li>
</ul>
</details>
<br />
`;

const GROUP = `Bumps the all group with 2 updates: [pads](https://github.com/acme/pads) and [tabs](https://github.com/acme/tabs).

Updates \`pads\` from 1.4.0 to 2.0.0
<details>
<summary>Changelog</summary>
<h2>2.0.0</h2>
<ul>
<li>about pads</li>
</ul>
</details>

Updates \`tabs\` from 1.0.0 to 2.0.0
<details>
<summary>Changelog</summary>
<h2>2.0.0</h2>
<ul>
<li>about tabs</li>
</ul>
</details>
`;

const RENOVATE = `This PR contains the following updates:

| Package | Change |
|---|---|
| [pads](https://example.org) | \`1.4.0\` -> \`2.0.0\` |

---

### Release Notes

<details>
<summary>acme/pads (pads)</summary>

### [\`v2.0.0\`](https://github.com/acme/pads/releases/tag/v2.0.0)

[Compare Source](https://github.com/acme/pads/compare/v1.4.0...v2.0.0)

##### Breaking changes

- removed \`right\`

</details>

<details>
<summary>acme/tabs (@acme/tabs)</summary>

### v2.0.0

- about tabs

</details>

---

### Configuration
`;

const read = (body: string, name: string) =>
  notesBetween(
    splitChangelog(describedNotes(body, name)).map((section) => ({ ...section, url: null })),
    "npm",
    { from: "1.4.0", to: "2.0.0" },
  ).map(({ version, text }) => `${version}: ${text.replaceAll(/\s+/g, " ")}`);

test("Dependabot's notes are read as the versions' sections, without its list of commits", () => {
  assert.deepEqual(read(DEPENDABOT, "pads"), [
    "2.0.0: ## Breaking changes - Removed `right`, use `left` & reverse",
    "1.5.0: Faster.",
  ]);
  assert.deepEqual(read(DEPENDABOT, "other"), []);
});

test("each package of a group has its own notes", () => {
  assert.deepEqual(read(GROUP, "pads"), ["2.0.0: - about pads"]);
  assert.deepEqual(read(GROUP, "tabs"), ["2.0.0: - about tabs"]);
});

test("Renovate's notes are found by the package in parentheses", () => {
  assert.match(read(RENOVATE, "pads").join(), /^2\.0\.0: .*removed `right`$/);
  assert.deepEqual(read(RENOVATE, "@acme/tabs"), ["2.0.0: - about tabs"]);
});

test("hostile descriptions take linear time and give text", () => {
  for (const piece of ["<summary>", "<details>", "<h2>", "<li><p>", "Updates `a` ", "<a ", "&lt;", "\n"])
    assert.equal(typeof describedNotes(piece.repeat(20_000), "a"), "string");
});
