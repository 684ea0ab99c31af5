/**
 * A change with one planted bug. The bugs were written without looking at the rules; a rule isn't tuned to the text of a case, and a
 * case isn't changed so that a rule finds it.
 */
import type { Severity } from "../../src/base/severity.ts";

export type PlantedCase = {
  readonly id: string;
  /** The language it counts for. A workflow counts for shell. */
  readonly language: string;
  readonly kind: string;
  readonly path: string;
  /** Null for a new file. */
  readonly before: string | null;
  readonly after: string;
  /** Where a reviewer should point. 1-based, in `after`, or in `before` if `side` is "old". */
  readonly line: number;
  /** For removed code. */
  readonly side?: "old";
  /** Other lines on which a finding is as good. */
  readonly also?: readonly number[];
  /** The least that a sensible reviewer gives. */
  readonly severity: Severity;
};
