/** Reads the files that decide which file an import means: tsconfig.json, package.json, go.mod and so on. */
import type { Repository, Revision } from "../../repository/repository.ts";
import { decodeBytes } from "../../review/change/decode-bytes.ts";
import { isResolutionManifest } from "../../languages/resolve/create-resolver.ts";

/** Enough for the largest workspaces, which have one for each package. */
const MAX_MANIFESTS = 5_000;

/** Larger manifests are generated. */
const MAX_MANIFEST_BYTES = 256 * 1024;

/** By path, of all `paths` that are manifests, or others that are accepted. */
export async function readManifests(
  paths: Iterable<string>,
  { repository, revision }: { readonly repository: Repository; readonly revision: Revision },
  accepts: (path: string) => boolean = isResolutionManifest,
): Promise<ReadonlyMap<string, string>> {
  const wanted = [...paths].filter(accepts).slice(0, MAX_MANIFESTS);
  const texts = await repository.readFiles(revision, wanted, MAX_MANIFEST_BYTES);
  return new Map([...texts].map(([path, text]) => [path, decodeBytes(text)]));
}
