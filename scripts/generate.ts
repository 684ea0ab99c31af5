/**
 * Writes every file that is made from code. With `--check` it writes nothing, names the stale ones and exits with 1.
 * A new generated file is one line in GENERATED.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { renderJsonSchema } from "../src/config/repo-config/json-schema.ts";
import { renderConfigDocs } from "../src/config/repo-config/render-config-docs.ts";
import { RepoConfigSchema } from "../src/config/repo-config/schema.ts";
import { renderRulesDocs } from "./render-rules-docs.ts";

const ROOT = join(import.meta.dirname, "..");

const GENERATED: readonly { readonly path: string; readonly render: () => string }[] = [
  { path: "src/config/repo-config/default-config.ts", render: renderDefaultConfigModule },
  { path: "schema/kodiai.schema.json", render: renderJsonSchema },
  { path: "docs/configuration.md", render: renderConfigDocs },
  { path: "docs/rules.md", render: renderRulesDocs },
];

function renderDefaultConfigModule(): string {
  const values = JSON.stringify(RepoConfigSchema.parse({}), null, 2);
  const source = `/** The defaults of \`.kodiai.yml\`, written out so that a run without one loads no schema. Generated: \`npm run generate\`. */
import type { RepoConfig } from "./schema.ts";

export const DEFAULT_CONFIG: RepoConfig = ${values};
`;
  return format(source, "src/config/repo-config/default-config.ts");
}

/** As the formatter would leave it, so that formatting never makes a file stale. */
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

function generate(isCheck: boolean): number {
  const stale = GENERATED.map(({ path, render }) => ({ path, text: render() })).filter(
    ({ path, text }) => readOrNull(join(ROOT, path)) !== text,
  );
  for (const { path, text } of stale) {
    if (isCheck) {
      console.error(`${path} is stale; run npm run generate`);
      continue;
    }
    mkdirSync(dirname(join(ROOT, path)), { recursive: true });
    writeFileSync(join(ROOT, path), text);
    console.error(`wrote ${path}`);
  }
  return isCheck && stale.length > 0 ? 1 : 0;
}

process.exitCode = generate(process.argv.includes("--check"));
