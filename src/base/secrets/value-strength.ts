/**
 * Judges whether a value in the position of a secret is one. These tests favor recall: masking an ordinary value costs a
 * reviewer a little, showing a secret to a model costs its owner a lot. Reporting has its own, stricter tests in
 * secret-values.ts.
 */
import { countDigits, entropyBits } from "./secret-values.ts";

/** A shorter random value is indistinguishable from an abbreviation. */
const MIN_GENERATED_CHARS = 8;
/** Random hex shorter than this is a colour, an abbreviated commit or a number. */
const MIN_HEX_CHARS = 16;
/** Sixteen random hex digits have about 3.2 bits each; counters and dates stay below this. */
const MIN_HEX_BITS = 2.7;
/** Eight distinct characters have three bits; words repeat letters. */
const MIN_GENERATED_BITS = 2.7;
/** Random base62 changes between capitals, small letters and digits at 44 of 100 characters, camelCase at about 20. */
const MIN_CHANGES_PER_CHAR = 0.2;
/** Names have one digit more often than two. */
const MIN_CHANGES_PER_CHAR_ONE_DIGIT = 0.3;
/** `sha256Sum` changes twice; generated values of eight characters change more often. */
const MIN_CHANGES = 3;
/** People choose longer passwords; shorter values are codes and numbers. */
export const MIN_CHOSEN_CHARS = 5;
const MAX_CHOSEN_CHARS = 200;

/** Longer values made of words are sentences or names, which other tests exclude. */
const MAX_STAND_IN_CHARS = 32;

/** `test_db_x` is a placeholder too. */
const MAX_OTHER_LETTERS = 2;

/** Words that placeholders consist of, in documentation, tests and development setups. */
const STAND_IN_WORD =
  /change|replace|insert|enter|update|your|this|with|some|here|user(?:name)?|name|passwor[dt]|passwd|passphrase|pass|pwd|secret|token|api|access|auth|client|private|public|shared|signing|encryption|session|key|value|example|sample|placeholder|dummy|fake|mock|test(?:ing|er|s)?|demo|default|todo|null|none|undefined|true|false|invalid|valid|wrong|incorrect|correct|foo|bar|baz|qux|lorem|string|admin(?:istrator)?|root|guest|postgres(?:ql)?|mysql|mariadb|mongo(?:db)?|redis|rabbitmq|minio|localhost|local|dev(?:elopment)?|prod(?:uction)?|staging|qwerty|hunter2|letmein|welcome|redacted|hidden|masked|empty|service|account|database|credentials?|login|basic|bearer|supersecret|super|very|long|random|hash(?:ed)?|encrypted|plain|text|new|old|first|second|my|me|it|the|an?(?![a-z])|of|to|db|pw(?![a-z])|id|app|x{3,}|abc(?:def)?|xyz/iy;

/** Parts of well-known examples that real values don't have. */
const EXAMPLE =
  /example|placeholder|redacted|changeme|change[-_]me|your[-_]|deadbeef|0123456789|1234567890|x{6}|\*\*/i;
const REPEATED = /^(.{1,4})\1{3,}/;

/** True for a value made of placeholder words, digits and separators. `p` is none: it is a short password. */
export function isStandIn(value: string): boolean {
  if (value === last.value) return last.isStandIn;
  last = { value, isStandIn: judgeStandIn(value) };
  return last.isStandIn;
}

/** Several tests ask in turn about one value, and this is the longest part of each. */
let last = { value: "", isStandIn: true };

function judgeStandIn(value: string): boolean {
  if (value === "" || EXAMPLE.test(value) || REPEATED.test(value) || value.startsWith("[masked")) return true;
  if (value.length > MAX_STAND_IN_CHARS) return false;
  let left = 0;
  for (let at = 0; at < value.length && left <= MAX_OTHER_LETTERS;) {
    STAND_IN_WORD.lastIndex = at;
    if (!isLetter(value.charCodeAt(at))) at++;
    else if (STAND_IN_WORD.test(value)) at = STAND_IN_WORD.lastIndex;
    else {
      left++;
      at++;
    }
  }
  return left <= MAX_OTHER_LETTERS && left < value.length;
}

/** The value is elsewhere: a variable, a template, a call, a path, an address, an entry of a vault. */
const REFERENCE_START =
  /^(?:[$<{%@~/]|\.{1,2}\/|&[a-z]|[A-Za-z]:\\|\w+:\/\/|(?:env|process|os|secrets?|vault|config|settings|var|local|data|file|ssm|arn|op|ref|self|this|sha\d+|urn)[.:[]|sha\d+-|\w[\w.]*\()/i;
const REFERENCE_WITHIN =
  /\$[{(]|#\{|%[({sdv]|\{\{|\{\w*\}|\.(?:json|ya?ml|txt|pem|key|crt|env|js|ts|py|rb|go|php|html?|md)$/i;

export function isReference(value: string): boolean {
  return REFERENCE_START.test(value) || REFERENCE_WITHIN.test(value);
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const UUID_CHARS = 36;
const HEX = /^(?:[0-9a-f]+|[0-9A-F]+)$/;
/** Versions, dates, times and numbers with units. */
const COUNTED = /^v?\d+(?:[.:/-]\d+)+|^\d+[A-Za-z]{0,3}$/;

/** True for a generated value: random characters, hex digits, a UUID. Its position must mark it as a secret. */
export function isGenerated(value: string, minChars = MIN_GENERATED_CHARS): boolean {
  if (value.length < minChars || /\s/.test(value) || isReference(value)) return false;
  if (value.length === UUID_CHARS && UUID.test(value))
    return entropyBits(value) >= MIN_HEX_BITS && !/^(.)\1{7}|^0{4}|123e4567|550e8400/i.test(value);
  if (COUNTED.test(value)) return false;
  if (HEX.test(value))
    return (
      value.length >= MIN_HEX_CHARS &&
      /\d/.test(value) &&
      /[a-f]/i.test(value) &&
      entropyBits(value) >= MIN_HEX_BITS &&
      !isStandIn(value)
    );
  return isChaotic(value) && entropyBits(value) >= MIN_GENERATED_BITS && !isStandIn(value);
}

/** Capitals, small letters and digits take turns more often than in names. */
export function isChaotic(value: string): boolean {
  const digits = countDigits(value);
  if (digits === 0 || digits === value.length) return false;
  const perChar = digits === 1 ? MIN_CHANGES_PER_CHAR_ONE_DIGIT : MIN_CHANGES_PER_CHAR;
  return classChanges(value) >= Math.max(MIN_CHANGES, perChar * (value.length - 1));
}

const SEPARATOR = 0;
const [LOWER, UPPER, DIGIT, SIGN] = [1, 2, 3, 4];

/** How often the kind of character changes. Separators and the capital that begins a word do not count. */
function classChanges(value: string): number {
  let changes = 0;
  let last = SEPARATOR;
  for (let at = 0; at < value.length; at++) {
    const kind = kindOf(value.charCodeAt(at));
    if (kind === SEPARATOR) continue;
    if (last !== SEPARATOR && kind !== last && !(last === UPPER && kind === LOWER)) changes++;
    last = kind;
  }
  return changes;
}

const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code);
  if (/[a-z]/.test(char)) return LOWER;
  if (/[A-Z]/.test(char)) return UPPER;
  if (/\d/.test(char)) return DIGIT;
  return "_-.:/ ".includes(char) ? SEPARATOR : SIGN;
});

function kindOf(code: number): number {
  return KINDS[code] ?? SIGN;
}

function isLetter(code: number): boolean {
  const kind = kindOf(code);
  return kind === LOWER || kind === UPPER;
}

/** Names of things: `snake_case_2`, `kebab-case`, `a.dotted.path`, a selector, an escape of a regular expression. */
const NAME =
  /^[#.]?[A-Za-z]+(?:[_.:-][A-Za-z]+)+[_-]?\d{0,3}$|^[#.][\w-]+$|\\[dwsbDWSBu]|\[[^\]]*[-=][^\]]*\]|^[a-z]+\d{0,3}\.[a-z]+|^[a-z]+(?:[|,:][a-z\d]+)+$|^[.+,]|^-/;
const ALGORITHM =
  /^(?:sha-?\d|md[45]|aes-?\d|rsa|bcrypt|argon2|pbkdf2|utf-?\d|base\d\d|hs\d{3}|rs\d{3}|es\d{3}|oauth ?\d|v\d)/i;

/** True for a typical password: not a placeholder, with a digit or a symbol among its letters. */
export function isChosen(value: string): boolean {
  if (value.length < MIN_CHOSEN_CHARS || value.length > MAX_CHOSEN_CHARS || /\s/.test(value)) return false;
  if (isReference(value) || isStandIn(value) || NAME.test(value) || ALGORITHM.test(value)) return false;
  if (isGenerated(value)) return true;
  return /[A-Za-z]/.test(value) && /[\d!@#$%^&*+=~|]/.test(value.slice(1)) && !COUNTED.test(value);
}

/** A word, perhaps with a number: without quotes around it a variable looks the same. */
export function isIdentifier(value: string): boolean {
  return /^[A-Za-z_$@][\w$.]*[?!]?$/.test(value);
}

const PRINTABLE = /^[\t\n\r\x20-\x7e]*$/;

/** The decoded text, or null if the base64 doesn't encode text. */
export function decodeText(encoded: string): string | null {
  for (let at = 0; at < encoded.length; at += 4) if (!/[CDI-Za-f=]/.test(encoded[at] ?? "")) return null;
  const standard = encoded.replaceAll("-", "+").replaceAll("_", "/").replace(/=+$/, "");
  if (standard.length % 4 === 1) return null;
  try {
    const text = atob(standard);
    return PRINTABLE.test(text) ? text : null;
  } catch {
    // It isn't base64.
    return null;
  }
}

function isPrintable(code: number): boolean {
  return (code >= 0x20 && code <= 0x7e) || code === 9 || code === 10 || code === 13;
}

/** Text has hardly any other bytes, formats with names in them a few; of random bytes three in eight are printable. */
const MIN_PRINTABLE_SHARE = 0.6;

/** True for base64 of text, or of a format that is mostly text: nothing random, whatever it looks like. */
export function isEncodedText(encoded: string): boolean {
  const standard = encoded.replaceAll("-", "+").replaceAll("_", "/").replace(/=+$/, "");
  if (!/^[A-Za-z0-9+/]+$/.test(standard) || standard.length % 4 === 1) return false;
  const bytes = atob(standard);
  let printable = 0;
  for (let at = 0; at < bytes.length; at++) if (isPrintable(bytes.charCodeAt(at))) printable++;
  return printable >= MIN_PRINTABLE_SHARE * bytes.length;
}

/** True for a user and a password in base64, as Basic authentication sends them. */
export function isEncodedPair(value: string): boolean {
  if (!/^[A-Za-z0-9+/]{8,400}={0,2}$/.test(value)) return false;
  const [, password] = /^[^:\s]{0,100}:(.{1,200})$/.exec(decodeText(value) ?? "") ?? [];
  return password !== undefined && !isReference(password);
}
