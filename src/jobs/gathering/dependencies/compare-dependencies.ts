/** Compares the manifests and lockfiles of a change at base and head. */
import type { Reader } from "../../../reading/reader.ts";
import type { Repository } from "../../../repository/repository.ts";
import type { BumpExtent } from "../../../review/bumps/extent.ts";
import type { FilePair, FileSide } from "../../../review/bumps/compare-files.ts";
import { couldListDependencies } from "../../../review/bumps/dependency-paths.ts";
import type { DependencyChanges } from "../../../review/bumps/package-change.ts";
import type { Change, ChangedFile } from "../../../review/change/change.ts";
import { decodeBytes } from "../../../review/change/decode-bytes.ts";
import { headOf, type Listing } from "../gather-listing.ts";
import type { Degradations } from "../optional.ts";

export type ComparedDependencies = DependencyChanges & { readonly extent: Exclude<BumpExtent, "none"> };

/** A lockfile of 10,000 packages has about 5 MB. */
const MAX_FILE_BYTES = 32 * 1024 * 1024;
/** A pair of the largest size is compared in a second or two. */
const MAX_COMPARE_MS = 30_000;

type Deps = {
  readonly repository: Repository | null;
  readonly reader: Reader;
  readonly listing: Listing;
  readonly degradations: Degradations;
  /** Files that tools write. */
  readonly isGenerated: (file: ChangedFile) => boolean;
};

/** Null when the change touches no dependency. */
export async function compareDependencies(change: Change, deps: Deps): Promise<ComparedDependencies | null> {
  const touched = change.files.filter(({ path }) => couldListDependencies(path));
  if (touched.length === 0) return null;
  const { repository, degradations } = deps;
  if (repository === null) {
    degradations.note(
      "dependencies",
      "not compared, because only a diff is known. Review it in its repository",
    );
    return null;
  }
  return degradations.optional("dependencies", () => compare(change, touched, { ...deps, repository }));
}

async function compare(
  change: Change,
  touched: readonly ChangedFile[],
  { repository, reader, listing, degradations, isGenerated }: Deps & { readonly repository: Repository },
): Promise<ComparedDependencies | null> {
  const [{ companionsOf }, { extentOf }] = await Promise.all([
    import("../../../review/bumps/companions.ts"),
    import("../../../review/bumps/extent.ts"),
  ]);
  const companions = companionsOf(
    touched.map(({ path }) => path),
    (await listing()) ?? [],
  );
  const pairs = await readPairs(change, touched, companions, repository);
  const reading = await reader.ask("compare-dependencies", { pairs }, MAX_COMPARE_MS);
  if (reading.kind !== "read") {
    const why = reading.kind === "failed" ? reading.message : `stopped at the limit of ${reading.limit}`;
    degradations.note("dependencies", why);
  }
  const changes = reading.kind === "read" ? reading.value : noneRead(touched);
  const extent = extentOf(change.files, changes, isGenerated);
  const isEmpty = extent === "none" && changes.unread.length + changes.disagreements.length === 0;
  return isEmpty ? null : { ...changes, extent: extent === "none" ? "mixed" : extent };
}

function noneRead(touched: readonly ChangedFile[]): DependencyChanges {
  const unread = touched.map(({ path }) => ({ path, side: "head", problem: "unreadable" }) as const);
  return { packages: [], disagreements: [], unread };
}

async function readPairs(
  change: Change,
  touched: readonly ChangedFile[],
  companions: readonly string[],
  repository: Repository,
): Promise<readonly FilePair[]> {
  const oldPaths = touched.flatMap(({ oldPath }) => oldPath ?? []);
  const newPaths = touched.filter(({ status }) => status !== "deleted").map(({ path }) => path);
  const [before, after] = await Promise.all([
    change.base === null
      ? new Map<string, string>()
      : repository.readFiles({ commit: change.base }, oldPaths, MAX_FILE_BYTES),
    repository.readFiles(headOf(change), [...newPaths, ...companions], MAX_FILE_BYTES),
  ]);
  const sideOf = (texts: ReadonlyMap<string, string>, path: string | null): FileSide => {
    const text = path === null ? undefined : texts.get(path);
    if (text !== undefined) return { text: decodeBytes(text) };
    return path === null ? null : "too-large";
  };
  return [
    ...touched.map(({ path, oldPath, status }) => ({
      path,
      base: sideOf(before, change.base === null ? null : oldPath),
      head: sideOf(after, status === "deleted" ? null : path),
    })),
    ...companions.flatMap((path) => {
      const side = sideOf(after, path);
      return typeof side === "string" ? [] : [{ path, base: side, head: side }];
    }),
  ];
}
