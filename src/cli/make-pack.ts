/** Makes a context pack of the current change, for every command that needs one. */
import { count, grouped } from "../base/count.ts";
import { KodiaiError } from "../base/errors.ts";
import { gatherConfig, type GatheredConfig } from "../jobs/gathering/gather-config.ts";
import { packContext } from "../jobs/pack/pack-context.ts";
import type { PackRequest, PackResult, PackStage } from "../jobs/pack/pack-request.ts";
import type { Repository } from "../repository/repository.ts";
import type { Change } from "../review/change/change.ts";
import type { CliDeps, Command, OptionSpec, ParsedArguments } from "./command.ts";
import { readNumber } from "./number-options.ts";
import { parseAddress } from "./parse-address.ts";
import { usage } from "./parse-arguments.ts";
import type { Progress } from "./progress.ts";

export const PACK_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  base: {
    type: "string",
    value: "REF",
    help: "compare with this branch, tag or commit (default: detected)",
  },
  pr: { type: "string", value: "URL", help: "pack a pull request on GitHub; uses GITHUB_TOKEN if set" },
  worktree: { type: "boolean", help: "include uncommitted work (default: commits only)" },
  budget: {
    type: "string",
    value: "TOKENS",
    help: "maximum size of the pack in tokens (default: pack.budgetTokens)",
  },
  out: {
    type: "string",
    value: "FOLDER",
    help: "write the files to this folder (default: a new folder in your cache)",
  },
  "include-tests": { type: "boolean", help: "include all related tests, not only close ones" },
  "include-docs": { type: "boolean", help: "include related documentation" },
  "include-lockfiles": { type: "boolean", help: "include lock files" },
};

export type MadePack = {
  readonly change: Change;
  readonly config: GatheredConfig;
  readonly result: PackResult;
};

export type PackWish = {
  readonly options: ParsedArguments["options"];
  readonly command: Pick<Command, "name">;
  /** The budget when neither an option nor the configuration sets one, from that of the configuration. Omitted: that one. */
  readonly budgetOf?: (configured: number) => number;
  /** Called with the configuration before the work begins. An error ends it. */
  readonly onConfig?: (config: GatheredConfig) => Promise<void>;
};

type PackingDeps = Pick<CliDeps, "code" | "signal" | "now">;

type SourceDeps = Pick<CliDeps, "code">;

export type PackSource = { readonly repository: Repository; readonly change: Change };

/** The repository and the change that the options choose. The caller closes the repository. */
export async function openPackSource(
  { options, command }: Pick<PackWish, "options" | "command">,
  cli: SourceDeps,
  progress: Pick<Progress, "update">,
): Promise<PackSource> {
  const { pr, base, worktree } = options;
  if (typeof pr === "string") {
    if (base !== undefined || worktree !== undefined)
      throw usage(command, "--pr can't be combined with --base or --worktree: each chooses a change");
    return cli.code.openPullRequest(parseAddress(pr, command, cli.code), (stage) => progress.update(stage));
  }
  const repository = await cli.code.openRepository();
  try {
    const kind = worktree === true ? "current" : "committed";
    const change = await repository.readChange({ kind, base: typeof base === "string" ? base : null });
    return { repository, change };
  } catch (error) {
    repository.close();
    throw error;
  }
}

/** Reads the change and packs it. Nothing is written. */
export async function makePack(
  { options, command, budgetOf = (configured) => configured, onConfig }: PackWish,
  cli: PackingDeps,
  progress: Pick<Progress, "update">,
): Promise<MadePack> {
  const budget = readNumber(command, options, "budget", { min: 1_000, max: 10_000_000 });
  progress.update("reading the change");
  limitYoungMemory();
  const reader = await cli.code.openReader(cli.signal);
  const source = openPackSource({ options, command }, cli, progress);
  const { repository, change } = await source.catch((error: unknown) => {
    reader.close();
    throw error;
  });
  try {
    if (change.files.length === 0) throw emptyChange(change);
    const config = await gatherConfig(change, [], { repository, given: null });
    await onConfig?.(config);
    const [countTokens, codeIndex] = await Promise.all([
      cli.code.openTokenizer(),
      cli.code.openCodeIndex({ repository, reader }),
    ]);
    try {
      const { pack } = config.tree.root.values;
      const request: PackRequest = {
        change,
        budgetTokens: budget ?? budgetOf(pack.budgetTokens),
        include: {
          tests: options["include-tests"] === true || pack.includeTests,
          docs: options["include-docs"] === true || pack.includeDocs,
          lockfiles: options["include-lockfiles"] === true || pack.includeLockfiles,
        },
        exclude: pack.exclude,
      };
      const { signal, now } = cli;
      const onStage = (stage: PackStage): void => progress.update(describeStage(stage));
      const deps = { repository, reader, codeIndex, countTokens, signal, now, onStage };
      return { change, config, result: await packContext(request, deps) };
    } finally {
      codeIndex.close();
    }
  } finally {
    reader.close();
    repository.close();
  }
}

/** Packing makes much garbage. When the space for new objects doesn't grow, it takes 60 MB less and the same time. */
function limitYoungMemory(): void {
  process.getBuiltinModule("node:v8").setFlagsFromString("--semi-space-growth-factor=1");
}

function emptyChange({ description }: Change): KodiaiError {
  return new KodiaiError("usage", `${description}: nothing changed, so there is nothing to pack`, {
    hint: "Commit your work or use --worktree, or set another base with --base.",
  });
}

export function describeStage(stage: PackStage): string {
  switch (stage.kind) {
    case "listing":
      return "listing files";
    case "indexing":
      return `indexing ${grouped(stage.done)} of ${count(stage.all, "file")}`;
    case "history":
      return "reading the history";
    case "ranking":
      return "ranking files";
    case "fitting":
      return `packing ${grouped(stage.tokens)} of ${grouped(stage.budget)} tokens`;
  }
}
