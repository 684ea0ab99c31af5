/** Code outside the diff that a reviewer of the change should see. */

export type RelatedCode = {
  readonly path: string;
  /** Starting at 1. */
  readonly startLine: number;
  /** Whole lines, without secrets. */
  readonly text: string;
  readonly reason: "caller" | "test" | "type";
  /** The changed name that it belongs to: the callee, the tested name, the type. */
  readonly about: string;
  /** The changed file that it belongs to, which imports or the language prove. A shared name alone proves nothing. */
  readonly changedPath: string;
  /** The first line of the changed declaration: at the head, or at the base when it's gone. Null when it isn't one declaration. */
  readonly changedAt: { readonly line: number; readonly isGone: boolean } | null;
};

/** A function around changed lines that is short enough to be shown whole, as it is at the head. Its hunks are shown with the whole of it. */
export type ShortFunction = {
  readonly path: string;
  /** Starting at 1. */
  readonly startLine: number;
  /** Without line endings and without secrets. */
  readonly lines: readonly string[];
};
