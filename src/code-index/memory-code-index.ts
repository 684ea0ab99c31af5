/** A code index that keeps facts in memory, for machines without a cache folder. */
import type { CodeReader } from "../reading/reader.ts";
import type { Repository } from "../repository/repository.ts";
import type { CodeIndex } from "./code-index.ts";
import { createCodeIndex } from "./create-code-index.ts";
import type { FactsStore } from "./facts-store.ts";

export function createMemoryCodeIndex(from: {
  readonly repository: Repository;
  readonly reader: CodeReader;
}): CodeIndex {
  const stored = new Map<string, string>();
  const store: FactsStore = {
    read: (keys) =>
      new Map(
        keys.flatMap((key) => {
          const facts = stored.get(key);
          return facts === undefined ? [] : [[key, facts] as const];
        }),
      ),
    write(rows) {
      for (const { key, facts } of rows) stored.set(key, facts);
    },
    problem: () => null,
    close: () => stored.clear(),
  };
  return createCodeIndex({ ...from, store });
}
