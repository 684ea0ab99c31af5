/** Makes a context pack of the current change, for every command that needs one. */
import { count, grouped } from "../base/count.ts";
import { KodiaiError } from "../base/errors.ts";
import type { ConfiguredBudget } from "../jobs/deep-review/pack-budget.ts";
import { gatherConfig, type GatheredConfig } from "../jobs/gathering/gather-config.ts";
import { packContext } from "../jobs/pack/pack-context.ts";
import type { PackRequest, PackResult, PackStage } from "../jobs/pack/pack-request.ts";
import type { ChangeRequest, PullRequestChange, Repository } from "../repository/repository.ts";
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
  commit: { type: "string", value: "SHA", help: "pack one commit" },
  range: { type: "string", value: "A..B", help: "pack from A to B, or with A...B from their merge base" },
  pr: { type: "string", value: "URL", help: "pack a pull request on GitHub; uses GITHUB_TOKEN if set" },
  worktree: { type: "boolean", help: "include uncommitted work (default: commits only)" },
  budget: {
    type: "string",
    value: "TOKENS",
    help: "maximum size of the pack in tokens (default: pack.budgetTokens)",
  },
  fill: {
    type: "boolean",
    help: "use the whole budget: whole files, also those that are far from the change",
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
  /** The budget without the option. Omitted: that of the configuration. */
  readonly budgetOf?: (configured: ConfiguredBudget) => number;
  /** A ranking signal. Omitted: there is none. */
  readonly question?: string;
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
  const request = changeRequest(options, command);
  if (request.kind === "pr") {
    const address = parseAddress(request.url, command, cli.code);
    return cli.code.openPullRequest(address, (stage) => progress.update(stage));
  }
  const repository = await cli.code.openRepository();
  try {
    return { repository, change: await repository.readChange(request) };
  } catch (error) {
    repository.close();
    throw error;
  }
}

type PackedChange = Exclude<ChangeRequest, PullRequestChange> | { readonly kind: "pr"; readonly url: string };

/** Only --base and --worktree go together: the others choose a change on their own. */
function changeRequest(options: ParsedArguments["options"], command: PackWish["command"]): PackedChange {
  const given = ["pr", "commit", "range", "base", "worktree"].filter((name) => options[name] !== undefined);
  const [first] = given;
  if (given.length > 1 && first !== "base")
    throw usage(
      command,
      `${given.map((name) => `--${name}`).join(" and ")} can't be combined: each chooses a change`,
    );
  const value = (name: string): string => String(options[name]);
  switch (first) {
    case "pr":
      return { kind: "pr", url: value("pr") };
    case "commit":
      return { kind: "commit", ref: value("commit") };
    case "range":
      return { kind: "range", range: value("range") };
    default: {
      const kind = options["worktree"] === true ? "current" : "committed";
      return { kind, base: options["base"] === undefined ? null : value("base") };
    }
  }
}

/** Reads the change and packs it. Nothing is written. */
export async function makePack(
  { options, command, question = "", budgetOf = ({ tokens }) => tokens, onConfig }: PackWish,
  cli: PackingDeps,
  progress: Pick<Progress, "update">,
): Promise<MadePack> {
  const budget = readNumber(command, options, "budget", { min: 1_000, max: 10_000_000 });
  progress.update("reading the change");
  limitYoungMemory();
  const reader = await cli.code.openCodeReader(cli.signal);
  const source = openPackSource({ options, command }, cli, progress);
  const { repository, change } = await source.catch((error: unknown) => {
    reader.close();
    throw error;
  });
  try {
    if (change.files.length === 0) throw emptyChange(change);
    const config = await gatherConfig(change, [], { repository, given: null });
    await onConfig?.(config);
    const { openTokenizer } = cli.code;
    const codeIndex = await cli.code.openCodeIndex({ repository, reader });
    try {
      const { root } = config.tree;
      const { pack } = root.values;
      const configured = { tokens: pack.budgetTokens, isSet: root.isSet("pack.budgetTokens") };
      const request: PackRequest = {
        change,
        question,
        budgetTokens: budget ?? budgetOf(configured),
        include: {
          tests: options["include-tests"] === true || pack.includeTests,
          docs: options["include-docs"] === true || pack.includeDocs,
          lockfiles: options["include-lockfiles"] === true || pack.includeLockfiles,
        },
        isFilled: options["fill"] === true || pack.fill,
        exclude: pack.exclude,
      };
      const { signal, now } = cli;
      const onStage = (stage: PackStage): void => progress.update(describeStage(stage));
      const deps = { repository, reader, codeIndex, openTokenizer, signal, now, onStage };
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
    hint: "Commit your work or use --worktree, or choose another change with --base, --commit or --range.",
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
