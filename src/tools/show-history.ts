/** Commits in answers: date, author, subject. Names are untrusted data, and email addresses are left out. */
import type { HistoryEntry } from "../repository/repository.ts";
import type { DataLine, ReadContext } from "./tool.ts";

/** Older commits are seldom relevant to a change. */
export const MAX_ENTRIES = 20;

/** A commit, a date, a name, and up to two lines of the subject. */
const MAX_ENTRY_CHARS = 300;

/** No real name is longer, but a commit can contain any text. */
const MAX_AUTHOR_CHARS = 80;

/** Uncommitted files of a repository without a commit have none. */
export function hasHistory({ repository, head, base }: ReadContext): boolean {
  return repository !== null && (typeof head !== "string" || base !== null);
}

export function showEntry(entry: HistoryEntry): Omit<DataLine, "prefix"> {
  const { commit, author, date, subject } = entry;
  if (commit === null) return { text: "not committed yet" };
  const words = author.length > MAX_AUTHOR_CHARS ? [] : author.split(/\s+/);
  const name = words.filter((word) => word !== "" && !word.includes("@")).join(" ") || "unknown";
  return { text: `${commit.slice(0, 10)} ${date} ${name}: ${subject}`, maxChars: MAX_ENTRY_CHARS };
}
