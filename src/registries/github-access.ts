/**
 * Decides which requests to GitHub's API carry the operator's token. A change names repositories, so the token is sent only for those
 * that everyone can see: Kodiai first asks github.com without it. Nothing that only the token can read is ever read.
 */
import type { HttpClient, HttpOptions } from "./http-client.ts";
import { createWorkSharing } from "./share-work.ts";

export const GITHUB_API = "https://api.github.com";

/** The media type of a file's own text. */
export const GITHUB_RAW = "application/vnd.github.raw+json";

/** The address of a file or a folder of a repository, `owner/name`, at a tag or commit. */
export const contentsAt = (repository: string, path: string, ref: string): string =>
  `${GITHUB_API}/repos/${repository}/contents/${path.split("/").map(encodeURIComponent).join("/")}?ref=${encodeURIComponent(ref)}`;

/** A review and the next push ask for the same repositories. A public repository that becomes private is noticed by then. */
const REMEMBERED_MS = 5 * 60 * 1_000;

/** A review looks ten packages up. */
const MAX_REMEMBERED = 1_000;

/** Names on GitHub have no other characters, so that a path can't mean two repositories. */
const REPOSITORY = /^\/repos\/([\w-][\w.-]*\/[\w.-]+)(?:\/|$)/;

/** The whole path of an address that is about no repository. */
const ABOUT_NO_REPOSITORY: ReadonlySet<string> = new Set(["/advisories"]);

/** A login page is not a repository. */
const REPOSITORY_PAGE = /^https:\/\/github\.com\/[\w-]+\/[\w.-]+$/;

type Visibility =
  | "public"
  /** Private, or there is none. */
  | "hidden"
  | "unknown";

export type GithubClients = {
  readonly anonymous: HttpClient;
  readonly withToken: HttpClient;
  readonly now?: () => number;
};

export function createGithubAccess({ anonymous, withToken, now = Date.now }: GithubClients): HttpClient {
  const remembered = new Map<string, { readonly visibility: Visibility; readonly untilMs: number }>();
  const share = createWorkSharing<Visibility>();

  async function ask(repository: string, signal: AbortSignal): Promise<Visibility> {
    const answer = await anonymous.head(`https://github.com/${repository}`, { signal });
    if (answer.kind === "absent") return "hidden";
    return answer.kind === "found" && REPOSITORY_PAGE.test(answer.url) ? "public" : "unknown";
  }

  async function visibilityOf(repository: string, { signal }: HttpOptions): Promise<Visibility> {
    const known = remembered.get(repository);
    if (known !== undefined && known.untilMs > now()) return known.visibility;
    const visibility = (await share(repository, signal, (shared) => ask(repository, shared))) ?? "unknown";
    if (signal.aborted) return "unknown";
    remembered.delete(repository);
    const [oldest] = remembered.keys();
    if (remembered.size >= MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
    remembered.set(repository, { visibility, untilMs: now() + REMEMBERED_MS });
    return visibility;
  }

  return {
    ...anonymous,
    async get(url, options) {
      const { origin = null, pathname = "" } = URL.parse(url) ?? {};
      if (origin !== GITHUB_API) return anonymous.get(url, options);
      if (ABOUT_NO_REPOSITORY.has(pathname)) return withToken.get(url, options);
      const repository = REPOSITORY.exec(pathname)?.[1]?.toLowerCase();
      // An address by number, for example, doesn't say which repository it is about.
      if (repository === undefined) return anonymous.get(url, options);
      const visibility = await visibilityOf(repository, options);
      if (visibility === "hidden") return { kind: "absent" };
      return (visibility === "public" ? withToken : anonymous).get(url, options);
    },
  } satisfies HttpClient;
}

/** Whether the token can read private repositories. False also when GitHub doesn't answer. */
export async function canReadPrivateRepositories(
  withToken: HttpClient,
  signal: AbortSignal,
): Promise<boolean> {
  const url = `${GITHUB_API}/user/repos?visibility=private&per_page=1`;
  const answer = await withToken.get(url, { signal, accept: "application/vnd.github+json" });
  if (answer.kind !== "found") return false;
  try {
    const repositories: unknown = JSON.parse(answer.body.toString("utf8"));
    return Array.isArray(repositories) && repositories.length > 0;
  } catch {
    return false;
  }
}
