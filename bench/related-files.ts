/**
 * Judges the ranking of related files on real commits: takes one file out of a commit of several, and looks for it in the ranking for
 * the others. The files are those before the commit, so nothing gives it away. Histories favor the ranker that reads them, so there
 * are figures without it too.
 *
 *     node bench/related-files.ts [--cases N] [--seed N] GIT_DIRECTORY…
 */
import { basename, dirname } from "node:path";
import { parseArgs } from "node:util";
import { createMemoryCodeIndex } from "../src/code-index/memory-code-index.ts";
import { createDegradations } from "../src/jobs/gathering/optional.ts";
import { gatherPackCode } from "../src/jobs/pack/gather-pack-code.ts";
import { openRepository } from "../src/repository/git/open-repository.ts";
import type { ChangedFile } from "../src/review/change/change.ts";
import { isProgramming, languageOf } from "../src/languages/language-of.ts";
import { rankCandidates } from "../src/review/pack/rank/rank-candidates.ts";
import { wordsOfChange } from "../src/review/pack/rank/words-of-change.ts";
import { type Chance, createChance } from "../test/support/chance.ts";
import { createInProcessReader } from "../test/support/in-process-reader.ts";
import { drawChanges, publicRepositories } from "./support/public-changes.ts";

const DEFAULTS = { cases: 40, seed: 20_261_117 };

/** Smaller commits leave too little to rank for, larger ones are moves. */
const MIN_FILES = 3;
const MAX_FILES = 15;

/** A small pack, and about how many bytes of code a token has. */
const BUDGET_TOKENS = 32_000;
const BYTES_PER_TOKEN = 3.7;

type Tally = { cases: number; inFirst10: number; inBudget: number };

/** The bench: figures only. */
export async function relatedFiles(): Promise<void> {
  const repositories = publicRepositories();
  if (repositories !== null) await judgeAll(repositories, DEFAULTS);
}

async function judgeAll(repositories: readonly string[], options: typeof DEFAULTS): Promise<void> {
  for (const folder of repositories) {
    const tallies = { "without history": newTally(), "with history": newTally() };
    const chance = createChance(options.seed);
    const ranking = await openRanking(folder);
    for (const { commit, files } of drawChanges(folder, chance)) {
      if (tallies["with history"].cases >= options.cases) break;
      const hidden = chooseHidden(files, chance);
      if (hidden === null) continue;
      const rank = await ranking.prepare(
        commit,
        files.filter((file) => file !== hidden),
      );
      add(tallies["without history"], rank(false), hidden.path);
      add(tallies["with history"], rank(true), hidden.path);
    }
    ranking.close();
    for (const [name, tally] of Object.entries(tallies)) {
      const share = (count: number): string => (count / Math.max(1, tally.cases)).toFixed(3);
      console.log(
        `  ${basename(dirname(folder))} ${name}: ${share(tally.inFirst10)} in the first 10, ` +
          `${share(tally.inBudget)} in ${BUDGET_TOKENS} tokens (${tally.cases} commits)`,
      );
    }
  }
}

type Ranked = readonly { readonly path: string; readonly bytes: number }[];

type Ranking = {
  readonly prepare: (
    commit: string,
    files: readonly ChangedFile[],
  ) => Promise<(hasHistory: boolean) => Ranked>;
  readonly close: () => void;
};

async function openRanking(folder: string): Promise<Ranking> {
  const repository = await openRepository(folder, { PATH: process.env["PATH"] ?? "" });
  const reader = createInProcessReader();
  const codeIndex = createMemoryCodeIndex({ repository, reader });
  const { signal } = new AbortController();
  const deps = {
    repository,
    reader,
    codeIndex,
    signal,
    onStage: () => {},
    openTokenizer: async () => () => 0,
    now: () => 0,
  };
  const prepare: Ranking["prepare"] = async (commit, files) => {
    const change = await repository.readChange({ kind: "commit", ref: commit });
    const code = await gatherPackCode({ ...change, head: change.base }, deps, createDegradations(signal));
    const bytes = new Map(code.files.map((file) => [file.path, file.bytes]));
    return (hasHistory) =>
      rankCandidates({
        changed: files,
        words: wordsOfChange(files),
        question: "",
        candidates: code.files.filter(({ path }) => isProgramming(languageOf(path))),
        facts: code.facts,
        graph: code.graph ?? { dependencies: new Map(), dependents: new Map() },
        coChanges: hasHistory ? code.coChanges : [],
      }).map(({ path }) => ({ path, bytes: bytes.get(path) ?? 0 }));
  };
  return { prepare, close: () => repository.close() };
}

/** A modified program; null when the commit is too small or too large. */
function chooseHidden(files: readonly ChangedFile[], chance: Chance): ChangedFile | null {
  const programs = files.filter(({ path }) => isProgramming(languageOf(path)));
  if (programs.length < MIN_FILES || files.length > MAX_FILES) return null;
  return chance.of(programs.filter(({ status }) => status === "modified")) ?? null;
}

function newTally(): Tally {
  return { cases: 0, inFirst10: 0, inBudget: 0 };
}

function add(tally: Tally, ranked: Ranked, hidden: string): void {
  tally.cases++;
  let left = BUDGET_TOKENS;
  for (const [index, { path, bytes }] of ranked.entries()) {
    const tokens = Math.ceil(bytes / BYTES_PER_TOKEN);
    const isPacked = tokens <= left;
    if (isPacked) left -= tokens;
    if (path !== hidden) continue;
    if (index < 10) tally.inFirst10++;
    if (isPacked) tally.inBudget++;
    return;
  }
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      cases: { type: "string", default: String(DEFAULTS.cases) },
      seed: { type: "string", default: String(DEFAULTS.seed) },
    },
  });
  await judgeAll(positionals, { cases: Number(values.cases), seed: Number(values.seed) });
}
