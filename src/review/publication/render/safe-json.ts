/**
 * JSON that is safe to print and to read anywhere: invisible characters and those that control a terminal are escaped, and
 * undecodable bytes (kept as lone surrogates) become the text `\xNN`. Apart from those bytes, values are unchanged.
 */

/** Half of a pair: an undecodable byte. */
export const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** JSON escapes the controls below space itself; these are the others that must not reach a terminal. */
const UNSAFE_IN_JSON =
  /[\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|[\ufe00-\ufe0e]|\udb40[\udc00-\udfff]/g;

/** Two spaces deep, with a final line feed. */
export function stringifySafe(value: unknown): string {
  const text = JSON.stringify(
    value,
    (_key, inner: unknown) => (typeof inner === "string" ? decodable(inner) : inner),
    2,
  );
  return `${text.replace(UNSAFE_IN_JSON, escapeUnits)}\n`;
}

/** The text without lone surrogates: a kept byte as `\xNN`, anything else as the replacement character. */
function decodable(text: string): string {
  if (text.isWellFormed()) return text;
  return text.replace(LONE_SURROGATE, (unit) => {
    const code = unit.charCodeAt(0);
    return code >= 0xdc80 && code <= 0xdcff ? `\\x${(code - 0xdc00).toString(16)}` : "\ufffd";
  });
}

function escapeUnits(char: string): string {
  return Array.from({ length: char.length }, (_, index) => {
    const unit = char.charCodeAt(index);
    return `\\u${unit.toString(16).padStart(4, "0")}`;
  }).join("");
}
