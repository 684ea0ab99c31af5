/**
 * A page of the dashboard: a value with its path, who may open it, and a function from a request to an answer. Pages only read. They
 * change nothing, know no cookie and no header, and see only the repositories that their viewer may read at that moment.
 */
import type { CheckLine } from "../doctor/check.ts";
import type { HostLinks } from "../forge/host-links.ts";
import type { Queue } from "../queue/queue.ts";
import type { Database } from "../store/database.ts";
import type { ReadableRepositories } from "../store/repositories/readable.ts";
import type { Html } from "./components/html.ts";

export type Viewer = {
  /** A login, for display. */
  readonly name: string;
  readonly isAdmin: boolean;
  readonly repositories: ReadableRepositories;
  /** The value of the hidden field of every form. */
  readonly csrf: string;
};

export type PageRequest = {
  /** The named parts of the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly viewer: Viewer;
};

export type PageDeps = {
  readonly database: Database;
  readonly telemetry: Database;
  readonly queue: Pick<Queue, "list" | "read" | "stats">;
  /** The store's clock, in milliseconds since 1970. */
  readonly now: () => number;
  readonly links: HostLinks;
  /** The checks of `kodiai doctor`, with secrets masked. */
  readonly examine: (signal: AbortSignal) => Promise<readonly CheckLine[]>;
};

export type PageAnswer =
  | { readonly kind: "page"; readonly title: string; readonly body: Html }
  | { readonly kind: "not-found" }
  /** Server-sent events, each text one or more of them. The stream ends by itself, and the browser asks again. */
  | { readonly kind: "events"; readonly texts: AsyncIterable<string> }
  | {
      readonly kind: "data";
      readonly contentType: string;
      readonly body: string | Uint8Array;
      /** Set for a download. */
      readonly fileName?: string;
    };

export type DashboardPage = {
  /** A path whose parts may be named: `/reviews/:id`. */
  readonly path: string;
  /**
   * `repository`: the path has a part `:repositoryId`, and the server has checked that the viewer may read that
   * repository. A page for anyone who is signed in filters by `viewer.repositories` in SQL. An `admin` page is for the installation.
   */
  readonly needs: "anyone-signed-in" | "repository" | "admin";
  readonly answer: (request: PageRequest, deps: PageDeps) => Promise<PageAnswer>;
};
