/** Checks in the reader that edited files parse at least as well as before. */
import type { Reader } from "../../../reading/reader.ts";
import { languageOf, languageOfFirstLine } from "../../../languages/language-of.ts";
import type { EditRefusal, ProposedEdit } from "../../../review/edits/edit.ts";

/** Both versions of a file of the largest size parse within a second or two. */
const MAX_COMPARE_MS = 10_000;

export type CheckedParses = {
  readonly refusals: readonly EditRefusal[];
  /** Paths that no parser could check. */
  readonly unchecked: readonly string[];
};

export async function checkParses(edits: readonly ProposedEdit[], reader: Reader): Promise<CheckedParses> {
  const refusals: EditRefusal[] = [];
  const unchecked: string[] = [];
  for (const { path, before, after } of edits) {
    if (after === null) continue;
    const named = languageOf(path);
    const language = named === "unknown" ? languageOfFirstLine(after.split("\n", 1)[0] ?? "") : named;
    const texts = { language, before: withoutReturns(before ?? ""), after: withoutReturns(after) };
    const reading = await reader.ask("compare-parses", texts, MAX_COMPARE_MS);
    const verdict = reading.kind === "read" ? reading.value : "not-checked";
    if (verdict === "worse" || verdict === "unbalanced") {
      const detail = before === null ? "the new file doesn't parse" : "the file wouldn't parse with the edit";
      refusals.push({ rule: "does-not-parse", path, detail });
      // Words that read like prose or an incomplete line are only signs, and the file parses.
    } else if (verdict !== "as-before" && verdict !== "prose" && verdict !== "cut-off") unchecked.push(path);
  }
  return { refusals, unchecked };
}

function withoutReturns(text: string): string {
  return text.replaceAll("\r\n", "\n");
}
