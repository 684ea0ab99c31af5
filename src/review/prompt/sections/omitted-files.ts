/**
 * Changed files that the model isn't given, each with the reason and the tool that shows it, so that the model knows what it
 * can't see. Files of the pass that the diff has no room for are named there.
 */
import { comparePaths, isReviewable } from "../../analysis/triage.ts";
import type { FileMark } from "../../analysis/analysis.ts";
import type { ChangedFile, Unreadable } from "../../change/change.ts";
import { isFileUnread } from "../../change/scope.ts";
import { showPath } from "../../untrusted/show-path.ts";
import { fitLines } from "../fit.ts";
import type { PromptInput } from "../prompt.ts";
import { NOTHING, type SectionRenderer } from "../section.ts";

const MARKED: Readonly<Record<FileMark, string>> = {
  generated: "generated",
  minified: "minified",
  vendored: "vendored",
  lockfile: "lock file",
};

const UNREADABLE: Readonly<Record<Unreadable, string>> = {
  "too-large": "too large to compare",
  "too-many-files": "a folder with too many changed files",
  filtered: "stored through a Git filter",
  unreadable: "couldn't be read",
  binary: "binary",
  "lfs-pointer": "Git LFS pointer",
  submodule: "submodule",
  symlink: "symbolic link",
  "mode-only": "only the file mode changed",
};

const LARGE_CHANGE = "left out because the change is too large";
const TRIAGED = "skipped after a first look at the change";
const READ_BEFORE = "reviewed before";
const SKIPPED = "excluded by the configuration";
const OTHER_PASS = "in another pass";
const OTHER_ATTEMPT = "not in this attempt: already read, or no time for it";
const NO_LINES = "no changed lines";

/** The files that a reviewer would want most come first: the list is cut at its end. */
const ORDER: readonly string[] = [
  LARGE_CHANGE,
  TRIAGED,
  UNREADABLE["too-large"],
  UNREADABLE["too-many-files"],
  UNREADABLE.filtered,
  UNREADABLE.unreadable,
  SKIPPED,
  MARKED.generated,
  MARKED.minified,
  MARKED.vendored,
  MARKED.lockfile,
  OTHER_ATTEMPT,
  OTHER_PASS,
  UNREADABLE.binary,
  UNREADABLE["lfs-pointer"],
  UNREADABLE.submodule,
  UNREADABLE.symlink,
  UNREADABLE["mode-only"],
  READ_BEFORE,
  NO_LINES,
];

/** More names don't help a model; the rest is counted by reason. */
const MAX_NAMES = 100;

type Omitted = { readonly file: ChangedFile; readonly reason: string };

export const omittedFiles: SectionRenderer = {
  name: "names of omitted files",
  budgetChars: 4_000,
  leanBudgetChars: 1_000,
  render(input, budgetChars) {
    const omitted = findOmitted(input);
    if (omitted.length === 0) return NOTHING;
    const described = omitted.slice(0, MAX_NAMES).map((each) => describe(each, input));
    const { lines, cutChars } = fitLines(described, { budgetChars });
    const listed = new Set(lines);
    const unlisted = omitted.filter((_, index) => !listed.has(described[index] ?? ""));
    const text = [
      "# Files you don't get",
      "These files are changed too, but aren't part of your review. Each has a reason and, if available, the tool that shows it. Use the tool if you need the file to judge another one. Don't claim to have checked what you didn't see.",
      lines.length === 0 ? "" : input.guard.fence("changed files left out", lines.join("\n")),
      unlisted.length === 0 ? "" : `${unlisted.length} more aren't listed: ${countReasons(unlisted)}.`,
    ];
    return { text: text.filter((part) => part !== "").join("\n"), cutChars };
  },
};

function findOmitted(input: PromptInput): readonly Omitted[] {
  const { change, analysis, pass } = input;
  const inPass = new Set(pass.paths);
  const planned = new Map(analysis.passes.flatMap(({ name, paths }) => paths.map((path) => [path, name])));
  const riskOf = ({ path }: ChangedFile): number => analysis.byPath.get(path)?.risk ?? 0;
  return change.files
    .filter(({ path }) => !inPass.has(path))
    .map((file) => ({ file, reason: whyOmitted(file, planned.get(file.path) ?? null, input) }))
    .toSorted(
      (a, b) =>
        ORDER.indexOf(a.reason) - ORDER.indexOf(b.reason) ||
        riskOf(b.file) - riskOf(a.file) ||
        comparePaths(a.file.path, b.file.path),
    );
}

/** `plannedIn`: the pass that the file was planned for; null for none. */
function whyOmitted(
  file: ChangedFile,
  plannedIn: string | null,
  { analysis, pass, triage, context: { scope } }: PromptInput,
): string {
  const facts = analysis.byPath.get(file.path);
  if (facts?.isSkipped === true) return SKIPPED;
  if (facts !== undefined && facts.mark !== null) return MARKED[facts.mark];
  if (file.unreadable !== null) return UNREADABLE[file.unreadable];
  if (facts === undefined || !isReviewable(file, facts)) return NO_LINES;
  if (!isFileUnread(file.path, scope)) return READ_BEFORE;
  if (plannedIn === null) return LARGE_CHANGE;
  if (triage?.skipped.has(file.path) === true) return TRIAGED;
  return plannedIn === (pass.round?.part ?? pass.name) ? OTHER_ATTEMPT : OTHER_PASS;
}

/** "- src/a.ts (renamed from src/b.ts, +3 -1): generated; show_diff". */
function describe({ file, reason }: Omitted, { guard }: PromptInput): string {
  // There are many of these, and the rest says nothing new.
  if (reason === READ_BEFORE) return `- ${showPath(file.path, guard)}: ${reason}`;
  const { path, oldPath, status, addedLines, removedLines } = file;
  const from = oldPath === null || oldPath === path ? "" : ` from ${showPath(oldPath, guard)}`;
  const lines = addedLines + removedLines === 0 ? "" : `, +${addedLines} -${removedLines}`;
  const tool = toolFor(file);
  return `- ${showPath(path, guard)} (${status}${from}${lines}): ${reason}${tool === null ? "" : `; ${tool}`}`;
}

function toolFor({ hunks, unreadable, status }: ChangedFile): string | null {
  if (hunks.length > 0) return "show_diff";
  if (unreadable === "too-many-files") return "list_files";
  if (unreadable !== "too-large") return null;
  return status === "deleted" ? "read_file at the base" : "read_file";
}

function countReasons(omitted: readonly Omitted[]): string {
  const counts = new Map<string, number>();
  for (const { reason } of omitted) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts].map(([reason, count]) => `${count} × ${reason}`).join(", ");
}
