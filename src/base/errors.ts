/**
 * The one error type for operational failures: something outside the program that a person can act on.
 * Expected outcomes (an empty change, a skipped file) are values, never errors.
 */
export type ErrorCode =
  | "usage"
  | "config"
  | "not-a-repository"
  | "no-commits"
  | "unknown-ref"
  | "no-merge-base"
  | "bad-diff"
  | "git"
  | "io"
  | "cancelled";

export class KodiaiError extends Error {
  readonly code: ErrorCode;
  /** What the person at the keyboard can do about it, as one sentence. */
  readonly hint: string;
  /** True when the same call may succeed later without anybody changing anything. */
  readonly retryable: boolean;

  constructor(
    code: ErrorCode,
    message: string,
    options: { hint: string; retryable?: boolean; cause?: unknown },
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "KodiaiError";
    this.code = code;
    this.hint = options.hint;
    this.retryable = options.retryable ?? false;
  }
}
