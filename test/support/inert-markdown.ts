/** Reads Markdown as a forge does, and checks that nothing in it is alive: every rule is independent of the renderer. */
import assert from "node:assert/strict";

/** The text that a forge sees outside code: without fences and code spans, with escapes and entities resolved. */
function visibleText(markdown: string): string {
  const lines: string[] = [];
  let closing: string | null = null;
  for (const line of markdown.split("\n")) {
    const ticks = /^(`{3,})([^`]*)$/.exec(line)?.[1];
    if (closing !== null) {
      if (ticks !== undefined && ticks.length >= closing.length && line.trim() === ticks) closing = null;
    } else if (ticks === undefined) lines.push(withoutCodeSpans(line));
    else closing = ticks;
  }
  assert.equal(closing, null, "a fence is left open");
  return lines.join("\n");
}

/** Reads a line as Markdown does: an escape first, then a run of backticks with the next run of the same length. */
export function withoutCodeSpans(line: string): string {
  let text = "";
  for (let index = 0; index < line.length; index++) {
    const char = line[index] ?? "";
    if (char === "\\" && /[!-/:-@[-`{-~]/.test(line[index + 1] ?? "")) {
      text += `\u{E000}${line[++index] ?? ""}`;
      continue;
    }
    if (char !== "`") {
      text += char;
      continue;
    }
    const run = /^`+/.exec(line.slice(index))?.[0] ?? "";
    const rest = line.slice(index + run.length);
    const close = [...rest.matchAll(/`+/g)].find((other) => other[0].length === run.length);
    assert.ok(close !== undefined, `a run of backticks is left open: ${line}`);
    text += "\u{E001}";
    index += run.length + close.index + run.length - 1;
  }
  return text;
}

/** `allowed`: links that we write ourselves. Their text is code, shown as U+E001. */
export function assertInert(source: string, markdown: string, allowed?: RegExp): void {
  const seen = visibleText(markdown);
  const text = allowed === undefined ? seen : seen.replaceAll(allowed, "\u{E001}");
  const unescaped = text.replaceAll("\u{E000}", "");
  for (const [name, pattern] of [
    ["mention", /@(?!&#8203;)/],
    ["issue", /#(?!8203;|36;|47;)\d/],
    ["issue", /\bGH-\d/i],
    ["address", /[a-z]:\/\/|(?<![a-z0-9+.-])www\./i],
    ["commit", /(?<![0-9a-z])[0-9a-f]{7,}(?![0-9a-z])/i],
    ["HTML", /[<>]/],
    ["command", /^\s*(?:\/[a-z]|::)/im],
    [
      "unseen character",
      /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/,
    ],
  ] as const) {
    assert.ok(
      !pattern.test(unescaped),
      `${name} in ${JSON.stringify(markdown)} from ${JSON.stringify(source)}`,
    );
  }
  for (const [name, pattern] of [
    ["link", /(?<!\u{E000})[[\]]/u],
    ["emphasis", /(?<!\u{E000})[_~|]/u],
    ["block", /^(?:[#>+=]|\s{4}|-(?! )|\d+\)(?=\s|$))/m],
    ["entity", /&(?!(?:lt|gt|amp|#8203|#36|#47);)/],
  ] as const) {
    assert.ok(!pattern.test(text), `${name} in ${JSON.stringify(markdown)} from ${JSON.stringify(source)}`);
  }
}

/** Pieces of text that are alive, or become alive together. */
export const HOSTILE_MARKDOWN = [
  "`",
  "``",
  "```",
  "~~~",
  "\n",
  " ",
  "@a",
  "#1",
  "GH-1",
  "https://x.y",
  "www.x.y",
  "[",
  "](https://x)",
  "]",
  "#[1](https://x)",
  "(",
  ")",
  "![",
  "**",
  "*",
  "_",
  "<b>",
  "<!--",
  "&",
  "&#64;",
  "\\",
  "|",
  "$",
  "- ",
  "1. ",
  "> ",
  "# ",
  "/lgtm",
  "::",
  "deadbeef",
  "\u202e",
  "\t",
  "\r",
  "x",
  ".",
  "\u{1F600}",
  "\ud800",
];
