/** The notes of a changelog that are about the versions between two others. */
import { ecosystemOf } from "../all-ecosystems.ts";
import type { EcosystemId } from "../ecosystem.ts";
import type { ReleaseNote } from "../lookups.ts";

export type VersionRange = { readonly from: string; readonly to: string };

/** A longer list of notes can't be shown, and an excerpt has 2,000 characters. */
const MAX_NOTES = 50;
const MAX_NOTE_CHARS = 32 * 1024;

/** Notes with a text, of versions after `from` up to `to`, newest first. */
export function notesBetween(
  notes: readonly ReleaseNote[],
  ecosystem: EcosystemId,
  { from, to }: VersionRange,
): readonly ReleaseNote[] {
  const { compare } = ecosystemOf(ecosystem).order;
  const isAfter = (version: string): boolean => (compare(version, from) ?? 0) > 0;
  const isUpTo = (version: string): boolean => (compare(version, to) ?? 1) <= 0;
  return notes
    .filter(({ version, text }) => text.trim() !== "" && isAfter(version) && isUpTo(version))
    .sort((one, other) => compare(other.version, one.version) ?? 0)
    .slice(0, MAX_NOTES)
    .map((note) => ({ ...note, text: note.text.slice(0, MAX_NOTE_CHARS) }));
}
