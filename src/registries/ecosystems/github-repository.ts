/** Finds the GitHub repository in the texts that packages give as their home. */

export type GithubRepository = {
  /** `owner/name` */
  readonly repository: string;
  readonly folder: string | null;
};

const HOST = String.raw`(?:git\+)?(?:https?|ssh|git):\/\/(?:[\w-]+@)?(?:www\.)?github\.com[\/:]|git@github\.com:|github:`;
const LINK = new RegExp(
  String.raw`^(?:scm:git:)?(?:${HOST})([\w.-]+)\/([\w.-]+)(?:\/tree\/[^/?#]+\/([^?#]+))?(?:[\/?#].*)?$`,
);

/** npm takes `owner/name` alone as a repository on GitHub. */
const SHORT = /^([\w-]+)\/([\w.-]+)$/;

/** Longer ones aren't links to a repository. */
const MAX_LINK_CHARS = 500;

/** Pages of GitHub that aren't repositories. */
const NOT_OWNERS = new Set(["sponsors", "orgs", "users", "marketplace", "apps", "settings", ".", ".."]);

export function githubRepositoryIn(text: string | null, { isShort = false } = {}): GithubRepository | null {
  if (text === null || text.length > MAX_LINK_CHARS) return null;
  const match = LINK.exec(text.trim()) ?? (isShort ? SHORT.exec(text.trim()) : null);
  const [, owner = "", fullName = "", folder] = match ?? [];
  const name = fullName.replace(/\.git$/, "");
  if (match === null || NOT_OWNERS.has(owner) || /^\.{0,2}$/.test(name)) return null;
  return { repository: `${owner}/${name}`, folder: folder === undefined ? null : folder.replace(/\/+$/, "") };
}

/** The first of several texts that names one; without one, both fields are null. */
export function firstGithubRepository(texts: readonly (string | null)[]): GithubRepository | NoRepository {
  for (const text of texts) {
    const found = githubRepositoryIn(text);
    if (found !== null) return found;
  }
  return { repository: null, folder: null };
}

type NoRepository = { readonly repository: null; readonly folder: null };
