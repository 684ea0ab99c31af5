/**
 * Makes characters that are invisible or change how text looks visible as escapes such as `\u{202e}`, or removes them.
 * Escaping is exact: text that already looked like an escape is restored correctly.
 */
import { PLACEHOLDER_SOURCE } from "./secrets/mask-secrets.ts";

/** A carriage return before a line feed belongs to the line ending; any other overwrites the text before it. */
const CONTROLS = "[\\0-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f]|\\r(?!\\n)";
/** Soft hyphen, direction marks, fillers, zero-width characters, lone surrogates, tag characters. */
const INVISIBLE =
  "[\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufe00-\\ufe0e\\ufeff\\uffa0\\ufff9-\\ufffb\\u{e0000}-\\u{e0fff}\\p{Cs}]";
/** The selector that turns a sign into an emoji: harmless alone, but a run of selectors can encode bytes. */
const SELECTOR_RUN = "(?<=[\\ufe00-\\ufe0f])\\ufe0f|\\ufe0f(?=[\\ufe00-\\ufe0f])";
const HIDDEN_SOURCE = `${CONTROLS}|${INVISIBLE}|${SELECTOR_RUN}`;

const CONTROL = new RegExp(CONTROLS, "gu");
const HIDDEN = new RegExp(HIDDEN_SOURCE, "gu");
const IS_HIDDEN = new RegExp(`^(?:${CONTROLS}|${INVISIBLE}|\\ufe0f)$`, "u");

const ESCAPE_SOURCE = "\\\\u\\{[0-9a-f]{1,6}\\}";

const ESCAPED = new RegExp(`${HIDDEN_SOURCE}|${ESCAPE_SOURCE}|${PLACEHOLDER_SOURCE}`, "gu");
const REVEALED = new RegExp(`${ESCAPE_SOURCE}|${PLACEHOLDER_SOURCE}`, "gu");

/** Most text matches nothing here, and this test is far cheaper than the full search. */
const MAY_NEED_ESCAPES = /[^\t\n\r -~]|\r(?!\n)|\\u\{|\[masked:/;

/** Removes hidden characters; for prose, where they have no meaning. */
export function stripHidden(text: string): string {
  return text.replace(HIDDEN, "");
}

/** Removes control characters except line endings and tabs; keeps marks that some scripts need. */
export function stripControls(text: string): string {
  return text.replace(CONTROL, "");
}

export function escapeHidden(text: string): string {
  if (!MAY_NEED_ESCAPES.test(text)) return text;
  return text.replace(ESCAPED, (found) => {
    if (found.startsWith("[")) return `${escapeOf("[")}${found.slice(1)}`;
    if (!found.startsWith("\\")) return escapeOf(found);
    return characterOf(found) === null ? found : `${escapeOf("\\")}${found.slice(1)}`;
  });
}

/** Puts text with line feeds, such as a path, on one line. Restored like any other escape. */
export function escapeLineFeeds(text: string): string {
  return text.replaceAll("\n", escapeOf("\n"));
}

/** Restores escapes, and placeholders with `valueOf`; unknown ones stay. */
export function revealHidden(text: string, valueOf: (placeholder: string) => string | undefined): string {
  return text.replace(REVEALED, (found) =>
    found.startsWith("[") ? (valueOf(found) ?? found) : (characterOf(found) ?? found),
  );
}

function escapeOf(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/** The character of an escape that `escapeHidden` would write; null for one from the source text. */
function characterOf(escape: string): string | null {
  const code = Number.parseInt(escape.slice("\\u{".length, -1), 16);
  if (code > 0x10ffff) return null;
  const character = String.fromCodePoint(code);
  if (escapeOf(character) !== escape) return null;
  const isOurs = character === "\\" || character === "[" || character === "\n" || IS_HIDDEN.test(character);
  return isOurs ? character : null;
}
