/**
 * What models say that the change does, made fit to be shown: one paragraph each, without secrets, no longer than people read
 * before the findings.
 */
import { maskSecrets } from "../../../base/secrets/mask-secrets.ts";
import type { PassOverview } from "../publication.ts";

/** Two or three sentences are asked for. */
const MAX_TEXT_CHARS = 600;

/** Of all parts together; each has its share, so that none is left out. */
const MAX_OVERVIEW_CHARS = 2_400;

/** A sentence or a word that ends before this share of the room would leave too little. */
const MIN_SHARE = 0.5;

const SENTENCE_END = /[.!?](?= )|[。！？]/g;

export function composeOverview(overview: readonly PassOverview[]): readonly PassOverview[] {
  const told = overview
    // What spans lines, such as a key, is recognised before they are joined.
    .map(({ pass, text }) => ({ pass, text: maskSecrets(text).replace(/\s+/g, " ").trim() }))
    .filter(({ text }) => text !== "");
  const maxChars = Math.min(MAX_TEXT_CHARS, Math.floor(MAX_OVERVIEW_CHARS / told.length));
  return told.map(({ pass, text }) => ({ pass, text: shorten(text, maxChars) }));
}

/** At the end of a sentence where there is one, else between words, with an ellipsis for what is missing. */
function shorten(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const room = text.slice(0, maxChars - " …".length);
  const ends = [...room.matchAll(SENTENCE_END)].map(({ index }) => index + 1);
  const end = [ends.at(-1) ?? 0, room.lastIndexOf(" ")].find((at) => at >= room.length * MIN_SHARE);
  // Half of a pair is no character.
  return `${room.slice(0, end).replace(/[\ud800-\udbff]$/, "")} …`;
}
