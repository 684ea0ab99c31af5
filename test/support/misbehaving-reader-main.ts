/** A reader process whose rules misbehave in files with certain names. Tests start it instead of the real one. */
import { readerPerformers } from "../../src/reading/perform-task.ts";
import { serveTasks } from "../../src/base/task-process/serve-tasks.ts";
import type { LineRule } from "../../src/review/floor/rule.ts";
import { createAstGrepSyntax } from "../../src/syntax/ast-grep.ts";
import { RULE_FACTS } from "./findings-fixtures.ts";

const kept: unknown[] = [];

const BEHAVIOUR: Readonly<Record<string, () => void>> = {
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
  check({ line }, { path }) {
    BEHAVIOUR[path]?.();
    return { line };
  },
};

await serveTasks(readerPerformers({ loadSyntax: async () => createAstGrepSyntax(), rules: [misbehaves] }));
