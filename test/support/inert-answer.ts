/** Reads a published answer with a Markdown parser of others, and checks that it has nothing but what an answer may have. */
import assert from "node:assert/strict";
import { Lexer, type Token, type Tokens } from "marked";

const BLOCKS = new Set(["space", "paragraph", "list", "list_item", "blockquote", "table", "code"]);
const INLINE = new Set(["text", "escape", "codespan", "strong", "em", "del", "br", "link"]);

/** In text outside of code, as it is written. */
const ALIVE = [
  ["mention", /@(?!&#8203;)/],
  ["issue", /#(?!8203;|36;|47;)\d/],
  ["issue", /\bGH-\d/i],
  ["address", /[a-z]:\/\/|(?<![a-z0-9+.-])www\./i],
  ["commit", /(?<![0-9a-z])[0-9a-f]{7,}(?![0-9a-z])/i],
  ["HTML", /[<>]/],
  ["entity", /&(?!(?:lt|gt|amp|#8203|#36|#47);)/],
] as const;

const OPTIONS = { gfm: true, breaks: true };

/** Other names make the code act. */
const ACTING = /^(?:suggestion|mermaid|math|geojson|topojson|stl)$/i;

/** `ours`: the addresses that links may have. */
export function assertAnswerInert(source: string, markdown: string, ours: RegExp): void {
  const where = `in ${JSON.stringify(markdown)} from ${JSON.stringify(source)}`;
  const texts: string[] = [""];
  const waiting: Token[] = Lexer.lex(markdown, OPTIONS).toReversed();
  let before = "";
  for (let token = waiting.pop(); token !== undefined; token = waiting.pop()) {
    const { type, raw } = token;
    // GitHub links "www." only after a space or a mark; the parser does it anywhere.
    const isNoLink = type === "link" && /^www\./i.test(raw) && /[\w+.-]$/.test(before);
    before = raw;
    if (isNoLink) {
      texts.push(texts.pop() + raw.slice(0, "www.".length));
      waiting.push(...Lexer.lexInline(raw.slice("www.".length), OPTIONS).toReversed());
      continue;
    }
    assert.ok(BLOCKS.has(type) || INLINE.has(type), `${type} ${where}`);
    if (type === "code") assert.doesNotMatch((token as Tokens.Code).lang ?? "", ACTING, where);
    if (type === "link") {
      assert.match((token as Tokens.Link).href, ours, where);
      assert.ok(raw.startsWith("["), `an address that links itself ${where}`);
    }
    const inner = childrenOf(token);
    // A piece of text and an escape next to it are one text for a reader.
    if ((type === "text" || type === "escape") && inner.length === 0) texts.push(texts.pop() + raw);
    else texts.push("");
    waiting.push(...inner.toReversed());
  }
  for (const text of texts)
    for (const [name, pattern] of ALIVE)
      assert.ok(!pattern.test(text.replaceAll(/\\(?=[!-/:-@[-`{-~])/g, "")), `${name} ${where}`);
  assert.doesNotMatch(markdown, /^(?:\/[a-z]|::)/im, `a command ${where}`);
  assert.doesNotMatch(
    markdown,
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/,
    `an unseen character ${where}`,
  );
}

function childrenOf(token: Token): readonly Token[] {
  if (token.type === "list") return (token as Tokens.List).items;
  if (token.type !== "table") return "tokens" in token ? (token.tokens ?? []) : [];
  const { header, rows } = token as Tokens.Table;
  // Texts of two cells aren't next to each other.
  return [header, ...rows].flat().flatMap(({ tokens }) => [...tokens, { type: "space", raw: "" }]);
}
