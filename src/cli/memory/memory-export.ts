/** `kodiai memory export`: writes what is remembered as lines of JSON. */
import { printable } from "../../base/printable.ts";
import { exportMemory } from "../../jobs/memory/export-memory.ts";
import { listKnownRepositories } from "../../store/repositories/memory-records.ts";
import type { CliDeps, Command, ParsedArguments } from "../command.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { NEEDS_DATABASE, readRepository, REPO, withRecords } from "./with-records.ts";

export const memoryExport: Command = {
  name: "memory export",
  argumentNames: "",
  positionals: { min: 0, max: 0 },
  description: `Writes memories with their vectors, learnings, suppressions and feedback as lines of JSON, for a backup or another\ninstallation. \`kodiai memory import\` reads the file, on SQLite and on PostgreSQL.\n${NEEDS_DATABASE}`,
  options: {
    repo: REPO,
    output: { type: "string", value: "FILE", help: "write to this file (default: standard output)" },
  },
  examples: [
    { line: "kodiai memory export --output memory.jsonl", comment: "export everything" },
    { line: "kodiai memory export --repo acme/app > app.jsonl", comment: "export one repository" },
  ],
  run,
};

async function run(args: ParsedArguments, deps: CliDeps): Promise<ExitCode> {
  return withRecords(deps, async ({ database, now }) => {
    const only = await readRepository(memoryExport, args, { sql: database });
    const known = await listKnownRepositories(database);
    const ids = only === null ? known.map(({ repositoryId }) => repositoryId) : [only.repositoryId];
    const { output } = args.options;
    const path = typeof output === "string" ? output : "-";
    await deps.files.writeStream(path, exportMemory(ids, { at: now(), sql: database }));
    if (path !== "-") deps.stderr.write(`kodiai: wrote ${printable(path)}\n`);
    return EXIT.ok;
  });
}
