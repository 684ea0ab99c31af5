/** Names the places of a problem that occurs too often to report each of them. */
import { count } from "../../base/count.ts";

/** A longer list of line numbers is of no use to the reader. */
const MAX_NAMED_LINES = 10;

/** A sentence about the lines with the same problem that have no finding of their own, with a space before it. */
export function describeRest(lines: readonly number[], isCut = false): string {
  if (lines.length === 0) return "";
  const more = `${isCut ? "at least " : ""}${count(lines.length, "more line")}`;
  const named = lines.slice(0, MAX_NAMED_LINES).join(", ");
  return ` The same problem is on ${more} in this file: ${named}${isCut || lines.length > MAX_NAMED_LINES ? ", …" : ""}.`;
}
