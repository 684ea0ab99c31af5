/**
 * Parses YAML into nodes with positions. Nesting is measured on the token parser's stack before the recursive part of
 * the library runs. Aliases are never followed, so the input can't expand. The schema plays no part here.
 */
import { isAlias, isMap, isScalar, isSeq, Lexer, LineCounter, parseDocument, Parser } from "yaml";
import type { Document, ErrorCode, Node, ParsedNode, YAMLMap } from "yaml";
import { printable } from "../../base/printable.ts";
import type { ConfigNode, FileFault, MapEntry, TextPosition } from "./config-node.ts";

/** The schema needs six levels. The library recurses per level, and a few thousand levels crash the process. */
export const MAX_DEPTH = 20;

/** About a third of what fits into the largest file. Every token can be an error, and errors are slow. */
export const MAX_TOKENS = 20_000;

/** Most syntax errors after the first are consequences of it. */
const MAX_SYNTAX_FAULTS = 3;

/** Keys are shown in messages and compared with known names, which have at most 30 characters. */
const MAX_KEY_CHARS = 200;

type ParsedYaml =
  | { readonly ok: true; readonly root: ConfigNode | null }
  | { readonly ok: false; readonly faults: readonly FileFault[] };

type PositionOf = (offset: number) => TextPosition;

/** `root` is null for a file that is empty or has only comments. */
export function parseYaml(text: string): ParsedYaml {
  const excess = findExcess(text);
  if (excess !== null) return { ok: false, faults: [excess] };
  const lines = new LineCounter();
  const positionOf: PositionOf = (offset) => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  // Duplicate keys are found below, because the library compares each key with all earlier ones.
  const document = parseDocument(text, {
    lineCounter: lines,
    uniqueKeys: false,
    prettyErrors: false,
    // Nothing is printed. With "silent", a second document wouldn't be an error.
    logLevel: "error",
    merge: false,
    schema: "core",
  });
  const faults = listSyntaxFaults(document, positionOf);
  if (faults.length > 0) return { ok: false, faults };
  if (document.contents === null || isEmptyScalar(document.contents)) return { ok: true, root: null };
  const root = convertNode(document.contents, positionOf, faults);
  return faults.length > 0 ? { ok: false, faults } : { ok: true, root };
}

/** Finds where nesting or the token count exceeds its limit. The token parser has its own stack, so it can't overflow ours. */
function findExcess(text: string): FileFault | null {
  const parser = new Parser();
  let tokens = 0;
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) void token;
    tokens++;
    if (tokens <= MAX_TOKENS && !isTooDeep(parser)) continue;
    const before = text.slice(0, Math.max(0, parser.offset - lexeme.length)).split("\n");
    const position = { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
    return tokens > MAX_TOKENS
      ? { position, message: `exceeds the limit of ${MAX_TOKENS} tokens here` }
      : { position, message: `is nested deeper than ${MAX_DEPTH} levels here` };
  }
  return null;
}

function isTooDeep({ stack }: Parser): boolean {
  if (stack.length <= MAX_DEPTH) return false;
  return stack.filter((token) => COLLECTIONS.has(token.type)).length > MAX_DEPTH;
}

const COLLECTIONS: ReadonlySet<string> = new Set(["block-map", "block-seq", "flow-collection"]);

function listSyntaxFaults(document: Document.Parsed, positionOf: PositionOf): FileFault[] {
  if (document.directives.yaml.explicit === true) {
    return [{ position: { line: 1, column: 1 }, message: "starts with a %YAML directive; leave it out" }];
  }
  return document.errors.slice(0, MAX_SYNTAX_FAULTS).map((error) => ({
    position: positionOf(error.pos[0]),
    message: SYNTAX_MESSAGES[error.code] ?? "isn't valid YAML here",
  }));
}

/** Messages for common mistakes, with what to do. */
const SYNTAX_MESSAGES: Readonly<Partial<Record<ErrorCode, string>>> = {
  BAD_ALIAS: "has a `*` that YAML reads as an alias; put the text in quotes",
  BAD_INDENT: "is indented wrongly here",
  BAD_DQ_ESCAPE: "has an unknown `\\` escape in double quotes; use single quotes",
  BAD_SCALAR_START: "has a character that can't start unquoted text; put the text in quotes",
  BLOCK_AS_IMPLICIT_KEY: "has a second `key:` on the same line; put text with a colon in quotes",
  BLOCK_IN_FLOW: "has block syntax inside brackets",
  DUPLICATE_KEY: "has the same key twice",
  MISSING_CHAR:
    "is missing a character here: a closing quote or bracket, a comma, or a space after a colon or dash",
  MULTILINE_IMPLICIT_KEY: "has a key over several lines; a colon may be missing",
  MULTIPLE_DOCS: "has more than one document; remove the `---`",
  TAB_AS_INDENT: "is indented with a tab; use spaces",
  UNEXPECTED_TOKEN: "has unexpected content here",
};

/** Adds faults that invalidate the whole file: duplicate keys and keys that aren't plain names. */
function convertNode(node: Node | null, positionOf: PositionOf, faults: FileFault[]): ConfigNode {
  const position = positionOf(node?.range?.[0] ?? 0);
  if (node === null) return { kind: "scalar", value: null, ...position };
  if (isAlias(node)) {
    return {
      kind: "unsupported",
      what: "an alias (`*name`), which Kodiai doesn't support; write out the value, or put a glob in quotes",
      ...position,
    };
  }
  if ("tag" in node && node.tag !== undefined) {
    return {
      kind: "unsupported",
      what: `a tag (${printable(node.tag.slice(0, 40))}), which Kodiai doesn't support`,
      ...position,
    };
  }
  if (isMap(node)) return { kind: "map", entries: convertEntries(node, positionOf, faults), ...position };
  if (isSeq(node)) {
    const items = node.items.map((item) => convertNode(item as Node | null, positionOf, faults));
    return { kind: "list", items, ...position };
  }
  return { kind: "scalar", value: isScalar(node) ? scalarValue(node.value) : null, ...position };
}

function convertEntries(map: YAMLMap, positionOf: PositionOf, faults: FileFault[]): readonly MapEntry[] {
  const seen = new Map<string, number>();
  const entries: MapEntry[] = [];
  for (const pair of map.items) {
    // In a parsed document both sides of a pair are nodes or null. The library's type also allows other values.
    const keyNode = pair.key as ParsedNode | null;
    const valueNode = pair.value as ParsedNode | null;
    const position = positionOf(keyNode?.range[0] ?? map.range?.[0] ?? 0);
    const key = isScalar(keyNode) && keyNode.tag === undefined ? String(keyNode.value) : null;
    if (key === null || key.length > MAX_KEY_CHARS) {
      pushFault(faults, position, "has a key here that isn't a plain name");
      continue;
    }
    const first = seen.get(key);
    if (first !== undefined) {
      const shown = printable(key.slice(0, 60));
      pushFault(faults, position, `has the key "${shown}" twice, first on line ${first}; merge the two`);
      continue;
    }
    seen.set(key, position.line);
    const node = convertNode(valueNode, positionOf, faults);
    // An absent value has no position, or one at the start of the next line.
    const isEmpty = node.kind === "scalar" && node.value === null;
    entries.push({ key, node: isEmpty ? { ...node, ...position } : node, ...position });
  }
  return entries;
}

function pushFault(faults: FileFault[], position: TextPosition, message: string): void {
  if (faults.length < MAX_SYNTAX_FAULTS) faults.push({ position, message });
}

function isEmptyScalar(node: Node): boolean {
  return isScalar(node) && node.value === null && node.tag === undefined;
}

/** The core schema has no other scalars except null. */
function scalarValue(value: unknown): string | number | boolean | null {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  return null;
}
