/** Reports conflict markers that a merge left behind. A lone `=======` is usually a heading and is ignored. */
import type { ChangedFile } from "../../review/change/change.ts";
import type { FileView, LineRule } from "../rule.ts";

const OPENING = /^<{7} \S/;
const CLOSING = /^>{7} \S/;
const DIVIDER = /^={7}$/;
/** Text that git, merge tools and people write after the opening marker; prose doesn't start like this. */
const USUAL_OPENING =
  /^<{7} (?:HEAD|Updated upstream|ours|mine|yours|LOCAL|[\w./-]{2,100}(?::\S+)?(?: \(.{1,100}\))?)$/;
const ABOUT_MERGING = /\b(?:conflict|merge|rebase|git|diff3)/i;

export const conflictMarker: LineRule = {
  kind: "line",
  id: "conflict-marker",
  title: "Unresolved merge conflict marker",
  severity: "must-fix",
  proof: "unparsable",
  category: "correctness",
  why: "The merge was never resolved: the file contains both versions of these lines and may not parse.",
  fix: "Keep the correct version and delete the markers.",
  languages: "any",
  inTests: true,
  everywhere: true,
  check(line, file) {
    const isOpening = OPENING.test(line.text);
    if (!isOpening && !CLOSING.test(line.text)) return null;
    const isProse = file.category === "docs" || file.language === "text" || file.language === "unknown";
    const { isWhole, isAboutMerging, hasOpening } = conflictsIn(file);
    const isSure =
      isProse || file.category === "test" ? isWhole && !isAboutMerging : isOpening || !hasOpening;
    // A parser reads neither prose nor, always, what a test quotes.
    return isSure ? { line: line.line, ...(isProse ? { proof: null } : {}) } : null;
  },
};

type Conflicts = {
  readonly isWhole: boolean;
  /** The text explains conflicts and shows an example. */
  readonly isAboutMerging: boolean;
  /** The opening marker stands for the pair; a closing one is reported only when it's alone. */
  readonly hasOpening: boolean;
};

/** Cached per file, because a line rule runs once per line. */
const remembered = new WeakMap<ChangedFile, Conflicts>();

function conflictsIn(view: FileView): Conflicts {
  const known = remembered.get(view.file) ?? {
    isWhole: isWholeConflict(view),
    isAboutMerging: isAboutMerging(view),
    hasOpening: view.added.some(({ text }) => OPENING.test(text)),
  };
  remembered.set(view.file, known);
  return known;
}

/** True when the added lines contain all three markers of a conflict, in order. */
function isWholeConflict(file: FileView): boolean {
  const opening = file.added.findIndex(({ text }) => USUAL_OPENING.test(text));
  if (opening === -1) return false;
  const divider = file.added.findIndex(({ text }, index) => index > opening && DIVIDER.test(text));
  return divider !== -1 && file.added.some(({ text }, index) => index > divider && CLOSING.test(text));
}

function isAboutMerging(file: FileView): boolean {
  return file.added.some(
    ({ text }) => !OPENING.test(text) && !CLOSING.test(text) && ABOUT_MERGING.test(text),
  );
}
