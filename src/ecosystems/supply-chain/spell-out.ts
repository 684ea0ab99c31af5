/** Texts with characters that look like others or can't be seen. Registries don't allow them in names. */

export const isDeceptiveName = (name: string): boolean => /[^\x21-\x7e]/.test(name);

/** A text with its other characters written out, as in "l\u{43e}dash". */
export function spellOut(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/gu, (letter) => `\\u{${letter.codePointAt(0)?.toString(16)}}`);
}
