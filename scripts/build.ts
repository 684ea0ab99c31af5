/** Bundles the program into dist/: one entry, commands and adapters in chunks that load when they are needed. */
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { build, type Plugin } from "esbuild";
import { createAstGrepSyntax } from "../src/syntax/ast-grep.ts";

/** The examples of rules are their tests: more than half of their text, and of no use to who runs them. */
const withoutExamples: Plugin = {
  name: "without-examples",
  setup(bundler) {
    const syntax = createAstGrepSyntax();
    bundler.onLoad({ filter: /floor\/rules\/[\w-]+\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      const examples = syntax
        .parse("typescript", text)
        ?.find({ rule: { kind: "pair", regex: "^examples:" } });
      if (examples === null || examples === undefined) return { contents: text, loader: "ts" };
      return { contents: text.replace(examples.text(), "examples: { bad: [], good: [] }"), loader: "ts" };
    });
  },
};

await rm("dist", { recursive: true, force: true });
await build({
  entryPoints: ["src/main.ts"],
  outdir: "dist",
  bundle: true,
  splitting: true,
  outExtension: { ".js": ".mjs" },
  format: "esm",
  platform: "node",
  target: "node24",
  // Native code, modules that call require(), and what users install only if they want it.
  external: ["@ast-grep/*", "@anthropic-ai/claude-agent-sdk", "pg", "pg-boss", "prom-client"],
  // Its build for Node calls require(), which a module cannot; the other one is made of modules.
  alias: { yaml: join(import.meta.dirname, "../node_modules/yaml/browser/index.js") },
  plugins: [withoutExamples],
  minify: true,
  legalComments: "none",
  logLevel: "warning",
});
