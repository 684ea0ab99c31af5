/** Performs tasks with limits. A limit or a failure is a value and never affects the caller's process. */

/** Tasks by name, each with its input and its result. */
export type TaskTable = Readonly<Record<string, { readonly takes: unknown; readonly gives: unknown }>>;

export type Reading<Value> =
  | { readonly kind: "read"; readonly value: Value }
  /** The task was stopped. */
  | { readonly kind: "over-limit"; readonly limit: "time" | "memory" }
  /** The task threw, or the process crashed. */
  | { readonly kind: "failed"; readonly message: string };

export type TaskRunner<Tasks extends TaskTable> = {
  /** Starts loading early, so that the first task doesn't wait for it. */
  warm(): void;
  /**
   * Runs tasks in order, one at a time. `maxMs` limits the CPU time of the task, or its time on the clock where the system
   * doesn't tell CPU times. `onUsed` is called with the CPU time of a task that was performed. Rejects only when the runner was
   * closed, its signal was aborted, or it can't be started.
   */
  ask<Task extends keyof Tasks & string>(
    task: Task,
    takes: Tasks[Task]["takes"],
    maxMs: number,
    onUsed?: (cpuMs: number) => void,
  ): Promise<Reading<Tasks[Task]["gives"]>>;
  /** Ends the runner and its tasks. */
  close(): void;
};
