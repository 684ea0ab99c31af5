/**
 * Bundles the program into dist/: the program, with commands and adapters in chunks that load when they are needed, and the process
 * that reads, in one file. What a review without a model loads is in a few chunks of its own, because each file that is loaded takes
 * about as long as ten rules.
 */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type OutputOptions, type Plugin, rolldown } from "rolldown";
import { describeBundle } from "./bundled-packages.ts";
import { compileEagerly } from "./eager-functions.ts";
import { withoutFacades } from "./facade-chunks.ts";
import { createAstGrepSyntax } from "../src/syntax/ast-grep.ts";

const ROOT = join(import.meta.dirname, "..");
const OUT = join(ROOT, "dist");

/** The examples of rules are their tests: more than half of their text, and of no use to who runs them. */
function withoutExamples(): Plugin {
  const syntax = createAstGrepSyntax();
  return {
    name: "without-examples",
    transform: {
      order: "pre",
      filter: { id: /floor\/rules\/[\w-]+\.ts$/ },
      handler(text) {
        const tree = syntax.parse("typescript", text);
        const examples = tree?.find({ rule: { kind: "pair", regex: "^examples:" } });
        if (examples === null || examples === undefined) return null;
        return text.replace(examples.text(), "examples: { bad: [], good: [] }");
      },
    },
  };
}

/**
 * Each with all that it imports and that no group before it has. In the order in which a review loads them, so that git is asked
 * before the recipe is loaded, and rendered with what is there. The entry stays out: it waits for the others, and none may wait for it.
 */
const GROUPS = [
  {
    name: "start",
    test: /src\/(?:cli\/(?:cli|interrupts|exit-code)|config\/settings|model\/no-model)\.ts$/,
  },
  {
    name: "begin",
    test: /src\/(?:cli\/review|reading\/process\/reader-process|repository\/git\/open-repository)\.ts$/,
  },
  {
    name: "recipe",
    test: /src\/(?:jobs\/review-change|forge\/terminal\/terminal-forge|review\/publication\/render\/render-terminal)\.ts$/,
  },
].map((group, index, all) => ({ ...group, priority: all.length - index }));

/** What every review without a model loads. Of the rest, most functions are never called in the life of a process. */
const EAGER: ReadonlySet<string> = new Set(["main", "reader-main", ...GROUPS.map(({ name }) => name)]);

type CodeSplitting = NonNullable<OutputOptions["codeSplitting"]>;

/** The modules that went in. */
async function bundle(entry: string, codeSplitting: CodeSplitting): Promise<readonly string[]> {
  const made = await rolldown({
    cwd: ROOT,
    input: join(ROOT, `src/${entry}.ts`),
    platform: "node",
    // Native code, modules that call require(), and what users install only if they want it.
    external: [/^@ast-grep\//, "@anthropic-ai/claude-agent-sdk", "pg", "pg-boss", "prom-client"],
    // Its build for Node calls require(), which a module cannot; the other one is made of modules.
    resolve: { alias: { yaml: join(ROOT, "node_modules/yaml/browser/index.js") } },
    // Nobody imports from an entry.
    preserveEntrySignatures: false,
    plugins: [withoutExamples()],
    onLog(level, { message }) {
      throw new Error(`${level}: ${message}`);
    },
  });
  const { output } = await made.generate({
    format: "esm",
    entryFileNames: "[name].mjs",
    chunkFileNames: "[name]-[hash].mjs",
    minify: true,
    codeSplitting,
  });
  await made.close();
  const chunks = output.filter((part) => part.type === "chunk");
  for (const { fileName, name, code } of withoutFacades(chunks))
    await writeFile(join(OUT, fileName), EAGER.has(name) ? compileEagerly(code) : code);
  return chunks.flatMap(({ moduleIds }) => moduleIds);
}

await rm(OUT, { recursive: true, force: true });
await mkdir(OUT);
const ofMain = await bundle("main", { groups: GROUPS });
// One file: it is loaded for every review, and shares little with the program.
const ofReader = await bundle("reader-main", false);
describeBundle([...new Set([...ofMain, ...ofReader])], { root: ROOT, out: OUT });
