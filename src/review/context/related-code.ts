/** Code outside the diff that a reviewer of the change should see. */

export type RelatedCode = {
  readonly path: string;
  /** Starting at 1. */
  readonly startLine: number;
  /** Whole lines, without secrets. */
  readonly text: string;
  readonly reason: "caller" | "enclosing" | "test" | "type";
  /** The changed name that it belongs to: the callee, the surrounding function, the tested name, the type. */
  readonly about: string;
  /** The changed file that it belongs to. */
  readonly changedPath: string;
  /** Whether imports prove the connection. False: it only shares the name. */
  readonly isCertain: boolean;
};

/** A short function around changed lines, as it is at the head. Its hunks are shown with the whole of it. */
export type ShortFunction = {
  readonly path: string;
  /** Starting at 1. */
  readonly startLine: number;
  /** Without line endings and without secrets. */
  readonly lines: readonly string[];
};
