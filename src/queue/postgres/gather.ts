/** Answers many requests of the same moment with one piece of work: those that come while it runs are in the next. */
import { KodiaiError } from "../../base/errors.ts";

export type Gathered<Request> = readonly [Request, ...Request[]];

type Waiting<Request, Answer> = {
  readonly request: Request;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
};

// A larger piece of work would make its first request wait for its last.
const MAX_AT_ONCE = 50;

/**
 * `work` gives one answer per request, in their order, and does all or nothing: when it fails, each request is tried
 * alone. Requests of different kinds are not put together.
 */
export function createGathering<Request, Answer>(
  kindOf: (request: Request) => string,
  work: (requests: Gathered<Request>) => Promise<readonly Answer[]>,
): (request: Request) => Promise<Answer> {
  const waiting = new Map<string, Waiting<Request, Answer>[]>();

  async function runAll(kind: string, gathered: Waiting<Request, Answer>[]): Promise<void> {
    // Whoever asks in the same breath comes along.
    await Promise.resolve();
    for (;;) {
      const [first, ...rest] = gathered.splice(0, MAX_AT_ONCE);
      if (first === undefined) break;
      await run([first, ...rest]);
    }
    waiting.delete(kind);
  }

  /** Never rejects: each request hears about itself. */
  async function run([first, ...rest]: Gathered<Waiting<Request, Answer>>): Promise<void> {
    try {
      const answers = await work([first.request, ...rest.map(({ request }) => request)]);
      // `work` has answered each of them.
      for (const [index, { resolve }] of [first, ...rest].entries()) resolve(answers[index] as Answer);
    } catch (error) {
      // A database that is away would not answer them one by one either.
      const isAway = error instanceof KodiaiError && error.retryable;
      if (rest.length === 0 || isAway) for (const { reject } of [first, ...rest]) reject(error);
      else for (const one of [first, ...rest]) await run([one]);
    }
  }

  return (request) =>
    new Promise((resolve, reject) => {
      const kind = kindOf(request);
      const entry = { request, resolve, reject };
      const gathered = waiting.get(kind);
      if (gathered !== undefined) {
        gathered.push(entry);
        return;
      }
      const begun = [entry];
      waiting.set(kind, begun);
      void runAll(kind, begun);
    });
}
