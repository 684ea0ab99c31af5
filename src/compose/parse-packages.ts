/** Parses archives and changelogs in a reader, which runs while there are look-ups and ends with the last of them. */
import type { Reading } from "../base/task-process/task-runner.ts";
import type { Reader } from "../reading/reader.ts";
import type { PackageParsers } from "../registries/package-parsers.ts";
import type { Lookup } from "../ecosystems/lookups.ts";

/** CPU time. Listing or unpacking the largest package that many projects use takes two seconds. */
const MAX_ARCHIVE_MS = 10_000;

/** A changelog of a megabyte takes a few milliseconds. */
const MAX_CHANGELOG_MS = 2_000;

export function createPackageParsers(openReader: (signal: AbortSignal) => Promise<Reader>): PackageParsers {
  let users = 0;
  let opened: Promise<Reader> | null = null;

  async function withReader<Value>(
    work: (reader: Reader) => Promise<Reading<Lookup<Value>>>,
  ): Promise<Lookup<Value>> {
    users++;
    const reader = (opened ??= openReader(new AbortController().signal));
    try {
      return lookupOf(await work(await reader));
    } catch {
      return { kind: "failed", reason: "malformed" };
    } finally {
      users--;
      if (users === 0) {
        opened = null;
        reader.then((each) => each.close()).catch(() => {});
      }
    }
  }

  return {
    readArchive: (bytes, format, { root, wants, signal }) =>
      withReader(async (reader) => {
        const archive = { base64: bytes.toString("base64"), format, root };
        // A function can't be sent, so the names come first, and then the files with the wanted ones.
        const listed = await reader.ask("list-archive", archive, MAX_ARCHIVE_MS);
        if (listed.kind !== "read") return listed;
        if (listed.value.kind !== "found") return { kind: "read", value: listed.value };
        if (signal.aborted) return { kind: "over-limit", limit: "time" };
        const paths = new Set(listed.value.value.filter(wants));
        return reader.ask("read-archive", { ...archive, paths }, MAX_ARCHIVE_MS);
      }),
    splitChangelog: (text) =>
      withReader(async (reader) => {
        const split = await reader.ask("split-changelog", { text }, MAX_CHANGELOG_MS);
        return split.kind === "read" ? { kind: "read", value: { kind: "found", value: split.value } } : split;
      }),
  };
}

function lookupOf<Value>(reading: Reading<Lookup<Value>>): Lookup<Value> {
  if (reading.kind === "read") return reading.value;
  if (reading.kind === "failed") return { kind: "failed", reason: "malformed" };
  return { kind: "failed", reason: reading.limit === "time" ? "time" : "too-large" };
}
