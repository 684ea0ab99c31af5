/** `kodiai config check`: lists the problems of `.kodiai.yml` with line numbers and suggestions. */
import { count } from "../base/count.ts";
import { printable } from "../base/printable.ts";
import { ANALYSER_RULE_IDS } from "../linters/analyser-rule-ids.ts";
import { checkRuleIds } from "../config/repo-config/check-rule-ids.ts";
import { CONFIG_NAME, CONFIG_READ_BYTES } from "../config/repo-config/config-file.ts";
import { parseConfigTree } from "../config/repo-config/parse-config.ts";
import { describeLanguageReach } from "../config/review-language.ts";
import type { ConfigProblem, ConfigTree } from "../config/repo-config/repo-config.ts";
import { FLOOR_RULE_IDS } from "../rules/rule-ids.ts";
import type { CliDeps, Command, ParsedArguments } from "./command.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { readConfigFiles } from "./read-config-files.ts";

export const configCheck: Command = {
  name: "config check",
  argumentNames: "[FILE]",
  positionals: { min: 0, max: 1 },
  description:
    "Validates .kodiai.yml and nested files in the working tree, or one given file. Exits with 2 if there are errors. In a\nreview, each invalid value is replaced by its default, and the rest of the file still applies.",
  options: {},
  examples: [
    { line: "kodiai config check", comment: "validate all files of the repository" },
    { line: "kodiai config check draft.yml", comment: "validate one file anywhere" },
  ],
  run,
};

async function run({ positionals }: ParsedArguments, deps: CliDeps): Promise<ExitCode> {
  const [file] = positionals;
  const tree = file === undefined ? await readConfigFiles(deps) : await parseGiven(file, deps);
  const problems = [...tree.problems, ...checkRuleIds(tree, [...FLOOR_RULE_IDS, ...ANALYSER_RULE_IDS])];
  for (const problem of problems) deps.stdout.write(`${describe(problem, file)}\n`);
  const languageNote = describeLanguageReach(tree.root.values.review.language);
  if (languageNote !== null) deps.stdout.write(`note: ${languageNote}\n`);
  deps.stdout.write(`${summary(tree, problems)}\n`);
  return problems.some(({ severity }) => severity === "error") ? EXIT.usage : EXIT.ok;
}

/** A single file is validated like one at the root. */
async function parseGiven(file: string, deps: CliDeps): Promise<ConfigTree> {
  return parseConfigTree([{ path: CONFIG_NAME, text: await deps.files.readFile(file, CONFIG_READ_BYTES) }]);
}

function describe(problem: ConfigProblem, file: string | undefined): string {
  const position = [printable(file ?? problem.file), problem.line, problem.column]
    .filter((part) => part !== null)
    .join(":");
  return `${position}: ${problem.severity}: ${problem.message}`;
}

function summary(tree: ConfigTree, problems: readonly ConfigProblem[]): string {
  if (tree.files.length === 0)
    return "no .kodiai.yml found; all values are defaults (run `kodiai init` to create one)";
  const files = count(tree.files.length, "file");
  const counted = (wanted: ConfigProblem["severity"]): string =>
    count(problems.filter(({ severity }) => severity === wanted).length, wanted);
  return problems.length === 0
    ? `${files} checked, no problems found`
    : `${files} checked: ${counted("error")}, ${counted("warning")}`;
}
