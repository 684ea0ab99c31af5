/**
 * Distinguishes secret values from words, names and placeholders. It judges a value alone; secret-patterns.ts judges its
 * position.
 */

/** Random base62 has about 4.5 bits per character at this length, words have less than 3.6. */
const MIN_TOKEN_ENTROPY_BITS = 3.6;
/** Hex digits cannot exceed 4 bits; hashes of real length stay above this. */
const MIN_HEX_ENTROPY_BITS = 3;
/** Shorter passwords are words of development set-ups. */
const MIN_PASSWORD_CHARS = 8;

const PLACEHOLDER =
  /example|sample|placeholder|change[-_ ]?(?:me|it|this)|your[-_]|dummy|fake|mock|redacted|insert|replace|todo|xxxx|\*\*\*|test|secret|password|passw0rd|default|invalid|notreal|deadbeef|foobar|lorem|null|undefined|01234|12345|23456|98765|abcdef|fedcba|qwerty|hunter2|letmein/i;

const LINE_ENDS: ReadonlySet<number> = new Set(Array.from("\n\r\u2028\u2029", (char) => char.charCodeAt(0)));

/**
 * One character five times, two four times, or four three times in a row, on one line. Each character is compared with the one
 * that many places before it.
 */
export function isRepetitive(value: string): boolean {
  let [ones, twos, fours] = [0, 0, 0];
  for (let at = 1; at < value.length; at++) {
    const code = value.charCodeAt(at);
    const isOnLine = !LINE_ENDS.has(code);
    ones = isOnLine && code === value.charCodeAt(at - 1) ? ones + 1 : 0;
    twos = isOnLine && code === value.charCodeAt(at - 2) ? twos + 1 : 0;
    fours = isOnLine && code === value.charCodeAt(at - 4) ? fours + 1 : 0;
    if (ones >= 4 || twos >= 6 || fours >= 8) return true;
  }
  return false;
}

/** True for placeholders where a secret would be. */
export function isPlaceholder(value: string): boolean {
  return PLACEHOLDER.test(value) || isRepetitive(value);
}

/** Too random for a word or a name. */
export function isRandom(value: string): boolean {
  return !isPlaceholder(value) && entropyBits(value) >= MIN_TOKEN_ENTROPY_BITS;
}

/** Of one value at a time. A new array for each would take most of the time. */
const counts = new Uint32Array(128);
/** The bits of a character, by how often it occurs in a value of this length. Logarithms would take most of the rest. */
const shares = new Float64Array(64);
let sharesLength = 0;

function shareOf(count: number, length: number): number {
  if (length !== sharesLength) shares.fill(0);
  sharesLength = length;
  const known = shares[count] ?? 0;
  if (known !== 0) return known;
  const share = (count / length) * Math.log2(count / length);
  shares[count] = share;
  return share;
}

/** Shannon entropy per character. */
export function entropyBits(value: string): number {
  counts.fill(0);
  // Secrets are ASCII; other characters share the slots.
  for (let at = 0; at < value.length; at++) {
    const slot = value.charCodeAt(at) & 127;
    counts[slot] = (counts[slot] ?? 0) + 1;
  }
  let bits = 0;
  for (let slot = 0; slot < 128; slot++) {
    const count = counts[slot] ?? 0;
    if (count > 0) bits -= shareOf(count, value.length);
  }
  return bits;
}

export function countDigits(value: string): number {
  let digits = 0;
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at);
    if (code >= 48 && code <= 57) digits++;
  }
  return digits;
}

/** Hex digits after the prefix of a token. */
export function isRandomHexTail(value: string): boolean {
  const tail = value.slice(value.lastIndexOf("_") + 1);
  return !isPlaceholder(value) && entropyBits(tail) >= MIN_HEX_ENTROPY_BITS;
}

/** Capitals, small letters and digits. */
export function isMixed(value: string): boolean {
  return /[A-Z]/.test(value) && /[a-z]/.test(value) && /\d/.test(value);
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-/i;
const WORDY = /[a-z]{6}|[A-Z]{7}|[A-Za-z][a-z]{2,}[_-][A-Za-z]?[a-z]{2,}/;

/** Digits and letters mixed as by a generator, without words. */
export function looksGenerated(value: string): boolean {
  if (isPlaceholder(value) || UUID.test(value)) return false;
  if (/^[a-f0-9]+$/.test(value) || /^[A-F0-9]+$/.test(value)) {
    return value.length >= 32 && entropyBits(value) >= MIN_HEX_ENTROPY_BITS;
  }
  const digits = countDigits(value);
  if (WORDY.test(value) || digits < 2) return false;
  return (isMixed(value) || digits >= 4) && entropyBits(value) >= MIN_TOKEN_ENTROPY_BITS;
}

const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** The first part of a bot token is the bot's number in base64. */
export function beginsWithUserNumber(token: string): boolean {
  let bits = 0;
  let bitCount = 0;
  for (const char of token.slice(0, token.indexOf("."))) {
    bits = ((bits << 6) | BASE64.indexOf(char)) & 0xffff;
    bitCount += 6;
    if (bitCount < 8) continue;
    bitCount -= 8;
    const byte = (bits >> bitCount) & 0xff;
    if (byte < 0x30 || byte > 0x39) return false;
  }
  return true;
}

/** References, paths, URLs and calls occur where a password could be. */
const REFERENCE = /^(?:[$/<{%@]|\.{1,2}\/|https?:)|[()$]/;

/** `settings.limit_2`, `v2-token-name`: parts that are words. */
const WORDY_NAME = /^[A-Za-z]\w*(?:[.:]\w+)+$|^(?:[a-z]{3,}[_-])+/;

/** A typical password: letters with digits, neither a placeholder nor a reference. */
export function isPassword(value: string): boolean {
  if (value.length < MIN_PASSWORD_CHARS || REFERENCE.test(value) || isPlaceholder(value)) return false;
  return /\d/.test(value) && /[A-Za-z]/.test(value) && !WORDY_NAME.test(value);
}
