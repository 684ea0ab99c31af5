/** An engine is a linter that checks one file at a time, from memory. Engines run in a process of their own. */

/** A file as an analyser sees it: no configuration, and no comments that switch a check off. */
export type AnalysedFile = {
  readonly path: string;
  /** Language id from the analysis. */
  readonly language: string;
  readonly text: string;
};

/** One result of a tool. */
export type Diagnostic = {
  /** The tool's own id, such as F821 or SC2086. */
  readonly rule: string;
  /** 1-based and inclusive. */
  readonly line: number;
  readonly endLine: number;
  /** Other lines that the tool points to, such as the first of two equal keys. Omitted: none. */
  readonly related?: readonly number[];
  /** The tool's own text. It is never shown; a rule may take a name from it. */
  readonly message: string;
};

/** A tool's results for one file. */
export type FileCheck = {
  /** Only of rules of its table. */
  readonly diagnostics: readonly Diagnostic[];
  /** Why it didn't check all of the file; null when it did. Silence about a file with a gap means nothing. */
  readonly gap: "unparsed" | "too-many-findings" | null;
};

export type Engine = {
  readonly version: string;
  /** Null: there is nothing in the file that the tool is for, such as a script of another interpreter. */
  check(file: AnalysedFile): FileCheck | null | Promise<FileCheck | null>;
};

/** Rejects when the package isn't installed. */
export type LoadEngine = () => Promise<Engine>;
