/** A request to the dashboard and its answer, as values that a thread can pass on. */

export type DashboardRequest = {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The form of a POST; empty otherwise. */
  readonly body: string;
  /** The address of the other end of the connection, which may be a proxy. */
  readonly remoteAddress: string;
};

export type DashboardAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** Texts of a download follow one another. */
  readonly body: string | Uint8Array | AsyncIterable<string>;
};

/** Null if the path is none of the dashboard's. Never rejects. */
export type Dashboard = (request: DashboardRequest) => Promise<DashboardAnswer | null>;
