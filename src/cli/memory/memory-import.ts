/** `kodiai memory import FILE`: reads what `kodiai memory export` wrote. */
import { count } from "../../base/count.ts";
import { printable } from "../../base/printable.ts";
import { importMemory, type ImportReport } from "../../jobs/memory/import-memory.ts";
import type { CliDeps, Command, ParsedArguments } from "../command.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { usage } from "../parse-arguments.ts";
import { NEEDS_DATABASE, REPO, withRecords } from "./with-records.ts";

export const memoryImport: Command = {
  name: "memory import",
  argumentNames: "FILE",
  positionals: { min: 1, max: 1 },
  description: `Reads an exported file, or standard input for "-". A row that is here already is replaced only if the imported one was updated\nlater, so importing a file twice changes nothing. Items that were forgotten here stay forgotten. A database that\ndoesn't exist yet is created.\n${NEEDS_DATABASE}`,
  options: {
    repo: REPO,
  },
  examples: [{ line: "kodiai memory import memory.jsonl", comment: "import everything in the file" }],
  run,
};

async function run({ options, positionals: [file = ""] }: ParsedArguments, deps: CliDeps): Promise<ExitCode> {
  const { repo } = options;
  if (typeof repo === "string" && !/^[^/\s]+\/[^/\s]+$/.test(repo))
    throw usage(memoryImport, `--repo must be OWNER/NAME, not "${printable(repo)}"`);
  const only = typeof repo === "string" ? repo : null;
  return withRecords(
    deps,
    async ({ database, openVectors }) => {
      const report = await importMemory(deps.files.readInput(file), only, {
        database,
        vectors: await openVectors(),
      });
      deps.stdout.write(`${describe(report)}\n`);
      return EXIT.ok;
    },
    INTO_NEW,
  );
}

/** Memory may be the first thing that a new installation has. */
const INTO_NEW = { mayCreate: true };

function describe({ written, unchanged }: ImportReport): string {
  const parts = [
    count(written.memory, "memory", "memories"),
    count(written.learning, "learning"),
    count(written.suppression, "suppression"),
    count(written.feedback, "signal of feedback", "signals of feedback"),
  ];
  return `imported ${parts.join(", ")}; ${count(unchanged, "row")} unchanged`;
}
