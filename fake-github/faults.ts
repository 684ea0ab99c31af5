/** Faults that a test schedules: which requests they affect, how often, and what happens. */

export type Fault =
  /** Answers this instead of handling the request. */
  | {
      readonly kind: "status";
      readonly status: number;
      readonly body?: unknown;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** Cuts the connection before the request is handled. */
  | { readonly kind: "reset" }
  /** Handles the request, and then answers 502 or cuts the connection. */
  | { readonly kind: "lost"; readonly by: "502" | "reset" }
  /** Handles the request after a delay, or when `until` resolves, even if the client has given up by then. */
  | { readonly kind: "delay"; readonly ms?: number; readonly until?: Promise<unknown> }
  /** Lists don't show newer entries. */
  | { readonly kind: "lag"; readonly ms: number }
  /** GitHub's secondary rate limit. */
  | { readonly kind: "secondary-limit"; readonly status: 403 | 429; readonly retryAfterSeconds: number }
  /** GitHub's primary rate limit: no requests remain until then. */
  | { readonly kind: "primary-limit"; readonly resetInSeconds: number }
  /** Refuses the request as invalid, with this sentence; a push gets it as the reason for each ref. */
  | { readonly kind: "invalid"; readonly sentence: string }
  /** Handles the request and changes the response before it is checked against the description. */
  | { readonly kind: "alter"; readonly body: (body: unknown) => unknown }
  /** Sends this many bytes of the response and cuts the connection. */
  | { readonly kind: "truncate"; readonly bytes: number };

export type FaultRule = {
  readonly method?: string;
  /** Matches the path relative to the API's root, or the path of a git request. */
  readonly path?: RegExp;
  /** GitHub's name, such as `pulls/create-review`. */
  readonly operation?: string;
  /** Whether the rule applies to a request with this body; undefined if it has none. */
  readonly when?: (body: unknown) => boolean;
  /** How many requests it affects; default 1. */
  readonly times?: number;
  /** How many requests pass first. */
  readonly skip?: number;
  readonly fault: Fault;
};

export type RequestFacts = {
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
};

export type Faults = {
  /** The returned function removes the rule. */
  add(rule: FaultRule): () => void;
  /** Returns the fault for this request, and counts it. */
  take(request: RequestFacts): Fault | null;
  clear(): void;
  /** Rules that affected fewer requests than they should have. */
  unplayed(): readonly FaultRule[];
};

export function createFaults(): Faults {
  const scheduled: { readonly rule: FaultRule; toSkip: number; left: number }[] = [];
  const isMeant = ({ method, path, operation, when }: FaultRule, request: RequestFacts): boolean =>
    (method === undefined || method === request.method) &&
    (operation === undefined || operation === request.operation) &&
    (path === undefined || path.test(request.path)) &&
    (when === undefined || when(request.body));
  return {
    add(rule) {
      const entry = { rule, toSkip: rule.skip ?? 0, left: rule.times ?? 1 };
      scheduled.push(entry);
      return () => {
        entry.left = 0;
      };
    },
    take(request) {
      for (const entry of scheduled) {
        if (entry.left <= 0 || !isMeant(entry.rule, request)) continue;
        if (entry.toSkip > 0) {
          entry.toSkip--;
          continue;
        }
        entry.left--;
        return entry.rule.fault;
      }
      return null;
    },
    clear() {
      scheduled.length = 0;
    },
    unplayed: () => scheduled.filter(({ left }) => left > 0 && left !== Infinity).map(({ rule }) => rule),
  };
}
