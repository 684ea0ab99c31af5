/** Looks for functions that edits call and that their files, or in Go their packages, don't know. */
import { countWord, hashWord } from "../../../languages/file-facts.ts";
import { languageOf } from "../../../languages/language-of.ts";
import type { Reader } from "../../../reading/reader.ts";
import { categoryOf } from "../../../review/analysis/categories.ts";
import type { EditReview } from "../../../review/edits/edit-review.ts";
import type { ProposedEdit } from "../../../review/edits/edit.ts";
import { calledNames, judgeCalledName } from "../../../review/edits/undefined-names.ts";
import { containingFolder } from "../../../base/containing-folder.ts";
import type { CodeView } from "../../gathering/related-code/code-view.ts";

/** A file of the largest size parses within a second or two. */
const MAX_LOOK_MS = 10_000;

/** Facts have no shorter words. */
const MIN_WORD_CHARS = 3;

export type NamesDeps = {
  readonly reader: Reader;
  /** At the commit of the edits. */
  readonly view: CodeView;
  readonly signal: AbortSignal;
};

/** As parts of a review. Tests are left out: frameworks define names for them. */
export async function findUndefinedNames(
  edits: readonly ProposedEdit[],
  deps: NamesDeps,
): Promise<Pick<EditReview, "findings" | "notChecked">> {
  const findings: EditReview["findings"][number][] = [];
  const unread = new Set<string>();
  const hidden = new Set<string>();
  for (const edit of edits.filter(({ path }) => categoryOf(path) !== "test")) {
    const { language, names, isHidden, sharesFolder } = calledNames(edit);
    if (isHidden) hidden.add(edit.path);
    for (const name of names) {
      const isElsewhere = sharesFolder ? await isNamedInFolder(name, edit.path, deps) : false;
      if (isElsewhere === true) continue;
      const takes = { language, text: edit.after ?? "", name };
      const reading = await deps.reader.ask("name-roles", takes, MAX_LOOK_MS);
      const roles = reading.kind === "read" ? reading.value : null;
      if (roles === null || isElsewhere === null) unread.add(edit.path);
      else findings.push(...judgeCalledName(edit, { name, sharesFolder }, roles));
    }
  }
  const notChecked = [
    { what: "undefined names (not parsed)", paths: [...unread] },
    { what: "undefined names (they may come from other files)", paths: [...hidden] },
  ].filter(({ paths }) => paths.length > 0);
  return { findings, notChecked };
}

/** Whether another file of the folder has the word, which may define it. Null if they can't be read. */
async function isNamedInFolder(
  name: string,
  path: string,
  { view, signal }: Pick<NamesDeps, "view" | "signal">,
): Promise<boolean | null> {
  const all = await view.files(signal);
  if (all === null) return null;
  const folder = containingFolder(path);
  const language = languageOf(path);
  const others = [...all.keys()].filter(
    (other) =>
      other !== path &&
      containingFolder(other) === folder &&
      languageOf(other) === language &&
      categoryOf(other) !== "test",
  );
  const { facts } = await view.readFacts(others, signal);
  const known = others.flatMap((other) => facts.get(other) ?? []);
  if (name.length < MIN_WORD_CHARS || known.length < others.length) return null;
  const hash = hashWord(name);
  return known.some(({ words }) => countWord(words, hash) > 0);
}
