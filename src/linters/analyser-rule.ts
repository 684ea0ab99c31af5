/** One row of an analyser's table: a rule of the tool that we report, in our severity and our words. */
import type { Category, Severity } from "../base/severity.ts";
import type { Proof } from "../review/context/proof.ts";

/** A diagnostic as a row sees it. */
export type SeenDiagnostic = {
  /** The tool's own text. */
  readonly message: string;
  /** The first line of its place, the one after it, and the whole file. */
  readonly line: string;
  readonly next: string;
  readonly text: string;
  /** 1-based. */
  readonly from: number;
};

export type AnalyserRule = {
  /** The tool's own id. Users write it after the tool's name, as in `ruff/F821`. */
  readonly id: string;
  /** Judging lowers it to medium for rules without a proof, until judged commits have proven the rule. */
  readonly severity: Severity;
  /** The proof that each diagnostic shows by itself. Omitted: nothing. */
  readonly proof?: Proof;
  readonly category: Category;
  /** The problem first, then details after a colon; no period. A function takes names from the tool's message. */
  readonly title: string | ((message: string) => string);
  /** Why it matters and when it fails, in one or two sentences. */
  readonly why: string;
  /** How to fix it, in the imperative. */
  readonly fix: string;
  /** False: files of category "test" are skipped. Omitted: they are checked. */
  readonly inTests?: boolean;
  /**
   * True: also reported when its place isn't an added line but an added line is the cause: a related line, or one just above
   * (the other of two equal keys, the code after a new return).
   */
  readonly isCertainAnywhere?: boolean;
  /** True: the place or the spaces of a line make the problem, so a removed line with the same words doesn't prove it old. */
  readonly dependsOnPlace?: boolean;
  /** False: this diagnostic isn't reported. Omitted: all are. */
  readonly accepts?: (seen: SeenDiagnostic) => boolean;
};
