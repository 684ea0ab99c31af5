/** `kodiai mcp`: serves the tools that models use, and reviews, to other programs. */
import type { CliDeps, Command, ParsedArguments } from "./command.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { modelOptions, review } from "./review.ts";

const { model, "budget-usd": budget, offline, base } = review.options;

export const mcp: Command = {
  name: "mcp",
  argumentNames: "",
  positionals: { min: 0, max: 0 },
  description:
    "Serves the current repository to other programs over the Model Context Protocol, on standard input and output. The tools\nread its files, its history and the current change; review_change reviews a change and returns JSON. Writes nothing.\nExits when standard input is closed. See docs/mcp.md for how to set it up in coding agents.",
  options: {
    ...(base === undefined ? {} : { base }),
    ...(model === undefined ? {} : { model }),
    ...(budget === undefined ? {} : { "budget-usd": budget }),
    ...(offline === undefined ? {} : { offline }),
  },
  examples: [
    { line: "kodiai mcp", comment: "the command for a coding agent" },
    {
      line: "kodiai mcp --base origin/develop --offline",
      comment: "use another base, and built-in rules only",
    },
  ],
  run,
};

async function run({ options }: ParsedArguments, deps: CliDeps): Promise<ExitCode> {
  const given = options["base"];
  await deps.serveMcp({ base: typeof given === "string" ? given : null, models: modelOptions(options, mcp) });
  return EXIT.ok;
}
