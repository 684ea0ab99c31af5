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

export type Engine = {
  readonly version: string;
  /** Reports only rules of its table. A file that it can't parse has no diagnostics. */
  check(file: AnalysedFile): readonly Diagnostic[] | Promise<readonly Diagnostic[]>;
};

/** Rejects when the package isn't installed. */
export type LoadEngine = () => Promise<Engine>;
