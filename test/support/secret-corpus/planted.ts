/**
 * What the corpus of secrets is made of. Every value is computed from its name, so that nobody ever issued it, and put
 * together here, so that no scanner of public code takes it for one.
 */
import { createHash } from "node:crypto";

export type Planted = {
  readonly format: string;
  /** A file, a log or a message as people write them, with the secret in it. */
  readonly text: string;
  /** None of these may be left in the masked text. */
  readonly secrets: readonly string[];
};

const DIGITS = "0123456789";
const LOWER = "abcdefghijklmnopqrstuvwxyz";
export const BASE62 = `${DIGITS}${LOWER}${LOWER.toUpperCase()}`;
export const HEX = "0123456789abcdef";
export const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
export const BASE64 = `${BASE62}+/`;

/** Characters of an alphabet, as many as asked for, always the same for a name. */
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
