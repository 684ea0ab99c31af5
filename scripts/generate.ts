/**
 * Writes every file that is generated from code. With `--check` it writes nothing, lists stale files and exits with code 1. To add a
 * generated file, add one line to GENERATED.
 *
 * Nothing that is imported here imports the list of rules, which may name a file that is gone.
 */
import { execFileSync } from "node:child_process";
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import { ALL_FORMATS } from "../src/ecosystems/all-ecosystems.ts";
import { ALL_ANALYSERS } from "../src/linters/all-analysers.ts";
import { renderJsonSchema } from "../src/config/repo-config/json-schema.ts";
import { renderConfigDocs } from "../src/config/repo-config/render-config-docs.ts";
import { renderSetSchema, schemaPathOf, SET_SCHEMAS } from "../src/evaluation/set/render-set-schemas.ts";
import { RepoConfigSchema } from "../src/config/repo-config/schema.ts";
import { parseExamples, readExampleText, STAND_IN } from "../test/support/rule-examples.ts";
import type { JudgedRepairs } from "./render-judged-repairs.ts";
import type { JudgedRuns } from "./render-judged-run.ts";
import type { RuleHits } from "./render-rules-docs.ts";

const ROOT = join(import.meta.dirname, "..");

/** The file of a rule has the name of its id. */
const ruleIds = globSync(join(ROOT, "src/rules/checks/*.ts"))
  .filter((path) => !path.endsWith(".test.ts"))
  .map((path) => basename(path, ".ts"))
  .toSorted();

const analyserIds = (
  await Promise.all(
    ALL_ANALYSERS.map(async ({ name, rules }) => (await rules()).map(({ id }) => `${name}/${id}`)),
  )
).flat();

/** In this order, because the last ones load the first ones. */
const GENERATED: readonly {
  readonly path: string;
  /** Only a part of the file is generated, so that GitHub shows its diffs. */
  readonly isPart?: true;
  readonly render: () => string | Promise<string>;
}[] = [
  { path: "src/rules/all-rules.ts", render: renderRuleList },
  { path: "src/linters/first-examples.json", render: renderFirstExamples },
  {
    path: "src/review/findings/proven-rules.json",
    render: async () => {
      const { renderProvenRules } = await import("./render-judged-run.ts");
      return renderProvenRules(readRuns(), readHits());
    },
  },
  { path: "src/config/repo-config/default-config.ts", render: renderDefaultConfigModule },
  {
    path: "src/rules/rule-ids.ts",
    render: () =>
      renderIds("src/rules/rule-ids.ts", {
        purpose: "The ids of the built-in rules",
        name: "FLOOR_RULE_IDS",
        ids: ruleIds,
      }),
  },
  {
    path: "src/linters/analyser-rule-ids.ts",
    render: () =>
      renderIds("src/linters/analyser-rule-ids.ts", {
        purpose: "The ids under which users configure the rules of analysers",
        name: "ANALYSER_RULE_IDS",
        ids: analyserIds,
      }),
  },
  { path: "src/ecosystems/dependency-paths.ts", render: renderDependencyPaths },
  { path: "schema/kodiai.schema.json", render: renderJsonSchema },
  ...SET_SCHEMAS.map((file) => ({ path: schemaPathOf(file), render: () => renderSetSchema(file) })),
  { path: "docs/configuration.md", render: renderConfigDocs },
  {
    path: "docs/rules.md",
    render: async () => {
      const { renderRulesDocs } = await import("./render-rules-docs.ts");
      return renderRulesDocs({ hits: readHits(), runs: readRuns(), repairs: readRepairs() });
    },
  },
  {
    path: "README.md",
    isPart: true,
    render: async () => {
      const { renderJudgedReadme } = await import("./render-judged-run.ts");
      return renderJudgedReadme(readFileSync(join(ROOT, "README.md"), "utf8"), readRuns());
    },
  },
  {
    path: "docs/models.md",
    isPart: true,
    render: async () => {
      const { renderModelCosts } = await import("./render-model-costs.ts");
      return renderModelCosts(readFileSync(join(ROOT, "docs/models.md"), "utf8"));
    },
  },
  { path: ".gitattributes", render: renderAttributes },
];

/** Files that other programs write: a bench, and npm. */
const WRITTEN_ELSEWHERE = [
  "bench/judged-commits.json",
  "bench/judged-repairs.json",
  "bench/judged-translations.json",
  "docs/rule-hits.json",
  "package-lock.json",
];

// The benches write these files, in these shapes.
const readHits = (): RuleHits =>
  JSON.parse(readFileSync(join(ROOT, "docs/rule-hits.json"), "utf8")) as RuleHits;
const readRuns = (): JudgedRuns =>
  JSON.parse(readFileSync(join(ROOT, "bench/judged-commits.json"), "utf8")) as JudgedRuns;

const readRepairs = (): JudgedRepairs =>
  JSON.parse(readFileSync(join(ROOT, "bench/judged-repairs.json"), "utf8")) as JudgedRepairs;

/** GitHub folds these files in diffs. The list itself stays visible, because it hides others. */
function renderAttributes(): string {
  const generated = GENERATED.filter(({ path, isPart }) => isPart !== true && path !== ".gitattributes").map(
    ({ path }) => path,
  );
  const paths = [...WRITTEN_ELSEWHERE, ...generated];
  const lines = paths.toSorted().map((path) => `${path} linguist-generated`);
  return `# Examples are compared byte by byte.\ntest/fixtures/rules/** -text\n\n# Generated by \`npm run generate\`.\n${lines.join("\n")}\n`;
}

function renderRuleList(): string {
  const named = ruleIds.map((id) => ({
    id,
    name: id.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
  }));
  const source = `/** Every built-in rule: each file in checks/. Generated by \`npm run generate\`. */
import type { FloorRule } from "./rule.ts";
${named.map(({ id, name }) => `import { ${name} } from "./checks/${id}.ts";`).join("\n")}

export const ALL_RULES: readonly FloorRule[] = [${named.map(({ name }) => name).join(", ")}];
`;
  return format(source, "src/rules/all-rules.ts");
}

/** The first bad example of each rule, for `kodiai rules`, on one line. A rule has none when one file can't show it. */
function renderFirstExamples(): string {
  const lines = [...ruleIds, ...analyserIds].flatMap((id) => {
    const [bad] = parseExamples(readExampleText(id), id).bad;
    const [file, ...others] = bad?.files ?? [];
    if (bad === undefined || file === undefined || file.after === null || bad.line === 0) return [];
    if (others.length > 0 || file.before !== undefined || bad.description !== undefined) return [];
    const example = JSON.stringify({ path: file.path, line: bad.line, text: file.after });
    return [`${JSON.stringify(id)}: ${example.replaceAll(STAND_IN, asEscape)}`];
  });
  return `{\n${lines.join(",\n")}\n}\n`;
}

/** A stand-in as JSON writes it, so that secrets and hidden characters aren't in this file either. */
function asEscape(_: string, code: string): string {
  const units = String.fromCodePoint(Number.parseInt(code, 16)).split("");
  return units.map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
}

function renderDefaultConfigModule(): string {
  const values = JSON.stringify(RepoConfigSchema.parse({}), null, 2);
  const source = `/** Defaults of \`.kodiai.yml\`, written out so that a run without that file loads no schema. Generated by \`npm run generate\`. */
import type { RepoConfig } from "./schema.ts";

export const DEFAULT_CONFIG: RepoConfig = ${values};
`;
  return format(source, "src/config/repo-config/default-config.ts");
}

function renderDependencyPaths(): string {
  const path = "src/ecosystems/dependency-paths.ts";
  const source = `/** The paths of manifests and lockfiles, written out so that a review without any loads no reader. Generated by \`npm run generate\`. */
const PATHS: readonly RegExp[] = [${ALL_FORMATS.map((each) => String(each.path)).join(",")}];

export const couldListDependencies = (path: string): boolean => PATHS.some((each) => each.test(path));
`;
  return format(source, path);
}

type IdList = { readonly purpose: string; readonly name: string; readonly ids: readonly string[] };

function renderIds(path: string, { purpose, name, ids }: IdList): string {
  const source = `/** ${purpose}, written out so that a process that only checks names loads no rule. Generated by \`npm run generate\`. */
export const ${name}: readonly string[] = ${JSON.stringify(ids)};
`;
  return format(source, path);
}

/** Formats the text, so that the formatter never makes a generated file stale. */
function format(source: string, path: string): string {
  const oxfmt = join(ROOT, "node_modules/.bin/oxfmt");
  return execFileSync(oxfmt, ["--stdin-filepath", path], { cwd: ROOT, input: source, encoding: "utf8" });
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}

async function generate(isCheck: boolean): Promise<number> {
  let stale = 0;
  for (const { path, render } of GENERATED) {
    const text = await render();
    if (readOrNull(join(ROOT, path)) === text) continue;
    stale++;
    if (isCheck) {
      console.error(`${path} is stale. Run npm run generate.`);
      continue;
    }
    mkdirSync(dirname(join(ROOT, path)), { recursive: true });
    writeFileSync(join(ROOT, path), text);
    console.error(`wrote ${path}`);
  }
  return isCheck && stale > 0 ? 1 : 0;
}

process.exitCode = await generate(process.argv.includes("--check"));
