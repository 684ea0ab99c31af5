/** `kodiai eval mine`: builds a set from a repository's own merged pull requests. Nothing leaves the machine. */
import { basename, dirname, resolve } from "node:path";
import { count, grouped } from "../../base/count.ts";
import { printable } from "../../base/printable.ts";
import { mineHistory } from "../../evaluation/mine/mine-history.ts";
import { writeEvaluationSet } from "../../evaluation/set/write-evaluation-set.ts";
import type { CliDeps, Command, ParsedArguments } from "../command.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { usage } from "../parse-arguments.ts";
import { createProgress } from "../progress.ts";
import { readSince } from "../read-since.ts";

const DEFAULT_SINCE = "90d";

export const evalMine: Command = {
  name: "eval mine",
  argumentNames: "",
  positionals: { min: 0, max: 0 },
  description:
    "Builds a set from the merged pull requests of a repository on this machine. An answer is a place in a pull request whose\nlines a later commit fixed, or the reason for which a pull request was reverted. Reads only git's history: nothing is\nchanged in the repository, and nothing leaves the machine. Read some answers before you rely on the set.",
  options: {
    repository: {
      type: "string",
      value: "PATH",
      help: "a clone with its history (default: the current folder)",
    },
    since: {
      type: "string",
      value: "TIME",
      help: `pull requests since then: 90d, 26w, or a date such as 2026-01-31 (default: ${DEFAULT_SINCE})`,
    },
    to: {
      type: "string",
      value: "DIR",
      help: "the folder of the set: new, empty, or an earlier mined set (required)",
    },
  },
  examples: [
    { line: "kodiai eval mine --since 180d --to ../mined", comment: "from this repository" },
    { line: "kodiai eval mine --repository ../shop --to mined", comment: "from another one" },
  ],
  run,
};

async function run({ options }: ParsedArguments, deps: CliDeps): Promise<ExitCode> {
  const { repository: given = ".", since = DEFAULT_SINCE, to } = options;
  if (typeof to !== "string") throw usage(evalMine, "name the folder for the set with --to");
  const sinceMs = readSince(since, deps.wallClock(), evalMine);
  const { openHistory } = await deps.openEvaluationAccess();
  const history = await openHistory(resolve(deps.cwd, String(given)));
  const root = history.root ?? history.gitFolder;
  const name =
    basename(root)
      .replace(/\.git$/, "")
      .replaceAll(/[^\w.+-]/g, "-")
      .replace(/^\.+/, "") || "repository";
  const progress = createProgress(deps);
  const { cases, problems, counts } = await mineHistory(
    { repository: name, sinceMs, onProgress: (stage) => progress.update(stage) },
    history,
  ).finally(() => progress.clear());
  for (const { problem } of problems) deps.stderr.write(`kodiai: ${printable(problem)}\n`);
  deps.stdout.write(
    `${count(counts.pullRequests, "merged pull request")}; ${count(counts.fixes, "fix", "fixes")}, ${grouped(counts.traced)} of them of lines of one pull request; ${count(counts.reverts, "revert")}, ${grouped(counts.explainedReverts)} with a reason\n`,
  );
  if (cases.length === 0) {
    deps.stdout.write(
      "No set was written, because no pull request has an answer. Choose an earlier --since, or check that the clone has its\nhistory and that pull requests are merged with their number in the message.\n",
    );
    return EXIT.incomplete;
  }
  const folder = resolve(deps.cwd, to);
  const unwritten = await writeEvaluationSet(folder, {
    name: "mine",
    description: `Merged pull requests of ${name} that were fixed or reverted later.`,
    licence: "Private",
    cases,
  });
  for (const { where, problem } of unwritten)
    deps.stderr.write(`kodiai: left out ${printable(where)}: ${printable(problem)}\n`);
  deps.stdout.write(
    `${count(cases.length - unwritten.length, "case")} in ${printable(to)}. Read some of them, and then:\n\n  kodiai eval run --set ${printable(to)} --repositories ${printable(dirname(root))} --out run\n`,
  );
  return EXIT.ok;
}
