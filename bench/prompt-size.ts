/**
 * Measures what the first call to a model costs on real commits: the tokens of the system prompt, of the tools and of each section of the
 * message, compared with the tokens of the plain diff, which any reviewer must send.
 *
 *     node bench/prompt-size.ts [--commits N] [--seed N] [--each] GIT_DIRECTORY…
 */
import { spawnSync } from "node:child_process";
import { basename, dirname } from "node:path";
import { parseArgs } from "node:util";
import { type Model, type ModelTask, NO_TOKENS } from "../src/model/model.ts";
import type { PromptSize } from "../src/review/publication/publication.ts";
import { countO200kTokens } from "../src/tokenizer/count-o200k-tokens.ts";
import { createChance } from "../test/support/chance.ts";
import { NO_MODELS } from "../test/support/no-models.ts";
import { LIMITS } from "./limits.ts";
import { judge } from "./measure.ts";
import { drawChanges, publicRepositories } from "./support/public-changes.ts";
import { createCommitReviewer } from "./support/review-commits.ts";

const DEFAULTS = { commits: 5, seed: 20_261_118 };

/** A smaller change has nothing to save, and a larger one doesn't fit into one part. */
const MIN_CHANGED_LINES = 10;
const MAX_CHANGED_LINES = 1_500;

const SYSTEM = "role and rules";

type Sizes = {
  readonly plainDiff: number;
  readonly tools: number;
  /** By section, the system prompt included. */
  readonly sections: ReadonlyMap<string, number>;
};

/** The bench: figures only. */
export async function promptSize(): Promise<void> {
  const repositories = publicRepositories();
  if (repositories !== null) report(await measureAll(repositories, DEFAULTS, false));
}

async function measureAll(
  repositories: readonly string[],
  { commits, seed }: typeof DEFAULTS,
  isEachShown: boolean,
): Promise<readonly Sizes[]> {
  const reviewer = createCommitReviewer();
  const all: Sizes[] = [];
  for (const folder of repositories) {
    const tasks: ModelTask[] = [];
    const choice = {
      ...NO_MODELS.choice,
      choose: async () => ({ models: [silentModel(tasks)], noModel: null, problems: [] }),
    };
    const repository = await reviewer.open(folder, { ...NO_MODELS, choice });
    let count = 0;
    for (const { commit, files } of drawChanges(folder, createChance(seed))) {
      const lines = files.reduce((sum, { addedLines, removedLines }) => sum + addedLines + removedLines, 0);
      if (lines < MIN_CHANGED_LINES || lines > MAX_CHANGED_LINES) continue;
      tasks.length = 0;
      const publication = await repository.review({ kind: "commit", ref: commit }, { isStrict: false });
      const sections = publication?.passes.find((pass) => pass.sections !== undefined)?.sections;
      const [task] = tasks;
      // Nothing of such a change is for a model, or one call doesn't have all of it.
      if (task === undefined || sections === undefined || tasks.length > 1) continue;
      const sizes = sizesOf(task, sections, tokensOfDiff(folder, commit));
      if (isEachShown)
        console.log(`  ${basename(dirname(folder))} ${commit.slice(0, 10)} ${describe(sizes)}`);
      all.push(sizes);
      if (++count >= commits) break;
    }
    repository.close();
  }
  reviewer.close();
  return all;
}

/** A model that reads and says nothing. */
function silentModel(tasks: ModelTask[]): Model {
  return {
    id: "bench:silent",
    async run(task) {
      tasks.push(task);
      const ending = { kind: "completed", stopReason: { kind: "finished" } } as const;
      return { ...ending, model: "bench:silent", turns: 1, tokens: NO_TOKENS, ms: 0 };
    },
  };
}

function tokensOfDiff(folder: string, commit: string): number {
  const args = [
    "--git-dir",
    folder,
    "show",
    "--format=",
    "--no-ext-diff",
    "--no-color",
    "--find-renames",
    commit,
  ];
  return countO200kTokens(spawnSync("git", args, { encoding: "utf8", maxBuffer: 1 << 28 }).stdout);
}

function sizesOf({ prompt, tools }: ModelTask, sections: readonly PromptSize[], plainDiff: number): Sizes {
  const tokens = new Map<string, number>();
  let from = 0;
  for (const { section, chars } of sections) {
    if (chars === 0) continue;
    const isSystem = section === SYSTEM;
    const text = isSystem ? prompt.system : prompt.user.slice(from, from + chars);
    // Sections are divided by an empty line.
    if (!isSystem) from += chars + 2;
    tokens.set(section, countO200kTokens(text));
  }
  const described = tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
  return { plainDiff, tools: countO200kTokens(JSON.stringify(described)), sections: tokens };
}

function callOf({ tools, sections }: Sizes): number {
  return sections.values().reduce((sum, tokens) => sum + tokens, tools);
}

function describe(sizes: Sizes): string {
  const parts = [...sizes.sections].map(([name, tokens]) => `${name} ${tokens}`).join(", ");
  return `${callOf(sizes)} to ${sizes.plainDiff}: tools ${sizes.tools}, ${parts}`;
}

function report(all: readonly Sizes[]): void {
  const total = (of: (sizes: Sizes) => number): number => all.reduce((sum, sizes) => sum + of(sizes), 0);
  const line = (name: string, tokens: number): void => console.log(`  ${String(tokens).padStart(9)} ${name}`);
  line(
    "tools",
    total(({ tools }) => tools),
  );
  for (const name of new Set(all.flatMap(({ sections }) => [...sections.keys()])))
    line(
      name,
      total(({ sections }) => sections.get(name) ?? 0),
    );
  line(`all first calls, of ${all.length} commits`, total(callOf));
  line(
    "plain diffs",
    total(({ plainDiff }) => plainDiff),
  );
  judge(LIMITS.firstCall, total(callOf) / total(({ plainDiff }) => plainDiff));
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      commits: { type: "string", default: String(DEFAULTS.commits) },
      seed: { type: "string", default: String(DEFAULTS.seed) },
      each: { type: "boolean", default: false },
    },
  });
  const options = { commits: Number(values.commits), seed: Number(values.seed) };
  report(await measureAll(positionals, options, values.each));
}
