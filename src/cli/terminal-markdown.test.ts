import assert from "node:assert/strict";
import { test } from "node:test";
import { createPaint } from "../review/publication/render/ansi.ts";
import { renderTerminalMarkdown } from "./terminal-markdown.ts";

const plain = { paint: createPaint(false), width: 40 };

/** Markdown and the lines that a terminal of 40 columns shows, without colours. */
const SHOWN: readonly (readonly [markdown: string, lines: readonly string[]])[] = [
  ["# A heading #\n\nText.", ["A heading", "", "Text."]],
  [
    "A paragraph that is longer than the forty columns\nof this terminal.",
    ["A paragraph that is longer than the", "forty columns of this terminal."],
  ],
  ["- one\n- two `code`\n  goes on\n1. three", ["• one", "• two code goes on", "1. three"]],
  ["  - nested", ["  • nested"]],
  ["```ts\nconst a = `b` * **c**;\n\nlast\n```", ["  const a = `b` * **c**;", "  ", "  last"]],
  ["> quoted **text**", ["│ quoted **text**"]],
  ["| a | b |\n|---|---|", ["| a | b |", "|---|---|"]],
  ["---", ["─".repeat(20)]],
  ["Red \u001b[31m", ["Red \\x1b[31m"]],
  ["- \u202eitem", ["• \\u{202e}item"]],
];

for (const [markdown, lines] of SHOWN)
  test(`a terminal shows ${JSON.stringify(markdown)}`, () =>
    assert.deepEqual(renderTerminalMarkdown(markdown, plain).split("\n"), lines));

test("code and bold are coloured, and nothing of the text becomes an escape", () => {
  const style = { paint: createPaint(true), width: 80 };
  const shown = renderTerminalMarkdown("**Bold** and `code \u001b[0m`.", style);
  assert.equal(shown, "\u001b[1mBold\u001b[0m and \u001b[1;36mcode \\x1b[0m\u001b[0m.");
});
