/** Composes what an evaluation reads: the set by its name or folder, and the code of its cases. Loaded only by `kodiai eval run`. */
import { existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { createScratchFolder, removeScratchFolder } from "../base/scratch-folder.ts";
import { KodiaiError } from "../base/errors.ts";
import { printable } from "../base/printable.ts";
import type { EvaluationSource, EvaluationSources } from "../evaluation/run/evaluation-sources.ts";
import type { ImportSources } from "../evaluation/import/import-sources.ts";
import { createCaseOpener } from "../evaluation/set/open-case.ts";
import type { EvaluationSet } from "../evaluation/set/evaluation-set.ts";
import { readEvaluationSet } from "../evaluation/set/read-evaluation-set.ts";
import { createGitLocalRepositories } from "../repository/git/git-local-repositories.ts";
import { openHistory } from "../repository/git/open-history.ts";

/** The environment of git, where sets that are part of the program are, and what aborts. */
type Surroundings = {
  readonly gitEnvironment: Readonly<Record<string, string>>;
  readonly shippedSets: string;
  readonly cwd: string;
  readonly signal: AbortSignal;
};

type Read = (source: EvaluationSource, surroundings: Surroundings) => Promise<EvaluationSet>;

/** Sets with a name. Any other word is a folder. */
const SETS: Readonly<Record<string, Read>> = {
  injected: async (_, { shippedSets }) => readEvaluationSet(join(shippedSets, "injected")),
  martian: async (source, surroundings) => {
    const { readMartianSet } = await import("../evaluation/import/martian.ts");
    return readMartianSet(importSources(source, surroundings));
  },
  aacr: async (source, surroundings) => {
    const { readAacrSet } = await import("../evaluation/import/aacr.ts");
    return readAacrSet(importSources(source, surroundings));
  },
};

function importSources(
  { set, data, repositories }: EvaluationSource,
  { gitEnvironment, signal }: Surroundings,
): ImportSources {
  if (data === null || repositories === null)
    throw new KodiaiError(
      "usage",
      `the set ${set} isn't part of Kodiai: it needs --data and --repositories`,
      {
        hint: `Run \`kodiai eval fetch ${set}\`, or name a clone of the set with --data and the folder with clones of the reviewed repositories with --repositories.`,
      },
    );
  return {
    data,
    repositories,
    openHistory: (folder) => openHistory(folder, gitEnvironment, signal),
  };
}

export async function openEvaluation(
  source: EvaluationSource,
  surroundings: Surroundings,
): Promise<EvaluationSources> {
  const { cwd, gitEnvironment, signal } = surroundings;
  const absolute = (path: string): string => (isAbsolute(path) ? path : join(cwd, path));
  const read = Object.hasOwn(SETS, source.set) ? SETS[source.set] : undefined;
  if (read === undefined && !existsSync(absolute(source.set)))
    throw new KodiaiError("usage", `there is no set or folder ${printable(source.set)}`, {
      hint: `Name one of the sets ${Object.keys(SETS).join(", ")}, or the folder of a set of your own.`,
    });
  const set = read === undefined ? readEvaluationSet(absolute(source.set)) : await read(source, surroundings);
  const repositories = createGitLocalRepositories(gitEnvironment, signal);
  const scratch = await createScratchFolder("run");
  const opener = createCaseOpener({
    scratch,
    repositories,
    repositoriesFolder: source.repositories === null ? null : absolute(source.repositories),
    signal,
  });
  return {
    set,
    async openCode(given) {
      const opened = await opener.open(given);
      if ("problem" in opened) return opened;
      const { gitFolder, base, head } = opened;
      return { repository: await repositories.open(gitFolder), base, head };
    },
    close: () => removeScratchFolder(scratch),
  };
}
