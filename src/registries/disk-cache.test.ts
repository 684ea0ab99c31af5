/** The cache on disk, alone and below the downloads. */
import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import { PARSERS } from "../../test/support/package-parsers.ts";
import { hashParts } from "../base/hash.ts";
import type { HttpAnswer, HttpClient, HttpOptions } from "./http-client.ts";
import { createDiskCache, type DiskCacheSettings } from "./disk-cache.ts";
import { createDownloads } from "./downloads.ts";
import { integrityOf } from "./integrity.ts";

const { signal } = new AbortController();
const URL_A = "https://registry.test/a";
const DAY_MS = 86_400_000;

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "kodiai-registry-cache-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const noError = (error: unknown): void => assert.ifError(error);

/** Paths of all files, oldest first. */
function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}

const noHead: HttpClient["head"] = () => assert.fail("not used here");

/** A server that has one document with an ETag, and records what it was asked. */
function serverWith(state: { body: string; etag: string | null }) {
  const asked: HttpOptions[] = [];
  const get = async (_: string, options: HttpOptions): Promise<HttpAnswer> => {
    asked.push(options);
    if (state.etag !== null && options.validators?.etag === state.etag) return { kind: "unchanged" };
    return {
      kind: "found",
      body: Buffer.from(state.body),
      validators: { etag: state.etag, lastModified: null },
    };
  };
  return { asked, http: { get, post: get, head: noHead } satisfies HttpClient };
}

function downloadsOver(t: TestContext, http: HttpClient, more: Partial<DiskCacheSettings> = {}) {
  const clock = { ms: Date.now() };
  const folder = more.folder ?? folderOf(t);
  const cache = createDiskCache({ folder, now: () => clock.ms, onError: noError, ...more });
  return { clock, folder, cache, downloads: createDownloads(http, cache, PARSERS) };
}

const textOf = async (
  lookup: Promise<{ readonly kind: string; readonly value?: { readonly text: string } }>,
) => (await lookup).value?.text;

test("a document is current for some minutes, then revalidated", async (t) => {
  const state = { body: "one", etag: '"1"' };
  const { asked, http } = serverWith(state);
  const { clock, downloads } = downloadsOver(t, http);
  const read = () => textOf(downloads.readText(URL_A, { signal }));
  assert.deepEqual([await read(), await read(), asked.length], ["one", "one", 1]);
  clock.ms += DAY_MS;
  assert.deepEqual(
    [await read(), await read(), asked.length],
    ["one", "one", 2],
    "the server said that it's unchanged",
  );
  assert.equal(asked[1]?.validators?.etag, '"1"');
  clock.ms += DAY_MS;
  Object.assign(state, { body: "two", etag: '"2"' });
  assert.deepEqual([await read(), await read(), asked.length], ["two", "two", 3]);
});

test("an old document without a validator is read again", async (t) => {
  const { asked, http } = serverWith({ body: "one", etag: null });
  const { clock, downloads } = downloadsOver(t, http);
  await downloads.readText(URL_A, { signal });
  clock.ms += DAY_MS;
  await downloads.readText(URL_A, { signal });
  assert.equal(asked[1]?.validators, undefined);
});

test("answers that failed or are absent aren't kept", async (t) => {
  for (const answer of [{ kind: "absent" }, { kind: "failed", reason: "time" }] as const) {
    const { downloads, folder } = downloadsOver(t, {
      get: async () => answer,
      post: async () => answer,
      head: noHead,
    });
    assert.deepEqual(await downloads.readJson(URL_A, { signal }), answer);
    assert.deepEqual(filesIn(folder), []);
  }
});

test("an archive is kept for good, by its integrity or its URL", async (t) => {
  const { asked, http } = serverWith({ body: "a", etag: null });
  const { clock, downloads } = downloadsOver(t, http);
  const integrity = integrityOf("sha256", "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb");
  const read = async (url: string, expected: string | null) => {
    const archive = await downloads.readArchive(url, { integrity: expected, signal });
    return archive.kind === "found" ? archive.value.toString() : archive;
  };
  assert.equal(await read(URL_A, integrity), "a");
  clock.ms += 365 * DAY_MS;
  assert.equal(await read("https://mirror.test/a", integrity), "a", "the same bytes from elsewhere");
  assert.equal(asked.length, 1);
  await read(URL_A, null);
  await read(URL_A, null);
  assert.equal(asked.length, 2);
  assert.deepEqual(await read("https://registry.test/b", "sha256-other"), {
    kind: "failed",
    reason: "malformed",
  });
  assert.deepEqual(await read("https://registry.test/b", "sha256-other"), {
    kind: "failed",
    reason: "malformed",
  });
  assert.equal(asked.length, 4, "other bytes aren't kept");
});

test("offline, archives that are kept still answer, and documents that may have changed don't", async (t) => {
  const { http } = serverWith({ body: "a", etag: '"1"' });
  const online = downloadsOver(t, http);
  await online.downloads.readText(URL_A, { signal });
  await online.downloads.readArchive(URL_A, { integrity: null, signal });
  const offline = { kind: "failed", reason: "offline" } as const;
  const { downloads, clock } = downloadsOver(
    t,
    { get: async () => offline, post: async () => offline, head: noHead },
    { folder: online.folder },
  );
  clock.ms += DAY_MS;
  assert.equal((await downloads.readArchive(URL_A, { integrity: null, signal })).kind, "found");
  assert.deepEqual(await downloads.readArchive(`${URL_A}b`, { integrity: null, signal }), offline);
  assert.deepEqual(await downloads.readText(URL_A, { signal }), offline);
  assert.equal(
    await textOf(downloads.readText(URL_A, { signal, isLasting: true })),
    "a",
    "except for lasting parts of it",
  );
});

const DAMAGES: Readonly<Record<string, (path: string) => void>> = {
  "cut off": (path) => truncateSync(path, statSync(path).size - 1),
  empty: (path) => truncateSync(path, 0),
  changed: (path) => writeFileSync(path, readFileSync(path, "utf8").replace(/body$/, "BODY")),
  "of another address": (path) =>
    writeFileSync(path, readFileSync(path, "utf8").replace("registry.test", "registry.evil")),
  "no text": (path) => writeFileSync(path, Buffer.alloc(1_000, 0xff)),
  "another JSON": (path) => writeFileSync(path, "[]\nbody"),
};

for (const [what, damage] of Object.entries(DAMAGES)) {
  test(`a damaged file is read again: ${what}`, async (t) => {
    const { asked, http } = serverWith({ body: "body", etag: '"1"' });
    const { downloads, folder } = downloadsOver(t, http);
    await downloads.readText(URL_A, { signal });
    const [path = ""] = filesIn(folder);
    damage(path);
    assert.equal(await textOf(downloads.readText(URL_A, { signal })), "body");
    assert.deepEqual([asked.length, asked[1]?.validators], [2, undefined]);
    assert.equal(await textOf(downloads.readText(URL_A, { signal })), "body");
    assert.equal(asked.length, 2, "the new file is whole");
  });
}

test("the oldest files are deleted when there are too many bytes", async (t) => {
  const { folder, cache } = downloadsOver(t, serverWith({ body: "", etag: null }).http, { maxBytes: 10_000 });
  for (let index = 0; index < 30; index += 1) {
    const known = new Set(filesIn(folder));
    await cache.writeArchive(`${URL_A}${index}`, null, Buffer.alloc(1_000));
    for (const path of filesIn(folder)) {
      const seconds = Date.now() / 1_000 - 1_000 + index;
      if (!known.has(path)) utimesSync(path, seconds, seconds);
    }
  }
  const bytes = filesIn(folder).reduce((sum, path) => sum + statSync(path).size, 0);
  assert.ok(bytes <= 13_000, String(bytes));
  assert.equal(await cache.readArchive(`${URL_A}0`, null), null);
  assert.equal((await cache.readArchive(`${URL_A}29`, null))?.length, 1_000);
  await cache.writeArchive("huge", null, Buffer.alloc(10_001));
  assert.equal(await cache.readArchive("huge", null), null, "a file that doesn't fit is never written");
});

test("a half-written file of a crashed process is deleted, one of a running process isn't", async (t) => {
  const { folder, cache } = downloadsOver(t, serverWith({ body: "", etag: null }).http);
  for (const [name, ageSeconds] of [
    ["0a/old.tmp", 2 * 3_600],
    ["0a/new.tmp", 0],
    // Of another part of Kodiai.
    ["packs/old.tmp", 2 * 3_600],
  ] as const) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), "half");
    utimesSync(join(folder, name), Date.now() / 1_000 - ageSeconds, Date.now() / 1_000 - ageSeconds);
  }
  await cache.writeArchive(URL_A, null, Buffer.from("a"));
  const exists = ["0a/old.tmp", "0a/new.tmp", "packs/old.tmp"].map((name) => existsSync(join(folder, name)));
  assert.deepEqual(exists, [false, true, true]);
});

test("[P8] an answer of the time when a token was sent for every repository isn't read", async (t) => {
  const { folder, cache } = downloadsOver(t, serverWith({ body: "", etag: null }).http);
  await cache.writeDocument(URL_A, {
    body: Buffer.from("a"),
    validators: { etag: null, lastModified: null },
  });
  const [path = ""] = filesIn(folder);
  const old = hashParts([`document ${URL_A}`]);
  mkdirSync(join(folder, old.slice(0, 2)), { recursive: true });
  renameSync(path, join(folder, old.slice(0, 2), old));
  assert.equal(await cache.readDocument(URL_A), null);
});

test("many writers of one entry leave one whole file", async (t) => {
  const { folder } = downloadsOver(t, serverWith({ body: "", etag: null }).http);
  const caches = Array.from({ length: 8 }, () => createDiskCache({ folder, onError: noError }));
  const bodies = caches.map((_, index) => Buffer.alloc(100_000, String(index)));
  await Promise.all(
    caches.map((cache, index) => cache.writeArchive(URL_A, null, bodies[index] ?? Buffer.alloc(0))),
  );
  const body = await caches[0]?.readArchive(URL_A, null);
  assert.ok(bodies.some((one) => body?.equals(one)));
  assert.equal(filesIn(folder).length, 1);
});

test("a disk that fails costs the cache, not the review", async (t) => {
  const folder = folderOf(t);
  writeFileSync(join(folder, "file"), "");
  const errors: unknown[] = [];
  const { http } = serverWith({ body: "a", etag: null });
  const cache = createDiskCache({
    folder: join(folder, "file", "below"),
    onError: (error) => void errors.push(error),
  });
  assert.equal(await textOf(createDownloads(http, cache, PARSERS).readText(URL_A, { signal })), "a");
  assert.ok(errors.length > 0);
});

test("only the user can read the files", async (t) => {
  const { folder, cache } = downloadsOver(t, serverWith({ body: "", etag: null }).http);
  await cache.writeArchive(URL_A, null, Buffer.from("a"));
  for (const path of filesIn(folder)) assert.equal(statSync(path).mode & 0o077, 0);
});
