/** Advisories from OSV's API: one batch query for all versions, then each entry once. */
import { ecosystemOf } from "../../ecosystems/all-ecosystems.ts";
import type { Advisory, Lookup } from "../../ecosystems/lookups.ts";
import { failedLookup, type Downloads } from "../downloads.ts";
import type { HttpClient } from "../http-client.ts";
import { itemsAt, textAt } from "../json-fields.ts";
import { type AdvisoryReader, answered, type WantedVersion } from "./advisory-query.ts";
import { bareVersion } from "../../ecosystems/versions/version-prefix.ts";
import { toAdvisory } from "./osv-entry.ts";

const OSV_API = "https://api.osv.dev/v1";
/** OSV's limit. */
const MAX_QUERIES = 1_000;
/** A version with more pages has thousands of advisories. */
const MAX_PAGES = 10;
/** More entries than this can't be read in the time of a review. */
const MAX_ENTRIES = 200;
const MAX_ENTRY_BYTES = 1024 * 1024;

export function createOsvAdvisories(http: HttpClient, downloads: Downloads): AdvisoryReader {
  return async (wanted, signal) => {
    const supported = wanted.filter(({ id }) => ecosystemOf(id.ecosystem).advisoryNames !== undefined);
    const ids = new Map<WantedVersion, Lookup<readonly string[]>>();
    for (let start = 0; start < supported.length; start += MAX_QUERIES) {
      const batch = supported.slice(start, start + MAX_QUERIES);
      const found = await queryBatch(batch, http, signal);
      for (const [index, each] of batch.entries()) ids.set(each, found[index] ?? failedLookup("malformed"));
    }
    const entries = await readEntries(ids, downloads, signal);
    return {
      source: { name: "osv", newest: null },
      versions: wanted.map((each) => answered(each, advisoriesOf(each, ids.get(each), entries))),
    };
  };
}

/** The ids of each query's entries, over all pages. */
async function queryBatch(
  batch: readonly WantedVersion[],
  http: HttpClient,
  signal: AbortSignal,
): Promise<readonly Lookup<readonly string[]>[]> {
  const found = batch.map((): string[] => []);
  let open = batch.map((each, index) => ({ each, index, token: "" }));
  for (let page = 0; open.length > 0; page += 1) {
    if (page === MAX_PAGES)
      return found.map((ids, index) =>
        open.some((one) => one.index === index) ? failedLookup("too-large") : { kind: "found", value: ids },
      );
    const queries = open.map(({ each: { id, version }, token }) => ({
      package: { name: id.name, ecosystem: ecosystemOf(id.ecosystem).advisoryNames?.osv },
      version: bareVersion(id.ecosystem, version),
      ...(token === "" ? {} : { page_token: token }),
    }));
    const answer = await http.post(
      `${OSV_API}/querybatch`,
      { queries },
      { signal, accept: "application/json" },
    );
    if (answer.kind !== "found") {
      const failure = answer.kind === "failed" ? answer : failedLookup("malformed");
      return batch.map(() => failure);
    }
    const results = itemsAt(parsed(answer.body), "results");
    if (results.length !== open.length) return batch.map(() => failedLookup("malformed"));
    const more: typeof open = [];
    for (const [at, one] of open.entries()) {
      found[one.index]?.push(
        ...itemsAt(results[at], "vulns").flatMap((vulnerability) => textAt(vulnerability, "id") ?? []),
      );
      const token = textAt(results[at], "next_page_token");
      if (token !== null) more.push({ ...one, token });
    }
    open = more;
  }
  return found.map((value) => ({ kind: "found", value }));
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8")) as unknown;
  } catch {
    return null;
  }
}

const ENTRY_ID = /^[A-Za-z][\w-]{0,80}$/;

async function readEntries(
  ids: ReadonlyMap<WantedVersion, Lookup<readonly string[]>>,
  downloads: Downloads,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Lookup<unknown>>> {
  const wanted = new Set(
    [...ids.values()].flatMap((lookup) => (lookup.kind === "found" ? lookup.value : [])),
  );
  const entries = [...wanted].filter((id) => ENTRY_ID.test(id)).slice(0, MAX_ENTRIES);
  const read = await Promise.all(
    entries.map(async (id) => {
      const url = `${OSV_API}/vulns/${encodeURIComponent(id)}`;
      return [id, await downloads.readJson(url, { signal, maxBytes: MAX_ENTRY_BYTES })] as const;
    }),
  );
  return new Map(read);
}

/** One entry that couldn't be read leaves the version unknown: it may be the grave one. */
function advisoriesOf(
  { id }: WantedVersion,
  ids: Lookup<readonly string[]> | undefined,
  entries: ReadonlyMap<string, Lookup<unknown>>,
): Lookup<readonly Advisory[]> {
  if (ids === undefined) return failedLookup("unsupported");
  if (ids.kind !== "found") return ids;
  const advisories: Advisory[] = [];
  for (const each of ids.value) {
    const entry = entries.get(each) ?? failedLookup("limit");
    if (entry.kind !== "found") return entry.kind === "failed" ? entry : failedLookup("malformed");
    const advisory = toAdvisory(entry.value, id);
    if (advisory !== null) advisories.push(advisory);
  }
  return { kind: "found", value: advisories };
}
