/** Addresses of pages on GitHub. Names in them can't lead elsewhere. */
import type { HostLinks } from "../host-links.ts";

/** `origin`: of the pages that people open, without a slash at the end. */
export function createGithubLinks(origin: string): HostLinks {
  const at = (repository: string): string =>
    `${origin}/${repository.split("/").map(encodeURIComponent).join("/")}`;
  return {
    name: new URL(origin).host,
    pullRequest: (repository, number) => `${at(repository)}/pull/${number}`,
    commit: (repository, id) => `${at(repository)}/commit/${encodeURIComponent(id)}`,
  };
}
