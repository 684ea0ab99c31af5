/** `kodiai mcp`: the tools that models use, and the review, for other programs. */
import type { CliDeps, Command, ParsedArguments } from "./command.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { modelOptions, review } from "./review.ts";

const { model, "budget-usd": budget, offline, base } = review.options;

export const mcp: Command = {
  name: "mcp",
  takes: "",
  positionals: { min: 0, max: 0 },
  description:
    "Serves the repository you are in to other programs, over the Model Context Protocol on standard input and output: tools\nthat read its files, its history and the current change, and review_change, which reviews a change and answers with JSON.\nWrites nothing. See docs/mcp.md for how coding agents are told about it. Ends when its standard input is closed.",
  options: {
    ...(base === undefined ? {} : { base }),
    ...(model === undefined ? {} : { model }),
    ...(budget === undefined ? {} : { "budget-usd": budget }),
    ...(offline === undefined ? {} : { offline }),
  },
  examples: [
    { line: "kodiai mcp", says: "what a coding agent starts" },
    { line: "kodiai mcp --base origin/develop --offline", says: "against another base, with rules alone" },
  ],
  run,
};

async function run({ options }: ParsedArguments, deps: CliDeps): Promise<ExitCode> {
  const given = options["base"];
  await deps.serveMcp({ base: typeof given === "string" ? given : null, models: modelOptions(options, mcp) });
  return EXIT.ok;
}
