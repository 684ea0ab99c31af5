/** Every analyser. Rules and tools are imported on demand: a change without their languages loads none of them. */
import type { Analyser } from "./analyser.ts";

export const ALL_ANALYSERS: readonly Analyser[] = [
  {
    kind: "engine",
    name: "ruff",
    package: "@astral-sh/ruff-wasm-nodejs",
    isFor: ({ language }) => language === "python",
    rules: async () => (await import("./ruff/rules.ts")).RUFF_RULES,
    load: async () => (await import("./ruff/engine.ts")).loadRuff(),
  },
];
