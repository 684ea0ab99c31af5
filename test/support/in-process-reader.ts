/** A Reader without a separate process or limits, for tests of its callers. */
import { messageOf } from "../../src/base/errors.ts";
import { readerPerformers, type TaskTools } from "../../src/reading/perform-task.ts";
import type { Reading } from "../../src/base/task-process/task-runner.ts";
import type { Reader, ReaderTasks } from "../../src/reading/reader.ts";
import { ALL_RULES } from "../../src/rules/all-rules.ts";
import { createAstGrepSyntax } from "../../src/syntax/ast-grep.ts";

export function createInProcessReader(given: Partial<TaskTools> = {}): Reader {
  const performers = readerPerformers({
    loadSyntax: async () => createAstGrepSyntax(),
    rules: ALL_RULES,
    ...given,
  });
  return {
    warm() {},
    async ask<Task extends keyof ReaderTasks>(
      task: Task,
      takes: ReaderTasks[Task]["takes"],
    ): Promise<Reading<ReaderTasks[Task]["gives"]>> {
      try {
        return { kind: "read", value: await performers[task](takes) };
      } catch (error) {
        return { kind: "failed", message: messageOf(error) };
      }
    },
    close() {},
  };
}
