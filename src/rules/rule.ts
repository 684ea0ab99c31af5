/**
 * A built-in rule is one deterministic check: one file in checks/, and its examples in test/fixtures/rules. It doesn't
 * decide how findings are anchored, judged or published.
 *
 * There are five kinds. A *line rule* checks one added line at a time. A *pattern rule* is data: the shapes of code that it
 * reports. A *tree rule* has code for what a pattern can't say; both read the syntax tree of the whole file at the head, and the
 * engine keeps only matches on added lines. A *text rule* reads the whole text of a file before and after the change. A *change
 * rule* checks the change as a whole: removed lines, file names, modes, missing files.
 */
import type { FindFault } from "../base/documents/find-fault.ts";
import type { ConfigNode } from "../config/repo-config/config-node.ts";
import type { RuleObject, SyntaxLanguage, SyntaxNode } from "../syntax/syntax.ts";
import type { FileAnalysis } from "../review/analysis/analysis.ts";
import type { DependencyReport } from "../ecosystems/dependency-report.ts";
import type { BrokenExport } from "../languages/exports/export-change.ts";
import type { Change, ChangedFile } from "../review/change/change.ts";
import type { AddedLine } from "../review/change/walk-hunks.ts";
import type { Finding } from "../review/findings/finding.ts";
import type { Proof } from "../review/context/proof.ts";
import type { Category, Severity } from "../base/severity.ts";

/** One changed file as rules see it. */
export type FileView = {
  readonly path: string;
  readonly file: ChangedFile;
  /** Language id and category ("source", "test", …) from the analysis. */
  readonly language: string;
  readonly category: FileAnalysis["category"];
  /** In order, without lines that were cut. */
  readonly added: readonly AddedLine[];
  /** The texts of `added`, joined by newlines. */
  readonly addedText: string;
  /**
   * The lines of the file at the head (index 0 is line 1), for tree rules only. Null for line and change rules, whose
   * files aren't read completely. When only the diff is known, lines that no hunk shows are empty.
   */
  readonly lines: readonly string[] | null;
};

export type ChangeView = {
  readonly change: Change;
  /** Every readable file of the change in order, including filtered ones (lock files, generated files, …). */
  readonly files: readonly FileView[];
  /** Every path in the repository at the head. Null when unknown: rules that need it report nothing. */
  readonly repositoryPaths: ReadonlySet<string> | null;
  /** Paths that the configuration lists as guidelines. Omitted: none. */
  readonly guidelineFiles?: readonly string[];
  /** Null or omitted when the change touches no dependency, or they couldn't be compared. */
  readonly dependencies?: DependencyReport | null;
  /** Changed exports that files of the repository still use as they were. Omitted: none are known. */
  readonly brokenExports?: readonly BrokenExport[];
  /** The texts of changed translation files at the head, and of those of the other languages, by path. Omitted: none are known. */
  readonly translations?: ReadonlyMap<string, string>;
};

/** One match of a rule. Omitted fields come from the rule. */
export type RuleMatch = {
  /** 1-based line at the head (at the base with side "old"). 0 for a finding about the whole file or the description. */
  readonly line: number;
  /** Last line of the quote. Omitted: the same line. */
  readonly endLine?: number;
  readonly side?: "new" | "old";
  /** For tree rules: other lines with a part in the problem. If the change didn't add `line`, the first added one replaces it. */
  readonly also?: readonly number[];
  /** For tree rules with `afterRemoval`: the lines among which something is missing. It's reported where the change removed lines. */
  readonly missingIn?: { readonly line: number; readonly endLine: number };
  readonly title?: string;
  readonly fix?: string;
  /** A sentence about this match, placed before the rule's explanation. */
  readonly detail?: string;
  /** Code outside the change that shows the problem. Omitted: none. */
  readonly seenAt?: Finding["seenAt"];
  readonly severity?: Severity;
  /** Null: this match doesn't show what the rule's others do. */
  readonly proof?: Proof | null;
  readonly category?: Category;
  /** Replaces exactly lines `line` to `endLine`. Set it only when it's correct regardless of context. */
  readonly suggestion?: string;
};

type RuleFacts = {
  /** kebab-case. It must not change: users write it in config files and comments. */
  readonly id: string;
  /** The problem first, in the field's usual words, then details after a colon; no period. A match can replace it to name the code. */
  readonly title: string;
  /** Judging lowers it to medium for findings without a proof, until judged commits have proven the rule. */
  readonly severity: Severity;
  /** The proof that each match shows by itself. Omitted: nothing. */
  readonly proof?: Proof;
  readonly category: Category;
  /** Why it matters and when it fails, in one or two sentences. */
  readonly why: string;
  /** How to fix it, in the imperative. */
  readonly fix: string;
  /** Facts on which a match or its absence depends and that the code doesn't show, for people who choose rules. Omitted: nothing of note. */
  readonly cannotKnow?: string;
  /** 0 to 1: the share of matches that are correct. Omitted: 0.95. */
  readonly confidence?: number;
};

export type LineRule = RuleFacts & {
  readonly kind: "line";
  readonly languages: readonly string[] | "any";
  /** Omitted: files of category "test" are skipped. */
  readonly inTests?: boolean;
  /**
   * True: also checks lock files, generated, vendored and skipped files, and the beginnings of lines that are too long to
   * be read. No other rule reads those.
   */
  readonly everywhere?: boolean;
  /** Called once per file. False: none of its lines is checked. */
  isFor?(file: FileView): boolean;
  check(line: AddedLine, file: FileView): RuleMatch | null;
};

type SyntaxFacts = RuleFacts & {
  readonly languages: readonly SyntaxLanguage[];
  /** Omitted: files of category "test" are skipped. */
  readonly inTests?: boolean;
  /**
   * The rule also runs when lines were removed: those that match, or with `true` when a hunk with them matches `trigger`. It must
   * name `missingIn` for such a match.
   */
  readonly afterRemoval?: true | RegExp;
  /** Tested on the added lines as one text; the file is parsed only if one matches. Must be linear; `^` and `$` need `m`. */
  readonly trigger: RegExp | readonly RegExp[];
  /** Tested on the whole file. Without a match the rule can't report anything, so the file isn't parsed for it. Omitted: always. */
  readonly needs?: RegExp;
};

export type TreeRule = SyntaxFacts & {
  readonly kind: "tree";
  check(root: SyntaxNode, file: FileView): Iterable<RuleMatch>;
};

/** Code that a pattern rule reports, and its words for a match. */
export type CodePattern = {
  /** Omitted: all languages of the rule. A grammar refuses kinds and fields of another one. */
  readonly languages?: readonly SyntaxLanguage[];
  readonly rule: RuleObject;
  /** Conditions for the nodes of meta-variables, by name. */
  readonly constraints?: Readonly<Record<string, RuleObject>>;
  /** The meta-variable whose first line is reported. Omitted: the match's. */
  readonly at?: string;
  /** The meta-variable for `missingIn` of the match. */
  readonly missingIn?: string;
  /** `{NAME|it}` is the text of a meta-variable in backticks, or "it" if that isn't a plain name; `{NAME}` is the bare text. */
  readonly title?: string;
  /** The same for the sentence before the explanation. */
  readonly detail?: string;
  readonly severity?: Severity;
  /** Replaces the code if it is alone on its line. */
  readonly replacement?: string;
};

export type PatternRule = SyntaxFacts & {
  readonly kind: "pattern";
  readonly patterns: readonly CodePattern[];
};

/** A rule that needs the syntax tree of a file. */
export type SyntaxRule = TreeRule | PatternRule;

/** A file on both sides, with parsers for it. */
export type FileTexts = {
  /** Null for a new file. */
  readonly before: string | null;
  readonly after: string;
  /** Null when the language has no parser here, or the text exceeds its limit. */
  readonly parse: (language: SyntaxLanguage, text: string) => SyntaxNode | null;
  /** The parser of the file's format; null for code, and for formats without one. */
  readonly findFault: FindFault | null;
  /** For YAML that a program reads as settings; null in other languages. Its result is null for a text that isn't valid. */
  readonly parseYaml: ((text: string) => ConfigNode | null) | null;
};

export type TextRule = RuleFacts & {
  readonly kind: "text";
  /** By the name and the diff, before the text is read. */
  isFor(file: FileView): boolean;
  check(file: FileView, texts: FileTexts): Iterable<RuleMatch>;
};

export type ChangeRule = RuleFacts & {
  readonly kind: "change";
  /** A match with the path DESCRIPTION_PATH is about the title, the description or a commit message. */
  check(view: ChangeView): Iterable<RuleMatch & { readonly path: string }>;
};

export type FloorRule = LineRule | SyntaxRule | TextRule | ChangeRule;

/** The 1-based lines of a tree node, for a match. */
export function linesOf(node: SyntaxNode): { line: number; endLine: number } {
  const { start, end } = node.range();
  return { line: start.line + 1, endLine: end.line + 1 };
}

/** Titles are shown on one line, and a name without spaces can't form a sentence that addresses a reader. */
const TITLE_NAME = /^[\w$@.:>-]{1,40}$/;

/** A name from the change for a title, in backticks; `otherwise` when the text is long or not a plain name. */
export function nameOr(text: string, otherwise: string): string {
  return TITLE_NAME.test(text) ? `\`${text}\`` : otherwise;
}
