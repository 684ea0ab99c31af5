/**
 * Opens the code of a case as a git repository. Texts become a repository in a scratch folder; cases with the same base share one. Commits
 * are looked up below the folder of repositories that the user named. A case whose code isn't there is a problem with what to do.
 */
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { describeError } from "../../base/errors.ts";
import { hashParts } from "../../base/hash.ts";
import { printable } from "../../base/printable.ts";
import type { LocalRepositories, TextRepository } from "../../repository/local-repositories.ts";
import type { EvaluationCase, SetProblem } from "./evaluation-set.ts";

export type OpenedCase = {
  /** `LocalRepositories` opens it. */
  readonly gitFolder: string;
  /** Full commit ids. The base is the merge base of the pull request. */
  readonly base: string;
  readonly head: string;
};

export type CaseOpener = {
  open(given: EvaluationCase): Promise<OpenedCase | SetProblem>;
};

export type CaseOpenerOptions = {
  /** An empty folder of the caller, who removes it. */
  readonly scratch: string;
  /** Where the repositories of `commits` cases are; null when the user named none. */
  readonly repositoriesFolder: string | null;
  readonly repositories: LocalRepositories;
  readonly signal: AbortSignal;
};

export function createCaseOpener(options: CaseOpenerOptions): CaseOpener {
  /** By folder, so that cases with the same base share a repository even when they are opened at the same time. */
  const made = new Map<string, Promise<TextRepository>>();

  const openTexts = async (
    { title, body }: EvaluationCase,
    { repository: name, files }: Extract<EvaluationCase["code"], { kind: "texts" }>,
  ): Promise<OpenedCase> => {
    const key = hashParts([name, ...Object.entries(files.base).flat()], 16);
    const gitFolder = join(options.scratch, `${key}.git`);
    const creating = made.get(key) ?? options.repositories.create(gitFolder, files.base);
    made.set(key, creating);
    const repository = await creating;
    const { base } = repository;
    return { gitFolder, base, head: await repository.commit(files.changes, messageOf(title, body)) };
  };

  return {
    async open(given) {
      try {
        return await (given.code.kind === "texts"
          ? openTexts(given, given.code)
          : openCommits(given.id, given.code, options));
      } catch (error) {
        options.signal.throwIfAborted();
        return { where: given.id, problem: describeError(error) };
      }
    },
  };
}

const messageOf = (title: string, body: string): string =>
  (body === "" ? title : `${title}\n\n${body}`).replaceAll("\0", "");

async function openCommits(
  id: string,
  { repository, base, head }: Extract<EvaluationCase["code"], { kind: "commits" }>,
  { repositories, repositoriesFolder }: CaseOpenerOptions,
): Promise<OpenedCase | SetProblem> {
  const problem = (text: string): SetProblem => ({ where: id, problem: printable(text) });
  if (repositoriesFolder === null)
    return problem(`needs the repository ${repository}; name the folder that has it with --repositories`);
  const gitFolder = findGitFolder(repositoriesFolder, repository);
  if (gitFolder === null)
    return problem(
      `the repository ${repository} isn't below ${repositoriesFolder}; clone it to ${join(repositoriesFolder, repository)}`,
    );
  for (const commit of [base, head]) {
    if (!(await repositories.hasCommit(gitFolder, commit)))
      return problem(
        `${gitFolder} has no commit ${commit}; fetch it there with \`git fetch origin ${commit}\``,
      );
  }
  return { gitFolder, base, head };
}

/** A clone may be bare or not, in a folder named after its owner or with both names in one. */
export function findGitFolder(repositories: string, repository: string): string | null {
  const owner = repository.split("/").slice(0, -1).join("/");
  const name = repository.split("/").at(-1) ?? "";
  const joined = ["+", "__", "_", "-"].flatMap((between) => {
    const folder = repository.replaceAll("/", between);
    return [join(folder, "repo"), folder];
  });
  const folders = owner === "" ? joined : [repository, ...joined, name];
  return (
    folders
      .flatMap((folder) => [folder, `${folder}.git`])
      .flatMap((folder) => [join(repositories, folder, ".git"), join(repositories, folder)])
      .find(isGitFolder) ?? null
  );
}

function isGitFolder(folder: string): boolean {
  return (
    existsSync(join(folder, "HEAD")) &&
    ["objects", "refs"].every(
      (name) => statSync(join(folder, name), { throwIfNoEntry: false })?.isDirectory() === true,
    )
  );
}
