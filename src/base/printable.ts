/**
 * Makes text from repositories safe to display. Control characters never reach a terminal, bidirectional and invisible
 * characters become escapes, and undecodable bytes of paths (kept as lone surrogates) become `\xNN`.
 */

const UNSAFE = new RegExp(
  [
    // Control characters except tab, soft hyphen, direction marks, fillers, zero-width and variation characters.
    "[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f]",
    "[\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff9-\ufffb]",
    // Lone surrogates, and the tag characters of plane 14.
    "[\ud800-\udbff](?![\udc00-\udfff])",
    "(?<![\ud800-\udbff])[\udc00-\udfff]",
    "\udb40[\udc00-\udfff]",
  ].join("|"),
  "g",
);

/** One line of text: a tab becomes two spaces, everything unsafe becomes a visible escape. */
export function printable(text: string): string {
  return text.replaceAll("\t", "  ").replace(UNSAFE, escapeUnsafe);
}

function escapeUnsafe(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  if (code >= 0xdc80 && code <= 0xdcff) return `\\x${(code - 0xdc00).toString(16)}`;
  if (code === 0x0a) return "\\n";
  if (code === 0x0d) return "\\r";
  if (code < 0x100) return `\\x${code.toString(16).padStart(2, "0")}`;
  return `\\u{${code.toString(16)}}`;
}
