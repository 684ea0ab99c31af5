/**
 * The only error type for operational failures: problems outside the program that a person can fix. Expected outcomes (an
 * empty change, a skipped file) are values, never errors.
 */
export type ErrorCode =
  | "usage"
  | "config"
  | "not-a-repository"
  | "no-commits"
  | "unknown-ref"
  | "no-merge-base"
  | "bad-diff"
  | "bad-sarif"
  /** Reading it would exceed the memory or time limit. */
  | "too-large"
  | "git"
  | "io"
  /** The disk with the clones has no room. */
  | "disk-full"
  | "network"
  | "forbidden"
  | "not-found"
  | "suspended"
  | "rate-limited"
  | "bad-json"
  | "bad-payload"
  | "database"
  | "cancelled";

/** The message and the hint on one line. */
export function describeError(error: unknown): string {
  return error instanceof KodiaiError ? `${error.message}. ${error.hint}` : messageOf(error);
}

/** The message of a thrown value, which can be anything. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export class KodiaiError extends Error {
  readonly code: ErrorCode;
  /** How the user can fix it, in one sentence. */
  readonly hint: string;
  /** True when the same call may succeed later without any change. */
  readonly retryable: boolean;

  /** When the other side allows a retry, in milliseconds since 1970; null when unknown. */
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
