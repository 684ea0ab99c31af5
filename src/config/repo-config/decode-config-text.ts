/** Decodes a configuration file. Size, encoding and control characters are checked here, before any parser runs. */
import { MAX_CONFIG_BYTES } from "./config-file.ts";
import type { FileFault } from "./config-node.ts";

/** YAML forbids these unescaped. A lone carriage return ends a line in some editors but not in the parser. */
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]|\r(?!\n)/;

type DecodedText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly fault: FileFault };

/** Removes a byte-order mark. Line endings stay as they are. */
export function decodeConfigText(input: string | Uint8Array): DecodedText {
  if (input.length > MAX_CONFIG_BYTES) return tooLarge();
  const bytes = typeof input === "string" ? new TextEncoder().encode(input) : input;
  if (bytes.length > MAX_CONFIG_BYTES) return tooLarge();
  const decoded = typeof input === "string" ? decodeString(input) : decodeBytes(bytes);
  if (decoded === null) return reject("isn't valid UTF-8; save it as UTF-8", findInvalidLine(input), 1);
  const at = decoded.search(FORBIDDEN);
  if (at === -1) return { ok: true, text: decoded };
  const before = decoded.slice(0, at).split("\n");
  const code = (decoded.codePointAt(at) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return reject(
    `contains the control character U+${code}; remove it`,
    before.length,
    (before.at(-1)?.length ?? 0) + 1,
  );
}

function decodeString(text: string): string | null {
  if (!text.isWellFormed()) return null;
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}

function decodeBytes(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** No byte of a multi-byte character is a line feed, so each line can be decoded alone. */
function findInvalidLine(input: string | Uint8Array): number {
  if (typeof input === "string") {
    return input.split("\n").findIndex((line) => !line.isWellFormed()) + 1;
  }
  let line = 1;
  let start = 0;
  for (;;) {
    const end = input.indexOf(0x0a, start);
    if (end === -1 || decodeBytes(input.subarray(start, end)) === null) return line;
    start = end + 1;
    line++;
  }
}

function tooLarge(): DecodedText {
  const message = `is larger than ${MAX_CONFIG_BYTES / 1024} KiB`;
  return { ok: false, fault: { position: null, message } };
}

function reject(message: string, line: number, column: number): DecodedText {
  return { ok: false, fault: { position: { line, column }, message } };
}
