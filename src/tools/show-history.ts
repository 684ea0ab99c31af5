/** Commits as answers tell of them: when, who, what. Names are data, and addresses are nobody's business here. */
import type { HistoryEntry } from "../repository/repository.ts";
import type { DataLine } from "./tool.ts";

/** How many commits are told; an older one has seldom to do with a change. */
export const MAX_ENTRIES = 20;

/** A commit, a date, a name, and of the subject what fits on two lines. */
const MAX_ENTRY_CHARS = 300;

/** Nobody is called so; a commit may claim it. */
const MAX_AUTHOR_CHARS = 80;

export function showEntry(entry: HistoryEntry): Omit<DataLine, "prefix"> {
  const { commit, author, date, subject } = entry;
  if (commit === null) return { text: "not committed yet" };
  const words = author.length > MAX_AUTHOR_CHARS ? [] : author.split(/\s+/);
  const name = words.filter((word) => word !== "" && !word.includes("@")).join(" ") || "somebody";
  return { text: `${commit.slice(0, 10)} ${date} ${name}: ${subject}`, maxChars: MAX_ENTRY_CHARS };
}
