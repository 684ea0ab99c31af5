/** Decodes the bytes of a file that is to be edited. Unlike for reading, only UTF-8 is text: everything else would be changed. */

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** `latin1` has one character per byte. Null if it isn't text. */
export function editableText(latin1: string): string | null {
  if (latin1.includes("\0")) return null;
  try {
    return utf8.decode(Buffer.from(latin1, "latin1"));
  } catch {
    return null;
  }
}

/** The bytes of a text, as latin1. */
export function bytesOfText(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}
