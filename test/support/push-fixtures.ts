/** A host that accepts pushes, and a copy of its repository. */
import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { createRepositoryCache } from "../../src/repository/git/cache/repository-cache.ts";
import type { RepositoryWriter } from "../../src/repository/repository-writer.ts";
import { type GitHost, gitHost } from "./git-host.ts";
import { type TestRepository, testRepository } from "./test-repository.ts";
import { commitRequest, temporaryFolder, writerIn } from "./writer-fixtures.ts";

export const PATH = process.env["PATH"] ?? "";

type Pushing = {
  readonly made: TestRepository;
  readonly host: GitHost;
  readonly folder: string;
  readonly writer: RepositoryWriter;
  /** The newest commit of main, which the copy has. */
  readonly base: string;
  /** Makes a commit on the base, or on another one. */
  readonly commit: (text: string, parent?: string) => Promise<string>;
  /** The commit of a branch on the host. Null if it doesn't exist. */
  readonly branch: (name: string) => string | null;
};

/** A host that allows pushes, and a shallow copy of its repository. */
export async function pushing(
  t: TestContext,
  more: { readonly signal?: AbortSignal } = {},
): Promise<Pushing> {
  const made = testRepository();
  t.after(() => made.remove());
  made.git("config", "http.receivepack", "true");
  made.git("config", "receive.denyCurrentBranch", "ignore");
  made.git("config", "receive.fsckObjects", "true");
  for (let index = 0; index < 3; index++)
    made.git("commit", "--quiet", "--allow-empty", "--message", `${index}`);
  made.write("a.txt", "one\n");
  const base = made.commit("newest");
  const host = await gitHost(t, made);
  const folder = temporaryFolder(t);
  const cache = createRepositoryCache({ folder, environment: { PATH }, maxBytes: 1e9 });
  const { repository, commit: opened } = await cache.openBranch(
    { url: host.url, credential: null },
    { repositoryId: 42, name: "main" },
    { signal: new AbortController().signal, onProgress: () => {} },
  );
  t.after(() => repository.close());
  assert.equal(opened, base);
  host.requests.length = 0;
  const writer = writerIn(folder, more.signal);
  return {
    made,
    host,
    folder,
    writer,
    base,
    async commit(text, parent = base) {
      const wanted = commitRequest(parent, [{ path: "a.txt", content: text }]);
      return (await writerIn(folder).commit(wanted)).commit;
    },
    branch(name) {
      const found = made.git("for-each-ref", "--format=%(objectname)", `refs/heads/${name}`).trim();
      return found === "" ? null : found;
    },
  };
}

export function anonymously({ url }: GitHost) {
  return { url, credential: null };
}
