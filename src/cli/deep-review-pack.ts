/** The context pack of a deep review: from a file, or made now. Whether there is a model is decided before the work. */
import { KodiaiError } from "../base/errors.ts";
import type { RepoConfig } from "../config/repo-config/schema.ts";
import { packBudget, packWindow } from "../jobs/deep-review/pack-budget.ts";
import type { AvailableModels, ModelAccess } from "../jobs/model-review/model-access.ts";
import type { Change } from "../review/change/change.ts";
import { PACK_FILE } from "../review/pack/compose-artifacts.ts";
import type { ContextPack, PackTokens } from "../review/pack/context-pack.ts";
import type { CliDeps, Command, ParsedArguments } from "./command.ts";
import { makePack, openPackSource } from "./make-pack.ts";
import { noModel } from "./no-model.ts";
import { usage } from "./parse-arguments.ts";
import type { Progress } from "./progress.ts";

/** Larger than the window of any model. */
const MAX_PACK_BYTES = 32 * 1024 * 1024;

export type DeepPack = {
  /** Null if the diff alone is larger than the budget. */
  readonly text: string | null;
  /** Null for a pack from a file. */
  readonly tokens: PackTokens | null;
  /** Null for a pack from a file. */
  readonly change: Change | null;
  /** The lines of files that it shows. Null for a pack from a file. */
  readonly shown: ContextPack["shown"] | null;
  /** By file name. */
  readonly artifacts: ReadonlyMap<string, string>;
  readonly warnings: readonly string[];
};

type ChosenModel = AvailableModels["models"][number];

export type DeepChoice = {
  /** With the flags of the command line. */
  readonly config: RepoConfig;
  /** In the order in which they are tried. An answer comes from the first one. */
  readonly models: readonly [ChosenModel, ...ChosenModel[]];
};

export type DeepPackWish = {
  readonly command: Command;
  readonly options: ParsedArguments["options"];
  readonly question: string;
  readonly access: ModelAccess;
  readonly progress: Progress;
};

export async function openDeepPack(
  wish: DeepPackWish,
  deps: CliDeps,
): Promise<{ readonly pack: DeepPack; readonly choice: DeepChoice }> {
  const { command, options, question } = wish;
  const file = options["context-pack"];
  if (typeof file === "string") {
    const choice = await chooseModels(await readConfig(wish, deps), wish);
    return { choice, pack: await readPack(file, wish, deps) };
  }
  let choice: DeepChoice | null = null;
  const isFindings = options["findings"] === true;
  const { change, result } = await makePack(
    {
      options,
      command,
      question,
      budgetOf(configured) {
        // The callback has been called.
        const model = choice?.models[0].id ?? "";
        return packBudget(packWindow(configured, model), { question, isFindings });
      },
      onConfig: async ({ tree }) => void (choice = await chooseModels(tree.root.values, wish)),
    },
    deps,
    wish.progress,
  );
  // The callback has been called: packing comes after it.
  if (choice === null) throw new TypeError("the model was not chosen");
  const { pack, artifacts, warnings } = result;
  const text = pack.kind === "packed" ? pack.text : null;
  return {
    choice,
    pack: {
      text,
      tokens: pack.tokens,
      change,
      shown: pack.shown,
      artifacts,
      warnings: [...change.notes, ...warnings],
    },
  };
}

async function readPack(file: string, { command }: DeepPackWish, deps: CliDeps): Promise<DeepPack> {
  const text = Buffer.from(await deps.files.readFile(file, MAX_PACK_BYTES)).toString("utf8");
  if (text.trim() === "") throw usage(command, "the context pack is empty");
  return {
    text,
    tokens: null,
    change: null,
    shown: null,
    artifacts: new Map([[PACK_FILE, text]]),
    warnings: [],
  };
}

/** A pack can be used outside a repository. Inside one, its policy applies. */
async function readConfig(wish: DeepPackWish, deps: CliDeps): Promise<RepoConfig> {
  const source = await openPackSource(wish, deps, wish.progress).catch((error: unknown) => {
    if (error instanceof KodiaiError && error.code === "not-a-repository") return null;
    throw error;
  });
  if (source === null) {
    const { noConfig } = await import("../config/repo-config/no-config.ts");
    return noConfig().root.values;
  }
  const { repository, change } = source;
  try {
    const { gatherConfig } = await import("../jobs/gathering/gather-config.ts");
    return (await gatherConfig(change, [], { repository, given: null })).tree.root.values;
  } finally {
    repository.close();
  }
}

async function chooseModels(
  values: RepoConfig,
  { options, access }: Pick<DeepPackWish, "options" | "access">,
): Promise<DeepChoice> {
  const config = withFlags(values, options);
  const chosen = await access.choice.choose(config);
  const [first, ...others] = chosen.models;
  if (first === undefined)
    throw noModel("a deep review", chosen, "`kodiai pack` makes the context pack without a model.");
  return { config, models: [first, ...others] };
}

/** The flags are the user's own, so they override the repository's settings. */
export function withFlags(config: RepoConfig, options: ParsedArguments["options"]): RepoConfig {
  const flags = ["effort", "verbosity", "summary"].flatMap((name) =>
    options[name] === undefined ? [] : [[name, options[name]] as const],
  );
  const { timeout } = options;
  return {
    ...config,
    deepReview: {
      ...config.deepReview,
      // The choices of each option are those of the key.
      ...Object.fromEntries(flags),
      ...(timeout !== undefined && { timeoutSeconds: Number(timeout) }),
    },
  };
}
