import assert from "node:assert/strict";
import { test } from "node:test";
import { createAnswerDisplay } from "./answer-display.ts";

function displayOn(isTerminal: boolean) {
  const lines: string[] = [];
  let status = "";
  const progress = {
    update: (text: string) => void (status = text),
    print: (text: string) => void lines.push(text),
    pause: () => {},
    clear: () => {},
  };
  const answered: string[] = [];
  const stdout = { isTerminal, write: (text: string) => void answered.push(text) };
  const display = createAnswerDisplay(progress, { stdout, stderr: { isTerminal } });
  return { display, lines, answered, status: () => status };
}

const thinking = (delta: string, outputTokens = 1) => ({ kind: "thinking", delta, outputTokens }) as const;

test("the reasoning is shown by whole lines, and tokens as they grow", () => {
  const { display, lines, status } = displayOn(true);
  display.stage("thinking");
  for (const [delta, tokens] of [
    ["Look", 1],
    ["ing\nat \u001b[31mload", 5],
    ["", 1_200],
  ] as const)
    display.piece(thinking(delta, tokens));
  assert.deepEqual(lines, ["Looking\n"]);
  assert.equal(status(), "thinking, 1,200 tokens");
  display.piece({ kind: "text", delta: "No.", outputTokens: 1_201 });
  assert.deepEqual(lines, ["Looking\n", "at \\x1b[31mload\n"]);
  assert.equal(status(), "answering, 1,201 tokens");
});

test("a log gets a line for each stage", () => {
  const { display, lines } = displayOn(false);
  display.stage("thinking");
  display.piece(thinking("a"));
  display.piece({ kind: "text", delta: "b", outputTokens: 2 });
  display.end();
  assert.deepEqual(lines, ["kodiai: thinking\n", "a\n", "kodiai: answering\n"]);
});

test("a line without an end is shown in parts", () => {
  const { display, lines } = displayOn(true);
  display.piece(thinking("x".repeat(100_000)));
  display.end();
  assert.equal(lines.join("").replaceAll("\n", "").length, 100_000);
  assert.ok(lines.every((line) => line.length <= 2_001));
});

test("on a terminal, each line of the answer is shown when it's there, and nowhere else", () => {
  for (const isTerminal of [true, false]) {
    const { display, answered } = displayOn(isTerminal);
    for (const line of ["", "One \u001b[31m", "", "two"]) display.answerLine(line);
    assert.deepEqual(answered, isTerminal ? ["One \\x1b[31m\n", "\n", "two\n"] : []);
  }
});
