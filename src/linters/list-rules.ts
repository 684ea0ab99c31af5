/** Every rule that Kodiai has: its own and those that it selected of each linter. For `kodiai rules` and the docs. */
import type { Category, Severity } from "../base/severity.ts";
import { languageOf } from "../languages/language-of.ts";
import type { FloorRule } from "../rules/rule.ts";
import { ALL_RULES } from "../rules/all-rules.ts";
import { ALL_ANALYSERS } from "./all-analysers.ts";
import type { Analyser } from "./analyser.ts";
import type { AnalyserRule } from "./analyser-rule.ts";

export type ListedRule = {
  /** As in configuration and ignore comments: "empty-catch", "ruff/F821". */
  readonly id: string;
  /** "built-in", or the name of the linter. */
  readonly origin: string;
  readonly title: string;
  readonly severity: Severity;
  readonly category: Category;
  /** Language ids; "any" for every file, "change" for rules about the change as a whole. */
  readonly languages: readonly string[];
  readonly why: string;
  readonly fix: string;
  /** Code that the rule reports; null when one file can't show it. */
  readonly example: { readonly path: string; readonly line: number; readonly text: string } | null;
};

/** Built-in rules first, then each linter's. */
export async function listRules(): Promise<readonly ListedRule[]> {
  const ofAnalysers = await Promise.all(ALL_ANALYSERS.map(rulesOf));
  return [...ALL_RULES.map(ofFloor), ...ofAnalysers.flat()];
}

function ofFloor(rule: FloorRule): ListedRule {
  const { id, title, severity, category, why, fix, examples } = rule;
  const languages = rule.kind === "change" ? ["change"] : rule.languages === "any" ? ["any"] : rule.languages;
  const example = exampleOf(examples.bad);
  return { id, origin: "built-in", title, severity, category, languages, why, fix, example };
}

/** The first example, which the built program has too. Null when it needs the file before the change or other files. */
function exampleOf([bad]: FloorRule["examples"]["bad"]): ListedRule["example"] {
  const [file, ...others] = bad?.files ?? [];
  const text = file?.after ?? null;
  if (bad === undefined || file === undefined || text === null || bad.line === 0) return null;
  const isWhole = others.length === 0 && (file.before ?? null) === null && bad.description === undefined;
  return isWhole ? { path: file.path, line: bad.line, text } : null;
}

async function rulesOf({ name, rules }: Analyser): Promise<readonly ListedRule[]> {
  const own = await rules();
  // The built program has only the first example of each rule.
  const examples = own.flatMap((rule) => rule.examples.bad.slice(0, 1));
  const languages = [...new Set(examples.map(({ path }) => languageOf(path)))].toSorted();
  return own.map((rule) => ofAnalyser(rule, name, languages));
}

function ofAnalyser(rule: AnalyserRule, origin: string, languages: readonly string[]): ListedRule {
  const { severity, category, why, fix } = rule;
  const title = typeof rule.title === "string" ? rule.title : rule.title("");
  const [example = null] = rule.examples.bad;
  return { id: `${origin}/${rule.id}`, origin, title, severity, category, languages, why, fix, example };
}
