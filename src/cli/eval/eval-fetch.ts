/** `kodiai eval fetch`: clones a public set and the repositories that it's about. */
import { join, resolve } from "node:path";
import { count } from "../../base/count.ts";
import { describeError, KodiaiError } from "../../base/errors.ts";
import { printable } from "../../base/printable.ts";
import { listAacrNeeds } from "../../evaluation/import/aacr.ts";
import { listMartianNeeds } from "../../evaluation/import/martian.ts";
import type { CliDeps, Command, ParsedArguments } from "../command.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { usage } from "../parse-arguments.ts";
import { createProgress } from "../progress.ts";

/** The only repositories that this command fetches are these, and those that they name. */
const PUBLIC_SETS = {
  martian: { repository: "withmartian/code-review-benchmark", licence: "MIT", listNeeds: listMartianNeeds },
  aacr: { repository: "alibaba/aacr-bench", licence: "Apache-2.0", listNeeds: listAacrNeeds },
} as const;

export const evalFetch: Command = {
  name: "eval fetch",
  argumentNames: "SET",
  positionals: { min: 1, max: 1 },
  description:
    "Clones a public set from GitHub, and the repositories that its pull requests are in: martian\n(withmartian/code-review-benchmark, MIT) or aacr (alibaba/aacr-bench, Apache-2.0). The clones have their whole history:\nmartian takes about 10 GB and aacr, with 50 repositories, several times that. Run it again to continue.",
  options: {
    to: { type: "string", value: "DIR", help: "the folder for the clones (required)" },
    only: {
      type: "string",
      value: "OWNER/NAME",
      isRepeatable: true,
      help: "only this reviewed repository; can be repeated",
    },
  },
  examples: [
    { line: "kodiai eval fetch martian --to sets", comment: "the set and its repositories" },
    { line: "kodiai eval fetch aacr --only astral-sh/uv --to sets", comment: "one repository of the set" },
  ],
  run,
};

async function run({ positionals, options, lists }: ParsedArguments, deps: CliDeps): Promise<ExitCode> {
  const [name = ""] = positionals;
  const { to } = options;
  if (name !== "martian" && name !== "aacr") throw usage(evalFetch, "SET must be martian or aacr");
  if (typeof to !== "string") throw usage(evalFetch, "name the folder for the clones with --to");
  const { fetchClone, openHistory } = await deps.openEvaluationAccess();
  const set = PUBLIC_SETS[name];
  const folder = resolve(deps.cwd, to);
  const data = join(folder, `${name}.git`);
  const progress = createProgress(deps);
  try {
    progress.update(`fetching ${set.repository}`);
    await fetchClone(set.repository, { folder: data, refs: [] });
    const needs = Map.groupBy(await set.listNeeds(() => openHistory(data)), ({ repository }) => repository);
    const only = lists["only"] ?? [];
    const unknown = only.find((each) => !needs.has(each));
    if (unknown !== undefined) throw usage(evalFetch, `the set has no pull request of ${printable(unknown)}`);
    const wanted = [...needs].filter(([repository]) => only.length === 0 || only.includes(repository));
    let failed = 0;
    for (const [index, [repository, own]] of wanted.entries()) {
      progress.update(`fetching ${repository} (${index + 1} of ${wanted.length})`);
      const refs = [...new Set(own.map((need) => need.wanted))];
      const at = join(folder, "repositories", `${repository}.git`);
      try {
        const { missing } = await fetchClone(repository, { folder: at, refs });
        failed += missing.length === 0 ? 0 : 1;
        for (const each of missing)
          progress.print(`kodiai: GitHub has no ${each} of ${repository} any more\n`);
      } catch (error) {
        // The others are still of use, and the next attempt fetches only what is missing.
        if (!(error instanceof KodiaiError) || error.code === "cancelled") throw error;
        failed++;
        progress.print(`kodiai: ${repository}: ${describeError(error)}\n`);
      }
    }
    progress.clear();
    const repositories = join(to, "repositories");
    deps.stdout.write(
      `${set.repository} (${set.licence}) and ${count(wanted.length - failed, "whole repository", "whole repositories")} of ${wanted.length} are in ${printable(to)}.\n\n  kodiai eval run --set ${name} --data ${printable(join(to, `${name}.git`))} --repositories ${printable(repositories)} --out run\n`,
    );
    if (failed === 0) return EXIT.ok;
    deps.stdout.write(
      "\nSome repositories aren't complete. Run the same command again to fetch what is missing.\n",
    );
    return EXIT.incomplete;
  } finally {
    progress.clear();
  }
}
