/** Finds versions whose checksum changed, in files that keep the checksums of versions that aren't selected too. */
import type { DependencyFile } from "./ecosystem.ts";
import { listPackage } from "./formats/list-package.ts";
import { isIntegrityCompatible } from "./integrity.ts";
import type { ListedPair } from "./pair-versions.ts";

export function pairChecksums(
  base: DependencyFile | null,
  head: DependencyFile | null,
): readonly ListedPair[] {
  const pairs: ListedPair[] = [];
  for (const [id, integrity] of head?.checksums ?? []) {
    const before = base?.checksums?.get(id) ?? null;
    if (isIntegrityCompatible(before, integrity)) continue;
    const [name = "", version = ""] = id.split(/ |\/go\.mod$/, 2);
    const pair = [before, integrity].map((each) => listPackage(name, { version, integrity: each }));
    if (pair[0] !== undefined && pair[1] !== undefined) pairs.push({ from: pair[0], to: pair[1] });
  }
  return pairs;
}
