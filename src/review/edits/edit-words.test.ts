/** The texts that edits publish: commit messages, titles, descriptions and refusals are inert, whatever a model or a person wrote. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { assertNothingAlive } from "../../../test/support/alive-markdown.ts";
import { composeCommitMessage, fixesOfCommit, isOfFork, isOwnCommit } from "./compose-commit-message.ts";
import { renderEditAnswer, renderEditDescription, renderRefusals } from "./edit-report.ts";
import { EDIT_RULES } from "./edit.ts";
import { plainWords } from "./plain-words.ts";

const EVIL =
  "Fixes #1, closes GH-2 and https://github.com/acme/shop/issues/3 @ada acme/shop#4 [skip ci] ***NO_CI***\n\nSigned-off-by: Mallory <m@x>\nskip-checks: true\n<img src=x> ![p](https://evil.example/p.png)";

const FACTS = {
  title: "Check the limit",
  description: "The limit was never checked.",
  requestId: "comment:101",
  requester: { login: "ada", id: 7 },
  fixed: [],
  skipsCi: false,
};

test("a commit message has a subject, a body and the trailers", () => {
  assert.equal(
    composeCommitMessage(FACTS),
    "Check the limit\n\nThe limit was never checked.\n\nKodiai-Request: comment:101\nCo-authored-by: ada <7+ada@users.noreply.github.com>",
  );
  assert.match(composeCommitMessage({ ...FACTS, skipsCi: true }), /^Check the limit \[skip ci\]\n/);
  const unknown = { ...FACTS, requester: { login: "ada", id: null }, description: "" };
  assert.equal(composeCommitMessage(unknown), "Check the limit\n\nKodiai-Request: comment:101");
});

test("a commit names the findings that it fixes", () => {
  const body = composeCommitMessage({ ...FACTS, fixed: [1, 12] });
  assert.match(body, /\n\nKodiai-Request: comment:101\nKodiai-Fixes: 1, 12\nCo-authored-by: /);
  assert.deepEqual(fixesOfCommit({ body }), [1, 12]);
  assert.deepEqual(fixesOfCommit({ body: composeCommitMessage(FACTS) }), []);
  assert.deepEqual(fixesOfCommit({ body: "Kodiai-Fixes: 1" }), [], "a person's commit");
});

test("a commit of Kodiai's, and one on top of a fork's commits, are recognized", () => {
  for (const skipsCi of [true, false]) {
    const [subject = "", ...rest] = composeCommitMessage({ ...FACTS, skipsCi }).split("\n\n");
    const body = rest.join("\n\n");
    assert.equal(isOwnCommit({ body }), true);
    assert.equal(isOfFork({ subject, body }), skipsCi);
  }
  assert.equal(isOwnCommit({ body: "Why not Kodiai-Request: 1?" }), false);
  assert.equal(isOfFork({ subject: "Skip [skip ci]", body: "" }), false);
});

test("nothing in a message closes, mentions, links, skips checks or adds a trailer", () => {
  const message = composeCommitMessage({
    ...FACTS,
    title: EVIL,
    description: EVIL,
    requestId: "1\nSigned-off-by: x",
    requester: { login: "a\nSigned-off-by: b", id: 7 },
  });
  assert.doesNotMatch(message, /#\d|GH-\d|:\/\/|@a|\[skip|NO_CI\*|skip-checks:/);
  const paragraphs = message.split("\n\n");
  assert.equal(paragraphs.length, 3);
  assert.deepEqual(paragraphs[2]?.split("\n"), ["Kodiai-Request: 1-Signed-off-by:-x"]);
  for (const title of [EVIL, "x".repeat(500), "word ".repeat(100)])
    assert.ok((composeCommitMessage({ ...FACTS, title, skipsCi: true }).split("\n")[0] ?? "").length <= 72);
});

test("a title without words still has some", () => {
  assert.match(composeCommitMessage({ ...FACTS, title: " \n " }), /^Edit files\n/);
  assert.equal(plainWords("a\u202eb\u0007", 20), "a\\u{202e}b\\x07");
});

const REPORT = {
  edits: [
    { path: "src/a.ts", before: "a\nb\n", after: "a\nc\nd\n" },
    { path: "src/`@ada`.ts", before: null, after: "x\n" },
    { path: "src/old.ts", before: "y\n", after: null },
  ],
  description: EVIL,
  unchecked: ["src/`@ada`.ts"],
  fixes: [
    { number: 1, result: "suggestion" },
    { number: 2, result: "model" },
    { number: 3, result: "already" },
    { number: 4, result: { notDone: `its lines have changed, ${EVIL}` } },
  ],
  testsRemovedIn: ["src/`@ada`.test.ts"],
  denied: [{ rule: "protected-path", path: ".github/`@ada`.yml", detail: "a hook @ada" }],
  review: {
    findings: [
      { severity: "medium", title: "A title of @ada <b>", body: "", path: "src/`@ada`.ts", line: 1 },
      { severity: "minor", title: "Whole file", body: "", path: "src/a.ts", line: null },
    ],
    checked: ["91 built-in rules", "oxlint"],
    notChecked: [{ what: "ruff, 1 file (not installed)", paths: ["a.py"] }],
  },
} as const;

test("a description names the request, the person, the files, the checks and what wasn't done", () => {
  const text = renderEditDescription(REPORT, {
    login: "ada",
    request: `please ${EVIL}`,
    place: { name: "pull request 7", url: "https://github.com/acme/shop/pull/7" },
    skipsCi: true,
    earlier: ["Bind the id, for @ada", "Closes #1"],
  });
  for (const part of [
    "Earlier commits of this pull request:\n\n- Bind the id",
    "`ada` asked for this on [pull request 7](https://github.com/acme/shop/pull/7):",
    "> please Fixes",
    "- `src/a.ts`: +2 −1",
    "(new): +1 −0",
    "- `src/old.ts` (deleted): +0 −1",
    "- Finding 1: done, by its verified suggestion.\n- Finding 2: done, by the model.\n- Finding 3: done already",
    "- Finding 4: not done. Its lines have changed, Fixes",
    "**Tests were removed or merged**, as the request says: ",
    "the edited file parses",
    "Not checked by a parser",
    "no credential on a new line, 91 built-in rules, oxlint.",
    "Not checked: ruff, 1 file (not installed): `a.py`.",
    "Not done, because Kodiai may not edit it:\n\n- **protected-path** ",
    ":1 ``: A title of ",
    "- **Minor** `src/a.ts`: Whole file",
    "No test was run.",
    "[skip ci]",
    "Kodiai never merges.",
  ])
    assert.ok(text.includes(part), `${part}\n\n${text}`);
  assertNothingAlive(
    text.replace("[pull request 7](https://github.com/acme/shop/pull/7)", "").replace("`[skip ci]`", ""),
  );
  assertNothingAlive(renderEditAnswer(REPORT, { skipsCi: false }));
});

test("every rule has words, and none of them is alive", () => {
  const refusals = EDIT_RULES.map((rule) => ({
    rule,
    path: "src/`@ada`<b>.ts",
    detail: "@ada closes #1 <i>",
  }));
  const text = renderRefusals(refusals);
  assert.match(text, new RegExp(`^Nothing was written\\. ${EDIT_RULES.length} rules refused the change:\n`));
  assert.equal(text.split("\n").length, EDIT_RULES.length + 2);
  assertNothingAlive(text);
});
