/** The file that `kodiai init` writes: the keys people reach for first, commented out with their defaults. */
import { DEFAULT_BUDGETS } from "../default-budgets.ts";
import { SCHEMA_NAME } from "./config-file.ts";
import { renderValue } from "./describe-shape.ts";
import { CONFIG_OUTLINE, type Outline, type SectionShape } from "./schema-outline.ts";

/** In the order of the file. Keys without a default, and lists whose default is empty, have an example value. */
const STARTER_KEYS: readonly { readonly key: string; readonly example?: unknown }[] = [
  { key: "review.mode" },
  { key: "review.effort" },
  { key: "review.skipPaths", example: ["**/*.snap"] },
  { key: "review.severity.minLevel", example: "medium" },
  { key: "review.maxComments", example: 7 },
  { key: "review.patterns.ignore", example: ["style"] },
  { key: "review.patterns.customRules", example: ["Money is counted in integer cents."] },
  { key: "review.pathInstructions", example: [{ paths: ["db/**"], instructions: "Ask for a way back." }] },
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
  { key: "dependencies.enabled" },
  { key: "dependencies.minReleaseAgeDays" },
  { key: "pack.exclude", example: ["**/testdata/**"] },
];

/** Comments wrap where most editors still show them whole. */
const COMMENT_WIDTH = 110;

const HEADER = `# yaml-language-server: $schema=./${SCHEMA_NAME}
#
# How Kodiai reviews this repository. Every key is optional and shows its default or, after "For example", a value to
# try. Remove the # directly before a key to set it. The file is read from the base branch of a pull request;
# \`kodiai config check\` says whether it is right.
`;

export function renderStarterConfig(): string {
  const lines: string[] = [];
  let open: readonly string[] = [];
  for (const { key, example } of STARTER_KEYS) {
    const path = key.split(".");
    const sections = path.slice(0, -1);
    const shared = sections.findIndex((name, index) => open[index] !== name);
    const from = shared === -1 ? sections.length : shared;
    if (from === 0) lines.push("");
    // Headings of sections stay uncommented: an empty section is fine, and a key below can be switched on alone.
    for (let depth = from; depth < sections.length; depth++)
      lines.push(`${indent(depth)}${sections[depth] ?? ""}:`);
    open = sections;
    lines.push(...renderKey(path, findOutline(path), example));
  }
  return `${HEADER}${lines.join("\n")}\n`;
}

function renderKey(path: readonly string[], outline: Outline, example: unknown): readonly string[] {
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

/** YAML's flow style, with text in quotes where it stands in a list or mapping. */
function renderFlow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((entry) => quoteOrFlow(entry)).join(", ")}]`;
  if (typeof value !== "object" || value === null) return renderValue(value);
  const entries = Object.entries(value).map(([key, entry]) => `${key}: ${quoteOrFlow(entry)}`);
  return `{ ${entries.join(", ")} }`;
}

function quoteOrFlow(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value) : renderFlow(value);
}

function findOutline(path: readonly string[]): Outline {
  let section: SectionShape = CONFIG_OUTLINE;
  for (const name of path) {
    const outline = section.keys.get(name);
    if (outline === undefined) break;
    if (outline.shape.kind !== "section") return outline;
    section = outline.shape;
  }
  throw new TypeError(`the starter file names ${path.join(".")}, which the schema does not have`);
}

function indent(depth: number): string {
  return "  ".repeat(depth);
}
