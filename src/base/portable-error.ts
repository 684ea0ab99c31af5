/** Errors that pass from one thread to another. A message can't carry an error of Kodiai, only its fields. */
import { type ErrorCode, KodiaiError } from "./errors.ts";

export type PortableError =
  | {
      readonly kind: "failed";
      readonly code: ErrorCode;
      readonly message: string;
      readonly hint: string;
      readonly retryable: boolean;
    }
  | { readonly kind: "defect"; readonly error: unknown };

export function toPortable(error: unknown): PortableError {
  if (!(error instanceof KodiaiError)) return { kind: "defect", error };
  const { code, message, hint, retryable } = error;
  return { kind: "failed", code, message, hint, retryable };
}

export function fromPortable(error: PortableError): unknown {
  if (error.kind === "defect") return error.error;
  const { code, message, hint, retryable } = error;
  return new KodiaiError(code, message, { hint, retryable });
}
