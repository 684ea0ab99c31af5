/**
 * Reads the structure of HCL files: blocks and attributes with literal values. Expressions are skipped, never evaluated. Null for a
 * text whose blocks, strings or comments don't end.
 */
import { countNewlines } from "../../base/documents/line-index.ts";

export type HclValue =
  | { readonly kind: "text"; readonly value: string }
  | { readonly kind: "list"; readonly items: readonly string[] }
  | { readonly kind: "object"; readonly body: HclBody }
  | { readonly kind: "other" };

export type HclAttribute = { readonly name: string; readonly value: HclValue; readonly line: number };
export type HclBlock = {
  readonly type: string;
  readonly labels: readonly string[];
  readonly body: HclBody;
  readonly line: number;
};
export type HclBody = { readonly attributes: readonly HclAttribute[]; readonly blocks: readonly HclBlock[] };

/** Configurations have fewer than 20. */
const MAX_DEPTH = 100;

type Token = {
  readonly kind: "word" | "text" | "mark" | "newline" | "template";
  readonly value: string;
  readonly line: number;
};

export function parseHcl(text: string): HclBody | null {
  const tokens = tokenize(text);
  if (tokens === null) return null;
  const reader = { tokens, at: 0 };
  const body = readBody(reader, 0);
  return body === null || reader.at < tokens.length ? null : body;
}

const SKIPPED = /(?:[ \t\r\uFEFF]+|#[^\n]*|\/\/[^\n]*)*/y;
const WORD = /[\w.-]+/y;
const HEREDOC = /<<[-~]?([A-Za-z_][\w-]*)[ \t\r]*\n/y;

function tokenize(text: string): readonly Token[] | null {
  const tokens: Token[] = [];
  let at = 0;
  let line = 1;
  while (at < text.length) {
    SKIPPED.lastIndex = at;
    SKIPPED.test(text);
    at = Math.max(at, SKIPPED.lastIndex);
    const char = text[at];
    if (char === undefined) break;
    const start = at;
    if (text.startsWith("/*", at)) {
      const close = text.indexOf("*/", at + 2);
      if (close === -1) return null;
      at = close + 2;
      line += countNewlines(text, start, at);
      continue;
    }
    if (char === "\n") {
      tokens.push({ kind: "newline", value: "", line });
      line += 1;
      at += 1;
      continue;
    }
    if (char === '"') {
      const end = endOfTemplate(text, at);
      if (end === null) return null;
      const value = text.slice(at + 1, end - 1);
      const kind = value.includes("{") && /[$%]\{/.test(value) ? "template" : "text";
      tokens.push({ kind, value: value.includes("\\") ? value.replace(/\\(.)/gs, "$1") : value, line });
      at = end;
      line += countNewlines(text, start, at);
      continue;
    }
    HEREDOC.lastIndex = at;
    const heredoc = char === "<" ? HEREDOC.exec(text) : null;
    if (heredoc !== null) {
      const end = endOfHeredoc(text, HEREDOC.lastIndex, heredoc[1] ?? "");
      if (end === null) return null;
      tokens.push({ kind: "template", value: "", line });
      at = end;
      line += countNewlines(text, start, at);
      continue;
    }
    WORD.lastIndex = at;
    const word = WORD.test(text) ? text.slice(at, WORD.lastIndex) : undefined;
    tokens.push(
      word === undefined ? { kind: "mark", value: char, line } : { kind: "word", value: word, line },
    );
    at += word?.length ?? 1;
  }
  return tokens;
}

/** Where a quoted template ends; interpolations may contain further ones. Null when it has no end. */
function endOfTemplate(text: string, start: number): number | null {
  /** For each open interpolation, its open braces. An empty list is the outer string. */
  const braces: number[] = [];
  let isInString = true;
  for (let at = start + 1; at < text.length; at += 1) {
    const char = text[at];
    if (isInString) {
      if (char === "\\") at += 1;
      else if ((char === "$" || char === "%") && text[at + 1] === "{" && text[at - 1] !== char) {
        braces.push(1);
        isInString = false;
        at += 1;
      } else if (char === '"') {
        if (braces.length === 0) return at + 1;
        isInString = false;
      } else if (char === "\n" && braces.length === 0) return null;
      continue;
    }
    if (char === '"') isInString = true;
    else if (char === "{") braces.push((braces.pop() ?? 0) + 1);
    else if (char === "}") {
      const open = (braces.pop() ?? 1) - 1;
      if (open > 0) braces.push(open);
      else isInString = true;
    }
  }
  return null;
}

/** Where the line with the end mark ends. */
function endOfHeredoc(text: string, start: number, mark: string): number | null {
  for (let at = start; at <= text.length;) {
    const newline = text.indexOf("\n", at);
    const end = newline === -1 ? text.length : newline;
    if (text.slice(at, end).trim() === mark) return end;
    if (newline === -1) return null;
    at = newline + 1;
  }
  return null;
}

type Reader = { readonly tokens: readonly Token[]; at: number };

const isMark = (token: Token | undefined, value: string): boolean =>
  token?.kind === "mark" && token.value === value;

/** Reads to the closing brace, which stays, or to the end of the file. */
function readBody(reader: Reader, depth: number): HclBody | null {
  if (depth > MAX_DEPTH) return null;
  const attributes: HclAttribute[] = [];
  const blocks: HclBlock[] = [];
  for (;;) {
    const token = reader.tokens[reader.at];
    if (token === undefined) return depth === 0 ? { attributes, blocks } : null;
    if (isMark(token, "}")) return depth === 0 ? null : { attributes, blocks };
    if (token.kind === "newline" || isMark(token, ",")) {
      reader.at += 1;
      continue;
    }
    const following = reader.tokens[reader.at + 1];
    const isNamed = token.kind === "word" || token.kind === "text";
    if (isNamed && (isMark(following, "=") || isMark(following, ":"))) {
      reader.at += 2;
      const value = readValue(reader, depth);
      if (value === null) return null;
      attributes.push({ name: token.value, value, line: token.line });
    } else if (token.kind === "word" && isBlockStart(reader)) {
      const block = readBlock(reader, token, depth);
      if (block === null) return null;
      blocks.push(block);
    } else if (!skipExpression(reader)) return null;
  }
}

/** Words and labels up to an opening brace on the same line. */
function isBlockStart(reader: Reader): boolean {
  let at = reader.at + 1;
  while (reader.tokens[at]?.kind === "text" || reader.tokens[at]?.kind === "word") at += 1;
  return isMark(reader.tokens[at], "{");
}

function readBlock(reader: Reader, { value: type, line }: Token, depth: number): HclBlock | null {
  const labels: string[] = [];
  reader.at += 1;
  for (let token = reader.tokens[reader.at]; token !== undefined && !isMark(token, "{");) {
    labels.push(token.value);
    reader.at += 1;
    token = reader.tokens[reader.at];
  }
  const body = readBraces(reader, depth);
  return body === null ? null : { type, labels, body, line };
}

/** Reads `{ … }` from its opening brace on. */
function readBraces(reader: Reader, depth: number): HclBody | null {
  reader.at += 1;
  const body = readBody(reader, depth + 1);
  reader.at += 1;
  return body;
}

function readValue(reader: Reader, depth: number): HclValue | null {
  const start = reader.at;
  const token = reader.tokens[start];
  if (token?.kind === "text" && isEnd(reader.tokens[start + 1])) {
    reader.at += 1;
    return { kind: "text", value: token.value };
  }
  if (isMark(token, "{")) {
    const body = isComprehension(reader) ? null : readBraces(reader, depth);
    if (body !== null && isEnd(reader.tokens[reader.at])) return { kind: "object", body };
    reader.at = start;
  }
  const items = isMark(token, "[") ? readTexts(reader) : null;
  if (items !== null) return { kind: "list", items };
  return skipExpression(reader) ? { kind: "other" } : null;
}

const isEnd = (token: Token | undefined): boolean =>
  token === undefined || token.kind === "newline" || isMark(token, "}") || isMark(token, ",");

/** `{ for key, value in map : key => value }` */
function isComprehension(reader: Reader): boolean {
  let at = reader.at + 1;
  while (reader.tokens[at]?.kind === "newline") at += 1;
  const token = reader.tokens[at];
  return token?.kind === "word" && token.value === "for";
}

/** A list of texts; null, and nothing read, for any other. */
function readTexts(reader: Reader): readonly string[] | null {
  const items: string[] = [];
  for (let at = reader.at + 1; at < reader.tokens.length; at += 1) {
    const token = reader.tokens[at];
    if (token?.kind === "text") items.push(token.value);
    else if (isMark(token, "]")) {
      reader.at = at + 1;
      return items;
    } else if (token?.kind !== "newline" && !isMark(token, ",")) return null;
  }
  return null;
}

const OPENING: ReadonlySet<string> = new Set(["{", "[", "("]);
const CLOSING: ReadonlySet<string> = new Set(["}", "]", ")"]);

/** Skips to the end of the line, or to the brace or comma that ends the value. False when brackets don't match. */
function skipExpression(reader: Reader): boolean {
  let open = 0;
  for (; reader.at < reader.tokens.length; reader.at += 1) {
    const token = reader.tokens[reader.at];
    if (open === 0 && isEnd(token)) return true;
    if (token?.kind !== "mark") continue;
    if (OPENING.has(token.value)) open += 1;
    else if (CLOSING.has(token.value)) open -= 1;
    if (open < 0) return false;
  }
  return open === 0;
}
