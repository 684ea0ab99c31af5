/**
 * The process that reads text of a change: rules and parsers, and nothing else. It is started with no environment; see
 * reading/process/start-process.ts.
 */
import { flushCompileCache } from "node:module";
import { serveTasks } from "./reading/process/serve-tasks.ts";
import { ALL_RULES } from "./review/floor/rules/all-rules.ts";
import type { Syntax } from "./syntax/syntax.ts";

let syntax: Promise<Syntax> | null = null;
const loadSyntax = (): Promise<Syntax> =>
  (syntax ??= import("./syntax/ast-grep.ts").then(({ createAstGrepSyntax }) => createAstGrepSyntax()));

// Most changes need a parser: it loads while the parent asks git for the change. A task that needs it reports a failure.
await loadSyntax().catch(() => {});
// The parent ends this process with a signal, and what was compiled is otherwise kept only at an orderly end.
flushCompileCache();
await serveTasks({ loadSyntax, rules: ALL_RULES });
