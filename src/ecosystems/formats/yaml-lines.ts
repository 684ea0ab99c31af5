/**
 * Reads YAML that people write, line by line: enough to find keys with their lines, where reading the values as data isn't needed.
 * Text inside block scalars is skipped. Anchors, aliases and merge keys aren't followed.
 */
import { linesIn } from "../../base/documents/line-index.ts";

export type YamlLine = {
  /** 1-based. */
  readonly line: number;
  /** Column of the key or the value, after the dashes of list items. */
  readonly indent: number;
  /** Column of the first dash; null when the line starts no list item. */
  readonly dash: number | null;
  /** Null for an item that is a plain value, and for continued values. */
  readonly key: string | null;
  /** Without quotes and comment; "" when the value is on the next lines. */
  readonly value: string;
  /** The text after `#`, trimmed; "" when there is none. */
  readonly comment: string;
};

const BLOCK_SCALAR = /^[|>][-+0-9]{0,2}$/;
/** An anchor or a tag before a value. */
const PROPERTY = /^[&!]\S*\s+/;

export function readYamlLines(text: string): readonly YamlLine[] {
  const lines: YamlLine[] = [];
  /** Lines that are indented more than this belong to a block scalar. */
  let scalarIndent: number | null = null;
  for (const [at, raw] of linesIn(text).entries()) {
    const content = raw.trimStart();
    if (content === "") continue;
    const indent = raw.length - content.length;
    if (scalarIndent !== null && indent > scalarIndent) continue;
    scalarIndent = null;
    if (content.startsWith("#") || content.startsWith("---") || content.startsWith("...")) continue;
    const parsed = parseLine(content.trimEnd(), indent, at + 1);
    lines.push(parsed);
    if (BLOCK_SCALAR.test(parsed.value))
      scalarIndent = parsed.key === null ? (parsed.dash ?? indent) : parsed.indent;
  }
  return lines;
}

function parseLine(content: string, column: number, line: number): YamlLine {
  let indent = column;
  let rest = content;
  while (rest === "-" || rest.startsWith("- ")) {
    const after = rest.slice(1).trimStart();
    indent += rest.length - after.length;
    rest = after;
  }
  const dash = rest === content ? null : column;
  const colon = colonOf(rest);
  const key = colon === -1 ? null : withoutQuotes(rest.slice(0, colon).trimEnd());
  return { line, indent, dash, key, ...parseScalar(rest.slice(colon + 1).trimStart()) };
}

/** Where the colon after a key is; -1 when the line has no key. */
function colonOf(text: string): number {
  const quote = text[0];
  if (quote === '"' || quote === "'") {
    const close = text.indexOf(quote, 1);
    const after = /^\s*:(?:\s|$)/.exec(close === -1 ? "" : text.slice(close + 1));
    return after === null ? -1 : text.indexOf(":", close);
  }
  if (quote === "{" || quote === "[" || quote === "#") return -1;
  const colon = text.search(/:(?:\s|$)/);
  const comment = text.search(/\s#/);
  return comment !== -1 && comment < colon ? -1 : colon;
}

function parseScalar(text: string): { readonly value: string; readonly comment: string } {
  const bare = text.replace(PROPERTY, "");
  const quote = bare[0];
  const close = quote === '"' || quote === "'" ? bare.indexOf(quote, 1) : -1;
  if (close !== -1) return { value: bare.slice(1, close), comment: commentOf(bare.slice(close + 1)) };
  const hash = bare.startsWith("#") ? 0 : bare.search(/\s#/);
  if (hash === -1) return { value: bare, comment: "" };
  return { value: bare.slice(0, hash).trimEnd(), comment: commentOf(bare.slice(hash)) };
}

function commentOf(text: string): string {
  const hash = text.indexOf("#");
  return hash === -1 ? "" : text.slice(hash + 1).trim();
}

export function withoutQuotes(text: string): string {
  const quote = text[0];
  return (quote === '"' || quote === "'") && text.length > 1 && text.endsWith(quote)
    ? text.slice(1, -1)
    : text;
}

/** The keys of a flow mapping on one line, those of nested ones too: `{ git: { url: "https://…", ref: main } }`. */
export function readFlowMapping(value: string): ReadonlyMap<string, string> {
  const entries = new Map<string, string>();
  if (!value.startsWith("{")) return entries;
  for (const part of value.split(/[,{}]/)) {
    const { key, value: inner } = parseLine(part.trim(), 0, 0);
    if (key !== null) entries.set(key, inner);
  }
  return entries;
}
