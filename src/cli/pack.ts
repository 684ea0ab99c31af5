/** `kodiai pack`: writes a change and the code around it into one file, and what became of every other file. */
import { count, grouped } from "../base/count.ts";
import { printable } from "../base/printable.ts";
import { countReasons, PACK_FILE } from "../review/pack/compose-artifacts.ts";
import type { ContextPack } from "../review/pack/context-pack.ts";
import type { CliDeps, Command, ParsedArguments } from "./command.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { type MadePack, makePack, PACK_OPTIONS } from "./make-pack.ts";
import { createProgress } from "./progress.ts";

export const pack: Command = {
  name: "pack",
  argumentNames: "",
  positionals: { min: 0, max: 0 },
  description:
    "Packs a change for a model: its diff, the changed files, and the related code that fits into a budget of tokens, closest\nfirst. Equal commits give equal packs. Every file that is left out is listed with the reason. Secrets are masked; env\nfiles and keys are never packed, lock files only on request. Nothing leaves your machine.\n\nPacks the commits of the current branch since its base. Exits with 3 if the diff alone is larger than the budget.",
  options: PACK_OPTIONS,
  examples: [
    { line: "kodiai pack", comment: "pack the commits of the current branch" },
    { line: "kodiai pack --worktree --out pack", comment: "with uncommitted work, into the folder pack" },
    {
      line: "kodiai pack --pr https://github.com/acme/shop/pull/7",
      comment: "pack a pull request with its title and description",
    },
    { line: "kodiai pack --base v1.2.0 --budget 100000", comment: "since a release, in 100,000 tokens" },
    { line: "kodiai pack --commit HEAD~3", comment: "one commit" },
  ],
  run,
};

async function run({ options }: ParsedArguments, cli: CliDeps): Promise<ExitCode> {
  const { out } = options;
  // A folder that can't be used should fail before the work.
  const folder = await cli.files.openOutputFolder(typeof out === "string" ? out : null);
  const progress = createProgress(cli);
  let made: MadePack;
  try {
    made = await makePack({ options, command: pack }, cli, progress);
  } catch (error) {
    await folder.discard();
    if (!cli.signal.aborted) throw error;
    progress.clear();
    cli.stderr.write("kodiai: interrupted; no pack was written. What the code index has read is kept\n");
    return EXIT.interrupted;
  } finally {
    progress.clear();
  }
  const { change, result } = made;
  for (const note of change.notes) cli.stderr.write(`kodiai: ${note}\n`);
  for (const warning of result.warnings) cli.stderr.write(`kodiai: ${printable(warning)}\n`);
  await folder.writeAll(result.artifacts);
  cli.stdout.write(summarize(change.description, result.pack, folder.path));
  return result.pack.kind === "packed" ? EXIT.ok : EXIT.incomplete;
}

function summarize(description: string, packed: ContextPack, folder: string): string {
  const { tokens, changed, changedOmissions, selection } = packed;
  const isPacked = packed.kind === "packed";
  const headline = isPacked
    ? `${grouped(tokens.final)} of ${grouped(tokens.budget)} tokens`
    : `the diff alone needs ${grouped(tokens.baseline)} tokens, more than the budget of ${grouped(tokens.budget)}`;
  const related = selection.filter(({ decision }) => decision !== "omitted");
  const reduced = related.filter(({ decision }) => decision === "reduced").length;
  const omitted = selection.filter(({ decision }) => decision === "omitted");
  const rows = [
    ["changed", `${count(changed.length, "file")}${reasonsOf(changedOmissions.map(({ reason }) => reason))}`],
    ["related", `${count(related.length, "file")}${reduced === 0 ? "" : ` (${reduced} in parts)`}`],
    [
      "omitted",
      `${count(omitted.length, "file")}${reasonsOf(omitted.flatMap(({ reason }) => reason ?? []))}`,
    ],
  ];
  const lines = rows.map(([name, text]) => `  ${name}  ${text}\n`).join("");
  const where = isPacked ? `${folder}/${PACK_FILE}` : `${folder} (lists of files only)`;
  return `${description}: ${headline}\n${lines}\n${printable(where)}\n`;
}

function reasonsOf(reasons: Parameters<typeof countReasons>[0]): string {
  const counts = Object.entries(countReasons(reasons)).map(
    ([reason, files]) => `${reason} ${grouped(files)}`,
  );
  return counts.length === 0 ? "" : ` (${counts.join(", ")})`;
}
