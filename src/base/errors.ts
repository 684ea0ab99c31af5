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
  /** Reading it would take more than the limits on memory and time allow. */
  | "too-large"
  | "git"
  | "io"
  | "network"
  | "forbidden"
  | "not-found"
  | "suspended"
  | "rate-limited"
  | "bad-json"
  | "bad-payload"
  | "database"
  | "cancelled";

/** What went wrong, and what to do about it, on one line. */
export function describeError(error: unknown): string {
  return error instanceof KodiaiError ? `${error.message}. ${error.hint}` : messageOf(error);
}

/** What was thrown, in its own words; anything can be thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export class KodiaiError extends Error {
  readonly code: ErrorCode;
  /** What the person at the keyboard can do about it, as one sentence. */
  readonly hint: string;
  /** True when the same call may succeed later without anybody changing anything. */
  readonly retryable: boolean;

  /** When the other side said to come back, in milliseconds since 1970; null when it did not. */
  readonly retryAtMs: number | null;

  constructor(
    code: ErrorCode,
    message: string,
    options: { hint: string; retryable?: boolean; retryAtMs?: number; cause?: unknown },
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "KodiaiError";
    this.code = code;
    this.hint = options.hint;
    this.retryable = options.retryable ?? false;
    this.retryAtMs = options.retryAtMs ?? null;
  }
}
