import assert from "node:assert/strict";
import { test } from "node:test";
import { parseCommand } from "./parse-command.ts";

const COMMENTS: readonly (readonly [body: string, command: ReturnType<typeof parseCommand>])[] = [
  // Review commands.
  ["@kodiai review", "review"],
  ["/kodiai review", "review"],
  ["@kodiai full review", "full-review"],
  ["@KODIAI Review", "review"],
  ["@kodiai[bot] review", "review"],
  ["@kodiai, review this again", "review"],
  ["@kodiai: review", "review"],
  ["@kodiai please review", "review"],
  ["/kodiai full review", "full-review"],
  ["@kodiai please do a full review", "full-review"],
  ["@kodiai Full  Review, please", "full-review"],
  ["@kodiai review in full", "review"],
  ["@kodiai resume", "resume"],
  ["/kodiai Resume reviews", "resume"],
  ["@kodiai please resume", "resume"],
  ["  @kodiai   review  ", "review"],
  ["@kodiai review?", "review"],
  ["Thanks!\r\n\r\n@kodiai review\r\n", "review"],
  ["@kodiai review\u2028please", "review"],
  ["> an earlier comment\n\n@kodiai review", "review"],
  // Unknown commands.
  ["@kodiai", "unknown"],
  ["@kodiai please help", "unknown"],
  ["@kodiai please fix the reviewer", "unknown"],
  ["@kodiai reviewers are slow", "unknown"],
  ["@kodiai previews are broken", "unknown"],
  ["@kodiai resumed", "unknown"],
  ["@kodiai don't resume", "unknown"],
  ["@kodiai full", "unknown"],
  ["@kodiai is this review right?", "unknown"],
  ["@kodiai apply: review", "unknown"],
  ["@kodiai thanks\n@kodiai review", "unknown"],
  // Quotes.
  ["> @kodiai review", null],
  [">@kodiai review", null],
  ["> > @kodiai review\n> /kodiai review", null],
  // Code.
  ["`@kodiai review`", null],
  ["`/kodiai resume` continues", null],
  ["`/kodiai review` asks for a review", null],
  ["``@kodiai review``", null],
  ["    @kodiai review", null],
  ["\t@kodiai review", null],
  ["```\n@kodiai review\n```", null],
  ["```sh\n/kodiai review\n```", null],
  ["  ~~~\n@kodiai review\n  ~~~", null],
  ["````\n```\n@kodiai review\n```\n````", null],
  ["```\n```js\n@kodiai review\n```", null],
  ["~~~\n```\n@kodiai review\n~~~", null],
  ["```\n@kodiai review, and never closed", null],
  ["```\ncode\n```\n@kodiai review", "review"],
  ["~~~ts\ncode\n~~~~  \n@kodiai review", "review"],
  ["```one line of code```\n@kodiai review", "review"],
  // Not addressed to Kodiai.
  ["", null],
  ["review", null],
  ["I think @kodiai review would help", null],
  ["- @kodiai review", null],
  ["@kodiai-dev review", null],
  ["@kodiaix review", null],
  ["@other review", null],
  ["/kodiai-dev review", null],
  ["/kodiaireview", null],
  ["mail@kodiai review", null],
  ["https://example.org/kodiai review", null],
];

for (const [body, command] of COMMENTS) {
  test(`${JSON.stringify(body)} is ${command ?? "not a command"}`, () => {
    assert.equal(parseCommand(body, "kodiai"), command);
  });
}

test("an app with another name answers to that name and to /kodiai", () => {
  for (const [body, command] of [
    ["@octo-reviewer review", "review"],
    ["@octo-reviewer[bot] review", "review"],
    ["/kodiai review", "review"],
    ["@kodiai review", null],
    ["@octo review", null],
    ["@octo-reviewer-2 review", null],
    ["@octoxreviewer review", null],
  ] as const) {
    assert.equal(parseCommand(body, "octo-reviewer"), command, body);
  }
});

test("the app's name is matched literally, not as a pattern", () => {
  assert.equal(parseCommand("@aXb review", "a.b"), null);
  assert.equal(parseCommand("@a.b review", "a.b"), "review");
  assert.equal(parseCommand("@anything review", ".*"), null);
});

test("a command far down in a comment is ignored", () => {
  assert.equal(parseCommand(`${"\n".repeat(199)}@kodiai review`, "kodiai"), "review");
  assert.equal(parseCommand(`${"\n".repeat(200)}@kodiai review`, "kodiai"), null);
});

/** Each would take hours with quadratic matching. */
const HOSTILE: readonly (readonly [body: string, command: ReturnType<typeof parseCommand>])[] = [
  [`@kodiai${" ".repeat(2_000_000)}x\u2028`, "unknown"],
  [`@kodiai ${"please ".repeat(300_000)}`, "unknown"],
  [`@kodiai full${" ".repeat(2_000_000)}x`, "unknown"],
  [`${"~".repeat(2_000_000)}\u2028`, null],
  [`${"`".repeat(2_000_000)}x\``, null],
  [`\`\`\`\n${"`".repeat(2_000_000)}x`, null],
  ["\r".repeat(2_000_000), null],
  ["@kodiai".repeat(300_000), null],
  ["\n".repeat(2_000_000), null],
];

for (const [index, [body, command]] of HOSTILE.entries()) {
  test(`hostile comment ${index + 1} is parsed in linear time`, () => {
    assert.equal(parseCommand(body, "kodiai"), command);
  });
}
