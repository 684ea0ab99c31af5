/**
 * Entry point of an analyser's process, which runs one linter over text of a change. It starts with an empty environment;
 * see base/task-process/start-process.ts.
 */
import { flushCompileCache } from "node:module";
import { ALL_ANALYSERS } from "./linters/all-analysers.ts";
import { analyserPerformers } from "./linters/analyser-tasks.ts";
import { serveTasks } from "./base/task-process/serve-tasks.ts";

const analyser = ALL_ANALYSERS.find(({ name }) => name === process.argv[2]);
if (analyser?.kind !== "engine") throw new TypeError("the name of an engine is missing");
const performers = await analyserPerformers(analyser);
// The parent kills this process with a signal, and Node would only write its compile cache at a normal exit.
flushCompileCache();
await serveTasks(performers);
