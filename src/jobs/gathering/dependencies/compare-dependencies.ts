/** Compares the manifests and lockfiles of a change at base and head. */
import type { Reading } from "../../../base/task-process/task-runner.ts";
import type { Reader } from "../../../reading/reader.ts";
import type { Repository } from "../../../repository/repository.ts";
import type { BumpExtent } from "../../../ecosystems/extent.ts";
import type { DependencyChanges, UnreadFile, ReadingProblem } from "../../../ecosystems/package-change.ts";
import type { FilePair, FileSide, PairReading } from "../../../ecosystems/read-pair.ts";
import type { Change, ChangedFile } from "../../../review/change/change.ts";
import { decodeBytes } from "../../../review/change/decode-bytes.ts";
import { DEPENDENCY_RULES } from "../../reading/inputs-of-rules.ts";
import { headOf, type Listing } from "../gather-listing.ts";
import type { Degradations } from "../optional.ts";

export type ComparedDependencies = DependencyChanges & { readonly extent: Exclude<BumpExtent, "none"> };

/** A lockfile of 10,000 packages has about 5 MB. */
const MAX_FILE_BYTES = 32 * 1024 * 1024;
/** The beginning of the git modes of files that have content. */
const REGULAR_FILE = "100";
/** Limits of CPU time for reading one file at base and head. A normal one takes less than a tenth of it. */
const MIN_READ_MS = 5_000;
const READ_MS_PER_MIB = 1_000;
/** For comparing what was read. Two lockfiles of the largest size are compared in a few seconds. */
const MAX_COMPARE_MS = 30_000;

export type CompareDeps = {
  readonly repository: Repository | null;
  readonly reader: Reader;
  readonly listing: Listing;
  readonly degradations: Degradations;
  /** Tells the files that tools write. Asked for at the end, because it depends on attributes that are read meanwhile. */
  readonly readGenerated: () => Promise<(file: ChangedFile) => boolean>;
};

/** `touched`: the files that could list dependencies. Null when the change touches none. A touched file that couldn't be compared is in `unread`. */
export async function compareDependencies(
  change: Change,
  touched: readonly ChangedFile[],
  deps: CompareDeps,
): Promise<ComparedDependencies | null> {
  const { repository, degradations, readGenerated } = deps;
  if (repository === null) {
    const need = {
      check: "comparison of dependencies",
      paths: touched.map(({ path }) => path),
      rules: DEPENDENCY_RULES,
    };
    degradations.miss({
      ...need,
      reason: "off",
      detail: "only a diff is known. Review it in its repository",
    });
    return null;
  }
  const read = await degradations.optional("dependencies", () =>
    readTouched(change, touched, deps, repository),
  );
  // Most changes of a manifest are about something else, such as scripts.
  if (read?.every(({ isUnchanged }) => isUnchanged) === true) return null;
  const bumps = await loadComparison();
  const known = touched.filter(({ path }) => bumps.formatOf(path) !== null);
  if (known.length === 0) return null;
  const changes =
    (await degradations.optional("dependencies", async () =>
      read === null ? null : compare(change, known, read, { ...deps, repository, bumps }),
    )) ?? allUnread(known);
  const extent = bumps.extentOf(change.files, changes, await readGenerated());
  // Another version of the project itself, for example. Files that were only wanted to compare with have nothing to say then.
  const isEmpty =
    extent === "none" &&
    changes.disagreements.length === 0 &&
    changes.unread.every(({ isCompanion }) => isCompanion === true);
  return isEmpty ? null : { ...changes, extent: extent === "none" ? "mixed" : extent };
}

async function readTouched(
  change: Change,
  touched: readonly ChangedFile[],
  { reader }: Pick<CompareDeps, "reader">,
  repository: Repository,
): Promise<readonly PairReading[]> {
  return readPairs(await readSides(change, touched, repository), reader);
}

const readPairs = (pairs: readonly FilePair[], reader: Reader): Promise<readonly PairReading[]> =>
  Promise.all(pairs.map((pair) => readPair(pair, reader)));

/** Loaded only for a change with dependencies. */
async function loadComparison() {
  const [{ formatOf }, { companionsOf }, { extentOf }, { joinChanges }, { groupByEcosystem, splitGroup }] =
    await Promise.all([
      import("../../../ecosystems/all-ecosystems.ts"),
      import("../../../ecosystems/companions.ts"),
      import("../../../ecosystems/extent.ts"),
      import("../../../ecosystems/join-changes.ts"),
      import("../../../ecosystems/group-files.ts"),
    ]);
  return { formatOf, companionsOf, extentOf, joinChanges, groupByEcosystem, splitGroup };
}

type ComparisonDeps = CompareDeps & {
  readonly repository: Repository;
  readonly bumps: Awaited<ReturnType<typeof loadComparison>>;
};

async function compare(
  change: Change,
  touched: readonly ChangedFile[],
  own: readonly PairReading[],
  { repository, reader, listing, bumps }: ComparisonDeps,
): Promise<DependencyChanges> {
  const paths = touched.map(({ path }) => path);
  const companions = bumps.companionsOf(paths, (await listing()) ?? []);
  const others = await readPairs(await readCompanions(change, companions, repository), reader);
  const untouched = new Set(companions);
  const markOf: MarkCompanion = (path) => (untouched.has(path) ? { isCompanion: true } : {});
  const known = new Set(paths);
  const readings = [...own.filter(({ path }) => known.has(path)), ...others].map((reading) => ({
    ...reading,
    unread: reading.unread.map((each) => ({ ...each, ...markOf(each.path) })),
  }));
  const groups = bumps.groupByEcosystem(readings);
  const compared = groups.map((group) => compareGroup(group, { reader, bumps, markOf }));
  return bumps.joinChanges(await Promise.all(compared));
}

/** For a file that the change doesn't touch. */
type MarkCompanion = (path: string) => Pick<UnreadFile, "isCompanion">;

/** A pair whose reading was stopped has no files. */
async function readPair(pair: FilePair, reader: Reader): Promise<PairReading> {
  const { path, base, head } = pair;
  const chars = [base, head].map((side) =>
    side !== null && typeof side === "object" ? side.text.length : 0,
  );
  const maxMs = MIN_READ_MS + (READ_MS_PER_MIB * chars.reduce((sum, each) => sum + each, 0)) / (1024 * 1024);
  const reading = await reader.ask("read-dependencies", { pair }, maxMs);
  if (reading.kind === "read") return reading.value;
  const side = base === null ? "head" : head === null ? "base" : "both";
  return { path, files: null, unread: [{ path, side, ...reasonOf(reading) }], isUnchanged: false };
}

/** Compared in smaller groups when all together take too much, so that one file doesn't hide the changes of others. */
async function compareGroup(
  group: readonly PairReading[],
  deps: Pick<ComparisonDeps, "reader" | "bumps"> & { readonly markOf: MarkCompanion },
): Promise<DependencyChanges> {
  const { reader, bumps } = deps;
  const reading = await reader.ask("compare-dependencies", { pairs: group }, MAX_COMPARE_MS);
  if (reading.kind === "read") return reading.value;
  const parts = bumps.splitGroup(group);
  const compared = await Promise.all(parts.map((part) => compareGroup(part, deps)));
  const unread = group.flatMap((file) => file.unread);
  const known = new Set([...compared, { unread }].flatMap((each) => each.unread.map(({ path }) => path)));
  const rest = group.flatMap(({ path }): readonly UnreadFile[] => {
    const isPartial = parts.length > 0 ? { isPartial: true as const } : {};
    return known.has(path)
      ? []
      : [{ path, side: "both", ...isPartial, ...deps.markOf(path), ...reasonOf(reading) }];
  });
  const own = { packages: [], disagreements: [], unread: parts.length > 0 ? rest : [...unread, ...rest] };
  return bumps.joinChanges([...compared, own]);
}

function reasonOf(reading: Exclude<Reading<unknown>, { readonly kind: "read" }>): ReadingProblem {
  return reading.kind === "over-limit"
    ? { problem: reading.limit }
    : { problem: "failed", message: reading.message };
}

/** For a comparison that failed as a whole. The degradation says why. */
function allUnread(touched: readonly ChangedFile[]): DependencyChanges {
  const unread = touched.map(({ path }) => ({ path, side: "both", problem: "unreadable" }) as const);
  return { packages: [], disagreements: [], unread };
}

async function readSides(
  change: Change,
  touched: readonly ChangedFile[],
  repository: Repository,
): Promise<readonly FilePair[]> {
  const oldPaths = touched.flatMap(({ oldPath }) => oldPath ?? []);
  const newPaths = touched.filter(({ status }) => status !== "deleted").map(({ path }) => path);
  const [before, after] = await Promise.all([
    change.base === null
      ? new Map<string, string>()
      : repository.readFiles({ commit: change.base }, oldPaths, MAX_FILE_BYTES),
    repository.readFiles(headOf(change), newPaths, MAX_FILE_BYTES),
  ]);
  const sideOf = (texts: ReadonlyMap<string, string>, path: string | null, mode: string | null): FileSide => {
    // A link or a submodule lists nothing.
    if (path === null || (mode !== null && !mode.startsWith(REGULAR_FILE))) return null;
    const text = texts.get(path);
    return text === undefined ? "too-large" : { text: decodeBytes(text) };
  };
  return touched.map(({ path, oldPath, oldMode, newMode, status }) => ({
    path,
    base: sideOf(before, change.base === null ? null : oldPath, oldMode),
    head: sideOf(after, status === "deleted" ? null : path, newMode),
  }));
}

async function readCompanions(
  change: Change,
  paths: readonly string[],
  repository: Repository,
): Promise<readonly FilePair[]> {
  const texts = await repository.readFiles(headOf(change), paths, MAX_FILE_BYTES);
  return paths.map((path) => {
    const text = texts.get(path);
    // Too large, or a link.
    const side: FileSide = text === undefined ? "unreadable" : { text: decodeBytes(text) };
    return { path, base: side, head: side };
  });
}
