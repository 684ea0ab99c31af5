/**
 * The index of a zip file with advisories: where the entries of each package are. A file of npm has more than 200,000 entries, of which a
 * review wants a few; unpacking all of them takes longer than a review may.
 */
import { createHash } from "node:crypto";
import { type FileHandle, open, readFile } from "node:fs/promises";
import { inflateRawSync } from "node:zlib";
import { type Entry, fromFdPromise } from "yauzl";
import { fieldAt, itemsAt, textAt } from "../json-fields.ts";
import { modifiedOf } from "./osv-entry.ts";

/** Larger entries list every version of a large package; none is larger. */
export const MAX_ENTRY_BYTES = 4 * 1024 * 1024;

/** Of another version of Kodiai if it differs, so that it isn't read. */
const FORMAT = 1;

type EntryPlace = readonly [offset: number, packedBytes: number, method: number];

export type AdvisoryIndex = {
  readonly format: number;
  /** Of the zip file: an index that was made for another one says nothing. */
  readonly fingerprint: string;
  readonly entries: number;
  /** ISO 8601. */
  readonly newest: string;
  /** Names of ecosystems as OSV writes them. */
  readonly ecosystems: readonly string[];
  /** By the name of a package in lower case. */
  readonly places: Readonly<Record<string, readonly EntryPlace[]>>;
};

export const indexPathOf = (zipPath: string): string => `${zipPath}.index.json`;

/** All entries, unpacked one after the other. Throws if it isn't a zip file. */
export async function* advisoryEntries(
  path: string,
): AsyncGenerator<{ readonly text: string; readonly entry: Entry; readonly total: number }> {
  const file = await open(path);
  try {
    const zip = await fromFdPromise(file.fd, { autoClose: false, lazyEntries: true });
    for await (const entry of zip.eachEntry()) {
      if (!entry.fileName.endsWith(".json") || entry.uncompressedSize > MAX_ENTRY_BYTES) continue;
      const stream = await zip.openReadStreamPromise(entry);
      const chunks: Buffer[] = [];
      for await (const chunk of stream) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
      yield { text: Buffer.concat(chunks).toString("utf8"), entry, total: zip.entryCount };
    }
  } finally {
    await file.close();
  }
}

/** Throws if it isn't a zip file of advisories. */
export async function indexAdvisories(
  zipPath: string,
  onProgress: (entries: number, total: number) => void,
): Promise<AdvisoryIndex> {
  const places = new Map<string, EntryPlace[]>();
  const ecosystems = new Set<string>();
  let [entries, newest] = [0, ""];
  for await (const { text, entry, total } of advisoryEntries(zipPath)) {
    const advisory = JSON.parse(text) as unknown;
    entries += 1;
    onProgress(entries, total);
    if (modifiedOf(advisory) > newest) newest = modifiedOf(advisory);
    const place = [entry.relativeOffsetOfLocalHeader, entry.compressedSize, entry.compressionMethod] as const;
    for (const name of new Set(packagesOf(advisory, ecosystems))) {
      const known = places.get(name);
      if (known === undefined) places.set(name, [place]);
      else known.push(place);
    }
  }
  return {
    format: FORMAT,
    fingerprint: await fingerprintOf(zipPath),
    entries,
    newest,
    ecosystems: [...ecosystems],
    places: Object.fromEntries(places),
  };
}

function packagesOf(advisory: unknown, ecosystems: Set<string>): readonly string[] {
  return itemsAt(advisory, "affected").flatMap((affected) => {
    const ecosystem = textAt(affected, "package", "ecosystem");
    // "Maven:https://…" is another repository of the ecosystem.
    if (ecosystem !== null) ecosystems.add(ecosystem.split(":", 1)[0] ?? "");
    return textAt(affected, "package", "name")?.toLowerCase() ?? [];
  });
}

/** Null without an index, or with one of another file. */
export async function readIndex(zipPath: string): Promise<AdvisoryIndex | null> {
  const text = await readFile(indexPathOf(zipPath), "utf8").catch(() => null);
  if (text === null) return null;
  try {
    const index: unknown = JSON.parse(text);
    if (fieldAt(index, "format") !== FORMAT) return null;
    // The format says who wrote it, and the fingerprint for which file.
    const known = index as AdvisoryIndex;
    return known.fingerprint === (await fingerprintOf(zipPath)) ? known : null;
  } catch {
    return null;
  }
}

/** A zip file ends with its directory, which has the checksum of every entry. */
const FINGERPRINT_BYTES = 64 * 1024;

async function fingerprintOf(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const end = await readAt(file, Math.max(0, size - FINGERPRINT_BYTES), Math.min(size, FINGERPRINT_BYTES));
    return `${size} ${createHash("sha256").update(end).digest("hex")}`;
  } finally {
    await file.close();
  }
}

/** Of the local header of an entry, whose name and extra field follow. */
const HEADER_BYTES = 30;
const STORED = 0;

/** The entries that name one of the packages. Throws if the file isn't the one that was indexed. */
export async function readIndexed(
  zipPath: string,
  { places }: AdvisoryIndex,
  names: Iterable<string>,
): Promise<readonly string[]> {
  const wanted = new Map<number, EntryPlace>();
  for (const name of names) {
    for (const place of Object.hasOwn(places, name) ? (places[name] ?? []) : []) wanted.set(place[0], place);
  }
  if (wanted.size === 0) return [];
  const file = await open(zipPath);
  try {
    const texts: string[] = [];
    for (const [offset, packedBytes, method] of wanted.values()) {
      const header = await readAt(file, offset, HEADER_BYTES);
      const start = offset + HEADER_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28);
      const packed = await readAt(file, start, packedBytes);
      const bytes = method === STORED ? packed : inflateRawSync(packed, { maxOutputLength: MAX_ENTRY_BYTES });
      texts.push(bytes.toString("utf8"));
    }
    return texts;
  } finally {
    await file.close();
  }
}

async function readAt(file: FileHandle, offset: number, bytes: number): Promise<Buffer> {
  if (bytes > MAX_ENTRY_BYTES) throw new RangeError("larger than an entry");
  const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, offset);
  return buffer.subarray(0, bytesRead);
}
