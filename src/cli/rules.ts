/** `kodiai rules`: lists every rule with its state in this repository, and explains one. */
import { count, grouped } from "../base/count.ts";
import { KodiaiError } from "../base/errors.ts";
import { nearest } from "../base/nearest.ts";
import { printable } from "../base/printable.ts";
import { CATEGORIES, SEVERITIES } from "../base/severity.ts";
import { type ListedRule, listRules } from "../linters/list-rules.ts";
import { noConfig } from "../config/repo-config/no-config.ts";
import type { ConfigTree } from "../config/repo-config/repo-config.ts";
import type { CliDeps, Command, ParsedArguments } from "./command.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { usage } from "./parse-arguments.ts";
import { readConfigFiles } from "./read-config-files.ts";
import { renderRuleExplanation, renderRuleList, type RuleInRepository } from "./render-rules.ts";
import { stateOfRule } from "./rule-state.ts";

const FORMATS = ["terminal", "json", "markdown"] as const;

export const rules: Command = {
  name: "rules",
  argumentNames: "[RULE|WORD]",
  positionals: { min: 0, max: 1 },
  description:
    "Lists every rule, built-in or selected from a linter, with its severity, its languages and its state in this repository.\nThe state comes from the .kodiai.yml at the root. WORD limits the list to a language, a category, a severity or an origin;\nRULE explains one rule with an example.",
  options: {
    origin: {
      type: "string",
      value: "NAME",
      help: "only rules of this origin: built-in, or the name of a linter",
    },
    format: { type: "string", short: "f", value: "FORMAT", choices: FORMATS, help: "output format" },
  },
  examples: [
    { line: "kodiai rules", comment: "list every rule" },
    { line: "kodiai rules python", comment: "list the rules for Python" },
    { line: "kodiai rules --origin built-in --format json", comment: "list the built-in rules as JSON" },
    { line: "kodiai rules empty-catch", comment: "explain one rule" },
  ],
  run,
};

async function run({ positionals: [word], options }: ParsedArguments, deps: CliDeps): Promise<ExitCode> {
  const tree = await readConfigIfAny(deps);
  const all = (await listRules()).map((rule) => ({ ...rule, ...stateOfRule(rule, tree) }));
  const { origin } = options;
  const origins = new Set(all.map((rule) => rule.origin));
  if (typeof origin === "string" && !origins.has(origin))
    throw usage(rules, `--origin must be one of ${[...origins].join(", ")}, not "${printable(origin)}"`);
  const ofOrigin = all.filter((rule) => origin === undefined || rule.origin === origin);
  const format = options["format"] ?? "terminal";
  const explained = ofOrigin.find(({ id }) => id === word || id.endsWith(`/${word}`));
  const listed = explained === undefined ? ofOrigin.filter((rule) => isAbout(rule, word)) : [explained];
  if (listed.length === 0) throw unknownWord(word ?? "", ofOrigin);
  if (format === "json") deps.stdout.write(`${JSON.stringify({ version: 1, rules: listed }, null, 2)}\n`);
  else if (explained !== undefined)
    deps.stdout.write(renderRuleExplanation(explained, format === "markdown"));
  else deps.stdout.write(renderRuleList(listed, format === "markdown"));
  if (format === "terminal" && explained === undefined) deps.stderr.write(`kodiai: ${summary(listed)}\n`);
  return EXIT.ok;
}

/** The list also works outside a repository. */
async function readConfigIfAny(deps: CliDeps): Promise<ConfigTree> {
  try {
    return await readConfigFiles(deps);
  } catch (error) {
    if (error instanceof KodiaiError && error.code === "not-a-repository") return noConfig();
    throw error;
  }
}

/** Without a word, every rule. A rule for any file is also one for each language. */
function isAbout({ languages, category, severity, origin }: ListedRule, word: string | undefined): boolean {
  if (word === undefined) return true;
  const wanted = word.toLowerCase();
  return [...languages, category, severity, origin].includes(ALIASES[wanted] ?? wanted);
}

/** Names that people type for languages. */
const ALIASES: Readonly<Record<string, string>> = {
  js: "javascript",
  ts: "typescript",
  py: "python",
  sh: "bash",
  shell: "bash",
  "c++": "cpp",
  "c#": "csharp",
  rb: "ruby",
  rs: "rust",
};

function unknownWord(word: string, all: readonly ListedRule[]): KodiaiError {
  const known = [
    ...all.flatMap(({ id, languages, origin }) => [id, origin, ...languages]),
    ...CATEGORIES,
    ...SEVERITIES,
  ];
  const near = nearest(word, [...new Set(known)]);
  return usage(
    rules,
    `no rule, language, category, severity or origin is named "${printable(word)}"${near === null ? "" : `; did you mean ${near}?`}`,
  );
}

function summary(listed: readonly RuleInRepository[]): string {
  const off = listed.filter(({ isOn }) => !isOn).length;
  return `${count(listed.length, "rule")}${off === 0 ? "" : `, ${grouped(off)} of them off`}; \`kodiai rules RULE\` explains one`;
}
