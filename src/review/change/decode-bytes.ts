/**
 * Decodes bytes (as latin1 text) to text. Contents that aren't UTF-8 are decoded as latin1, which keeps lines and columns
 * correct. Paths keep each undecodable byte as a lone surrogate, so that different paths never become equal.
 */

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const utf8Encoder = new TextEncoder();

const NOT_ASCII = /[\u0080-\u00ff]/;

export function decodeBytes(latin1: string): string {
  if (!NOT_ASCII.test(latin1)) return latin1;
  try {
    return utf8.decode(bytesOf(latin1));
  } catch {
    return latin1;
  }
}

export function decodePath(latin1: string): string {
  if (!NOT_ASCII.test(latin1)) return latin1;
  try {
    return utf8.decode(bytesOf(latin1));
  } catch {
    return latin1.replace(/[\u0080-\u00ff]/g, (char) => String.fromCharCode(0xdc00 + char.charCodeAt(0)));
  }
}

function bytesOf(latin1: string): Uint8Array {
  return Buffer.from(latin1, "latin1");
}

const ESCAPES: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

/** Reverses git's C-style quoting of a path; text without quotes is returned unchanged. */
export function unquotePath(text: string): string {
  if (!text.startsWith('"') || !text.endsWith('"') || text.length < 2) return text;
  return text
    .slice(1, -1)
    .replace(/\\([0-7]{3}|.)/g, (_, escape: string) =>
      escape.length === 3
        ? String.fromCharCode(Number.parseInt(escape, 8) & 0xff)
        : (ESCAPES[escape] ?? escape),
    );
}

/** The bytes of a decoded path, as latin1. */
export function encodePath(path: string): string {
  let latin1 = "";
  for (const char of path) {
    const code = char.charCodeAt(0);
    if (char.length === 1 && code < 0x80) latin1 += char;
    else if (char.length === 1 && code >= 0xdc80 && code <= 0xdcff)
      latin1 += String.fromCharCode(code - 0xdc00);
    else for (const byte of utf8Encoder.encode(char)) latin1 += String.fromCharCode(byte);
  }
  return latin1;
}
