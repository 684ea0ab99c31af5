/**
 * Advisories from a copy in the OSV format: a folder with JSON files and zip files, or one zip file. Only entries that mention a wanted
 * package are parsed, because a copy has hundreds of thousands, and with an index only those are read.
 */
import { createReadStream } from "node:fs";
import { opendir, stat } from "node:fs/promises";
import { join } from "node:path";
import { KodiaiError } from "../../base/errors.ts";
import { ecosystemOf } from "../../ecosystems/all-ecosystems.ts";
import type { Advisory, Lookup } from "../../ecosystems/lookups.ts";
import { failedLookup } from "../downloads.ts";
import { advisoryEntries, MAX_ENTRY_BYTES, readIndex, readIndexed } from "./advisory-index.ts";
import { type AdvisoryReader, answered, type WantedVersion } from "./advisory-query.ts";
import { isExploitationFile } from "./exploitation.ts";
import { isAffected, modifiedOf, toAdvisory } from "./osv-entry.ts";

const MAX_ENTRIES = 2_000_000;

/** The contents of the copy. An ecosystem that it has no entry of is unknown, and not free of advisories. */
type Contents = { entries: number; newest: string; readonly ecosystems: Set<string> };

export function createOfflineAdvisories(path: string): AdvisoryReader {
  return async (wanted, signal) => {
    const quoted = new Set(wanted.map(({ id }) => JSON.stringify(id.name).toLowerCase()));
    const names = new Set(wanted.map(({ id }) => id.name.toLowerCase()));
    const contents: Contents = { entries: 0, newest: "", ecosystems: new Set() };
    const entries: unknown[] = [];
    for await (const text of await openCopy(path, names, contents)) {
      if (signal.aborted || contents.entries > MAX_ENTRIES) break;
      if (!mentions(text, quoted)) continue;
      try {
        entries.push(JSON.parse(text));
      } catch {
        // A broken entry of a wanted package leaves that package unknown.
        return unknown(wanted, "malformed", contents);
      }
    }
    if (signal.aborted) return unknown(wanted, "time", contents);
    if (contents.entries > MAX_ENTRIES) return unknown(wanted, "too-large", contents);
    if (contents.entries === 0) return unknown(wanted, "malformed", contents);
    return {
      source: sourceOf(contents),
      versions: wanted.map((each) => answered(each, advisoriesOf(each, entries, contents))),
    };
  };
}

const sourceOf = ({ newest }: Contents): Awaited<ReturnType<AdvisoryReader>>["source"] => ({
  name: "offline",
  newest: newest === "" ? null : newest,
});

const unknown = (
  wanted: readonly WantedVersion[],
  reason: "malformed" | "time" | "too-large",
  contents: Contents,
): Awaited<ReturnType<AdvisoryReader>> => ({
  source: sourceOf(contents),
  versions: wanted.map((each) => answered(each, failedLookup(reason))),
});

function mentions(text: string, names: ReadonlySet<string>): boolean {
  for (const match of text.toLowerCase().matchAll(/"name"\s*:\s*("(?:[^"\\]|\\.)*")/g)) {
    if (names.has(match[1] ?? "")) return true;
  }
  return false;
}

function advisoriesOf(
  { id, version }: WantedVersion,
  entries: readonly unknown[],
  { ecosystems }: Contents,
): Lookup<readonly Advisory[]> {
  const osv = ecosystemOf(id.ecosystem).advisoryNames?.osv;
  if (osv === undefined) return failedLookup("unsupported");
  if (!ecosystems.has(osv)) return failedLookup("not-copied");
  const advisories: Advisory[] = [];
  for (const entry of entries.toSorted((one, other) => (modifiedOf(one) < modifiedOf(other) ? 1 : -1))) {
    const isHit = isAffected(entry, id, version);
    if (isHit === null) return failedLookup("malformed");
    const advisory = isHit ? toAdvisory(entry, id) : null;
    if (advisory !== null) advisories.push(advisory);
  }
  return { kind: "found", value: advisories };
}

async function openCopy(
  path: string,
  names: ReadonlySet<string>,
  contents: Contents,
): Promise<AsyncIterable<string>> {
  try {
    const found = await stat(path);
    return found.isDirectory() ? textsBelow(path, names, contents) : textsIn(path, names, contents);
  } catch (error) {
    throw new KodiaiError("config", `KODIAI_ADVISORIES: ${path} can't be read`, {
      hint: "Set it to a folder or zip file with advisories in the OSV format.",
      cause: error,
    });
  }
}

async function* textsBelow(
  folder: string,
  names: ReadonlySet<string>,
  contents: Contents,
): AsyncGenerator<string> {
  for await (const entry of await opendir(folder, { recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || entry.name.endsWith(".index.json") || isExploitationFile(entry.name)) continue;
    if (entry.name.endsWith(".zip")) yield* textsIn(path, names, contents);
    if (!entry.name.endsWith(".json")) continue;
    const text = await readBounded(path);
    if (text === null) continue;
    countEntry(text, contents);
    yield text;
  }
}

async function* textsIn(
  zipPath: string,
  names: ReadonlySet<string>,
  contents: Contents,
): AsyncGenerator<string> {
  const index = await readIndex(zipPath);
  if (index === null) {
    for await (const { text } of advisoryEntries(zipPath)) {
      countEntry(text, contents);
      yield text;
    }
    return;
  }
  contents.entries += index.entries;
  if (index.newest > contents.newest) contents.newest = index.newest;
  for (const ecosystem of index.ecosystems) contents.ecosystems.add(ecosystem);
  yield* await readIndexed(zipPath, index, names);
}

/** Without parsing it. */
function countEntry(text: string, contents: Contents): void {
  contents.entries += 1;
  const modified = /"modified"\s*:\s*"(\d{4}-\d\d-\d\d[^"]{0,40})"/.exec(text)?.[1] ?? "";
  if (modified > contents.newest) contents.newest = modified;
  for (const [, ecosystem = ""] of text.matchAll(/"ecosystem"\s*:\s*"([^":\\]{1,60})/g))
    contents.ecosystems.add(ecosystem);
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
