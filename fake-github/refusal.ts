/** A handler's refusal: an error that carries GitHub's response. */

export type Answer = {
  readonly status: number;
  /** Undefined means no body. */
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

type Refusal = Error & { readonly answer: Answer };

const DOCUMENTATION_URL = "https://docs.github.com/rest";

/** Validation messages are plain sentences or objects, depending on the operation. */
export function refusal(status: number, message: string, errors?: readonly unknown[]): Error {
  const body = {
    message,
    ...(errors === undefined ? {} : { errors }),
    documentation_url: DOCUMENTATION_URL,
    status: String(status),
  };
  return Object.assign(new Error(message), { answer: { status, body } satisfies Answer });
}

export function notFound(): Error {
  return refusal(404, "Not Found");
}

/** The 422 of operations on reviews, which list sentences. */
export function unprocessable(...sentences: readonly string[]): Error {
  return refusal(422, "Unprocessable Entity", sentences);
}

/** The 422 of other operations. */
export function invalid(resource: string, field: string, message: string): Error {
  return refusal(422, "Validation Failed", [{ resource, code: "custom", field, message }]);
}

export function isRefusal(error: unknown): error is Refusal {
  return error instanceof Error && "answer" in error;
}
