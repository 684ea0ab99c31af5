/** How a handler says no: an error that carries the answer GitHub would give. */

export type Answer = {
  readonly status: number;
  /** Undefined: no body. */
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

type Refusal = Error & { readonly answer: Answer };

const DOCUMENTATION_URL = "https://docs.github.com/rest";

/** Validation messages come as plain sentences or as objects, depending on the operation. */
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

/** 422 of the operations on reviews, which list sentences. */
export function unprocessable(...sentences: readonly string[]): Error {
  return refusal(422, "Unprocessable Entity", sentences);
}

/** 422 of the other operations. */
export function invalid(resource: string, field: string, message: string): Error {
  return refusal(422, "Validation Failed", [{ resource, code: "custom", field, message }]);
}

export function isRefusal(error: unknown): error is Refusal {
  return error instanceof Error && "answer" in error;
}
