/** `kodiai init`: writes a commented `.kodiai.yml` to the root of the repository, or the file for all repositories of an organization. */
import { join } from "node:path";
import { CONFIG_NAME, ORGANIZATION_CONFIG_PATH, SCHEMA_NAME } from "../config/repo-config/config-file.ts";
import { renderJsonSchema } from "../config/repo-config/json-schema.ts";
import {
  renderOrganizationConfig,
  renderStarterConfig,
} from "../config/repo-config/render-default-config.ts";
import type { CliDeps, Command, ParsedArguments } from "./command.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";

export const init: Command = {
  name: "init",
  argumentNames: "",
  positionals: { min: 0, max: 0 },
  description:
    "Writes a .kodiai.yml to the root of the repository. Every key is commented out and shows its default. Also writes\n.kodiai.schema.json, which editors use for completion and validation.",
  options: {
    force: { type: "boolean", help: "overwrite an existing file" },
    org: {
      type: "boolean",
      help: `write ${ORGANIZATION_CONFIG_PATH} instead: defaults for all repositories of an owner, in the owner's .github repository`,
    },
  },
  examples: [
    { line: "kodiai init", comment: "then edit the file and run `kodiai config check`" },
    { line: "kodiai init --org", comment: "in a clone of your organization's .github repository" },
  ],
  run,
};

async function run({ options }: ParsedArguments, deps: CliDeps): Promise<ExitCode> {
  const repository = await deps.code.openRepository();
  const folder = repository.root ?? deps.cwd;
  repository.close();
  if (options["org"] === true) return initOrganization(folder, options, deps);
  const path = join(folder, CONFIG_NAME);
  await deps.files.writeFile(path, renderStarterConfig(), { overwrite: options["force"] === true });
  // The schema is generated, so it's always overwritten.
  await deps.files.writeFile(join(folder, SCHEMA_NAME), renderJsonSchema(), { overwrite: true });
  deps.stderr.write(
    `kodiai: wrote ${path}; reviews use it while it's uncommitted, and once it's on the base branch\nkodiai: wrote ${SCHEMA_NAME} to the same folder, for editors; commit both files\n`,
  );
  return EXIT.ok;
}

async function initOrganization(
  folder: string,
  options: ParsedArguments["options"],
  deps: CliDeps,
): Promise<ExitCode> {
  const path = join(folder, ORGANIZATION_CONFIG_PATH);
  await deps.files.writeFile(path, renderOrganizationConfig(), { overwrite: options["force"] === true });
  deps.stderr.write(
    `kodiai: wrote ${path}; it applies once it's on the default branch of your organization's .github repository\n`,
  );
  return EXIT.ok;
}
