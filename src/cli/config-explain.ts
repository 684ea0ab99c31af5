/** `kodiai config explain PATH`: shows the effective values for a path and where each comes from. */
import { isAbsolute, relative, resolve } from "node:path";
import { printable } from "../base/printable.ts";
import { explainConfig } from "../config/explain-config.ts";
import { CONFIG_READ_BYTES } from "../config/repo-config/config-file.ts";
import type { CliDeps, Command, ParsedArguments } from "./command.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { usage } from "./parse-arguments.ts";
import { readConfigFiles } from "./read-config-files.ts";

export const configExplain: Command = {
  name: "config explain",
  argumentNames: "PATH",
  positionals: { min: 1, max: 1 },
  description:
    "Shows every value that applies to PATH, a file or folder of the repository, and the file that sets it.",
  options: {
    set: { type: "boolean", help: "show only values that a file sets" },
    "org-file": {
      type: "string",
      value: "FILE",
      help: "a copy of the organization's file, below the repository's own",
    },
  },
  examples: [
    { line: "kodiai config explain src/server.ts", comment: "show the values for one file" },
    { line: "kodiai config explain . --set", comment: "show only the values that are set" },
    {
      line: "kodiai config explain . --org-file ../.github/.github/kodiai.yml",
      comment: "include the organization's defaults",
    },
  ],
  run,
};

async function run({ positionals, options }: ParsedArguments, deps: CliDeps): Promise<ExitCode> {
  const path = await repositoryPath(positionals[0] ?? ".", deps);
  const { "org-file": file } = options;
  const organization =
    typeof file === "string"
      ? { path: file, text: await deps.files.readFile(file, CONFIG_READ_BYTES) }
      : null;
  const tree = await readConfigFiles(deps, organization);
  const rows = explainConfig(tree, path).filter(({ isDefault }) => options["set"] !== true || !isDefault);
  const width = Math.max(
    0,
    ...rows.map(({ key, value }) => `${key}: ${value}`.length).filter((length) => length <= 70),
  );
  for (const { key, value, origin } of rows)
    deps.stdout.write(`${`${key}: ${value}`.padEnd(width)}  # ${origin}\n`);
  for (const { file, line, message } of tree.problems)
    deps.stderr.write(`kodiai: ${printable(file)}:${line ?? 1}: ${message}\n`);
  if (rows.length === 0) deps.stderr.write("kodiai: no file sets a value; all values are defaults\n");
  return tree.problems.some(({ severity }) => severity === "error") ? EXIT.usage : EXIT.ok;
}

/** Converts a path relative to the current folder into one relative to the root of the repository. */
async function repositoryPath(typed: string, deps: CliDeps): Promise<string> {
  const repository = await deps.code.openRepository();
  repository.close();
  const path = relative(repository.root ?? deps.cwd, resolve(deps.cwd, typed)).replaceAll("\\", "/");
  if (path.startsWith("..") || isAbsolute(path))
    throw usage(configExplain, `${typed} is outside the repository`);
  return path;
}
