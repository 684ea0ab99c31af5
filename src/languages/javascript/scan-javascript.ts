/** Imports and definitions of JavaScript and TypeScript, and of the scripts in Vue and Svelte files. */
import {
  APOSTROPHE,
  BACKTICK,
  CLOSE,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  DOT,
  EQUALS,
  GREATER,
  LESS,
  OPEN,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  SEMICOLON,
  STAR,
} from "../extract/characters.ts";
import type { DefinitionFact, ImportedName } from "../file-facts.ts";
import type { FactCollector } from "../extract/fact-collector.ts";
import { javaScriptRules } from "./scan-rules.ts";
import {
  createScanner,
  END,
  isWord,
  NAME,
  peekCode,
  PUNCTUATION,
  type Scanner,
  STRING,
  stringValue,
  tokenText,
} from "../extract/scan-code.ts";

/** How far before a `require` its variable is searched. A longer destructuring pattern isn't read. */
const MAX_PATTERN_CHARS = 1_000;

/** A line that starts with one of these in the first column is at the top level, even if a brace before it was misread. */
const TOP_WORDS: ReadonlySet<string> = new Set(
  "import export function class const interface abstract declare enum".split(" "),
);

const MODIFIERS: ReadonlySet<string> = new Set(
  "public private protected static async get set readonly override abstract declare accessor".split(" "),
);

const DECLARATIONS: Readonly<Record<string, DefinitionFact["kind"]>> = {
  function: "function",
  class: "class",
  interface: "type",
  type: "type",
  enum: "class",
  namespace: "module",
  module: "module",
  const: "variable",
  let: "variable",
  var: "variable",
};

/** A name that is exported by `export { local as name }`, `export default local` or `module.exports`. */
type LocalExport = { readonly local: string; readonly name: string; readonly line: number };

export function readJavaScript(text: string, facts: FactCollector): void {
  readScript(createScanner(text, javaScriptRules()), facts);
}

export function readScriptElements(text: string, facts: FactCollector): void {
  for (let at = text.indexOf("<script"); at !== -1; at = text.indexOf("<script", at)) {
    const from = text.indexOf(">", at) + 1;
    if (from === 0) return;
    const end = text.indexOf("</script", from);
    const to = end === -1 ? text.length : end;
    readScript(createScanner(text, javaScriptRules(), { from, to }), facts);
    at = to;
  }
}

/** The place of the scanner in the program. */
type State = {
  readonly scanner: Scanner;
  readonly facts: FactCollector;
  readonly exported: LocalExport[];
  /** Open brackets of all kinds. */
  depth: number;
  /** The depths of the bodies of open classes. */
  readonly classes: number[];
  /** The body of a class follows. */
  isClassAhead: boolean;
  /** Open angle brackets in the head of that class. */
  angles: number;
  /** The depth inside of `module.exports = {`; -1 elsewhere. */
  objectDepth: number;
  /** A comma at the top level separates variables. */
  isVariableList: boolean;
  /** The token before is one that a statement or a member can follow. */
  isStart: boolean;
  /** The punctuation before; 0 for another token. */
  lastCode: number;
};

function readScript(scanner: Scanner, facts: FactCollector): void {
  const state: State = {
    scanner,
    facts,
    exported: [],
    depth: 0,
    classes: [],
    isClassAhead: false,
    angles: 0,
    objectDepth: -1,
    isVariableList: false,
    isStart: true,
    lastCode: 0,
  };
  scanner.next();
  while (scanner.kind !== END) {
    const hasMoved = scanner.kind === NAME && takeWord(state);
    if (scanner.kind === PUNCTUATION && !hasMoved) takePunctuation(state);
    else {
      if (scanner.kind !== NAME || hasMoved) state.isStart = false;
      state.lastCode = 0;
    }
    if (!hasMoved) scanner.next();
  }
  addLocalExports(facts, state.exported);
}

/** True if the scanner has moved on. */
function takeWord(state: State): boolean {
  const { scanner, facts, exported, classes, lastCode } = state;
  const word = tokenText(scanner);
  const isFirst = state.isStart || scanner.isLineStart;
  if (isFirst && state.depth > 0 && scanner.start === scanner.lineStart && TOP_WORDS.has(word)) {
    state.depth = 0;
    classes.length = 0;
  }
  const { depth } = state;
  state.isStart = depth > 0 && isFirst && MODIFIERS.has(word);
  if (word === "require" || word === "import") {
    const read = lastCode === DOT ? null : readImport(scanner, { word, isStatement: isFirst, facts });
    if (read === "open") state.depth++;
    return read !== null;
  }
  if (depth === 0 && state.isVariableList && lastCode === COMMA) {
    const isAssigned = peekCode(scanner, scanner.end) === EQUALS;
    if (isAssigned) facts.define(word, "variable", facts.lineAt(scanner.start), false);
  } else if (depth === 0 && isFirst) {
    const declared = readTopLevel(scanner, word, { facts, exported });
    state.isVariableList = declared === "variable";
    if (declared === "object") state.objectDepth = 1;
    if (declared === "class") {
      state.isClassAhead = true;
      state.angles = 0;
    }
    return declared !== null;
  } else if (depth === state.objectDepth && (lastCode === COMMA || lastCode === OPEN_BRACE)) {
    if ([COMMA, CLOSE_BRACE, COLON, OPEN].includes(peekCode(scanner, scanner.end))) {
      exported.push({ local: word, name: word, line: facts.lineAt(scanner.start) });
    }
  } else if (depth > 0 && depth === classes[classes.length - 1] && isFirst && !MODIFIERS.has(word)) {
    const isCalled = [OPEN, LESS].includes(peekCode(scanner, scanner.end));
    if (isCalled && word !== "constructor" && lastCode !== EQUALS) {
      facts.define(word, "method", facts.lineAt(scanner.start), true);
    }
  }
  return false;
}

function takePunctuation(state: State): void {
  const { classes } = state;
  const { code } = state.scanner;
  if (code === OPEN_BRACE || code === OPEN || code === OPEN_BRACKET) {
    state.depth++;
    if (state.isClassAhead && code === OPEN_BRACE && state.angles <= 0) {
      classes.push(state.depth);
      state.isClassAhead = false;
    }
  } else if (code === CLOSE_BRACE || code === CLOSE || code === CLOSE_BRACKET) {
    if (state.depth === classes[classes.length - 1]) classes.pop();
    if (state.depth === state.objectDepth) state.objectDepth = -1;
    if (state.depth > 0) state.depth--;
  } else if (state.isClassAhead && code === LESS) state.angles++;
  else if (state.isClassAhead && code === GREATER) state.angles--;
  const isGenerator = code === STAR && state.depth === classes[classes.length - 1];
  state.isStart = isGenerator || code === SEMICOLON || code === CLOSE_BRACE || code === OPEN_BRACE;
  state.lastCode = code;
}

type Top = { readonly facts: FactCollector; readonly exported: LocalExport[] };

/**
 * Reads what starts at a word of the top level. Null if that is no declaration or export. "class": a body follows;
 * "variable": more variables may follow a comma; "object": the names that `module.exports` gets follow.
 */
function readTopLevel(
  scanner: Scanner,
  word: string,
  top: Top,
): "class" | "variable" | "object" | "other" | null {
  if (word === "export") {
    scanner.next();
    return readExport(scanner, top);
  }
  if (word === "module" || word === "exports") {
    const read = readCommonJsExport(scanner, word, top);
    if (read !== null) return read;
  }
  return readDeclaration(scanner, { ...top, isExported: false, isDefault: false });
}

function readDeclaration(
  scanner: Scanner,
  how: Top & { readonly isExported: boolean; readonly isDefault: boolean },
): "class" | "variable" | "other" | null {
  const { facts, isExported, isDefault } = how;
  const before = scanner.start;
  while (isWord(scanner, "declare") || isWord(scanner, "abstract") || isWord(scanner, "async"))
    scanner.next();
  const keyword = scanner.kind === NAME ? tokenText(scanner) : "";
  let kind = Object.hasOwn(DECLARATIONS, keyword) ? DECLARATIONS[keyword] : undefined;
  if (kind === undefined) return scanner.start === before ? null : "other";
  const line = facts.lineAt(scanner.start);
  scanner.next();
  if (scanner.code === STAR) scanner.next();
  if (kind === "variable" && isWord(scanner, "enum")) {
    kind = "class";
    scanner.next();
  }
  if (isDefault) facts.define("default", kind, line, true);
  if (kind === "variable" && (scanner.code === OPEN_BRACE || scanner.code === OPEN_BRACKET)) {
    readPattern(scanner, line, { ...how });
    return "variable";
  }
  if (scanner.kind !== NAME) return keyword === "class" ? "class" : "other";
  const name = tokenText(scanner);
  if (keyword === "class" && (name === "extends" || name === "implements")) return "class";
  const after = peekCode(scanner, scanner.end);
  // `type`, `module` and `namespace` are also ordinary names.
  if (keyword === "type" && after !== EQUALS && after !== LESS) return "other";
  if ((keyword === "module" || keyword === "namespace") && after !== OPEN_BRACE && after !== DOT)
    return "other";
  scanner.next();
  if (kind === "variable" && scanner.code === EQUALS) {
    const at = scanner.end;
    const isFunction = /^\s{0,9}(?:async\s{0,9}[(\w<]|function\b)/.test(scanner.text.slice(at, at + 40));
    if (isFunction) kind = "function";
  }
  facts.define(name, kind, line, isExported);
  const isVariable = keyword === "const" || keyword === "let" || keyword === "var";
  return keyword === "class" ? "class" : isVariable && kind !== "class" ? "variable" : "other";
}

/** Defines the names of a destructuring pattern, and stops at its end. */
function readPattern(
  scanner: Scanner,
  line: number,
  { facts, isExported }: { readonly facts: FactCollector; readonly isExported: boolean },
): void {
  let depth = 0;
  let lastCode = 0;
  do {
    if (scanner.code === OPEN_BRACE || scanner.code === OPEN_BRACKET || scanner.code === OPEN) depth++;
    else if (scanner.code === CLOSE_BRACE || scanner.code === CLOSE_BRACKET || scanner.code === CLOSE)
      depth--;
    else if (scanner.kind === NAME && lastCode !== EQUALS && lastCode !== 0) {
      if (peekCode(scanner, scanner.end) !== COLON)
        facts.define(tokenText(scanner), "variable", line, isExported);
    }
    lastCode = scanner.code;
    if (depth === 0) return;
  } while (scanner.next() !== END);
}

function readExport(scanner: Scanner, top: Top): "class" | "variable" | "other" {
  const { facts, exported } = top;
  const line = facts.lineAt(scanner.start);
  if (isWord(scanner, "type") && [OPEN_BRACE, STAR].includes(peekCode(scanner, scanner.end))) scanner.next();
  if (scanner.code === STAR) {
    scanner.next();
    const alias = isWord(scanner, "as") ? takeNext(scanner) : null;
    const specifier = readFrom(scanner);
    if (specifier === null) return "other";
    const names = alias === null ? [{ name: "*", as: "*" }] : [];
    facts.addImport({ specifier, line, kind: "re-export", names, alias });
    return "other";
  }
  if (scanner.code === OPEN_BRACE) {
    const names = readNames(scanner);
    const specifier = readFrom(scanner);
    if (specifier !== null) facts.addImport({ specifier, line, kind: "re-export", names });
    else for (const { name, as } of names) exported.push({ local: name, name: as, line });
    return "other";
  }
  if (isWord(scanner, "default")) {
    scanner.next();
    const declared = readDeclaration(scanner, { ...top, isExported: true, isDefault: true });
    if (declared !== null) return declared;
    const local = scanner.kind === NAME ? tokenText(scanner) : "";
    exported.push({ local, name: "default", line });
    return "other";
  }
  if (scanner.code === EQUALS) {
    scanner.next();
    if (scanner.kind === NAME) exported.push({ local: tokenText(scanner), name: "default", line });
    return "other";
  }
  if (isWord(scanner, "import")) {
    readStaticImport(scanner, facts);
    return "other";
  }
  return readDeclaration(scanner, { ...top, isExported: true, isDefault: false }) ?? "other";
}

/** `exports.name = …`, `module.exports.name = …` and `module.exports = …`. */
function readCommonJsExport(
  scanner: Scanner,
  word: string,
  { facts, exported }: Top,
): "object" | "other" | null {
  const line = facts.lineAt(scanner.start);
  if (peekCode(scanner, scanner.end) !== DOT) return null;
  scanner.next();
  scanner.next();
  if (word === "module") {
    if (!isWord(scanner, "exports")) return "other";
    scanner.next();
    if (scanner.code === EQUALS) {
      scanner.next();
      if (scanner.code === OPEN_BRACE) return "object";
      const isName = scanner.kind === NAME && !isWord(scanner, "require");
      if (isName) exported.push({ local: tokenText(scanner), name: "default", line });
      return "other";
    }
    if (scanner.code !== DOT) return "other";
    scanner.next();
  }
  const name = scanner.kind === NAME ? tokenText(scanner) : "";
  if (name !== "" && peekCode(scanner, scanner.end) === EQUALS) exported.push({ local: name, name, line });
  return "other";
}

/**
 * Reads an import, and stops behind it. "open": a parenthesis is still open. Null if it is none, and the scanner hasn't
 * moved.
 */
function readImport(
  scanner: Scanner,
  {
    word,
    isStatement,
    facts,
  }: { readonly word: string; readonly isStatement: boolean; readonly facts: FactCollector },
): "closed" | "open" | null {
  const { start, text } = scanner;
  const after = peekCode(scanner, scanner.end);
  if (after === OPEN) {
    if (!isQuote(peekCode(scanner, text.indexOf("(", scanner.end) + 1))) return null;
    const line = facts.lineAt(start);
    scanner.next();
    scanner.next();
    const specifier = scanner.kind === STRING ? stringValue(scanner) : "";
    scanner.next();
    if (scanner.code !== CLOSE && scanner.code !== COMMA) return "open";
    const isCommonJs = word === "require";
    facts.addImport({
      specifier,
      line,
      ...bindingBefore(text, start, { isCommonJs, end: scanner.end }),
    });
    if (scanner.code !== CLOSE) return "open";
    scanner.next();
    return "closed";
  }
  if (word !== "import" || after === DOT || !isStatement) return null;
  readStaticImport(scanner, facts);
  return "closed";
}

/** Reads `import …`, and stops behind the module's name. */
function readStaticImport(scanner: Scanner, facts: FactCollector): void {
  const line = facts.lineAt(scanner.start);
  scanner.next();
  if (scanner.kind === STRING) return facts.addImport({ specifier: takeString(scanner), line });
  const names: ImportedName[] = [];
  let alias: string | null = null;
  // `type` is a modifier unless it is the imported name itself: `import type from`, `import type, { a } from`.
  if (isWord(scanner, "type") || isWord(scanner, "typeof") || isWord(scanner, "defer")) {
    const as = tokenText(scanner);
    scanner.next();
    const isName = isWord(scanner, "from") && isQuote(peekCode(scanner, scanner.end));
    if (isName || scanner.code === COMMA) names.push({ name: "default", as });
  }
  if (scanner.kind === NAME && !(names.length > 0 && isWord(scanner, "from"))) {
    const as = tokenText(scanner);
    scanner.next();
    if (scanner.code === EQUALS) return readImportEquals(scanner, { as, line, facts });
    names.push({ name: "default", as });
  }
  if (scanner.code === COMMA) scanner.next();
  if (scanner.code === STAR) {
    scanner.next();
    if (isWord(scanner, "as")) alias = takeNext(scanner);
  } else if (scanner.code === OPEN_BRACE) names.push(...readNames(scanner));
  const specifier = readFrom(scanner);
  if (specifier !== null) facts.addImport({ specifier, line, names, alias });
}

function isQuote(code: number): boolean {
  return code === QUOTE || code === APOSTROPHE || code === BACKTICK;
}

/** `import a = require("b")`. */
function readImportEquals(
  scanner: Scanner,
  { as, line, facts }: { readonly as: string; readonly line: number; readonly facts: FactCollector },
): void {
  scanner.next();
  if (!isWord(scanner, "require")) return;
  scanner.next();
  if (scanner.next() !== STRING) return;
  facts.addImport({ specifier: takeString(scanner), line, alias: as });
}

/** Reads `{ a, b as c, type d }`, and stops behind it. */
function readNames(scanner: Scanner): readonly ImportedName[] {
  const names: ImportedName[] = [];
  let words: string[] = [];
  const flush = (): void => {
    const parts = words[0] === "type" && words.length > 1 && words[1] !== "as" ? words.slice(1) : words;
    const name = parts[0];
    if (name !== undefined) names.push({ name, as: parts[1] === "as" ? (parts[2] ?? name) : name });
    words = [];
  };
  while (scanner.next() !== END && scanner.code !== CLOSE_BRACE) {
    if (scanner.code === COMMA) flush();
    else if (scanner.kind === NAME) words.push(tokenText(scanner));
    else if (scanner.kind === STRING) words.push(stringValue(scanner));
    else return names;
  }
  flush();
  scanner.next();
  return names;
}

/** Reads `from "x"`. */
function readFrom(scanner: Scanner): string | null {
  if (!isWord(scanner, "from") || scanner.next() !== STRING) return null;
  return takeString(scanner);
}

function takeString(scanner: Scanner): string {
  const value = stringValue(scanner);
  scanner.next();
  return value;
}

/** Moves on, and returns the name there. The scanner is then behind it. */
function takeNext(scanner: Scanner): string | null {
  const kind = scanner.next();
  if (kind !== NAME && kind !== STRING) return null;
  const word = kind === NAME ? tokenText(scanner) : stringValue(scanner);
  scanner.next();
  return word;
}

type Binding = {
  readonly names?: readonly ImportedName[];
  readonly alias?: string | null;
  readonly kind?: "re-export";
};

/** The variable that `= require(…)` or `= await import(…)` assigns: `a`, `{ a, b: c }`, or `module.exports`. */
function bindingBefore(
  text: string,
  at: number,
  { isCommonJs, end }: { readonly isCommonJs: boolean; readonly end: number },
): Binding {
  const before = text.slice(Math.max(0, at - MAX_PATTERN_CHARS), at).trimEnd();
  const left = (before.endsWith("await") ? before.slice(0, -5).trimEnd() : before).trimEnd();
  if (!left.endsWith("=")) return {};
  const target = left.slice(0, -1).trimEnd();
  if (/\btype\s{1,9}[\w$]{1,200}$/.test(target.slice(-220))) return {};
  if (isCommonJs && target.endsWith("module.exports")) {
    return { kind: "re-export", names: [{ name: "*", as: "*" }] };
  }
  if (target.endsWith("}")) {
    const open = target.lastIndexOf("{");
    return open === -1 ? {} : { names: namesOfPattern(target.slice(open + 1, -1)) };
  }
  const as = /(?:^|[\s,;({])([\w$]{1,200})$/.exec(target.slice(-201))?.[1];
  if (as === undefined) return {};
  const member = isCommonJs
    ? /^\s{0,9}\.\s{0,9}([\w$]{1,200})/.exec(text.slice(end, end + 220))?.[1]
    : undefined;
  return member === undefined ? { alias: as } : { names: [{ name: member, as }] };
}

function namesOfPattern(pattern: string): readonly ImportedName[] {
  return pattern.split(",").flatMap((part) => {
    const [, name, as = name] = /^\s*([\w$]+)\s*(?::\s*([\w$]+))?/.exec(part) ?? [];
    return name === undefined || as === undefined ? [] : [{ name, as }];
  });
}

/** A name that is exported elsewhere than it is declared gets a definition; one that was imported is a re-export. */
function addLocalExports(facts: FactCollector, exported: readonly LocalExport[]): void {
  if (exported.length === 0) return;
  const defined = new Map(facts.definitions.map((definition, index) => [definition.name, index]));
  const imported = new Map<string, { readonly specifier: string; readonly imported: string | null }>();
  for (const { specifier, names, moduleAlias } of facts.imports) {
    for (const { name, as } of names) imported.set(as, { specifier, imported: name });
    if (moduleAlias !== null) imported.set(moduleAlias, { specifier, imported: null });
  }
  for (const { local, name, line } of exported) {
    const index = defined.get(local);
    const definition = index === undefined ? undefined : facts.definitions[index];
    const source = definition === undefined ? imported.get(local) : undefined;
    if (index !== undefined && definition !== undefined && local === name) {
      facts.definitions[index] = { ...definition, isExported: true };
    } else if (source !== undefined) {
      const names = source.imported === null ? [] : [{ name: source.imported, as: name }];
      const alias = source.imported === null ? name : null;
      facts.addImport({ specifier: source.specifier, line, kind: "re-export", names, alias });
    } else facts.define(name, definition?.kind ?? "variable", definition?.line ?? line, true);
  }
}
