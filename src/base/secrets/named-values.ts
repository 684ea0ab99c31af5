/**
 * Finds values by the name in front of them: `password: "…"`, `API_TOKEN=…`, `<secret>…</secret>`, `--token …`. Each name is
 * checked once, and the text after it only up to a limit, so the time is linear.
 */
import type { SecretSpan } from "./secret-span.ts";
import { countDigits, isMixed, isPassword } from "./secret-values.ts";
import {
  isChaotic,
  isChosen,
  isEncodedPair,
  isGenerated,
  isIdentifier,
  MIN_CHOSEN_CHARS,
} from "./value-strength.ts";

/** Words that name a secret. The kind of secret determines how a value must look. */
const KEYWORD =
  /pass(?:word|wd|phrase|code|wort)?|(?:bind|root)?pwd?|identified by|securestring|secret|token|credentials?|jwt|(?:api|access|secret|private|auth|encryption|signing|account|shared|master|admin|application|app|service|license|subscription|storage|session|cookie|deploy|functions|client|write|consumer)[ _-]?key|sharedaccesskey|authorization|auth|session(?:[_-]?id)?|sid|sig(?:nature)?|key/gi;

type Kind = "password" | "generated" | "pair" | "session" | "signature" | "key";

/** In small letters, of which there are few. */
const kinds = new Map<string, Kind>();

function kindOf(word: string): Kind {
  const lower = word.toLowerCase();
  const known = kinds.get(lower);
  if (known !== undefined) return known;
  const kind = judgeKind(lower);
  kinds.set(lower, kind);
  return kind;
}

function judgeKind(lower: string): Kind {
  if (/^(?:pass|(?:bind|root)?pwd?$|ident|secures)/.test(lower)) return "password";
  if (lower === "key") return "key";
  if (lower === "auth") return "pair";
  if (/^s(?:id|ession(?:[_-]?id)?)$/.test(lower)) return "session";
  return lower.startsWith("sig") && !lower.endsWith("key") ? "signature" : "generated";
}

/** Suffixes of the keyword in the same name: `SECRET_KEY_BASE`, `passwordProd`, `token2`. */
const SUFFIX =
  /(?:(?:[_-]?(?:key|base|value|text|plain|prod(?:uction)?|dev|stag(?:e|ing)|live|main|primary|secondary|old|new|b64|base64|string|confirmation))|[_-]?v?\d{1,3}){0,3}(?![A-Za-z0-9])/iy;

/**
 * Whether a character is one of these. A hostile text has a name in every fourth character, and an expression takes ten times as
 * long as this to look at one character.
 */
type Chars = (code: number) => boolean;

function charsOf(chars: string): Chars {
  const known = new Uint8Array(128);
  for (const char of chars) known[char.charCodeAt(0)] = 1;
  return (code) => known[code] === 1;
}

const SMALL = "abcdefghijklmnopqrstuvwxyz";
const CAPITALS = SMALL.toUpperCase();
const isCapital = charsOf(CAPITALS);
const isLetter = charsOf(SMALL + CAPITALS);
const isBlank = charsOf(" \t");

/** How far back a name may begin. */
const MAX_NAME_CHARS = 60;
const isNameChar = charsOf(`${SMALL}${CAPITALS}0123456789_.-`);
/** SUFFIX begins with one of these. */
const isSuffixChar = charsOf(`${SMALL}${CAPITALS}0123456789_-`);
/** The expressions between a name and its value begin with one of these. Most names have no value, and fail here fast. */
const isAfterName = charsOf("\t\n\r \"'`=:])(>?!,\\<");

/** Names with these words hold public values. */
const HARMLESS_NAME =
  /publi|page|next|cursor|continu|hash|digest|checksum|integrity|etag|csrf|xsrf|nonce|design/i;

/** A value in a string in a string has its quotes escaped twice. */
const MAX_ESCAPES = 3;
const QUOTE = `\\\\{0,${MAX_ESCAPES}}["'\`]`;
/** Numbers and markers before a line, as in a listing or a diff. */
const MARGIN = "(?:[ \\d]{1,20}[|:\\t] ?)?[+-]?";

/** A name is followed by an operator, perhaps after a type: `password: string = `, `["token"] = `, `secret" => `. */
const ASSIGNED = new RegExp(
  `(?:${QUOTE})?[\\])]{0,2}[ \\t]{0,20}(?:[?!]?:[ \\t]{0,4}[&A-Za-z][\\w.<>&'?|\\[\\] ]{0,30}?[ \\t]{0,4})?(?:=>|:=|={1,3}|!={1,2}|:| is:?(?= ))[ \\t]{0,20}`,
  "y",
);
/** A name that is an argument, the name of a call, or an element: `("password", "…")`, `setToken("…")`, `<secret>…`. */
const PASSED = new RegExp(`(?:${QUOTE}[ \\t]{0,4},[ \\t]{0,20}|\\([ \\t]{0,4})(?=[@bru]?${QUOTE})`, "y");
/** A value in quotes after a space. */
const STATED = /[ \t]{1,4}(?=["'])/y;
/** The text of an element; in a property list the one after the name. */
const ELEMENT = /["']?>(?:<\/key>\s{0,40}<string>)?(?=[^<\s])|<\/key>\s{0,40}<string>/y;
/** `key="ApiKey" value="…"`, `{ "name": "X_TOKEN", "value": "…" }`, and the same over two lines of YAML. */
const VALUE_NEXT = new RegExp(
  `(?:${QUOTE})?,?[ \\t]{0,20}(?:\\r?\\n${MARGIN}[ \\t]{0,40})?(?:${QUOTE})?value(?:${QUOTE})?[ \\t]{0,4}[:=][ \\t]{0,4}`,
  "iy",
);
/** `variable "db_password" { … default = "…"`. */
const DEFAULT = /"[ \t]{0,4}\{[^{}]{0,200}?\bdefault[ \t]{0,10}=[ \t]{0,4}/y;
const SPACED = /[ \t]{1,8}(?=[^\s=:`-])/y;

/** One more than an expression accepts, because ` is` begins with one. */
const MAX_BLANKS = 21;

/** The characters that each expression may begin with: right after the name, or after the blanks that follow the name. */
const BEGINS = {
  assigned: charsOf("\"'`\\])?!:="),
  assignedAfterBlanks: charsOf("?!:=i"),
  valueNext: charsOf("\"'`\\,\r\n"),
  valueNextAfterBlanks: charsOf("\"'`\\\r\nvV"),
  preset: charsOf('"'),
  passed: charsOf("\"'`\\("),
  stated: charsOf("\"'"),
  element: charsOf("\"'><"),
  quoted: charsOf("@brufLN$\"'`\\"),
} as const;

const QUOTED = new RegExp(`[@brufLN$]{0,2}(?:["'](?=\\\\["']))?${QUOTE}`, "y");
/** Longer values are texts. */
const MAX_VALUE_CHARS = 300;
const UNQUOTED = /[^\s"'`;&<>]+/y;
const IN_ELEMENT = new RegExp(`[^<\\n]{1,${MAX_VALUE_CHARS + 1}}`, "y");

/** Names inside a value share its end; judging every one of them would be quadratic in a hostile text. */
const MAX_VALUES_WITH_ONE_END = 3;

type Value = {
  readonly start: number;
  readonly end: number;
  readonly form: "quoted" | "line" | "inline" | "loose";
};

export function findNamedValues(text: string): readonly SecretSpan[] {
  const spans: SecretSpan[] = [];
  const endOfRun = createRunEnds(text);
  let lastEnd = -1;
  let sameEnd = 0;
  KEYWORD.lastIndex = 0;
  for (let match = KEYWORD.exec(text); match !== null; match = KEYWORD.exec(text)) {
    const named = nameAt(text, match[0], match.index);
    const value = named === null ? null : valueAfter(text, named, endOfRun);
    if (named === null || value === null) continue;
    sameEnd = value.end === lastEnd ? sameEnd + 1 : 1;
    lastEnd = value.end;
    if (sameEnd > MAX_VALUES_WITH_ONE_END) continue;
    if (isSecret(text.slice(value.start, value.end), named, value.form))
      spans.push({
        kind: named.kind === "password" ? "password" : "named-secret",
        start: value.start,
        end: value.end,
      });
  }
  return spans;
}

type Name = {
  readonly kind: Kind;
  readonly start: number;
  readonly end: number;
  readonly text: string;
};

function nameAt(text: string, word: string, index: number): Name | null {
  const wordEnd = index + word.length;
  const end = isSuffixChar(text.charCodeAt(wordEnd)) ? endAt(SUFFIX, text, wordEnd) : wordEnd;
  if (end === -1 || !isAfterName(text.charCodeAt(end))) return null;
  const kind = kindOf(word);
  // `compass`, `author`, `inside`: the short words must be words, or begin with a capital after a small letter.
  const isShort = word.length <= 4 || kind === "session" || kind === "signature";
  const isWithin = isCapital(word.charCodeAt(0)) ? isCapital : isLetter;
  if (isShort && isWithin(text.charCodeAt(index - 1))) return null;
  let start = index;
  while (start > 0 && index - start < MAX_NAME_CHARS && isNameChar(text.charCodeAt(start - 1))) start--;
  const before = text.slice(start, index);
  if (kind === "signature" && !/[?&;]/.test(text[start - 1] ?? " ") && !/amz/i.test(before)) return null;
  return { kind, start, end, text: before + word };
}

function valueAfter(text: string, name: Name, endOfRun: RunEnds): Value | null {
  const first = text.charCodeAt(name.end);
  const isSpaced = isBlank(first);
  const next = isSpaced ? charAfterBlanks(text, name.end) : first;
  const isAssigned = isSpaced ? BEGINS.assignedAfterBlanks : BEGINS.assigned;
  const assigned = isAssigned(next) ? endAt(ASSIGNED, text, name.end) : -1;
  if (assigned !== -1) return quotedAt(text, assigned) ?? unquotedAt(text, assigned, name, endOfRun);
  // Two letters are a word of a name only before an operator.
  if (name.text.length === 2 && /^pw$/i.test(name.text)) return null;
  const isNamed = isSpaced ? BEGINS.valueNextAfterBlanks : BEGINS.valueNext;
  const value = isNamed(next) ? endAt(VALUE_NEXT, text, name.end) : -1;
  if (value !== -1) return quotedAt(text, value) ?? runAt(value, endOfRun, "line");
  const preset = BEGINS.preset(first) ? endAt(DEFAULT, text, name.end) : -1;
  if (preset !== -1) return quotedAt(text, preset);
  const passed = BEGINS.passed(first) ? endAt(PASSED, text, name.end) : -1;
  if (passed !== -1) return quotedAt(text, passed);
  const stated = isSpaced && BEGINS.stated(next) && isStatement(name) ? endAt(STATED, text, name.end) : -1;
  if (stated !== -1) return quotedAt(text, stated);
  const element = BEGINS.element(first) ? endAt(ELEMENT, text, name.end) : -1;
  if (element !== -1) return spanAt(IN_ELEMENT, text, element, "quoted");
  const spaced = isSpaced ? endAt(SPACED, text, name.end) : -1;
  if (spaced === -1 || !isCommand(text, name)) return null;
  return quotedAt(text, spaced) ?? runAt(spaced, endOfRun, "line");
}

function charAfterBlanks(text: string, from: number): number {
  let at = from;
  while (at < from + MAX_BLANKS && isBlank(text.charCodeAt(at))) at++;
  return text.charCodeAt(at);
}

/** `PASSWORD '…'`, `IDENTIFIED BY '…'`, `ConvertTo-SecureString "…"`; in a sentence the word is a verb or a noun. */
function isStatement({ text }: Name): boolean {
  return /identified by$|securestring$/i.test(text) || (/^[A-Z0-9_]+$/.test(text) && text !== "PASS");
}

/** No `ENV` and no space. */
const isVisibleButV = charsOf(
  Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index))
    .filter((char) => char !== "V")
    .join(""),
);

/** `--token X`, `ENV DB_PASSWORD X`, and `password X` of a .netrc take a value after a space; a sentence does not. */
function isCommand(text: string, { text: name, start }: Name): boolean {
  if (name.startsWith("--")) return true;
  if (/^[A-Z0-9_]+$/.test(name)) {
    let at = start;
    while (isBlank(text.charCodeAt(at - 1))) at--;
    return !isVisibleButV(text.charCodeAt(at - 1)) && /\bENV\s+$/.test(lineBefore(text, start));
  }
  if (!/^(?:password|(?:bind|root)pw)$/.test(name)) return false;
  const line = lineBefore(text, start);
  return /\bmachine\s|\blogin\s/.test(line) || /^[\d |+-]*\s*$/.test(line);
}

function quotedAt(text: string, at: number): Value | null {
  const start = BEGINS.quoted(text.charCodeAt(at)) ? endAt(QUOTED, text, at) : -1;
  if (start === -1) return null;
  let quoteStart = start - 1;
  while (quoteStart > at && start - quoteStart <= MAX_ESCAPES && text[quoteStart - 1] === "\\") quoteStart--;
  const quote = text.slice(quoteStart, start);
  const room = text.slice(start, start + MAX_VALUE_CHARS);
  const closed = room.indexOf(quote);
  if (closed <= 0 || room.lastIndexOf("\n", closed) !== -1) return null;
  return { start, end: start + closed, form: "quoted" };
}

/** Ends a sentence, a call or a list, and not a value. */
const isPunctuation = charsOf(",.)]}\\");

function unquotedAt(text: string, at: number, name: Name, endOfRun: RunEnds): Value | null {
  const value = runAt(at, endOfRun, "loose");
  // The name is the user of a URL; another pattern finds the end of its password.
  if (value === null || text.startsWith("//", name.start - 2)) return null;
  let { end } = value;
  while (end > value.start && isPunctuation(text.charCodeAt(end - 1))) end--;
  const isTight = text[name.end] === "=" && at === name.end + 1;
  const before = text[name.start - 1] ?? "\n";
  const isPart =
    isTight && (/[;?&]/.test(before) || name.text.startsWith("-") || /^[A-Z][A-Z0-9_]*$/.test(name.text));
  if (isPart) return { start: value.start, end, form: "inline" };
  return { start: value.start, end, form: isLine(text, name, value.end) ? "line" : "loose" };
}

const LINE_START = new RegExp(
  `^${MARGIN}[ \\t]{0,60}(?:export[ \\t]{1,4}|set[ \\t]{1,4}|- |\\$env:|\\$|:|["']|//[^\\s=]{1,100}:|[A-Z][\\w-]{0,30}: )?$`,
  "i",
);
const LINE_END = /(?:[ \t]{0,20}\\?\r?(?:\n|$)|[ \t]{1,20}[#(])/y;
/** Text farther away on the same line doesn't belong to the name. */
const MAX_LINE_BEFORE_CHARS = 300;

function lineBefore(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - MAX_LINE_BEFORE_CHARS), at);
  return before.slice(before.lastIndexOf("\n") + 1);
}

/** The name starts its line and the value ends it, as in settings files. */
function isLine(text: string, name: Name, end: number): boolean {
  return (
    endAt(LINE_END, text, end) !== -1 &&
    (/\bpassword$/i.test(name.text) || LINE_START.test(lineBefore(text, name.start)))
  );
}

/** The minimum length of a random value: the vaguer its name, the longer it must be. */
const MIN_CHARS: Readonly<Record<Kind, number>> = {
  password: 8,
  generated: 8,
  pair: 16,
  session: 20,
  key: 24,
  signature: 32,
};
/** The same without quotes or a separate line that mark it as a value. */
const MIN_LOOSE_CHARS: Readonly<Record<Kind, number>> = {
  ...MIN_CHARS,
  generated: 16,
  pair: 24,
  key: Number.POSITIVE_INFINITY,
};
/** A base64 key has about one digit in six characters; a name has one or two at its end. */
const MIN_KEY_DIGITS = 3;
/** No variable is that long and random. */
const MIN_RANDOM_NAME_CHARS = 20;

function isSecret(value: string, { kind, text }: Name, form: Value["form"]): boolean {
  if (value.length < (kind === "password" ? MIN_CHOSEN_CHARS : MIN_CHARS.generated)) return false;
  // A call, an index or a template isn't a value.
  if (form !== "quoted" && /[(){}$<>`[\]]/.test(value)) return false;
  return looksSecret(value, kind, form) && !HARMLESS_NAME.test(text);
}

function looksSecret(value: string, kind: Kind, form: Value["form"]): boolean {
  if ((kind === "pair" || (kind === "generated" && form !== "loose")) && isEncodedPair(value)) return true;
  if (form !== "quoted" && isVariable(value))
    return form === "inline" && kind === "password" && isPassword(value);
  if (kind === "key" && !isKeyMaterial(value)) return false;
  if (isGenerated(value, (form === "loose" ? MIN_LOOSE_CHARS : MIN_CHARS)[kind])) return true;
  return (
    kind === "password" && form !== "loose" && (isChosen(value) || (form === "inline" && isPassword(value)))
  );
}

/** Keys of maps, caches and tables have the same name; a secret key is long and random. */
function isKeyMaterial(value: string): boolean {
  return countDigits(value) >= MIN_KEY_DIGITS && isMixed(value) && /^[\w+/=.~-]+$/.test(value);
}

/** Without quotes a variable and a random word look alike, except that a variable rarely mixes everything. */
function isVariable(value: string): boolean {
  return isIdentifier(value) && !isChaotic(value) && !isGenerated(value, MIN_RANDOM_NAME_CHARS);
}

/** The end of the run of characters, without quotes and separators, that includes this position. */
type RunEnds = (at: number) => number;

/** One run may contain many names; its end is searched once. */
function createRunEnds(text: string): RunEnds {
  let start = 0;
  let end = 0;
  return (at) => {
    if (at >= start && at < end) return end;
    start = at;
    end = Math.max(at, endAt(UNQUOTED, text, at));
    return end;
  };
}

function runAt(at: number, endOfRun: RunEnds, form: Value["form"]): Value | null {
  const end = endOfRun(at);
  return end === at || end - at > MAX_VALUE_CHARS ? null : { start: at, end, form };
}

/** The end of the match at this position; -1 without one. */
function endAt(expression: RegExp, text: string, at: number): number {
  expression.lastIndex = at;
  return expression.test(text) ? expression.lastIndex : -1;
}

function spanAt(expression: RegExp, text: string, at: number, form: Value["form"]): Value | null {
  const end = endAt(expression, text, at);
  return end === -1 || end - at > MAX_VALUE_CHARS ? null : { start: at, end, form };
}
