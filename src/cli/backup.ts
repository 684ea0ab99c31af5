/** `kodiai backup FILE`: copies an SQLite installation while it runs. */
import { printable } from "../base/printable.ts";
import type { CliDeps, Command, ParsedArguments } from "./command.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { createProgress } from "./progress.ts";

export const backup: Command = {
  name: "backup",
  argumentNames: "FILE",
  positionals: { min: 1, max: 1 },
  description:
    "Copies the SQLite database in DATABASE_URL to a file, while Kodiai runs. The file is complete and checked when it appears,\nand only its owner can read it. The telemetry file is copied next to it. To restore, see docs/deployment.md.",
  options: { force: { type: "boolean", help: "overwrite an existing file" } },
  examples: [
    {
      line: "DATABASE_URL=sqlite:/var/lib/kodiai/kodiai.db kodiai backup /backup/kodiai.db",
      comment: "back up a running server",
    },
  ],
  run,
};

async function run({ positionals: [file = ""], options }: ParsedArguments, deps: CliDeps): Promise<ExitCode> {
  const progress = createProgress(deps);
  try {
    const made = await deps.installation.backUpStore(file, {
      overwrite: options["force"] === true,
      onProgress: (done, total) =>
        progress.update(`copying, ${Math.floor((100 * done) / Math.max(total, 1))}%`),
      signal: deps.signal,
    });
    progress.clear();
    for (const { path, bytes } of made) {
      deps.stdout.write(`wrote ${printable(path)}, ${(bytes / 1_000_000).toFixed(1)} MB, checked\n`);
    }
    return EXIT.ok;
  } finally {
    progress.clear();
  }
}
