/**
 * Finds whether a branch carries commits of a fork. Kodiai itself puts them on branches of this repository, where CI could run them with its
 * secrets. Every later push to such a branch must keep CI from that, too.
 */
import { KodiaiError } from "../../../base/errors.ts";
import type { PullRequest } from "../../../forge/forge.ts";
import type { Repository } from "../../../repository/repository.ts";
import { checkForm } from "../../../review/edits/check-path.ts";
import { isOfFork } from "../../../review/edits/compose-commit-message.ts";
import { MAX_EDITED_BYTES } from "../../../review/edits/check-edits.ts";
import type { EditRefusal } from "../../../review/edits/edit.ts";
import { editableText } from "../../../review/edits/editable-text.ts";
import type { PathRules } from "../../../review/edits/path-rules.ts";
import { findProtectedContent } from "../../../review/edits/protected-content.ts";
import { protectionsOf } from "../../../review/edits/protected-paths.ts";
import type { Conversation, ConversationCode } from "../converse/conversation.ts";

/** A branch of Kodiai's own is named after the pull request or issue where it was asked for. */
const OWN_BRANCH = /^kodiai\/(\d{1,9})-/;

export function ownBranchName(number: number, hash: string): string {
  return `kodiai/${number}-${hash}`;
}

/** The branch of a pull request that Kodiai opened: edits that are asked for there continue on it. */
export function isOwnBranch(subject: Conversation["subject"]): boolean {
  if (subject.kind === "issue") return false;
  const { isOwn, isFork, headRef } = subject.pullRequest;
  return isOwn === true && !isFork && OWN_BRANCH.test(headRef);
}

/** Branches of Kodiai's that were made from one another. A longer chain counts as a fork's. */
const MAX_GENERATIONS = 10;

/** The marks in the commits show it. The names of branches show it as well, should someone have rewritten the commits. */
export async function carriesForkCode({
  subject,
  code: { change },
  session,
}: Conversation): Promise<boolean> {
  if (subject.kind === "issue") return false;
  const { pullRequest } = subject;
  if (pullRequest.isFork || change.commits.some(isOfFork)) return true;
  const readEarlier = async (number: number): Promise<PullRequest | null> => {
    try {
      return await session.pullRequests.read(number);
    } catch (error) {
      // It was asked for on an issue, whose branch starts at the default branch.
      if (error instanceof KodiaiError && error.code === "not-found") return null;
      throw error;
    }
  };
  let refs = [pullRequest.headRef, pullRequest.baseRef];
  for (let generation = 0; generation < MAX_GENERATIONS; generation++) {
    const numbers = refs.flatMap((ref) => OWN_BRANCH.exec(ref)?.[1] ?? []).map(Number);
    const origins = await Promise.all([...new Set(numbers)].map(readEarlier));
    const found = origins.filter((origin) => origin !== null);
    if (found.some(({ isFork }) => isFork)) return true;
    if (found.length === 0) return false;
    refs = found.flatMap(({ headRef, baseRef }) => [headRef, baseRef]);
  }
  return true;
}

/**
 * The commits of the fork would be on a branch of this repository, so they must not touch what write mode may not touch either.
 * `write.allowPaths` opens nothing here: it is about edits that a person with write access asks for.
 */
export async function checkForkCode(
  { change, repository }: Pick<ConversationCode, "change" | "repository">,
  rules: Pick<PathRules, "denyingGlob">,
): Promise<readonly EditRefusal[]> {
  const unlisted = change.files.find(({ unreadable }) => unreadable === "too-many-files");
  if (unlisted !== undefined)
    return [
      { path: unlisted.path, rule: "too-many-files", detail: "the fork changes too many files to check" },
    ];
  const paths = change.files.flatMap(({ path, oldPath }) => (oldPath === null ? [path] : [path, oldPath]));
  const byPath = [...new Set(paths)].flatMap((path): readonly EditRefusal[] => {
    const form = checkForm(path);
    if (form?.rule === "git-file") return [{ path, ...form }];
    const glob = rules.denyingGlob(path);
    if (glob !== null) return [{ path, rule: "denied-path", detail: glob }];
    const [protection] = protectionsOf(path);
    return protection === undefined ? [] : [{ path, rule: "protected-path", detail: protection.what }];
  });
  return [...byPath, ...(await checkManifests({ change, repository }))];
}

/** Files whose content decides. Their texts are read, because a diff shows only parts of them. */
const MANIFEST =
  /(?:^|\/)(?:package\.json|composer\.json|setup\.py|setup\.cfg|pyproject\.toml|binding\.gyp|[^/]*\.gemspec)$/i;

const NOTHING_NAMED: Pick<PathRules, "isNamed"> = { isNamed: () => false };

async function checkManifests({
  change,
  repository,
}: Pick<ConversationCode, "change" | "repository">): Promise<readonly EditRefusal[]> {
  const files = change.files.filter(({ path, status }) => status !== "deleted" && MANIFEST.test(path));
  if (files.length === 0) return [];
  const { base, head } = change;
  const now = await readTexts(
    head,
    files.map(({ path }) => path),
    repository,
  );
  const then = await readTexts(
    base,
    files.flatMap(({ oldPath }) => oldPath ?? []),
    repository,
  );
  return files.flatMap(({ path, oldPath }): readonly EditRefusal[] => {
    const after = now.get(path);
    // A manifest that can't be read can't be checked.
    if (after === undefined)
      return [{ rule: "install-script", path, detail: "a manifest that can't be read" }];
    return findProtectedContent({ path, before: then.get(oldPath ?? "") ?? null, after }, NOTHING_NAMED);
  });
}

async function readTexts(
  commit: string | null,
  paths: readonly string[],
  repository: Repository,
): Promise<ReadonlyMap<string, string>> {
  if (commit === null || paths.length === 0) return new Map();
  const read = await repository.readFiles({ commit }, paths, MAX_EDITED_BYTES);
  return new Map(
    [...read].flatMap(([path, latin1]) => {
      const text = editableText(latin1);
      return text === null ? [] : [[path, text] as const];
    }),
  );
}
