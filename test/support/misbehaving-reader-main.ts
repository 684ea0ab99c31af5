/** A reader process whose rules misbehave in files with certain names. Tests start it instead of the real one. */
import { existsSync } from "node:fs";
import { readerPerformers } from "../../src/reading/perform-task.ts";
import { serveTasks } from "../../src/base/task-process/serve-tasks.ts";
import type { LineRule } from "../../src/rules/rule.ts";
import { createAstGrepSyntax } from "../../src/syntax/ast-grep.ts";
import { RULE_FACTS } from "./findings-fixtures.ts";

const kept: unknown[] = [];

/** Between two looks at a file, so that waiting takes hardly any CPU time. */
const POLL_MS = 20;

const BEHAVIOUR: Readonly<Record<string, (text: string) => void>> = {
  // Until the file that the line names is there.
  "waits.ts"(text) {
    const nothing = new Int32Array(new SharedArrayBuffer(4));
    while (!existsSync(text)) Atomics.wait(nothing, 0, 0, POLL_MS);
  },
  "spins.ts"() {
    for (;;);
  },
  "grows.ts"() {
    for (;;) kept.push(Array.from({ length: 1_000_000 }, Math.random));
  },
  // Native memory, like a parser's, which a limit on the JavaScript heap doesn't count.
  "grows-outside.ts"() {
    for (;;) kept.push(Buffer.alloc(64 * 1024 * 1024, 1));
  },
  "crashes.ts": () => process.kill(process.pid, "SIGSEGV"),
  "exits.ts": () => process.exit(7),
  "throws.ts"() {
    throw new Error("a defect of this rule");
  },
};

const misbehaves: LineRule = {
  ...RULE_FACTS,
  id: "misbehaves",
  kind: "line",
  languages: "any",
  inTests: true,
  check({ line, text }, { path }) {
    BEHAVIOUR[path]?.(text);
    return { line };
  },
};

await serveTasks(readerPerformers({ loadSyntax: async () => createAstGrepSyntax(), rules: [misbehaves] }));
