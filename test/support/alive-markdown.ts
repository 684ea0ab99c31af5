/** Finds the parts of a Markdown text that a forge or a bot would act on, with rules that don't depend on the renderer. */
import assert from "node:assert/strict";

const FENCED = /^(`{3,})(\w*)\n([\s\S]*?)^\1`*$/gm;

const MARKER = /\n<!-- kodiai:[^>]*-->\s*$/;

/** Suggestions that can be committed with a click. */
export function suggestionsIn(markdown: string): readonly string[] {
  return [...markdown.matchAll(FENCED)].flatMap(([, , language, code = ""]) =>
    language === "suggestion" ? [code] : [],
  );
}

/** The text without code. */
function withoutCode(markdown: string): string {
  return markdown
    .replace(FENCED, "")
    .replace(/(`+)(?!`)[^\n]*?[^`]\1(?!`)/g, "")
    .replaceAll("&#8203;", "\u200b");
}

/** Mentions, references, HTML, links and addresses. */
const SIGNS = [
  /@\w/,
  /(?<!&)#\d/,
  /\bGH-\d/,
  /<(?!\/?(?:details|summary|sub)>)[a-z!/]/i,
  /(?<!\\)\]\(/,
  /https?:\/\//,
] as const;

/** Our own links to the code at a commit, and to our comment there. Their text is code, which is already removed. */
const PLACE =
  /\[\]\(https?:\/\/[\w.:-]+\/[\w.-]+\/[\w.-]+\/(?:blob\/[0-9a-f]{40}\/[\w./%-]+(?:#L\d+(?:-L\d+)?)?|pull\/\d+#discussion_r\d+)\)/g;

export function assertNothingAlive(markdown: string): void {
  const alive = withoutCode(markdown.replace(MARKER, "")).replace(PLACE, "");
  for (const sign of SIGNS) assert.doesNotMatch(alive, sign);
}

/** Bots read the raw text line by line, including code. */
const COMMANDS = /^(?:\/[a-z]|@[a-z]|bors\b|::)/im;

export function assertNoCommand(markdown: string): void {
  assert.doesNotMatch(markdown, COMMANDS);
}

/** Kodiai's markers outside code, except the valid one at the end. */
export function assertNoFalseMarker(markdown: string): void {
  assert.doesNotMatch(withoutCode(markdown.replace(MARKER, "")), /<!--|kodiai:[a-z]+:v\d+:[0-9a-f]{32}/);
}
