/** A code index that is opened for the first question. */
import type { CodeIndex } from "../../../code-index/code-index.ts";

export function createLazyCodeIndex(open: () => Promise<CodeIndex>): CodeIndex {
  let opened: Promise<CodeIndex> | null = null;
  return {
    async readFacts(revision, files, options) {
      opened ??= open();
      return (await opened).readFacts(revision, files, options);
    },
    close() {
      void opened?.then(
        (index) => index.close(),
        () => {},
      );
    },
  } satisfies CodeIndex;
}
