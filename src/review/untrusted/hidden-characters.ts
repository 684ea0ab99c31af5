/**
 * Characters that a reader does not see or that change what is seen, made visible as escapes such as `\u{202e}` or taken
 * out. Escaping is exact: text that looked like an escape before is told apart from ours when it is turned back.
 */
import { PLACEHOLDER_SOURCE } from "../../base/secrets/mask-secrets.ts";

/** Carriage returns before a line feed belong to the line end; all others overwrite what stands before them. */
const CONTROLS = "[\\0-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f]|\\r(?!\\n)";
/** Soft hyphen, marks of direction, fillers, zero-width characters, half of a pair, tag characters. */
const INVISIBLE =
  "[\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufe00-\\ufe0e\\ufeff\\uffa0\\ufff9-\\ufffb\\u{e0000}-\\u{e0fff}\\p{Cs}]";
/** The selector that makes an emoji of a sign; alone it carries nothing, in a row it carries bytes. */
const SELECTOR_RUN = "(?<=[\\ufe00-\\ufe0f])\\ufe0f|\\ufe0f(?=[\\ufe00-\\ufe0f])";
const HIDDEN_SOURCE = `${CONTROLS}|${INVISIBLE}|${SELECTOR_RUN}`;

const CONTROL = new RegExp(CONTROLS, "gu");
const HIDDEN = new RegExp(HIDDEN_SOURCE, "gu");
const IS_HIDDEN = new RegExp(`^(?:${CONTROLS}|${INVISIBLE}|\\ufe0f)$`, "u");

const ESCAPE_SOURCE = "\\\\u\\{[0-9a-f]{1,6}\\}";

const ESCAPED = new RegExp(`${HIDDEN_SOURCE}|${ESCAPE_SOURCE}|${PLACEHOLDER_SOURCE}`, "gu");
const REVEALED = new RegExp(`${ESCAPE_SOURCE}|${PLACEHOLDER_SOURCE}`, "gu");

/** Most text holds none of it, and this is far cheaper than looking for each. */
const MAY_NEED_ESCAPES = /[^\t\n\r -~]|\r(?!\n)|\\u\{|\[masked:/;

/** Without hidden characters; for prose, where nobody misses them. */
export function stripHidden(text: string): string {
  return text.replace(HIDDEN, "");
}

/** Without control characters but line ends and tabs; marks that some scripts need stay. */
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

/** One line for what may hold line feeds, such as a path. Turned back like any other escape. */
export function escapeLineFeeds(text: string): string {
  return text.replaceAll("\n", escapeOf("\n"));
}

/** Turns escapes back, and placeholders by `valueOf`; what it does not know stays. */
export function revealHidden(text: string, valueOf: (placeholder: string) => string | undefined): string {
  return text.replace(REVEALED, (found) =>
    found.startsWith("[") ? (valueOf(found) ?? found) : (characterOf(found) ?? found),
  );
}

function escapeOf(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/** The character of an escape that we would write; null for one that stands in somebody's source. */
function characterOf(escape: string): string | null {
  const code = Number.parseInt(escape.slice("\\u{".length, -1), 16);
  if (code > 0x10ffff) return null;
  const character = String.fromCodePoint(code);
  if (escapeOf(character) !== escape) return null;
  const isOurs = character === "\\" || character === "[" || character === "\n" || IS_HIDDEN.test(character);
  return isOurs ? character : null;
}
