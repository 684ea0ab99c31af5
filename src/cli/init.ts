/** `kodiai init`: writes a commented `.kodiai.yml` at the root of the repository. */
import { join } from "node:path";
import { CONFIG_NAME, SCHEMA_NAME } from "../config/repo-config/config-file.ts";
import { renderJsonSchema } from "../config/repo-config/json-schema.ts";
import { renderStarterConfig } from "../config/repo-config/render-default-config.ts";
import type { CliDeps, Command, ParsedArguments } from "./command.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";

export const init: Command = {
  name: "init",
  takes: "",
  positionals: { min: 0, max: 0 },
  description:
    "Writes a .kodiai.yml at the root of the repository: every key is commented out and shows its default. Beside it goes\n.kodiai.schema.json, with which editors complete and check it.",
  options: { force: { type: "boolean", help: "overwrite a file that is there" } },
  examples: [{ line: "kodiai init", says: "then edit the file and check it with `kodiai config check`" }],
  run,
};

async function run({ options }: ParsedArguments, deps: CliDeps): Promise<ExitCode> {
  const repository = await deps.openRepository();
  const folder = repository.root ?? deps.cwd;
  const path = join(folder, CONFIG_NAME);
  repository.close();
  await deps.writeFile(path, renderStarterConfig(), { overwrite: options["force"] === true });
  // Nobody edits it.
  await deps.writeFile(join(folder, SCHEMA_NAME), renderJsonSchema(), { overwrite: true });
  deps.stderr.write(
    `kodiai: wrote ${path}; reviews use it while it is uncommitted, and once it is on the base branch\nkodiai: wrote ${SCHEMA_NAME} beside it, for editors; commit both\n`,
  );
  return EXIT.ok;
}
