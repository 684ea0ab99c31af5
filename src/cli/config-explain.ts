/** `kodiai config explain PATH`: the effective values for a path and where each comes from. */
import { isAbsolute, relative, resolve } from "node:path";
import { explainConfig } from "../config/explain-config.ts";
import type { CliDeps, Command, ParsedArguments } from "./command.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { usage } from "./parse-arguments.ts";
import { readConfigFiles } from "./read-config-files.ts";

export const configExplain: Command = {
  name: "config explain",
  takes: "PATH",
  positionals: { min: 1, max: 1 },
  description:
    "Shows every value that holds for PATH (a file or a folder of the repository) and the file it comes from.",
  options: { set: { type: "boolean", help: "only values that a file sets" } },
  examples: [
    { line: "kodiai config explain src/server.ts", says: "what holds for one file" },
    { line: "kodiai config explain . --set", says: "what differs from the defaults" },
  ],
  run,
};

async function run({ positionals, options }: ParsedArguments, deps: CliDeps): Promise<ExitCode> {
  const path = await repositoryPath(positionals[0] ?? ".", deps);
  const tree = await readConfigFiles(deps);
  const rows = explainConfig(tree, path).filter(({ isDefault }) => options["set"] !== true || !isDefault);
  const width = Math.max(
    0,
    ...rows.map(({ key, value }) => `${key}: ${value}`.length).filter((length) => length <= 70),
  );
  for (const { key, value, origin, isImplemented } of rows) {
    const note = isImplemented ? "" : ", not implemented yet";
    deps.stdout.write(`${`${key}: ${value}`.padEnd(width)}  # ${origin}${note}\n`);
  }
  for (const { file, line, message } of tree.problems)
    deps.stderr.write(`kodiai: ${file}:${line ?? 1}: ${message}\n`);
  if (rows.length === 0) deps.stderr.write("kodiai: no file sets anything; all values are defaults\n");
  return tree.problems.some(({ severity }) => severity === "error") ? EXIT.usage : EXIT.ok;
}

/** A path as the repository knows it, from where the person stands. */
async function repositoryPath(typed: string, deps: CliDeps): Promise<string> {
  const repository = await deps.openRepository();
  repository.close();
  const path = relative(repository.root ?? deps.cwd, resolve(deps.cwd, typed)).replaceAll("\\", "/");
  if (path.startsWith("..") || isAbsolute(path))
    throw usage(configExplain, `${typed} is outside the repository`);
  return path;
}
