/** A code index that is opened for the first question. */
import type { CodeIndex } from "../../../code-index/code-index.ts";

export function createLazyCodeIndex(open: () => Promise<CodeIndex>): CodeIndex {
  let opened: Promise<CodeIndex> | null = null;
  const index = (): Promise<CodeIndex> => (opened ??= open());
  return {
    readFacts: async (revision, files, options) => (await index()).readFacts(revision, files, options),
    keptCommits: {
      read: async () => (await index()).keptCommits.read(),
      write: async (text) => (await index()).keptCommits.write(text),
    },
    close() {
      void opened?.then(
        (each) => each.close(),
        () => {},
      );
    },
  } satisfies CodeIndex;
}
