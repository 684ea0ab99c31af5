/**
 * The models' descriptions of the change, ready to show: one paragraph each, without secrets, short enough to be read
 * before the findings.
 */
import { maskSecrets } from "../../../base/secrets/mask-secrets.ts";
import type { PassOverview } from "../publication.ts";

/** The prompt requests two or three sentences. */
const MAX_TEXT_CHARS = 600;

/** For all parts together; each gets a share, so that none is left out. */
const MAX_OVERVIEW_CHARS = 2_400;

/** A cut that leaves less than this share of the limit would lose too much. */
const MIN_SHARE = 0.5;

const SENTENCE_END = /[.!?](?= )|[。！？]/g;

export function composeOverview(overview: readonly PassOverview[]): readonly PassOverview[] {
  const texts = overview
    // Secrets that span lines, such as keys, are recognized before the lines are joined.
    .map(({ pass, text }) => ({ pass, text: maskSecrets(text).replace(/\s+/g, " ").trim() }))
    .filter(({ text }) => text !== "");
  const maxChars = Math.min(MAX_TEXT_CHARS, Math.floor(MAX_OVERVIEW_CHARS / texts.length));
  return texts.map(({ pass, text }) => ({ pass, text: shorten(text, maxChars) }));
}

/** Cuts at the end of a sentence, or else between words, and adds an ellipsis. */
function shorten(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const room = text.slice(0, maxChars - " …".length);
  const ends = [...room.matchAll(SENTENCE_END)].map(({ index }) => index + 1);
  const end = [ends.at(-1) ?? 0, room.lastIndexOf(" ")].find((at) => at >= room.length * MIN_SHARE);
  // Half of a surrogate pair isn't a character.
  return `${room.slice(0, end).replace(/[\ud800-\udbff]$/, "")} …`;
}
