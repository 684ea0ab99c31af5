/** Unchanged files that a comparison needs: a lockfile's manifests say what is direct, a manifest's lockfile what is selected. */
import { appendTo } from "../base/append-to.ts";
import { ecosystemOf, formatOf } from "./all-ecosystems.ts";
import type { EcosystemId } from "./ecosystem.ts";
import { folderOf } from "./governing-lock.ts";

/** A repository with more packages is compared without the manifests of the others. */
const MAX_COMPANIONS = 100;

/** The paths to read in addition to the changed ones. Folders of other people's code have no say. */
export function companionsOf(changed: readonly string[], paths: Iterable<string>): readonly string[] {
  const [manifests, locks] = [foldersOfKind(changed, "manifest"), foldersOfKind(changed, "lockfile")];
  const known = new Set(changed);
  const companions: string[] = [];
  for (const path of paths) {
    if (companions.length >= MAX_COMPANIONS) break;
    const format = known.has(path) || VENDORED.test(path) ? null : formatOf(path);
    if (format === null) continue;
    const folder = folderOf(path);
    const isWanted =
      format.kind === "lockfile"
        ? (manifests.get(format.ecosystem) ?? []).some((each) => each.startsWith(folder))
        : hasSharedLock(format.ecosystem) &&
          (locks.get(format.ecosystem) ?? []).some((each) => folder.startsWith(each));
    if (isWanted) companions.push(path);
  }
  return companions;
}

const VENDORED = /(?:^|\/)(?:node_modules|vendor|third_party|fixtures|testdata|__fixtures__)\//;

/** Others have no lockfile, or one for each manifest. */
const hasSharedLock = (ecosystem: EcosystemId): boolean =>
  ecosystemOf(ecosystem).formats.some(({ kind, isPerManifest }) => kind === "lockfile" && !isPerManifest);

function foldersOfKind(
  paths: readonly string[],
  kind: "manifest" | "lockfile",
): ReadonlyMap<EcosystemId, readonly string[]> {
  const folders = new Map<EcosystemId, string[]>();
  for (const path of paths) {
    const format = formatOf(path);
    if (format?.kind !== kind) continue;
    appendTo(folders, format.ecosystem, folderOf(path));
  }
  return folders;
}
