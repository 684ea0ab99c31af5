/** The result of a command. */
import type { Reaction } from "../../forge/forge.ts";

/** One answer, posted where the command was written, and the reaction on it. */
export type Reply = {
  /** Markdown that is safe to publish; null for a reaction without words. */
  readonly body: string | null;
  readonly reaction: Exclude<Reaction, "eyes">;
  readonly outcome: ReplyOutcome;
};

/** How a mention ended, for the record: `refused:no-write-access`. */
export type ReplyOutcome = `${"answered" | "done" | "refused" | "failed"}:${string}`;
