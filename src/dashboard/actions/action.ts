/**
 * An action of the dashboard: a value with its name, who may do it, what it is about, and a function that does it. The code that performs it has
 * checked the form's token and the permission, and records it.
 */
import type { Database } from "../../store/database.ts";
import type { Queue } from "../../queue/queue.ts";

export type ActionTarget = {
  /** For the record: `job 42`. */
  readonly label: string;
  /** Our id; null for what belongs to no repository. */
  readonly repositoryId: number | null;
};

export type ActionDeps = {
  readonly database: Database;
  readonly queue: Pick<Queue, "read" | "requeue" | "cancel">;
  readonly now: () => number;
  /** The login of the person. */
  readonly by: string;
};

export type ActionOutcome =
  /** The sentence is shown to the person, and recorded. */
  | { readonly kind: "done"; readonly text: string }
  /** Nothing has changed. */
  | { readonly kind: "refused"; readonly text: string }
  | {
      readonly kind: "download";
      readonly fileName: string;
      readonly contentType: string;
      readonly texts: AsyncIterable<string>;
    };

export type DashboardAction = {
  /** Forms post to `/actions/<name>`. */
  readonly name: string;
  /** `write`: to the repository of the target, as GitHub grants it. `admin`: an administrator of this installation. */
  readonly needs: "write" | "admin";
  /** Null if there is no such thing, or the form doesn't say what it is about. */
  readonly findTarget: (form: URLSearchParams, deps: ActionDeps) => Promise<ActionTarget | null>;
  readonly perform: (form: URLSearchParams, target: ActionTarget, deps: ActionDeps) => Promise<ActionOutcome>;
};

/** A positive number in a field; null if it isn't one. */
export function numberIn(form: URLSearchParams, field: string): number | null {
  const text = form.get(field) ?? "";
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
}
