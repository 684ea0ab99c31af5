/**
 * Advisories from a copy in the OSV format: a folder of JSON files, or a zip file of them. Only entries that mention a wanted package
 * are parsed, because a copy has hundreds of thousands.
 */
import { createReadStream } from "node:fs";
import { open, opendir, stat } from "node:fs/promises";
import { join } from "node:path";
import { fromFdPromise } from "yauzl";
import { KodiaiError } from "../../base/errors.ts";
import { ecosystemOf } from "../../ecosystems/all-ecosystems.ts";
import type { Advisory, Lookup } from "../../ecosystems/lookups.ts";
import { failedLookup } from "../downloads.ts";
import { type AdvisoryReader, answered, type WantedVersion } from "./advisory-query.ts";
import { isAffected, modifiedOf, toAdvisory } from "./osv-entry.ts";

/** Larger entries list every version of a large package; none is larger. */
const MAX_ENTRY_BYTES = 4 * 1024 * 1024;
const MAX_ENTRIES = 2_000_000;

export function createOfflineAdvisories(path: string): AdvisoryReader {
  return async (wanted, signal) => {
    const texts = await openCopy(path);
    const names = new Set(wanted.map(({ id }) => JSON.stringify(id.name).toLowerCase()));
    const entries: unknown[] = [];
    let newest = "";
    let read = 0;
    for await (const text of texts) {
      read += 1;
      if (signal.aborted || read > MAX_ENTRIES) break;
      newest = later(newest, text);
      if (!mentions(text, names)) continue;
      try {
        entries.push(JSON.parse(text));
      } catch {
        // A broken entry of a wanted package leaves that package unknown.
        return unknown(wanted, "malformed", newest);
      }
    }
    if (signal.aborted || read > MAX_ENTRIES)
      return unknown(wanted, signal.aborted ? "time" : "too-large", newest);
    if (read === 0) return unknown(wanted, "malformed", "");
    return {
      source: { name: "offline", newest: newest === "" ? null : newest },
      versions: wanted.map((each) => answered(each, advisoriesOf(each, entries))),
    };
  };
}

const unknown = (
  wanted: readonly WantedVersion[],
  reason: "malformed" | "time" | "too-large",
  newest: string,
): Awaited<ReturnType<AdvisoryReader>> => ({
  source: { name: "offline", newest: newest === "" ? null : newest },
  versions: wanted.map((each) => answered(each, failedLookup(reason))),
});

/** The newest change of an entry, without parsing it. */
function later(newest: string, text: string): string {
  const modified = /"modified"\s*:\s*"(\d{4}-\d\d-\d\d[^"]{0,40})"/.exec(text)?.[1] ?? "";
  return modified > newest ? modified : newest;
}

function mentions(text: string, names: ReadonlySet<string>): boolean {
  for (const match of text.toLowerCase().matchAll(/"name"\s*:\s*("(?:[^"\\]|\\.)*")/g)) {
    if (names.has(match[1] ?? "")) return true;
  }
  return false;
}

function advisoriesOf(
  { id, version }: WantedVersion,
  entries: readonly unknown[],
): Lookup<readonly Advisory[]> {
  if (ecosystemOf(id.ecosystem).advisoryNames === undefined) return failedLookup("unsupported");
  const advisories: Advisory[] = [];
  for (const entry of entries.toSorted((one, other) => (modifiedOf(one) < modifiedOf(other) ? 1 : -1))) {
    const isHit = isAffected(entry, id, version);
    if (isHit === null) return failedLookup("malformed");
    const advisory = isHit ? toAdvisory(entry, id) : null;
    if (advisory !== null) advisories.push(advisory);
  }
  return { kind: "found", value: advisories };
}

async function openCopy(path: string): Promise<AsyncIterable<string>> {
  try {
    const found = await stat(path);
    return found.isDirectory() ? filesBelow(path) : entriesOf(path);
  } catch (error) {
    throw new KodiaiError("config", `KODIAI_ADVISORIES: ${path} can't be read`, {
      hint: "Set it to a folder or zip file with advisories in the OSV format.",
      cause: error,
    });
  }
}

async function* filesBelow(folder: string): AsyncGenerator<string> {
  for await (const entry of await opendir(folder, { recursive: true })) {
    if (!entry.isFile() || !entry.name.endsWith(".json")) continue;
    const text = await readBounded(join(entry.parentPath, entry.name));
    if (text !== null) yield text;
  }
}

async function readBounded(path: string): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of createReadStream(path)) {
    if (!Buffer.isBuffer(chunk)) continue;
    bytes += chunk.length;
    if (bytes > MAX_ENTRY_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

async function* entriesOf(path: string): AsyncGenerator<string> {
  const file = await open(path);
  try {
    const zip = await fromFdPromise(file.fd, { autoClose: false, lazyEntries: true });
    for await (const entry of zip.eachEntry()) {
      if (!entry.fileName.endsWith(".json") || entry.uncompressedSize > MAX_ENTRY_BYTES) continue;
      const stream = await zip.openReadStreamPromise(entry);
      const chunks: Buffer[] = [];
      for await (const chunk of stream) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
      yield Buffer.concat(chunks).toString("utf8");
    }
  } finally {
    await file.close();
  }
}
