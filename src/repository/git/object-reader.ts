/**
 * Reads objects through two long-lived gits: `cat-file --batch-check` tells what an object is and how large, and `cat-file --batch`
 * is asked only for what is wanted. An object over the limit is never unpacked.
 */
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { KodiaiError } from "../../base/errors.ts";
import { type GitOptions, spawnAskedGit } from "./run-git.ts";

export type ObjectInfo = { readonly id: string; readonly type: string; readonly bytes: number };

export type ObjectReader = {
  /** `spec` is an object id, a revision or `rev:path`, without line feed. Null: there is none. */
  look(spec: string): Promise<ObjectInfo | null>;
  /** The content as latin1. Null: missing, of another type, or over `maxBytes`. */
  read(spec: string, maxBytes: number, type?: "blob" | "tree"): Promise<string | null>;
  /** The id of a commit. `rev` is a full ref, an id or HEAD. Null: there is none. */
  resolve(rev: string): Promise<string | null>;
  close(): void;
};

export function createObjectReader(git: GitOptions): ObjectReader {
  const looker = createAsker("--batch-check", git);
  const reader = createAsker("--batch", git);
  const look = async (spec: string): Promise<ObjectInfo | null> => {
    if (spec.includes("\n")) return null;
    // What is looked at is mostly read next: both start at the same time.
    reader.start();
    return (await looker.ask(spec)).info;
  };
  return {
    look,
    async read(spec, maxBytes, type = "blob") {
      const info = await look(spec);
      if (info === null || info.type !== type || info.bytes > maxBytes) return null;
      return (await reader.ask(info.id)).content;
    },
    resolve: async (rev) => (await look(`${rev}^{commit}`))?.id ?? null,
    close() {
      looker.close();
      reader.close();
    },
  };
}

type Answer = { readonly info: ObjectInfo | null; readonly content: string };

type Asker = {
  start(): void;
  ask(spec: string): Promise<Answer>;
  close(): void;
};

type Waiting = { readonly resolve: (answer: Answer) => void; readonly reject: (error: Error) => void };

/** Answers are a line, followed with `--batch` by the content and one line feed. They come in the order of the questions. */
function createAsker(mode: "--batch" | "--batch-check", git: GitOptions): Asker {
  let child: ChildProcessWithoutNullStreams | null = null;
  let failure: Error | null = null;
  const queue: Waiting[] = [];
  let info: ObjectInfo | null = null;
  /** What is still to come of the content; -1 while a line is expected. */
  let remaining = -1;
  let pieces: string[] = [];

  const fail = (error: Error): void => {
    failure = error;
    for (const waiting of queue.splice(0)) waiting.reject(error);
  };

  const settle = (): void => {
    const content = pieces.join("");
    pieces = [];
    remaining = -1;
    queue.shift()?.resolve({ info, content: mode === "--batch" ? content.slice(0, -1) : "" });
  };

  const onData = (chunk: string): void => {
    let at = 0;
    while (at < chunk.length) {
      const end = remaining === -1 ? chunk.indexOf("\n", at) : at + remaining;
      pieces.push(chunk.slice(at, end === -1 ? undefined : end));
      if (end === -1) return;
      at = Math.min(end, chunk.length);
      if (remaining !== -1) {
        remaining -= pieces.at(-1)?.length ?? 0;
        if (remaining === 0) settle();
        continue;
      }
      at++;
      info = parseInfo(pieces.join(""));
      pieces = [];
      if (mode === "--batch" && info !== null) remaining = info.bytes + 1;
      else settle();
    }
  };

  const start = (): ChildProcessWithoutNullStreams => {
    if (child !== null) return child;
    child = spawnAskedGit(["cat-file", mode], git);
    child.stdout.setEncoding("latin1").on("data", onData);
    child.stderr.resume();
    child.stdin.on("error", () => {});
    child.on("error", fail);
    child.on("close", () => fail(endedEarly()));
    return child;
  };

  return {
    start,
    ask(spec) {
      if (failure !== null) return Promise.reject(failure);
      const { stdin } = start();
      return new Promise((resolve, reject) => {
        queue.push({ resolve, reject });
        stdin.write(`${spec}\n`, "latin1");
      });
    },
    close() {
      if (child === null) return;
      child.removeAllListeners("close");
      child.stdin.end();
      child.kill();
      child = null;
    },
  };
}

function parseInfo(line: string): ObjectInfo | null {
  const [, id, type, bytes] = /^([0-9a-f]+) (\w+) (\d+)$/.exec(line) ?? [];
  return id === undefined || type === undefined ? null : { id, type, bytes: Number(bytes) };
}

function endedEarly(): KodiaiError {
  return new KodiaiError("git", "git cat-file ended before it had answered", {
    hint: "Run `git fsck` to check the repository.",
  });
}
