/**
 * Entry point of the process that gives the second opinion on a file that a linter can't parse: its parser is large, and few reviews need it. It
 * starts with an empty environment; see base/task-process/start-process.ts.
 */
import { serveTasks } from "./base/task-process/serve-tasks.ts";
import { readsAsDialect } from "./linters/oxlint/babel.ts";
import type { SecondOpinionTasks } from "./linters/second-opinion.ts";
import type { Performers } from "./base/task-process/serve-tasks.ts";

const performers: Performers<SecondOpinionTasks> = { read: async (file) => readsAsDialect(file) };
await serveTasks(performers);
