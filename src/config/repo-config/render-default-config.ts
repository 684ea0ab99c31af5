/** Renders the files that `kodiai init` writes: the most common keys, commented out with their defaults. */
import { DEFAULT_BUDGETS } from "../default-budgets.ts";
import { SCHEMA_NAME } from "./config-file.ts";
import { renderValue } from "./describe-shape.ts";
import { CONFIG_OUTLINE, type ConfigOutline, type SectionShape } from "./schema-outline.ts";

/** In file order. Keys without a default and lists with an empty default have an example value. */
const STARTER_KEYS: readonly { readonly key: string; readonly example?: unknown }[] = [
  { key: "review.mode" },
  { key: "review.effort" },
  { key: "review.skipPaths", example: ["**/*.snap"] },
  { key: "review.severity.minLevel", example: "medium" },
  { key: "review.maxComments", example: 7 },
  { key: "review.patterns.ignore", example: ["style"] },
  { key: "review.patterns.customRules", example: ["Store money as integer cents."] },
  {
    key: "review.pathInstructions",
    example: [{ paths: ["db/**"], instructions: "Require a down migration." }],
  },
  { key: "review.suppressions", example: ["glob:examples/**"] },
  { key: "review.failOn" },
  { key: "review.triggers.onSynchronize" },
  { key: "review.drafts" },
  { key: "review.language" },
  { key: "floor.enabled" },
  { key: "floor.rules", example: { "empty-catch": "off" } },
  { key: "model", example: "anthropic:your-model" },
  { key: "budget.perReviewUsd", example: DEFAULT_BUDGETS.perReviewUsd },
  { key: "budget.perRepositoryDayUsd", example: DEFAULT_BUDGETS.perRepositoryDayUsd },
  { key: "fileCategories.test", example: ["**/*.scenario.ts"] },
];

/** Most editors show lines of this width without scrolling. */
const COMMENT_WIDTH = 110;

const HEADER = `# yaml-language-server: $schema=./${SCHEMA_NAME}
#
# How Kodiai reviews this repository. Every key is optional. Each one shows its default or, after "For example", a
# sample value. Remove the # directly before a key to set it. Kodiai reads this file from the base branch of a pull
# request. Run \`kodiai config check\` to validate it.
`;

const ORGANIZATION_HEADER = `# How Kodiai reviews all repositories of this organization. Put this file at .github/kodiai.yml on the default branch of
# the repository named .github. Every key is optional. Each one shows its default or, after "For example", a sample
# value. Remove the # directly before a key to set it. A repository's own .kodiai.yml wins for each key that it sets:
# sections are merged, and lists are replaced. Globs start at the root of each repository. Run
# \`kodiai config check .github/kodiai.yml\` to validate the file.
`;

export function renderStarterConfig(): string {
  return `${HEADER}${renderStarterKeys()}`;
}

export function renderOrganizationConfig(): string {
  return `${ORGANIZATION_HEADER}${renderStarterKeys()}`;
}

function renderStarterKeys(): string {
  const lines: string[] = [];
  let open: readonly string[] = [];
  for (const { key, example } of STARTER_KEYS) {
    const path = key.split(".");
    const sections = path.slice(0, -1);
    const shared = sections.findIndex((name, index) => open[index] !== name);
    const from = shared === -1 ? sections.length : shared;
    if (from === 0) lines.push("");
    // Section headings aren't commented out: an empty section is valid, and a user can uncomment a single key below it.
    for (let depth = from; depth < sections.length; depth++)
      lines.push(`${indent(depth)}${sections[depth] ?? ""}:`);
    open = sections;
    lines.push(...renderKey(path, findOutline(path), example));
  }
  return `${lines.join("\n")}\n`;
}

function renderKey(path: readonly string[], outline: ConfigOutline, example: unknown): readonly string[] {
  const margin = indent(path.length - 1);
  const value = example === undefined ? renderValue(outline.defaultValue) : renderFlow(example);
  const note = example === undefined ? "" : " For example:";
  const comment = wrap(`${outline.description}${note}`, COMMENT_WIDTH - margin.length);
  return [...comment.map((line) => `${margin}# ${line}`), `${margin}#${path.at(-1) ?? ""}: ${value}`];
}

function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + word.length >= width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

/** YAML's flow style. Text inside a list or mapping is quoted. */
function renderFlow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((entry) => quoteOrFlow(entry)).join(", ")}]`;
  if (typeof value !== "object" || value === null) return renderValue(value);
  const entries = Object.entries(value).map(([key, entry]) => `${key}: ${quoteOrFlow(entry)}`);
  return `{ ${entries.join(", ")} }`;
}

function quoteOrFlow(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value) : renderFlow(value);
}

function findOutline(path: readonly string[]): ConfigOutline {
  let section: SectionShape = CONFIG_OUTLINE;
  for (const name of path) {
    const outline = section.keys.get(name);
    if (outline === undefined) break;
    if (outline.shape.kind !== "section") return outline;
    section = outline.shape;
  }
  throw new TypeError(`the starter file has the key ${path.join(".")}, which isn't in the schema`);
}

function indent(depth: number): string {
  return "  ".repeat(depth);
}
