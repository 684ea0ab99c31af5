/**
 * A report about an evaluation as data: warnings, then sections with one table each. The terminal, Markdown and the HTML page show the
 * same; a chart repeats figures of its table.
 */
export type EvalReport = {
  readonly title: string;
  readonly subtitle: string;
  /** The reader must know them before any figure. */
  readonly warnings: readonly string[];
  readonly sections: readonly ReportSection[];
};

export type ReportSection = {
  readonly title: string;
  readonly note: string;
  /** The first column names the row; the others are figures. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly chart: ReportChart | null;
};

/** Shares from 0 to 1. */
export type ReportChart =
  | { readonly kind: "bars"; readonly bars: readonly Bar[] }
  /** How often something was right, by how sure it was; on the diagonal, both are the same. */
  | {
      readonly kind: "calibration";
      readonly points: readonly { readonly x: number; readonly y: number; readonly weight: number }[];
    };

export type Bar = {
  readonly name: string;
  readonly value: number;
  /** The interval; null for none. */
  readonly low: number | null;
  readonly high: number | null;
};
