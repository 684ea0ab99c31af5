/**
 * YAML text to nodes with places. Nesting is measured on the parser's own stack, token by token, before the recursive
 * part of the library sees anything; aliases are never followed, so nothing can grow. It knows no key of the schema.
 */
import { isAlias, isMap, isScalar, isSeq, Lexer, LineCounter, parseDocument, Parser } from "yaml";
import type { Document, ErrorCode, Node, ParsedNode, YAMLMap } from "yaml";
import { printable } from "../../base/printable.ts";
import type { ConfigNode, FileFault, MapEntry, TextPosition } from "./config-node.ts";

/** The schema needs six levels. The library recurses per level and a few thousand of them end the process. */
export const MAX_DEPTH = 20;

/** About a third of the largest file in its densest form. Each token can be an error of its own, and errors are what takes time. */
export const MAX_TOKENS = 20_000;

/** The first syntax error explains; those after it are mostly its echo. */
const MAX_SYNTAX_FAULTS = 3;

/** Keys are shown in messages and compared with names; none that is known has more than 30 characters. */
const MAX_KEY_CHARS = 200;

type ParsedYaml =
  | { readonly ok: true; readonly root: ConfigNode | null }
  | { readonly ok: false; readonly faults: readonly FileFault[] };

type PlaceOf = (offset: number) => TextPosition;

/** `root` is null for a file that holds nothing or only comments. */
export function parseYaml(text: string): ParsedYaml {
  const excess = findExcess(text);
  if (excess !== null) return { ok: false, faults: [excess] };
  const lines = new LineCounter();
  const placeOf: PlaceOf = (offset) => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  // Duplicate keys are found below: the library compares each key with all before it.
  const document = parseDocument(text, {
    lineCounter: lines,
    uniqueKeys: false,
    prettyErrors: false,
    // Nothing is printed: values are read from the nodes. At "silent" a second document would not be an error.
    logLevel: "error",
    merge: false,
    schema: "core",
  });
  const faults = listSyntaxFaults(document, placeOf);
  if (faults.length > 0) return { ok: false, faults };
  if (document.contents === null || isEmptyScalar(document.contents)) return { ok: true, root: null };
  const root = convertNode(document.contents, placeOf, faults);
  return faults.length > 0 ? { ok: false, faults } : { ok: true, root };
}

/** Where nesting or the number of tokens passes its limit. The token parser keeps its own stack, so it cannot overflow the program's. */
function findExcess(text: string): FileFault | null {
  const parser = new Parser();
  let tokens = 0;
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) void token;
    tokens++;
    if (tokens <= MAX_TOKENS && !isTooDeep(parser)) continue;
    const before = text.slice(0, Math.max(0, parser.offset - lexeme.length)).split("\n");
    const place = { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
    return tokens > MAX_TOKENS
      ? { place, message: `has more than ${MAX_TOKENS} tokens up to here` }
      : { place, message: `is nested deeper than ${MAX_DEPTH} levels here` };
  }
  return null;
}

function isTooDeep({ stack }: Parser): boolean {
  if (stack.length <= MAX_DEPTH) return false;
  return stack.filter((token) => COLLECTIONS.has(token.type)).length > MAX_DEPTH;
}

const COLLECTIONS: ReadonlySet<string> = new Set(["block-map", "block-seq", "flow-collection"]);

function listSyntaxFaults(document: Document.Parsed, placeOf: PlaceOf): FileFault[] {
  if (document.directives.yaml.explicit === true) {
    return [{ place: { line: 1, column: 1 }, message: "starts with a %YAML directive; leave it out" }];
  }
  return document.errors.slice(0, MAX_SYNTAX_FAULTS).map((error) => ({
    place: placeOf(error.pos[0]),
    message: SYNTAX_MESSAGES[error.code] ?? "is not valid YAML here",
  }));
}

/** What the reader can do about it, for the mistakes people make. */
const SYNTAX_MESSAGES: Readonly<Partial<Record<ErrorCode, string>>> = {
  BAD_ALIAS: "has a `*` that YAML reads as an alias; put the text in quotes",
  BAD_INDENT: "is indented wrongly here",
  BAD_DQ_ESCAPE: "has an unknown `\\` escape in double quotes; use single quotes",
  BAD_SCALAR_START: "has a character that cannot start a plain text; put the text in quotes",
  BLOCK_AS_IMPLICIT_KEY: "has a second `key:` on the same line; put text with a colon in quotes",
  BLOCK_IN_FLOW: "has block syntax inside brackets",
  DUPLICATE_KEY: "has the same key twice",
  MISSING_CHAR:
    "lacks a character here: a closing quote or bracket, a comma, or a space after a colon or dash",
  MULTILINE_IMPLICIT_KEY: "has a key over several lines; a colon may be missing",
  MULTIPLE_DOCS: "holds more than one document; remove the `---`",
  TAB_AS_INDENT: "is indented with a tab; use spaces",
  UNEXPECTED_TOKEN: "has something here that YAML does not expect",
};

/** Faults that make the whole file unreadable (duplicate and unusable keys) are pushed; anything else becomes a node. */
function convertNode(node: Node | null, placeOf: PlaceOf, faults: FileFault[]): ConfigNode {
  const place = placeOf(node?.range?.[0] ?? 0);
  if (node === null) return { kind: "scalar", value: null, ...place };
  if (isAlias(node)) {
    return {
      kind: "refused",
      what: "an alias (`*name`), which is not followed; write the value out, or put a glob in quotes",
      ...place,
    };
  }
  if ("tag" in node && node.tag !== undefined) {
    return {
      kind: "refused",
      what: `a tag (${printable(node.tag.slice(0, 40))}), which is not read`,
      ...place,
    };
  }
  if (isMap(node)) return { kind: "map", entries: convertEntries(node, placeOf, faults), ...place };
  if (isSeq(node)) {
    const items = node.items.map((item) => convertNode(item as Node | null, placeOf, faults));
    return { kind: "list", items, ...place };
  }
  return { kind: "scalar", value: isScalar(node) ? scalarValue(node.value) : null, ...place };
}

function convertEntries(map: YAMLMap, placeOf: PlaceOf, faults: FileFault[]): readonly MapEntry[] {
  const seen = new Map<string, number>();
  const entries: MapEntry[] = [];
  for (const pair of map.items) {
    // A parsed document holds nodes or null on both sides of a pair; the library's type also allows made-up values.
    const keyNode = pair.key as ParsedNode | null;
    const valueNode = pair.value as ParsedNode | null;
    const place = placeOf(keyNode?.range[0] ?? map.range?.[0] ?? 0);
    const key = isScalar(keyNode) && keyNode.tag === undefined ? String(keyNode.value) : null;
    if (key === null || key.length > MAX_KEY_CHARS) {
      pushFault(faults, place, "has a key here that is not a plain name");
      continue;
    }
    const first = seen.get(key);
    if (first !== undefined) {
      const shown = printable(key.slice(0, 60));
      pushFault(faults, place, `has the key "${shown}" twice, first on line ${first}; merge the two`);
      continue;
    }
    seen.set(key, place.line);
    const node = convertNode(valueNode, placeOf, faults);
    // An absent value has no place of its own, or one at the start of the next line.
    const isEmpty = node.kind === "scalar" && node.value === null;
    entries.push({ key, node: isEmpty ? { ...node, ...place } : node, ...place });
  }
  return entries;
}

function pushFault(faults: FileFault[], place: TextPosition, message: string): void {
  if (faults.length < MAX_SYNTAX_FAULTS) faults.push({ place, message });
}

function isEmptyScalar(node: Node): boolean {
  return isScalar(node) && node.value === null && node.tag === undefined;
}

/** The core schema yields nothing else but null. */
function scalarValue(value: unknown): string | number | boolean | null {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  return null;
}
