/** Opens the code index of a repository: in the user's cache, or in memory if there is none. */
import { hashParts } from "../base/hash.ts";
import type { CodeReader } from "../reading/reader.ts";
import type { Repository } from "../repository/repository.ts";
import { EXTRACTOR_VERSION } from "../languages/extract/extractor-version.ts";
import type { CodeIndex } from "./code-index.ts";
import { createCodeIndex } from "./create-code-index.ts";
import { openDiskFactsStore } from "./disk/disk-facts-store.ts";
import { createMemoryCodeIndex } from "./memory-code-index.ts";

export type CodeIndexSources = {
  readonly repository: Repository;
  readonly reader: CodeReader;
  /** The user's cache folder; null if there is none. */
  readonly cacheFolder: string | null;
  /** Tells the repository from others. By default, the folder of its work tree; a bare repository without it has no cache. */
  readonly id?: string;
};

export function openCodeIndex({ repository, reader, cacheFolder, id }: CodeIndexSources): CodeIndex {
  const identity = id ?? repository.root;
  if (cacheFolder === null || identity === null) return createMemoryCodeIndex({ repository, reader });
  // Facts of another extractor are in another file, which is evicted when it hasn't been used for long.
  const name = `${hashParts([identity], 32)}-${EXTRACTOR_VERSION}`;
  const store = openDiskFactsStore({ folder: `${cacheFolder}/code-index`, name });
  return createCodeIndex({ repository, reader, store });
}
