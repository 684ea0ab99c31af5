/** `kodiai eval mine`: builds a set from a repository's own merged pull requests. Everything that it reads stays on the machine. */
import { basename, dirname, resolve } from "node:path";
import { count, grouped } from "../../base/count.ts";
import { describeError } from "../../base/errors.ts";
import { printable } from "../../base/printable.ts";
import { mineHistory } from "../../evaluation/mine/mine-history.ts";
import { type CommentFate, type MinedReviews, mineReviews } from "../../evaluation/mine/mine-reviews.ts";
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
    "Builds a set from the merged pull requests of a repository on this machine. An answer is a place in a pull request whose\nlines a later commit fixed, or the reason for which a pull request was reverted. With --github, comments of\nreviewers count too if their lines were changed before the merge. Without it, only git's history is read. Nothing is\nchanged, and no code leaves the machine. Read some answers before you rely on the set.",
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
    github: {
      type: "string",
      value: "OWNER/NAME",
      help: "also read reviewers' comments there, with GITHUB_TOKEN if it's set",
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
    { line: "kodiai eval mine --github acme/shop --to ../mined", comment: "with comments of reviewers" },
  ],
  run,
};

async function run({ options }: ParsedArguments, deps: CliDeps): Promise<ExitCode> {
  const { repository: given = ".", since = DEFAULT_SINCE, to, github } = options;
  if (typeof to !== "string") throw usage(evalMine, "name the folder for the set with --to");
  const hosted = typeof github === "string" ? readHosted(github) : null;
  const sinceMs = readSince(since, deps.wallClock(), evalMine);
  const { openHistory, openReviews } = await deps.openEvaluationAccess();
  const history = await openHistory(resolve(deps.cwd, String(given)));
  const root = history.root ?? history.gitFolder;
  const name =
    basename(root)
      .replace(/\.git$/, "")
      .replaceAll(/[^\w.+-]/g, "-")
      .replace(/^\.+/, "") || "repository";
  const progress = createProgress(deps);
  const wanted = { repository: name, sinceMs, onProgress: (stage: string) => progress.update(stage) };
  const reviews = hosted === null ? null : openReviews(hosted);
  const mineAll = async () => {
    const fixed = await mineHistory(wanted, history);
    const said = reviews === null ? null : await mineReviews(wanted, { reviews, history });
    return { fixed, said };
  };
  const { fixed, said } = await mineAll().finally(() => progress.clear());
  const cases = [...fixed.cases, ...(said?.cases ?? [])];
  for (const { problem } of [...fixed.problems, ...(said?.problems ?? [])])
    deps.stderr.write(`kodiai: ${printable(problem)}\n`);
  const { counts } = fixed;
  deps.stdout.write(
    `${count(counts.pullRequests, "merged pull request")}; ${count(counts.fixes, "fix", "fixes")}, ${grouped(counts.traced)} of them of lines of one pull request; ${count(counts.reverts, "revert")}, ${grouped(counts.explainedReverts)} with a reason\n`,
  );
  if (said !== null) deps.stdout.write(`${describeReviews(said)}\n`);
  const failure = said?.failure ?? null;
  if (failure !== null)
    deps.stderr.write(
      `kodiai: not all comments of reviewers could be read: ${printable(describeError(failure))}\n`,
    );
  if (cases.length === 0) {
    deps.stdout.write(
      "No set was written, because no pull request has an answer. Choose an earlier --since, or check that the clone has its\nhistory and that pull requests are merged with their number in the message.\n",
    );
    return EXIT.incomplete;
  }
  const unwritten = await writeEvaluationSet(resolve(deps.cwd, to), {
    name: "mine",
    description: describeSet(name, said),
    licence: "Private",
    cases,
  });
  for (const { where, problem } of unwritten)
    deps.stderr.write(`kodiai: left out ${printable(where)}: ${printable(problem)}\n`);
  deps.stdout.write(
    `${count(cases.length - unwritten.length, "case")} in ${printable(to)}. Read some of them, and then:\n\n  kodiai eval run --set ${printable(to)} --repositories ${printable(dirname(root))} --out run\n`,
  );
  return failure === null ? EXIT.ok : EXIT.incomplete;
}

function readHosted(github: string): { readonly owner: string; readonly name: string } {
  const [, owner, name] = /^([\w-][\w.-]{0,99})\/([\w.-]{1,100})$/.exec(github) ?? [];
  if (owner === undefined || name === undefined || /^\.+$/.test(name))
    throw usage(evalMine, "name the repository as on GitHub: --github acme/shop");
  return { owner, name };
}

const LEFT_OUT: Readonly<Record<Exclude<CommentFate, "answer">, string>> = {
  unchanged: "without a change of their lines",
  "no-reviewer": "by authors and bots",
  nit: "for being a nit or too short",
  "not-on-new-lines": "on removed lines or whole files",
  absent: "on commits that aren't in the repository",
  mixed: "in files that the base branch changed too",
  "too-large": "on changes that are too large",
};

function describeReviews({ pullRequests, fates }: MinedReviews): string {
  const { answer = 0, ...others } = fates;
  const total = Object.values(fates).reduce((sum, number) => sum + number, 0);
  const left = Object.entries(LEFT_OUT).flatMap(([fate, words]) => {
    const number = others[fate as keyof typeof LEFT_OUT];
    return number === undefined ? [] : [`${grouped(number)} ${words}`];
  });
  const leftOut = left.length === 0 ? "" : `. Left out: ${left.join("; ")}`;
  return `${count(total, "comment")} on lines of ${count(pullRequests, "merged pull request")} on GitHub, ${grouped(answer)} followed by a change of the lines${leftOut}`;
}

function describeSet(name: string, said: MinedReviews | null): string {
  const what = `Merged pull requests of ${name} that were fixed or reverted later`;
  if (said === null) return `${what}.`;
  const missing = said.failure === null ? "" : " Some comments of reviewers couldn't be read.";
  return `${what}, or changed after a comment of a reviewer.${missing}`;
}
