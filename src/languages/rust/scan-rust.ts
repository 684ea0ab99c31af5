/** Imports and definitions of Rust. */
import {
  APOSTROPHE,
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  EQUALS,
  EXCLAMATION,
  HASH,
  OPEN,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  SEMICOLON,
  SLASH,
  STAR,
} from "../extract/characters.ts";
import type { ImportedName } from "../file-facts.ts";
import type { FactCollector } from "../extract/fact-collector.ts";
import {
  createScanner,
  END,
  isWord,
  type LexicalRules,
  NAME,
  type Scanner,
  setPunctuation,
  setString,
  setToken,
  skipLine,
  skipNestedBlock,
  STRING,
  stringValue,
  takeQuoted,
  takeUntil,
  tokenText,
} from "../extract/scan-code.ts";
import { skipGroup } from "../extract/token-groups.ts";

/** Deeper trees of `use` are made to break parsers. */
const MAX_USE_DEPTH = 30;

const RULES: LexicalRules = {
  specials: "/\"'",
  special(scanner, code) {
    const { text, position } = scanner;
    if (code === QUOTE) return takeQuoted(scanner, position, true);
    const after = text.charCodeAt(position + 1);
    if (code === APOSTROPHE) return takeCharacter(scanner, after);
    if (after === SLASH) return skipLine(scanner);
    if (after === STAR) return skipNestedBlock(scanner);
    setPunctuation(scanner, position, code);
    return true;
  },
  prefixed(scanner) {
    const { text, start, end } = scanner;
    const prefix = text.slice(start, end);
    if (!["r", "b", "br", "c", "cr"].includes(prefix)) return false;
    let quote = end;
    while (quote - end < 256 && text.charCodeAt(quote) === HASH) quote++;
    const code = text.charCodeAt(quote);
    if (prefix.endsWith("r")) {
      if (code === QUOTE) {
        scanner.position = start;
        return takeUntil(scanner, quote + 1, `"${"#".repeat(quote - end)}`);
      }
      // A raw name: `r#type`.
      if (quote !== end + 1) return false;
      const name = /^\w{1,100}/.exec(text.slice(quote, quote + 100))?.[0];
      if (name === undefined) return false;
      setToken(scanner, NAME, quote, quote + name.length);
      return true;
    }
    if (quote > end || code === HASH) return false;
    scanner.position = start;
    return takeQuoted(scanner, end, true);
  },
};

/** A lifetime such as 'a has no closing quote after one character. */
function takeCharacter(scanner: Scanner, after: number): true {
  const { text, position } = scanner;
  if (after === BACKSLASH) return takeQuoted(scanner, position);
  const close = text.charCodeAt(position + 1) > 0xd7ff && text.charCodeAt(position + 1) < 0xdc00 ? 3 : 2;
  if (text.charCodeAt(position + close) === APOSTROPHE) {
    return setString(scanner, position, position + 1, position + close, position + close + 1);
  }
  setPunctuation(scanner, position, APOSTROPHE);
  return true;
}

/** A block: one of an inline module, of an `impl` or a `trait`, or another. */
type Block = "module" | "members" | "body";

type State = {
  readonly scanner: Scanner;
  readonly facts: FactCollector;
  readonly blocks: Block[];
  /** The kind of the next block. */
  ahead: Block;
  isPublic: boolean;
  /** From `#[path = "…"]`, for the next `mod`. */
  path: string | null;
  readonly paths: Set<string>;
};

const ITEMS: Readonly<Record<string, "class" | "type" | "variable">> = {
  struct: "class",
  enum: "class",
  union: "class",
  trait: "type",
  type: "type",
  const: "variable",
  static: "variable",
};

export function readRust(text: string, facts: FactCollector): void {
  const scanner = createScanner(text, RULES);
  const state: State = {
    scanner,
    facts,
    blocks: [],
    ahead: "body",
    isPublic: false,
    path: null,
    paths: new Set(),
  };
  scanner.next();
  while (scanner.kind !== END) {
    if (scanner.kind === NAME && readName(state)) continue;
    const { code } = scanner;
    if (code === HASH) {
      readAttribute(state);
      continue;
    }
    if (code === OPEN_BRACE) {
      state.blocks.push(state.ahead);
      state.ahead = "body";
      state.isPublic = false;
    } else if (code === CLOSE_BRACE) {
      state.blocks.pop();
      state.ahead = "body";
      state.isPublic = false;
    } else if (code === SEMICOLON) {
      state.isPublic = false;
      state.ahead = "body";
    }
    scanner.next();
  }
}

/** True if the scanner has moved on. */
function readName(state: State): boolean {
  const { scanner, facts, blocks } = state;
  const word = tokenText(scanner);
  switch (word) {
    case "pub":
      scanner.next();
      if (scanner.code === OPEN) skipGroup(scanner);
      state.isPublic = true;
      return true;
    case "use":
      readUse(state);
      return true;
    case "mod":
      readModule(state);
      return true;
    case "extern":
      readExtern(state);
      return true;
    case "impl":
      if (!blocks.includes("body")) state.ahead = "members";
      return false;
    case "fn": {
      const line = facts.lineAt(scanner.start);
      if (scanner.next() === NAME && !blocks.includes("body")) {
        facts.define(
          tokenText(scanner),
          blocks.at(-1) === "members" ? "method" : "function",
          line,
          state.isPublic,
        );
      }
      state.ahead = "body";
      return true;
    }
    case "macro_rules": {
      const line = facts.lineAt(scanner.start);
      scanner.next();
      if (scanner.code === EXCLAMATION && scanner.next() === NAME) {
        facts.define(tokenText(scanner), "function", line, true);
      }
      return true;
    }
    case "crate":
    case "super":
      return readPath(state);
    default: {
      const kind = Object.hasOwn(ITEMS, word) ? ITEMS[word] : undefined;
      return kind === undefined || blocks.includes("body") ? false : readItem(state, word, kind);
    }
  }
}

function readItem(state: State, word: string, kind: "class" | "type" | "variable"): boolean {
  const { scanner, facts, blocks } = state;
  const line = facts.lineAt(scanner.start);
  if (scanner.next() !== NAME) return true;
  // `const fn`, `const unsafe fn`, `static mut X`; `union` is also an ordinary name.
  if (isWord(scanner, "mut")) scanner.next();
  if (kind === "variable" && ["fn", "unsafe", "async", "extern"].some((next) => isWord(scanner, next)))
    return true;
  const isMember = blocks.at(-1) === "members";
  if (!isMember && scanner.kind === NAME) facts.define(tokenText(scanner), kind, line, state.isPublic);
  state.ahead = word === "trait" ? "members" : "body";
  scanner.next();
  return true;
}

/** `mod cart;` declares a file. `mod tests {` is a block of this file. */
function readModule(state: State): void {
  const { scanner, facts } = state;
  const line = facts.lineAt(scanner.start);
  if (scanner.next() !== NAME) return;
  const name = tokenText(scanner);
  scanner.next();
  if (scanner.code === SEMICOLON) {
    facts.addImport({ specifier: state.path ?? name, line, kind: "module", alias: name });
  } else if (scanner.code === OPEN_BRACE) {
    facts.define(name, "module", line, state.isPublic);
    state.ahead = "module";
  }
  state.path = null;
}

function readExtern(state: State): void {
  const { scanner, facts } = state;
  const line = facts.lineAt(scanner.start);
  scanner.next();
  if (isWord(scanner, "crate")) {
    if (scanner.next() !== NAME) return;
    const specifier = tokenText(scanner);
    let alias = specifier;
    if (scanner.next() === NAME && isWord(scanner, "as") && scanner.next() === NAME)
      alias = tokenText(scanner);
    facts.addImport({ specifier, line, alias });
  } else if (scanner.kind === STRING && scanner.next() !== NAME && scanner.code === OPEN_BRACE) {
    state.ahead = "module";
  }
}

/** Reads `#[path = "x.rs"]`, and skips other attributes. */
function readAttribute(state: State): void {
  const { scanner } = state;
  scanner.next();
  if (scanner.code === EXCLAMATION) scanner.next();
  if (scanner.code !== OPEN_BRACKET) return;
  scanner.next();
  if (isWord(scanner, "path")) {
    scanner.next();
    if (scanner.code === EQUALS && scanner.next() === STRING) state.path = stringValue(scanner);
  }
  for (let depth = 1; scanner.kind !== END; scanner.next()) {
    if (scanner.code === OPEN_BRACKET) depth++;
    else if (scanner.code === CLOSE_BRACKET && --depth === 0) {
      scanner.next();
      return;
    }
  }
}

/** `crate::a::b` and `super::a` in code. */
function readPath(state: State): boolean {
  const { scanner, facts } = state;
  const line = facts.lineAt(scanner.start);
  const segments = readSegments(scanner);
  const specifier = outside(segments, state).join("::");
  if (segments.length > 1 && !state.paths.has(specifier)) {
    state.paths.add(specifier);
    facts.addImport({ specifier, line });
  }
  return true;
}

/** Reads `a::b::c`, and stops behind it: at `{` or `*` if the last `::` leads there. */
function readSegments(scanner: Scanner): string[] {
  const segments: string[] = [];
  while (scanner.kind === NAME) {
    segments.push(tokenText(scanner));
    scanner.next();
    if (scanner.code !== COLON || scanner.text.charCodeAt(scanner.end) !== COLON) break;
    scanner.next();
    scanner.next();
  }
  return segments;
}

/** Inside of inline modules, a leading `super` is one of them. From there, the path is as if it were written outside. */
function outside(segments: readonly string[], { blocks }: State): readonly string[] {
  let inner = blocks.filter((block) => block === "module").length;
  if (inner === 0 || segments[0] !== "super") return segments;
  let at = 0;
  for (; inner > 0 && segments[at] === "super"; inner--) at++;
  const rest = segments.slice(at);
  return rest[0] === "super" ? rest : ["self", ...rest];
}

function readUse(state: State): void {
  const { scanner, facts, isPublic } = state;
  const line = facts.lineAt(scanner.start);
  const kind = isPublic ? "re-export" : "import";
  const add = (path: readonly string[], names: readonly ImportedName[], alias: string | null): void => {
    const specifier = outside(path, state).join("::");
    facts.addImport({ specifier, line, kind, names, alias });
  };
  scanner.next();
  readTree(scanner, [], add, 0);
  while (
    scanner.kind !== END &&
    scanner.code !== SEMICOLON &&
    scanner.code !== CLOSE_BRACE &&
    !isItem(scanner)
  ) {
    scanner.next();
  }
}

/** A `use` without a semicolon ends where the next item starts. */
function isItem(scanner: Scanner): boolean {
  return scanner.isLineStart && ["use", "fn", "pub", "mod", "struct"].some((word) => isWord(scanner, word));
}

type AddUse = (path: readonly string[], names: readonly ImportedName[], alias: string | null) => void;

/** Reads one branch of a tree, and stops behind it. Names with the same path become one fact. */
function readTree(scanner: Scanner, parent: readonly string[], add: AddUse, depth: number): void {
  if (depth > MAX_USE_DEPTH) return;
  // A leading `::` starts at the crates.
  while (scanner.code === COLON) scanner.next();
  const path = [...parent, ...readSegments(scanner)];
  if (scanner.code === STAR) {
    scanner.next();
    return add(path, [{ name: "*", as: "*" }], null);
  }
  if (scanner.code === OPEN_BRACE) return readBranches(scanner, path, add, depth);
  const alias = readAlias(scanner);
  const name = path.at(-1);
  if (name === undefined) return;
  if (name === "self" && path.length > 1) {
    const owner = path.slice(0, -1);
    return add(owner, [], alias ?? owner.at(-1) ?? null);
  }
  if (path.length === 1) return add(path, [], alias ?? name);
  add(path.slice(0, -1), [{ name, as: alias ?? name }], null);
}

function readBranches(scanner: Scanner, path: readonly string[], add: AddUse, depth: number): void {
  const names: ImportedName[] = [];
  const addBelow: AddUse = (found, foundNames, alias) => {
    const isDirect = alias === null && found.length === path.length && foundNames[0]?.name !== "*";
    if (isDirect && path.length > 0) names.push(...foundNames);
    else add(found, foundNames, alias);
  };
  do {
    scanner.next();
    if (scanner.code === CLOSE_BRACE) break;
    readTree(scanner, path, addBelow, depth + 1);
  } while (scanner.code === COMMA);
  if (scanner.code === CLOSE_BRACE) scanner.next();
  if (names.length > 0) add(path, names, null);
}

function readAlias(scanner: Scanner): string | null {
  if (!isWord(scanner, "as") || scanner.next() !== NAME) return null;
  const alias = tokenText(scanner);
  scanner.next();
  return alias;
}
