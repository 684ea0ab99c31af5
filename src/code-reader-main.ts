/**
 * Entry point of the reader process of a context pack, which reads code and runs no rule. The rules are most of what the other reader loads.
 * It starts with an empty environment; see base/task-process/start-process.ts.
 */
import { flushCompileCache } from "node:module";
import { serveTasks } from "./base/task-process/serve-tasks.ts";
import { codePerformers } from "./reading/perform-code-task.ts";
import { createSyntaxLoader } from "./syntax/load-syntax.ts";

const loadSyntax = createSyntaxLoader(process.argv[2] ?? null);

// Every pack needs a parser. If loading fails, the task that needs it reports the failure.
await loadSyntax().catch(() => {});
// The parent kills this process with a signal, and Node would only write its compile cache at a normal exit.
flushCompileCache();
await serveTasks(codePerformers(loadSyntax));
