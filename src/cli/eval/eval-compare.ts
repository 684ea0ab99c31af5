/** `kodiai eval compare`: compares two runs on the same pull requests. */
import type { RunFile } from "../../evaluation/run/run-file.ts";
import type { Score } from "../../evaluation/score/score.ts";
import { KodiaiError } from "../../base/errors.ts";
import { printable } from "../../base/printable.ts";
import type { CliDeps, Command, ParsedArguments } from "../command.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { EVAL_OUTPUT, writeEval } from "./eval-output.ts";
import { readScore, readText } from "./read-scored.ts";

export const evalCompare: Command = {
  name: "eval compare",
  argumentNames: "A B",
  positionals: { min: 2, max: 2 },
  description:
    "Compares two runs on the pull requests that both reviewed, and says of each figure whether B is better, worse, or not\ndifferent as far as this set can show. A and B are folders of `kodiai eval run` or JSON files of `kodiai eval score`. For the\nset martian, one of them can be a candidates.json of that set, with the stored comments of another tool, if the other is a\nfolder. Both must be of the same version of the same set.",
  options: {
    ...EVAL_OUTPUT,
    tool: { type: "string", value: "NAME", help: "the tool in a candidates.json" },
  },
  examples: [
    { line: "kodiai eval compare sonnet haiku", comment: "is the smaller model worse?" },
    {
      line: "kodiai eval compare ours candidates.json --tool qodo",
      comment: "compare with the stored results of another tool",
    },
  ],
  run,
};

async function run(
  { options, positionals: [first = "", second = ""] }: ParsedArguments,
  deps: CliDeps,
): Promise<ExitCode> {
  const [one, other] = [await readScore(first, deps), await readScore(second, deps)];
  const like = one?.run ?? other?.run ?? null;
  const tool = typeof options["tool"] === "string" ? options["tool"] : null;
  const [{ compareScores }, { reportComparison }] = await Promise.all([
    import("../../evaluation/score/compare-scores.ts"),
    import("../../evaluation/report/report-comparison.ts"),
  ]);
  const comparison = compareScores(
    one?.score ?? (await readOtherTool(first, { like, tool }, deps)),
    other?.score ?? (await readOtherTool(second, { like, tool }, deps)),
  );
  await writeEval(reportComparison(comparison), comparison, { options, deps });
  return EXIT.ok;
}

async function readOtherTool(
  name: string,
  { like, tool }: { readonly like: RunFile | null; readonly tool: string | null },
  deps: CliDeps,
): Promise<Score> {
  if (like === null)
    throw new KodiaiError("usage", `${printable(name)} is neither a run nor a score`, {
      hint: "Stored results of another tool can only be compared with the folder of a run.",
    });
  const [{ readMartianCandidates }, { scoreRun }] = await Promise.all([
    import("../../evaluation/import/martian-candidates.ts"),
    import("../../evaluation/score/score-run.ts"),
  ]);
  return scoreRun(readMartianCandidates(await readText(name, deps), { tool, like, name }));
}
