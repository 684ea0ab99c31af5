/** Estimates the size of a text in tokens, before a provider has counted it. */

/**
 * Characters per token in code and English. Measured with the vocabularies of GPT-4 and GPT-4o, Claude 2, Gemini, Llama 3
 * and Qwen 2.5: technical English 3.3 to 3.7, TypeScript 2.9 to 3.3, JSON 2.3 to 2.6, minified JavaScript 2.3 to 2.9,
 * base64 1.4, digits 1 to 2.5. According to Anthropic, Claude since Opus 4.7 needs up to 1.35 times as many tokens; this
 * wasn't measured. The budget reserved for the answer mostly covers denser text: it's reserved in full, costs several times
 * as much per token, and is rarely used up.
 */
export const CHARS_PER_TOKEN = 3.5;

/**
 * Scripts with words or syllables in every vocabulary: half a token per byte is enough. The same six vocabularies need, in
 * tokens per byte: Chinese 0.2 to 0.5, Japanese 0.2 to 0.4, Korean 0.2 to 0.5, Cyrillic 0.1 to 0.3, Arabic 0.2 to 0.5,
 * Devanagari 0.1 to 0.4.
 */
const WELL_KNOWN: readonly (readonly [first: number, last: number])[] = [
  [0x0400, 0x052f], // Cyrillic
  [0x0600, 0x06ff], // Arabic
  [0x0900, 0x097f], // Devanagari
  [0x3000, 0x30ff], // punctuation of East Asia, Hiragana, Katakana
  [0x4e00, 0x9fff], // Han
  [0xac00, 0xd7a3], // Hangul
  [0xff00, 0xffef], // full-width forms
];

/** By code unit: the UTF-8 bytes of a character of these scripts, 0 for all others. */
const WELL_KNOWN_BYTES = new Uint8Array(0x1_0000);
for (const [first, last] of WELL_KNOWN) WELL_KNOWN_BYTES.fill(first < 0x800 ? 2 : 3, first, last + 1);

/**
 * The size of a text for a tokenizer, in characters of English. Sizes are additive, so a conversation is measured once as it
 * grows. A megabyte takes a few milliseconds.
 *
 * These vocabularies are made of bytes or fall back to them, so no text has more tokens than UTF-8 bytes. Characters beyond
 * ASCII count as their bytes, except in the scripts above: Thai, Tamil, Georgian, Armenian, Amharic, Khmer and emoji need
 * 0.1 to 0.7 tokens per byte with the newest vocabularies and up to 1 with others, and accents split words of Polish or
 * Vietnamese.
 */
export function sizeOf(text: string): number {
  const bytes = Buffer.byteLength(text);
  if (bytes === text.length) return bytes;
  let ascii = 0;
  let wellKnown = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x80) ascii++;
    else wellKnown += WELL_KNOWN_BYTES[code] ?? 0;
  }
  return ascii + (bytes - ascii - wellKnown / 2) * CHARS_PER_TOKEN;
}

/** The tokens of a text of this size, or of several texts together. */
export function estimateTokens(size: number): number {
  return Math.ceil(size / CHARS_PER_TOKEN);
}
