/**
 * The building blocks of the secret corpus. Every value is computed from its name, so it was never issued, and assembled here, so that
 * scanners of public code don't report it.
 */
import { createHash } from "node:crypto";

export type Planted = {
  readonly format: string;
  /** A realistic file, log or message that contains the secret. */
  readonly text: string;
  /** Texts that must not remain after masking. */
  readonly secrets: readonly string[];
};

const DIGITS = "0123456789";
const LOWER = "abcdefghijklmnopqrstuvwxyz";
export const BASE62 = `${DIGITS}${LOWER}${LOWER.toUpperCase()}`;
export const HEX = "0123456789abcdef";
export const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
export const BASE64 = `${BASE62}+/`;

/** Random characters of an alphabet, always the same for a name. */
export function made(name: string, length: number, alphabet: string = BASE62): string {
  let chars = "";
  for (let block = 0; chars.length < length; block++) {
    const bytes = createHash("sha256").update(`${name} ${block}`).digest();
    for (const byte of bytes) if (byte < 248) chars += alphabet[byte % alphabet.length] ?? "";
  }
  return chars.slice(0, length);
}

export const hex = (name: string, length: number): string => made(name, length, HEX);

export function uuid(name: string): string {
  const digits = hex(name, 32);
  return [0, 8, 12, 16, 20]
    .map((from, at, all) => digits.slice(from, all[at + 1] ?? 32))
    .join("-")
    .replace(/^(.{14})./, "$14")
    .replace(/^(.{19})./, "$1a");
}

export const base64 = (text: string): string => Buffer.from(text).toString("base64");

/** One secret in one text. */
export function plant(format: string, secret: string, text: (secret: string) => string): Planted {
  return { format, text: text(secret), secrets: [secret] };
}
