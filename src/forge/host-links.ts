/** Addresses of the host's pages, for links that people follow. A repository is named as "owner/name". */
export type HostLinks = {
  /** Of the host, such as "github.com". */
  readonly name: string;
  pullRequest(repository: string, number: number): string;
  commit(repository: string, id: string): string;
};
