/**
 * Counts tokens exactly as tiktoken does with o200k_base, the vocabulary of GPT-4o and later models. Only the vocabulary and
 * the splitting of texts come from the library: its merge is quadratic, so that 100,000 equal characters take 15 seconds,
 * and it differs from tiktoken where JavaScript's `\s` differs from Rust's. Text such as `<|endoftext|>` is plain text.
 *
 * Import this file on demand: the vocabulary takes time to load.
 */
import { O200K_TOKEN_SPLIT_REGEX } from "gpt-tokenizer/encodingParams/constants";
import { countMerged } from "./count-merged.ts";
import { createRanks, NO_RANK, writeUtf8 } from "./create-ranks.ts";
import type { CountTokens } from "./tokenizer.ts";
import { VOCABULARY } from "./vocabulary.ts";

/** JavaScript counts the byte-order mark as white space and the next-line character not; Rust does the opposite. */
const PIECES = new RegExp(
  O200K_TOKEN_SPLIT_REGEX.source
    .replaceAll(String.raw`\s`, String.raw`\p{White_Space}`)
    .replaceAll(String.raw`\S`, String.raw`\P{White_Space}`),
  "gu",
);

/** A longer line without an end would exhaust the stack of the expression. Each cut in such a line can add a token. */
const MAX_LINE_CHARS = 1_000_000;

/** Names repeat in code. Enough for the unusual names of a large pack. */
const MAX_KNOWN_PIECES = 50_000;
/** Longer pieces hardly ever repeat. */
const MAX_KNOWN_PIECE_CHARS = 64;

const ranks = createRanks(VOCABULARY);
const known = new Map<string, number>();
/** The bytes of the piece that is counted. */
let scratch = new Uint8Array(1_024);

export const countO200kTokens: CountTokens = (text) => {
  let tokens = 0;
  for (const part of boundedParts(text)) {
    for (const piece of part.match(PIECES) ?? []) tokens += countPiece(piece);
  }
  return tokens;
};

/** The whole text, unless one of its lines is too long. */
function* boundedParts(text: string): Generator<string> {
  let from = 0;
  let line = 0;
  while (text.length - line > MAX_LINE_CHARS) {
    const lastEnd = text.lastIndexOf("\n", line + MAX_LINE_CHARS - 1);
    if (lastEnd >= line) {
      line = lastEnd + 1;
      continue;
    }
    line += MAX_LINE_CHARS;
    yield text.slice(from, line);
    from = line;
  }
  yield text.slice(from);
}

function countPiece(piece: string): number {
  if (MAX_UTF8_BYTES * piece.length > scratch.length) scratch = new Uint8Array(MAX_UTF8_BYTES * piece.length);
  const length = writeUtf8(piece, scratch, 0);
  if (ranks.find(scratch, 0, length) !== NO_RANK) return 1;
  const before = known.get(piece);
  if (before !== undefined) return before;
  const tokens = countMerged(scratch, length, ranks);
  if (piece.length <= MAX_KNOWN_PIECE_CHARS) {
    if (known.size >= MAX_KNOWN_PIECES) known.clear();
    known.set(piece, tokens);
  }
  return tokens;
}

/** Of one UTF-16 unit. */
const MAX_UTF8_BYTES = 3;
