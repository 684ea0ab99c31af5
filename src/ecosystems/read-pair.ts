/**
 * Reads one dependency file at base and head. Each pair is read by itself, so that a hostile one can't keep others from being
 * compared. The result is a text, because it goes from the process that reads to the one that compares.
 */
import { hashParts } from "../base/hash.ts";
import { formatOf } from "./all-ecosystems.ts";
import type { DependencyFile, FileProblem, KnownFormat, Listed, Origin } from "./ecosystem.ts";
import { lazily } from "./formats/needs.ts";
import type { UnreadFile } from "./package-change.ts";
import { refOf, urlOf } from "./pair-versions.ts";

/** One side of a file: its text, why it couldn't be read, or null when there is no such file. */
export type FileSide = { readonly text: string } | FileProblem | null;

export type FilePair = { readonly path: string; readonly base: FileSide; readonly head: FileSide };

export type PairReading = {
  readonly path: string;
  /** For `openPair`. Null when reading was stopped. */
  readonly files: string | null;
  readonly unread: readonly UnreadFile[];
  /** Both sides of a manifest were read and list the same, on whatever lines; or it isn't a dependency file. */
  readonly isUnchanged: boolean;
};

/** A dependency file as both sides have it. Null: there is no such file, or it couldn't be read. */
export type ComparedFile = {
  readonly path: string;
  readonly format: KnownFormat;
  readonly base: OpenedFile | null;
  readonly head: OpenedFile | null;
  /** The names of entries that aren't the same objects on both sides, in the same order. */
  readonly changedNames: ReadonlySet<string>;
};

export type OpenedFile = DependencyFile & {
  /**
   * The indexes of the packages that an entry needs. The index after the last entry is the project's own. Walks over all entries use
   * it, because `needsOf` takes longer. Null when the file doesn't say.
   */
  readonly needsAt: ((index: number) => readonly number[]) | null;
};

/** Registries accept names and versions of at most 256 characters. They are repeated in reports, so longer ones are cut. */
const MAX_NAME_CHARS = 512;
/** For ranges, addresses and places. Signed addresses are the longest. */
const MAX_VALUE_CHARS = 4_096;
/** Python's lockfiles have the hashes of hundreds of files of one version. */
const MAX_INTEGRITY_CHARS = 256 * 1024;

/**
 * The largest repositories have a few hundred thousand needs. A hostile lockfile, in which many entries of one name need that name, has
 * the square of its entries.
 */
const MAX_NEEDS = 4_000_000;

export function readPair({ path, base, head }: FilePair): PairReading {
  const format = formatOf(path);
  if (format === null) return { path, files: null, unread: [], isUnchanged: true };
  const unread: UnreadFile[] = [];
  const read = (side: UnreadFile["side"], content: FileSide): SentFile | null => {
    if (content === null) return null;
    const file = typeof content === "string" ? content : format.read(content.text, path);
    const sent = typeof file === "string" ? file : toSent(file);
    if (typeof sent !== "string") return sent;
    unread.push({ path, side, problem: sent });
    return null;
  };
  // An unchanged file is read once.
  const isSame = base === head || (isText(base) && isText(head) && base.text === head.text);
  const before = read(isSame ? "both" : "base", base);
  const after = isSame ? before : read("head", head);
  const changed = before === null || after === null ? after : { ...after, listed: sharing(after, before) };
  const sent: SentPair = { base: before, head: isSame && before !== null ? "same" : changed };
  const isUnchanged =
    format.kind === "manifest" && before !== null && after !== null && isSameList(before, after);
  return { path, files: JSON.stringify(sent), unread, isUnchanged };
}

function isSameList(base: SentFile, head: SentFile): boolean {
  const textOf = (file: SentFile): string =>
    JSON.stringify({ ...file, listed: file.listed.map((entry) => ({ ...entry, line: 0 })) });
  return textOf(base) === textOf(head);
}

const isText = (side: FileSide): side is { readonly text: string } =>
  side !== null && typeof side !== "string";

export function openPair({ path, files }: Pick<PairReading, "path" | "files">): ComparedFile | null {
  const format = formatOf(path);
  if (format === null || files === null) return null;
  // Only `readPair` writes this text.
  const { base, head } = JSON.parse(files) as SentPair;
  const before = base === null ? null : openFile(base);
  if (head === "same") return { path, format, base: before, head: before, changedNames: new Set() };
  const isShared = new Uint8Array(base?.listed.length ?? 0);
  const changedNames = new Set<string>();
  const listed: Listed[] = [];
  for (const each of head?.listed ?? []) {
    const entry = typeof each === "number" ? base?.listed[each] : each;
    if (entry !== undefined) listed.push(entry);
    if (typeof each === "number") isShared[each] = 1;
    else changedNames.add(each.name);
  }
  base?.listed.forEach(({ name }, at) => {
    if (isShared[at] === 0) changedNames.add(name);
  });
  const after = head === null ? null : openFile({ ...head, listed });
  return { path, format, base: before, head: after, changedNames };
}

type SentPair = {
  readonly base: SentFile | null;
  /** Most entries are the same at base, and only their indexes there are sent. */
  readonly head:
    | (Omit<SentFile, "listed"> & { readonly listed: readonly (Listed | number)[] })
    | "same"
    | null;
};

/** How many entries may be removed in a row before an entry that is still there is sent again. Files are sorted. */
const MAX_SKIPPED = 20;

function sharing(head: SentFile, base: SentFile): readonly (Listed | number)[] {
  let next = 0;
  return head.listed.map((entry) => {
    for (let at = next; at < next + MAX_SKIPPED; at++) {
      const earlier = base.listed[at];
      if (earlier === undefined) break;
      if (earlier.name !== entry.name || earlier.key !== entry.key) continue;
      next = at + 1;
      return isEqual(earlier, entry) ? at : entry;
    }
    return entry;
  });
}

function isEqual(one: Listed, other: Listed): boolean {
  return (
    one.version === other.version &&
    one.requirement === other.requirement &&
    one.group === other.group &&
    one.integrity === other.integrity &&
    one.hasInstallScript === other.hasInstallScript &&
    one.line === other.line &&
    one.isIndirect === other.isIndirect &&
    one.isOutsideLock === other.isOutsideLock &&
    one.saidVersion === other.saidVersion &&
    one.origin.kind === other.origin.kind &&
    urlOf(one.origin) === urlOf(other.origin) &&
    refOf(one.origin) === refOf(other.origin)
  );
}

/** A `DependencyFile` without functions. Numbers are indexes of `listed`. */
type SentFile = Omit<DependencyFile, "needsOf" | "mayBeAbsent" | "checksums"> & {
  /**
   * The packages that each entry needs, and last those that the project requests: each time their number, then the packages. One
   * list takes less time than one for each entry.
   */
  readonly needs: readonly number[] | null;
  readonly absent: readonly number[] | null;
  readonly checksums: readonly (readonly [string, string])[] | null;
};

function toSent(file: DependencyFile): SentFile | FileProblem {
  const { listed, requested, needsOf, mayBeAbsent, isComplete, checksums } = file;
  const needs = needsOf === null ? null : listNeeds(listed, needsOf);
  if (needs === "too-large") return needs;
  return {
    listed: listed.map(cutEntry),
    requested:
      requested?.map(({ name, requirement, folder }) => ({
        name: cut(name, MAX_NAME_CHARS),
        requirement: cut(requirement, MAX_VALUE_CHARS),
        folder: cut(folder, MAX_VALUE_CHARS),
      })) ?? null,
    needs,
    absent: mayBeAbsent === undefined ? null : listed.flatMap((each, at) => (mayBeAbsent(each) ? [at] : [])),
    ...(isComplete === undefined ? {} : { isComplete }),
    checksums:
      checksums === undefined
        ? null
        : Array.from(checksums, ([id, checksum]) => [
            cut(id, MAX_VALUE_CHARS),
            cut(checksum, MAX_INTEGRITY_CHARS),
          ]),
  };
}

function listNeeds(
  listed: readonly Listed[],
  needsOf: NonNullable<DependencyFile["needsOf"]>,
): readonly number[] | "too-large" {
  const indexes = indexesOf(listed);
  const needs: number[] = [];
  let count = 0;
  for (const entry of [...listed, null]) {
    const start = needs.push(0);
    for (const needed of needsOf(entry)) {
      const index = indexes.get(needed);
      if (index !== undefined) needs.push(index);
    }
    needs[start - 1] = needs.length - start;
    count += needs.length - start;
    if (count > MAX_NEEDS) return "too-large";
  }
  return needs;
}

function indexesOf(listed: readonly Listed[]): ReadonlyMap<Listed, number> {
  const indexes = new Map<Listed, number>();
  for (let at = 0; at < listed.length; at++) {
    const entry = listed[at];
    if (entry !== undefined) indexes.set(entry, at);
  }
  return indexes;
}

function openFile({ listed, requested, needs, absent, isComplete, checksums }: SentFile): OpenedFile {
  const absentOnes = absent === null ? null : new Set(absent.map((index) => listed[index]));
  return {
    listed,
    requested,
    ...(needs === null ? { needsOf: null, needsAt: null } : openNeeds(listed, needs)),
    ...(absentOnes === null ? {} : { mayBeAbsent: (entry: Listed) => absentOnes.has(entry) }),
    ...(isComplete === undefined ? {} : { isComplete }),
    ...(checksums === null ? {} : { checksums: new Map(checksums) }),
  };
}

function openNeeds(
  listed: readonly Listed[],
  needs: readonly number[],
): Pick<OpenedFile, "needsOf" | "needsAt"> {
  const indexes = lazily(() => indexesOf(listed));
  /** Where the needs of each entry are. */
  const starts = lazily(() => {
    const found = new Int32Array(listed.length + 1);
    for (let entry = 0, at = 0; entry < found.length; entry++, at += 1 + (needs[at] ?? 0)) found[entry] = at;
    return found;
  });
  const needsAt = (index: number): readonly number[] => {
    const start = starts()[index];
    return start === undefined ? [] : needs.slice(start + 1, start + 1 + (needs[start] ?? 0));
  };
  return {
    needsAt,
    needsOf: (entry) =>
      needsAt(entry === null ? listed.length : (indexes().get(entry) ?? -1)).flatMap(
        (index) => listed[index] ?? [],
      ),
  };
}

function cutEntry(entry: Listed): Listed {
  const { name, version, requirement, origin, integrity, key, saidVersion } = entry;
  const isShort =
    name.length <= MAX_NAME_CHARS &&
    (version ?? "").length <= MAX_NAME_CHARS &&
    (saidVersion ?? "").length <= MAX_NAME_CHARS &&
    (requirement ?? "").length <= MAX_VALUE_CHARS &&
    key.length <= MAX_VALUE_CHARS &&
    (integrity ?? "").length <= MAX_INTEGRITY_CHARS &&
    originLength(origin) <= MAX_VALUE_CHARS;
  if (isShort) return entry;
  return {
    ...entry,
    name: cut(name, MAX_NAME_CHARS),
    version: version === null ? null : cut(version, MAX_NAME_CHARS),
    requirement: requirement === null ? null : cut(requirement, MAX_VALUE_CHARS),
    origin: cutOrigin(origin),
    integrity: integrity === null ? null : cut(integrity, MAX_INTEGRITY_CHARS),
    key: cut(key, MAX_VALUE_CHARS),
    ...(saidVersion === undefined ? {} : { saidVersion: cut(saidVersion, MAX_NAME_CHARS) }),
  };
}

function originLength(origin: Origin): number {
  if (origin.kind === "local") return origin.path.length;
  return (origin.url ?? "").length + (origin.kind === "git" ? (origin.ref ?? "").length : 0);
}

function cutOrigin(origin: Origin): Origin {
  if (origin.kind === "local") return { ...origin, path: cut(origin.path, MAX_VALUE_CHARS) };
  if (origin.kind === "registry")
    return { ...origin, url: origin.url === null ? null : cut(origin.url, MAX_VALUE_CHARS) };
  const url = cut(origin.url, MAX_VALUE_CHARS);
  if (origin.kind === "url") return { ...origin, url };
  return { ...origin, url, ref: origin.ref === null ? null : cut(origin.ref, MAX_VALUE_CHARS) };
}

/** The hash of the whole keeps different values different. */
function cut(value: string, maxChars: number): string {
  return value.length <= maxChars ? value : `${value.slice(0, maxChars / 2)}…${hashParts([value])}`;
}
