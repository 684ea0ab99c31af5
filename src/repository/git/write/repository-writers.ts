/** Writes into the bare copies of a repository cache: makes commits out of git objects and pushes them. */
import { resolve } from "node:path";
import type { OpenRepositoryWriter, RepositoryWriter } from "../../repository-writer.ts";
import { copyEnvironment, copyOf } from "../cache/cached-copy.ts";
import { checkAddress, checkRepositoryId } from "../cache/remote-names.ts";
import { makeCommit } from "./make-commit.ts";
import { pushCommit } from "./push-commit.ts";

export type RepositoryWriterOptions = {
  /** The folder of the repository cache. */
  readonly folder: string;
  /** The source of PATH and GIT_SSL_CAINFO. Git sees nothing else of it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Allows plain http for a host without TLS. On this machine it is always allowed. */
  readonly allowHttp?: boolean;
};

export function createRepositoryWriters(options: RepositoryWriterOptions): OpenRepositoryWriter {
  const cacheFolder = resolve(options.folder);
  return (repositoryId, signal) => {
    checkRepositoryId(repositoryId);
    const copy = copyOf(cacheFolder, String(repositoryId));
    const environment = copyEnvironment(copy, options.environment);
    const git = { cwd: cacheFolder, environment, signal };
    return {
      commit: (request) => makeCommit(request, git),
      push: async (access, push) => {
        const address = checkAddress(access.url, options.allowHttp ?? false);
        return pushCommit(push, { remote: { address, access }, copy, git, signal });
      },
    } satisfies RepositoryWriter;
  };
}
