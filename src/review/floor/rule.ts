/**
 * What a floor rule is: one certain check with its examples. A rule is one file in rules/ and one line in
 * rules/all-rules.ts. It says nothing about how findings are anchored, judged or told.
 *
 * Three kinds. A *line rule* looks at one added line at a time. A *tree rule* looks at the syntax tree of the whole
 * file at the head; the engine keeps only what it reports on added lines. A *change rule* looks at the change as a
 * whole: removed lines, file names, modes, what is missing.
 */
import type { SyntaxLanguage, SyntaxNode } from "../../syntax/syntax.ts";
import type { FileAnalysis } from "../analysis/analysis.ts";
import type { Change, ChangedFile } from "../change/change.ts";
import type { AddedLine } from "../change/walk-hunks.ts";
import type { Category, Severity } from "../../base/severity.ts";

/** One changed file as rules see it. */
export type FileView = {
  readonly path: string;
  readonly file: ChangedFile;
  /** Language id and category ("source", "test", …) from the analysis. */
  readonly language: string;
  readonly category: FileAnalysis["category"];
  /** In order, cut lines left out. */
  readonly added: readonly AddedLine[];
  /** The texts of `added`, a line each. */
  readonly addedText: string;
  /**
   * The file at the head by line (index 0 is line 1), given to tree rules only; null for line and change rules, whose
   * files were not read whole. Lines that only the diff could tell are empty where no hunk shows them.
   */
  readonly lines: readonly string[] | null;
};

export type ChangeView = {
  readonly change: Change;
  /** Every readable file of the change, in its order; filtered ones (lock files, generated, …) included. */
  readonly files: readonly FileView[];
  /** Every path of the repository at the head; null when unknown, and rules that need it stay silent. */
  readonly repositoryPaths: ReadonlySet<string> | null;
  /** Paths that the configuration names as guidelines; left out: none. */
  readonly guidelineFiles?: readonly string[];
};

/** A hit. Everything left out is taken from the rule. */
export type RuleMatch = {
  /** 1-based line at the head (at the base with side "old"). For a finding about the file or the description as a whole: 0. */
  readonly line: number;
  /** Last line of the quote; the same line when left out. */
  readonly endLine?: number;
  readonly side?: "new" | "old";
  readonly title?: string;
  /** A sentence of its own for this hit, put before the rule's explanation. */
  readonly detail?: string;
  readonly severity?: Severity;
  readonly category?: Category;
  /** Replaces exactly lines `line`..`endLine`. Give one only when it is right without knowing more. */
  readonly suggestion?: string;
};

export type ExampleFile = {
  readonly path: string;
  /** Left out or null: the file is new. */
  readonly before?: string | null;
  /** Null: the file is deleted. */
  readonly after: string | null;
  /** Git file modes of both sides; left out: an ordinary file. */
  readonly modes?: { readonly before: string | null; readonly after: string };
};

export type ExampleDescription = {
  readonly title?: string;
  readonly body?: string;
  /** Whole messages. */
  readonly commits?: readonly string[];
};

/**
 * A bad example says on which line of its first file the rule must report, or that it must report on the description when
 * there is no file; a good one must stay silent. `repository` names unchanged paths of the repository besides the files of
 * the example.
 */
export type BadExample = GoodExample & { readonly line: number };
export type GoodExample = {
  readonly files: readonly ExampleFile[];
  readonly repository?: readonly string[];
  readonly description?: ExampleDescription;
};

type RuleFacts = {
  /** kebab-case, stable: people write it in config files and comments. */
  readonly id: string;
  readonly title: string;
  readonly severity: Severity;
  readonly category: Category;
  /** Why it matters and what happens if it stays, one or two sentences. */
  readonly why: string;
  /** What to do instead, one sentence in the imperative. */
  readonly fix: string;
  /** 0 to 1; how often a hit is right. Left out: 0.95. */
  readonly confidence?: number;
  readonly examples: { readonly bad: readonly BadExample[]; readonly good: readonly GoodExample[] };
};

export type LineRule = RuleFacts & {
  readonly kind: "line";
  readonly languages: readonly string[] | "any";
  /** False: files of category "test" are not looked at. */
  readonly inTests: boolean;
  /** True: looked for also in lock files, generated, vendored and skipped files, which no other rule reads. */
  readonly everywhere?: boolean;
  /** Asked once per file; false: none of its lines is looked at. */
  isFor?(file: FileView): boolean;
  check(line: AddedLine, file: FileView): RuleMatch | null;
};

export type TreeRule = RuleFacts & {
  readonly kind: "tree";
  readonly languages: readonly SyntaxLanguage[];
  readonly inTests: boolean;
  /** Tested against the added lines as one text; the file is parsed only when it matches. Linear; `^` and `$` want `m`. */
  readonly trigger: RegExp;
  check(root: SyntaxNode, file: FileView): Iterable<RuleMatch>;
};

export type ChangeRule = RuleFacts & {
  readonly kind: "change";
  /** A match with DESCRIPTION_PATH as its path is about the title, the description or a commit message. */
  check(view: ChangeView): Iterable<RuleMatch & { readonly path: string }>;
};

export type FloorRule = LineRule | TreeRule | ChangeRule;

/** A bad example: a new file with this content; the rule must report on `line`. */
export function bad(path: string, line: number, after: string): BadExample {
  return { files: [{ path, after }], line };
}

/** A good example: a new file with this content; the rule must stay silent. */
export function good(path: string, after: string): GoodExample {
  return { files: [{ path, after }] };
}

/** Lines of a tree node, 1-based, for a match. */
export function linesOf(node: SyntaxNode): { line: number; endLine: number } {
  const { start, end } = node.range();
  return { line: start.line + 1, endLine: end.line + 1 };
}
