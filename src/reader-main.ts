/**
 * Entry point of the reader process, which runs rules and parsers over text of a change. It starts with an empty
 * environment; see base/task-process/start-process.ts.
 */
import { flushCompileCache } from "node:module";
import { readerPerformers } from "./reading/perform-task.ts";
import { serveTasks } from "./base/task-process/serve-tasks.ts";
import { ALL_RULES } from "./rules/all-rules.ts";
import { createSyntaxLoader } from "./syntax/load-syntax.ts";

const loadSyntax = createSyntaxLoader(process.argv[2] ?? null);

// Most changes need a parser, so it loads while the parent runs git. If loading fails, the task that needs it reports the failure.
await loadSyntax().catch(() => {});
// The parent kills this process with a signal, and Node would only write its compile cache at a normal exit.
flushCompileCache();
await serveTasks(readerPerformers({ loadSyntax, rules: ALL_RULES }));
