/**
 * Reads objects through one long-lived `git cat-file --batch`. An object over the limit is skipped as it streams by and
 * never held in memory.
 */
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { KodiaiError } from "../../base/errors.ts";
import { type GitOptions, spawnAskedGit } from "./run-git.ts";

type Waiting = {
  /** Null: only the object's id is wanted. */
  readonly maxBytes: number | null;
  /** The content or the id; null when there is none. */
  readonly resolve: (latin1: string | null) => void;
  readonly reject: (error: Error) => void;
};

export type ObjectReader = {
  /** `spec` is an object id or `rev:path` without line feed. Null: missing, not a blob, or over `maxBytes`. */
  read(spec: string, maxBytes: number): Promise<string | null>;
  /** The id of a commit. `rev` is a full ref, an id or HEAD. Null: there is none. */
  resolve(rev: string): Promise<string | null>;
  close(): void;
};

export function createObjectReader(git: GitOptions): ObjectReader {
  let child: ChildProcessWithoutNullStreams | null = null;
  let failure: Error | null = null;
  const queue: Waiting[] = [];
  /** What is still to come of the object being read; -1 while a header line is expected. */
  let remaining = -1;
  let isKept = false;
  let id: string | null = null;
  let pieces: string[] = [];
  let header = "";

  const fail = (error: Error): void => {
    failure = error;
    for (const waiting of queue.splice(0)) waiting.reject(error);
  };

  const settle = (value: string | null): void => {
    queue.shift()?.resolve(value);
    remaining = -1;
    pieces = [];
    header = "";
  };

  const takeHeader = (line: string): void => {
    const object = /^([0-9a-f]+) (\w+) (\d+)$/.exec(line);
    if (object === null) return settle(null);
    const size = Number(object[3]);
    const maxBytes = queue[0]?.maxBytes ?? null;
    id = maxBytes === null ? (object[1] ?? null) : null;
    isKept = maxBytes !== null && object[2] === "blob" && size <= maxBytes;
    // The content is followed by one line feed.
    remaining = size + 1;
  };

  const onData = (chunk: string): void => {
    let at = 0;
    while (at < chunk.length) {
      if (remaining === -1) {
        const end = chunk.indexOf("\n", at);
        header += chunk.slice(at, end === -1 ? undefined : end);
        if (end === -1) return;
        at = end + 1;
        takeHeader(header);
        header = "";
        continue;
      }
      const piece = chunk.slice(at, at + remaining);
      at += piece.length;
      remaining -= piece.length;
      if (isKept) pieces.push(piece);
      if (remaining === 0) settle(isKept ? pieces.join("").slice(0, -1) : id);
    }
  };

  const spawnReader = (): ChildProcessWithoutNullStreams => {
    const started = spawnAskedGit(["cat-file", "--batch"], git);
    started.stdout.setEncoding("latin1").on("data", onData);
    started.stderr.resume();
    started.stdin.on("error", () => {});
    started.on("error", fail);
    started.on("close", () => {
      fail(
        new KodiaiError("git", "git cat-file ended before it had answered", {
          hint: "Run `git fsck` to check the repository.",
        }),
      );
    });
    return started;
  };

  const ask = (spec: string, maxBytes: number | null): Promise<string | null> => {
    if (failure !== null) return Promise.reject(failure);
    if (spec.includes("\n")) return Promise.resolve(null);
    child ??= spawnReader();
    const { stdin } = child;
    return new Promise((resolve, reject) => {
      queue.push({ maxBytes, resolve, reject });
      stdin.write(`${spec}\n`, "latin1");
    });
  };

  return {
    read: (spec, maxBytes) => ask(spec, maxBytes),
    resolve: (rev) => ask(`${rev}^{commit}`, null),
    close() {
      if (child === null) return;
      child.removeAllListeners("close");
      child.stdin.end();
      child.kill();
      child = null;
    },
  };
}
