/** Looks in the reader for functions that edits call and that their files don't know. */
import type { Reader } from "../../../reading/reader.ts";
import { categoryOf } from "../../../review/analysis/categories.ts";
import type { EditReview } from "../../../review/edits/edit-review.ts";
import type { ProposedEdit } from "../../../review/edits/edit.ts";
import { calledNames, judgeCalledName } from "../../../review/edits/undefined-names.ts";

/** A file of the largest size parses within a second or two. */
const MAX_LOOK_MS = 10_000;

/** As parts of a review. Tests are left out: frameworks define names for them. */
export async function findUndefinedNames(
  edits: readonly ProposedEdit[],
  reader: Reader,
): Promise<Pick<EditReview, "findings" | "notChecked">> {
  const findings: EditReview["findings"][number][] = [];
  const unread = new Set<string>();
  for (const edit of edits.filter(({ path }) => categoryOf(path) !== "test")) {
    const { language, names } = calledNames(edit);
    for (const name of names) {
      const reading = await reader.ask("name-roles", { language, text: edit.after ?? "", name }, MAX_LOOK_MS);
      const roles = reading.kind === "read" ? reading.value : null;
      if (roles === null) unread.add(edit.path);
      else findings.push(...judgeCalledName(edit, name, roles));
    }
  }
  const notChecked = unread.size === 0 ? [] : [{ what: "undefined names (not parsed)", paths: [...unread] }];
  return { findings, notChecked };
}
