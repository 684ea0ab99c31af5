/** What a reader process and its parent send each other. Both sides are the same version of the program. */
import type { ReaderTask, ReaderTasks } from "../reader.ts";

export type TaskMessage<Task extends ReaderTask = ReaderTask> = {
  readonly task: Task;
  readonly takes: ReaderTasks[Task]["takes"];
};

export type AnswerMessage =
  /** Sent once, when everything is loaded. */
  | { readonly kind: "ready" }
  /** To the oldest task that has no answer yet. */
  | { readonly kind: "read"; readonly value: ReaderTasks[ReaderTask]["gives"] }
  | { readonly kind: "failed"; readonly message: string };
