/** Every rule that Kodiai has: its own and those that it selected of each linter. For `kodiai rules` and the docs. */
import type { Category, Severity } from "../base/severity.ts";
import { languageOf } from "../languages/language-of.ts";
import type { FloorRule } from "../rules/rule.ts";
import type { Proof } from "../review/context/proof.ts";
import { provenSeverity } from "../review/findings/rules/proven-when-loud.ts";
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
  /** The highest that it reports. */
  readonly severity: Severity;
  /** The proof that its findings show by themselves; null for nothing. */
  readonly proof: Proof | null;
  readonly category: Category;
  /** Language ids; "any" for every file, "change" for rules about the change as a whole. */
  readonly languages: readonly string[];
  readonly why: string;
  readonly fix: string;
  /** Facts that the rule can't know; null for nothing of note. */
  readonly cannotKnow: string | null;
  /** Code that the rule reports; null when one file can't show it. */
  readonly example: { readonly path: string; readonly line: number; readonly text: string } | null;
};

/** By rule id. `npm run generate` takes them from the rules' tests. */
type Examples = Readonly<Record<string, ListedRule["example"]>>;

/** Built-in rules first, then each linter's. */
export async function listRules(): Promise<readonly ListedRule[]> {
  const { default: examples } = await import("./first-examples.json", { with: { type: "json" } });
  const ofAnalysers = await Promise.all(ALL_ANALYSERS.map((analyser) => rulesOf(analyser, examples)));
  return [...ALL_RULES.map((rule) => ofFloor(rule, examples)), ...ofAnalysers.flat()];
}

function ofFloor(rule: FloorRule, examples: Examples): ListedRule {
  const { id, title, category, why, fix, cannotKnow = null, proof = null } = rule;
  const severity = provenSeverity(id, rule.severity, proof !== null);
  const languages =
    rule.kind === "change"
      ? ["change"]
      : rule.kind === "text" || rule.languages === "any"
        ? ["any"]
        : rule.languages;
  const example = examples[id] ?? null;
  const origin = "built-in";
  return { id, origin, title, severity, proof, category, languages, why, fix, cannotKnow, example };
}

async function rulesOf({ name, rules }: Analyser, examples: Examples): Promise<readonly ListedRule[]> {
  const own = (await rules()).map((rule) => ({ rule, example: examples[`${name}/${rule.id}`] ?? null }));
  const paths = own.flatMap(({ example }) => example?.path ?? []);
  const languages = [...new Set(paths.map((path) => languageOf(path)))].toSorted();
  return own.map(({ rule, example }) => ofAnalyser(rule, name, { languages, example }));
}

function ofAnalyser(
  rule: AnalyserRule,
  origin: string,
  { languages, example }: Pick<ListedRule, "languages" | "example">,
): ListedRule {
  const { category, why, fix, proof = null } = rule;
  const id = `${origin}/${rule.id}`;
  const severity = provenSeverity(id, rule.severity, proof !== null);
  const title = typeof rule.title === "string" ? rule.title : rule.title("");
  return { id, origin, title, severity, proof, category, languages, why, fix, cannotKnow: null, example };
}
