/** `kodiai memory forget`: forgets single items, or everything about a repository. */
import { count } from "../../base/count.ts";
import { KodiaiError } from "../../base/errors.ts";
import { forgetItems } from "../../jobs/memory/forget-memory.ts";
import { readKnownRepository } from "../../store/repositories/memory-records.ts";
import { deleteMemoryOf } from "../../store/repositories/stored-memory.ts";
import type { Records } from "../app.ts";
import type { CliDeps, Command, ParsedArguments } from "../command.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { usage } from "../parse-arguments.ts";
import { type MemoryItemId, type MemoryItemKind, parseMemoryId, unknownItem } from "./memory-id.ts";
import { NEEDS_DATABASE, readRepository, withRecords } from "./with-records.ts";

/** More than anyone types. */
const MAX_IDS = 1_000;

export const memoryForget: Command = {
  name: "memory forget",
  argumentNames: "[ID]...",
  positionals: { min: 0, max: MAX_IDS },
  description: `Forgets items by ID: deletes memories and learnings, and undoes suppressions. Reviews don't learn a deleted item again.\n\`--repository\` deletes everything that is remembered about a repository, and asks first. Stop a running server before, or a\nreview that is in progress may remember new findings.\n${NEEDS_DATABASE}`,
  options: {
    repository: { type: "string", value: "OWNER/NAME", help: "forget everything about this repository" },
    yes: { type: "boolean", help: "don't ask for confirmation" },
  },
  examples: [
    { line: "kodiai memory forget l12 m40", comment: "forget a learning and a memory" },
    { line: "kodiai memory forget s3", comment: "report these findings again" },
    { line: "kodiai memory forget --repository acme/app", comment: "forget everything about a repository" },
  ],
  run,
};

async function run(args: ParsedArguments, deps: CliDeps): Promise<ExitCode> {
  const { positionals, options } = args;
  const isWhole = options["repository"] !== undefined;
  if (isWhole === positionals.length > 0)
    throw usage(memoryForget, "memory forget requires either IDs or --repository OWNER/NAME");
  if (isWhole) return withRecords(deps, (records) => forgetRepository(args, records, deps));
  const items = new Map(positionals.map((text) => [text, parseMemoryId(text)]));
  return withRecords(deps, (records) => forgetAll([...items.values()], records, deps));
}

async function forgetAll(
  items: readonly MemoryItemId[],
  { database, now }: Records,
  deps: CliDeps,
): Promise<ExitCode> {
  const missing = await forgetItems(items, { by: "operator", at: now(), database });
  if (missing?.kind === "suppression")
    throw new KodiaiError("usage", `there is no suppression ${missing.text}, or it was undone before`, {
      hint: "Nothing was changed. Run `kodiai memory list --kind suppressions` for a list.",
    });
  if (missing !== null) throw unknownItem(missing);
  for (const { text, kind } of items) deps.stdout.write(`${text}: ${FORGOTTEN[kind]}\n`);
  return EXIT.ok;
}

const FORGOTTEN: Readonly<Record<MemoryItemKind, string>> = {
  memory: "deleted, with its words and its vector",
  learning: "deleted",
  suppression: "undone; earlier feedback on these findings doesn't count any more",
};

async function forgetRepository(
  args: ParsedArguments,
  { database }: Records,
  deps: CliDeps,
): Promise<ExitCode> {
  const found = await readRepository(memoryForget, args, { option: "repository", sql: database });
  if (found === null) throw usage(memoryForget, "--repository requires OWNER/NAME");
  const { repositoryId, name } = found;
  if (args.options["yes"] !== true && !(await isConfirmed(name, deps))) {
    deps.stderr.write("kodiai: nothing was deleted\n");
    return EXIT.usage;
  }
  const known = await readKnownRepository(repositoryId, database);
  await deleteMemoryOf(repositoryId, database);
  const deleted = [
    count(known?.memories ?? 0, "memory", "memories"),
    count(known?.learnings ?? 0, "learning"),
    count(known?.suppressions ?? 0, "suppression"),
    count(known?.feedback ?? 0, "signal of feedback", "signals of feedback"),
  ];
  deps.stdout.write(`${name}: deleted ${deleted.join(", ")}\n`);
  deps.stderr.write(
    "kodiai: reviews will remember new findings. To prevent that, set `memory.enabled: false` in .kodiai.yml.\n",
  );
  return EXIT.ok;
}

async function isConfirmed(name: string, deps: CliDeps): Promise<boolean> {
  if (!deps.stderr.isTerminal)
    throw usage(memoryForget, "forgetting a repository requires --yes if there is no terminal to ask on");
  deps.stderr.write(`Delete everything that Kodiai remembers about ${name}? This can't be undone. [y/N] `);
  let answer = "";
  for await (const chunk of deps.files.readInput("-")) {
    answer += chunk;
    if (answer.includes("\n")) break;
  }
  return /^y(?:es)?$/i.test(answer.trim());
}
