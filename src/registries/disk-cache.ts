/**
 * Answers of registries on disk, so that a second review of the same packages costs no requests. Several processes may share the
 * folder: a file appears complete or not at all. A damaged file counts as missing. If the disk fails, reviews go on without cache.
 */
import { createHash, randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { hashParts } from "../base/hash.ts";
import type { Validators } from "./http-client.ts";
import { textAt } from "./json-fields.ts";

/** Some hundred archives. */
const DEFAULT_MAX_BYTES = 500_000_000;

/** Within one review and the next push, a registry's answer is taken as current. */
const FRESH_MS = 10 * 60 * 1_000;

/** After this many new bytes, the folder is measured. */
const MEASURE_AFTER_BYTES = 20_000_000;

/** Eviction makes some room, so that it isn't needed again soon. */
const KEPT_SHARE = 0.8;

/** Files that a crashed process left half-written. */
const ABANDONED_MS = 60 * 60 * 1_000;

export type CachedDocument = { readonly body: Buffer; readonly validators: Validators };

/** Never rejects. */
export type DiskCache = {
  readDocument(url: string): Promise<(CachedDocument & { readonly isFresh: boolean }) | null>;
  /** Also marks a document as current that was written before. */
  writeDocument(url: string, document: CachedDocument): Promise<void>;
  readArchive(url: string, integrity: string | null): Promise<Buffer | null>;
  writeArchive(url: string, integrity: string | null, body: Buffer): Promise<void>;
};

export type DiskCacheSettings = {
  readonly folder: string;
  readonly maxBytes?: number;
  readonly now?: () => number;
  /** Called for every failure of the disk. */
  readonly onError?: (error: unknown) => void;
};

/**
 * Part of every path. Files of the version before it may be about private repositories, because a token was sent for every repository.
 * They are never read again, and eviction deletes them.
 */
const KEY_VERSION = "2";

/** Other parts of Kodiai keep files in the same folder. */
const OWN_PATH = /^[\da-f]{2}[/\\]/;

/** The first line of a file; the rest is the body. */
type Head = { readonly key: string; readonly sha256: string; readonly writtenMs: number } & Validators;

export function createDiskCache(settings: DiskCacheSettings): DiskCache {
  const { folder, maxBytes = DEFAULT_MAX_BYTES, now = Date.now, onError } = settings;
  let unmeasuredBytes = MEASURE_AFTER_BYTES;

  const pathOf = (key: string): string => {
    const hash = hashParts([KEY_VERSION, key]);
    return join(folder, hash.slice(0, 2), hash);
  };

  async function read(key: string): Promise<{ readonly head: Head; readonly body: Buffer } | null> {
    try {
      const file = await readFile(pathOf(key));
      const end = file.indexOf("\n");
      const head = parseHead(file.subarray(0, Math.max(end, 0)).toString("utf8"));
      const body = file.subarray(end + 1);
      return head !== null && head.key === key && head.sha256 === sha256(body) ? { head, body } : null;
    } catch (error) {
      if (!isMissing(error)) onError?.(error);
      return null;
    }
  }

  async function write(key: string, { body, validators }: CachedDocument): Promise<void> {
    if (body.length > maxBytes) return;
    const path = pathOf(key);
    const temporary = `${path}.${randomUUID()}.tmp`;
    const head: Head = { key, sha256: sha256(body), writtenMs: now(), ...validators };
    try {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await writeFile(temporary, Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), body]), {
        mode: 0o600,
      });
      await rename(temporary, path);
      unmeasuredBytes += body.length;
      if (unmeasuredBytes >= Math.min(MEASURE_AFTER_BYTES, maxBytes / 4)) {
        unmeasuredBytes = 0;
        await evict(folder, maxBytes, now());
      }
    } catch (error) {
      onError?.(error);
      await rm(temporary, { force: true }).catch(() => undefined);
    }
  }

  return {
    async readDocument(url) {
      const entry = await read(`document ${url}`);
      if (entry === null) return null;
      const { etag, lastModified, writtenMs } = entry.head;
      const ageMs = now() - writtenMs;
      const isFresh = ageMs >= 0 && ageMs < FRESH_MS;
      return { body: entry.body, validators: { etag, lastModified }, isFresh };
    },
    writeDocument: (url, document) => write(`document ${url}`, document),
    async readArchive(url, integrity) {
      return (await read(archiveKey(url, integrity)))?.body ?? null;
    },
    writeArchive: (url, integrity, body) =>
      write(archiveKey(url, integrity), { body, validators: { etag: null, lastModified: null } }),
  };
}

/** The same bytes are kept once, whichever host they came from. */
function archiveKey(url: string, integrity: string | null): string {
  return integrity === null ? `archive ${url}` : `integrity ${integrity}`;
}

function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function parseHead(line: string): Head | null {
  try {
    const value: unknown = JSON.parse(line);
    const [key, digest] = [textAt(value, "key"), textAt(value, "sha256")];
    if (key === null || digest === null || typeof value !== "object" || value === null) return null;
    const writtenMs = "writtenMs" in value && typeof value.writtenMs === "number" ? value.writtenMs : 0;
    return {
      key,
      sha256: digest,
      writtenMs,
      etag: textAt(value, "etag"),
      lastModified: textAt(value, "lastModified"),
    };
  } catch {
    return null;
  }
}

/** Deletes the oldest files until the rest fits. Another process may delete some of them at the same time. */
async function evict(folder: string, maxBytes: number, nowMs: number): Promise<void> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => OWN_PATH.test(name));
  const entries = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const info = await stat(path).catch(() => null);
      return info === null || !info.isFile() ? [] : [{ path, bytes: info.size, ageMs: nowMs - info.mtimeMs }];
    }),
  );
  const files = entries.flat().sort((one, other) => one.ageMs - other.ageMs);
  const isOver = files.reduce((sum, { bytes }) => sum + bytes, 0) > maxBytes;
  let keptBytes = 0;
  for (const { path, bytes, ageMs } of files) {
    const isAbandoned = path.endsWith(".tmp") && ageMs > ABANDONED_MS;
    keptBytes += bytes;
    if (isAbandoned || (isOver && keptBytes > maxBytes * KEPT_SHARE)) await rm(path, { force: true });
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
