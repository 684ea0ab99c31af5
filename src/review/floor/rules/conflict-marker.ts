/** Reports conflict markers that a merge left behind. Lone `=======` lines are headings far more often, and are not asked. */
import type { ChangedFile } from "../../change/change.ts";
import { bad, good, type FileView, type LineRule } from "../rule.ts";

const OPENING = /^<{7} \S/;
const CLOSING = /^>{7} \S/;
const DIVIDER = /^={7}$/;
/** What git, merge tools and people write after the opening marker; prose does not begin so. */
const USUAL_OPENING =
  /^<{7} (?:HEAD|Updated upstream|ours|mine|yours|LOCAL|[\w./-]{2,100}(?::\S+)?(?: \(.{1,100}\))?)$/;
const ABOUT_MERGING = /\b(?:conflict|merge|rebase|git|diff3)/i;

export const conflictMarker: LineRule = {
  kind: "line",
  id: "conflict-marker",
  title: "Conflict marker was left in the file",
  severity: "must-fix",
  category: "correctness",
  why: "The file does not parse or holds both versions of the same lines, so one side of the merge was never decided.",
  fix: "Decide which version stands, and delete the markers.",
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
    return isSure ? { line: line.line } : null;
  },
  examples: {
    bad: [
      bad(
        "src/a.ts",
        2,
        "export const limits = {\n<<<<<<< HEAD\n  max: 10,\n=======\n  max: 20,\n>>>>>>> feature/limits\n};\n",
      ),
      bad(
        "package-lock.json",
        2,
        '{\n<<<<<<< Updated upstream\n  "version": "1.0.0"\n=======\n  "version": "1.0.1"\n>>>>>>> Stashed changes\n}\n',
      ),
      {
        files: [
          {
            path: "app.py",
            before: "a = 1\nb = 2\n",
            after: "a = 1\n>>>>>>> 4f2a91c (Raise the limit)\nb = 2\n",
          },
        ],
        line: 2,
      },
      bad(
        "docs/setup.md",
        3,
        "# Set-up\n\n<<<<<<< HEAD\nUse version 1.\n=======\nUse version 2.\n>>>>>>> main\n",
      ),
    ],
    good: [
      good("docs/title.rst", "Title\n=======\n\nText\n"),
      good(
        "docs/git.md",
        "When a merge stops you will see:\n\n<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> topic\n",
      ),
      good("docs/mail.md", ">>>>>>> Seven levels of quoting\n>>>>>> answered here\n"),
      good("src/cout.cpp", 'int main() {\n  std::cout << "<<<<<<< HEAD";\n}\n'),
      good(
        "test/merge.test.ts",
        "// a conflict as git writes it\nconst text = `\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> topic\n`;\n",
      ),
      good("src/banner.sh", "#!/bin/sh\n# >>>>>>> settings >>>>>>>\nx=1\n"),
    ],
  },
};

type Conflicts = {
  readonly isWhole: boolean;
  /** The text is about conflicts, and shows one. */
  readonly isAboutMerging: boolean;
  /** The opening marker tells of the pair; the closing one is told only when it was the one left behind. */
  readonly hasOpening: boolean;
};

/** Remembered per file: a line rule asks for every line anew. */
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

/** All three parts of a conflict in order among the added lines. */
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
