/** A Reader without a separate process or limits, for tests of its callers. */
import { messageOf } from "../../src/base/errors.ts";
import { performTask, type TaskTools } from "../../src/reading/perform-task.ts";
import type { Reader, Reading, ReaderTask, ReaderTasks } from "../../src/reading/reader.ts";
import { ALL_RULES } from "../../src/review/floor/rules/all-rules.ts";
import { createAstGrepSyntax } from "../../src/syntax/ast-grep.ts";

export function createInProcessReader(given: Partial<TaskTools> = {}): Reader {
  const tools = { loadSyntax: async () => createAstGrepSyntax(), rules: ALL_RULES, ...given };
  return {
    warm() {},
    async ask<Task extends ReaderTask>(
      task: Task,
      takes: ReaderTasks[Task]["takes"],
    ): Promise<Reading<ReaderTasks[Task]["gives"]>> {
      try {
        return { kind: "read", value: await performTask(task, takes, tools) };
      } catch (error) {
        return { kind: "failed", message: messageOf(error) };
      }
    },
    close() {},
  };
}
