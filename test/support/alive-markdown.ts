/** What of a Markdown text a forge or a bot would act on, by rules of our own: the renderer is not asked. */
import assert from "node:assert/strict";

const FENCED = /^(`{3,})(\w*)\n([\s\S]*?)^\1`*$/gm;

const MARKER = /\n<!-- kodiai:[^>]*-->\s*$/;

/** What can be committed with a click. */
export function suggestionsIn(markdown: string): readonly string[] {
  return [...markdown.matchAll(FENCED)].flatMap(([, , language, code = ""]) =>
    language === "suggestion" ? [code] : [],
  );
}

/** Everything but code. */
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

export function assertNothingAlive(markdown: string): void {
  const alive = withoutCode(markdown.replace(MARKER, ""));
  for (const sign of SIGNS) assert.doesNotMatch(alive, sign);
}

/** Bots read the text as it is, code included, line by line from its start. */
const COMMANDS = /^(?:\/[a-z]|@[a-z]|bors\b|::)/im;

export function assertNoCommand(markdown: string): void {
  assert.doesNotMatch(markdown, COMMANDS);
}

/** Marks of ours outside of code but for the one at the end, which is. */
export function assertNoFalseMarker(markdown: string): void {
  assert.doesNotMatch(withoutCode(markdown.replace(MARKER, "")), /<!--|kodiai:[a-z]+:v\d+:[0-9a-f]{32}/);
}
