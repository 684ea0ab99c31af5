/** Batches concurrent requests. Requests that arrive while a batch runs form the next batch. */
import { KodiaiError } from "../../base/errors.ts";

export type RequestBatch<Request> = readonly [Request, ...Request[]];

type Waiting<Request, Answer> = {
  readonly request: Request;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
};

// In a larger batch the first request would wait too long for the last.
const MAX_BATCH_SIZE = 50;

/**
 * `work` returns one answer per request, in order, and handles all of them or none. If it fails, each request is retried
 * on its own. A batch holds requests of one kind only.
 */
export function createRequestBatcher<Request, Answer>(
  kindOf: (request: Request) => string,
  work: (requests: RequestBatch<Request>) => Promise<readonly Answer[]>,
): (request: Request) => Promise<Answer> {
  const waiting = new Map<string, Waiting<Request, Answer>[]>();

  async function runAll(kind: string, pending: Waiting<Request, Answer>[]): Promise<void> {
    // Requests made in the same tick join the first batch.
    await Promise.resolve();
    for (;;) {
      const [first, ...rest] = pending.splice(0, MAX_BATCH_SIZE);
      if (first === undefined) break;
      await run([first, ...rest]);
    }
    waiting.delete(kind);
  }

  /** Never rejects: each request gets its own result or error. */
  async function run([first, ...rest]: RequestBatch<Waiting<Request, Answer>>): Promise<void> {
    try {
      const answers = await work([first.request, ...rest.map(({ request }) => request)]);
      // `work` returns an answer for every request.
      for (const [index, { resolve }] of [first, ...rest].entries()) resolve(answers[index] as Answer);
    } catch (error) {
      // If the database is unavailable, retrying requests one by one would fail too.
      const isUnavailable = error instanceof KodiaiError && error.retryable;
      if (rest.length === 0 || isUnavailable) for (const { reject } of [first, ...rest]) reject(error);
      else for (const one of [first, ...rest]) await run([one]);
    }
  }

  return (request) =>
    new Promise((resolve, reject) => {
      const kind = kindOf(request);
      const entry = { request, resolve, reject };
      const pending = waiting.get(kind);
      if (pending !== undefined) {
        pending.push(entry);
        return;
      }
      const started = [entry];
      waiting.set(kind, started);
      void runAll(kind, started);
    });
}
