/**
 * Reads objects through one long-running `git cat-file`. It reads type and size first, so objects over the limit are never
 * unpacked.
 */
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { KodiaiError } from "../../base/errors.ts";
import { type GitOptions, SMALL_MEMORY, spawnBatchGit, spawnFailure } from "./run-git.ts";

export type ObjectInfo = { readonly id: string; readonly type: string; readonly bytes: number };

export type ObjectReader = {
  /** `spec` is an object id, a revision or `rev:path`, without line feeds. Null if there is no such object. */
  readInfo(spec: string): Promise<ObjectInfo | null>;
  /** Returns the content as latin1. Null if the object is missing, of another type, or over `maxBytes`. */
  read(spec: string, maxBytes: number, type?: "blob" | "tree"): Promise<string | null>;
  /** Returns the id of a commit. `rev` is a full ref, an id or HEAD. Null if there is no such commit. */
  resolve(rev: string): Promise<string | null>;
  close(): void;
};

type RequestKind = "info" | "contents";

/** Git before 2.36 doesn't support `--batch-command`, so each kind of request gets a separate process there. */
export function createObjectReader(git: GitOptions): ObjectReader {
  const both = createBatchProcess("--batch-command", git);
  const old = {
    info: createBatchProcess("--batch-check", git),
    contents: createBatchProcess("--batch", git),
  };
  let isOld = false;
  const request = async (kind: RequestKind, spec: string): Promise<Answer> => {
    try {
      if (!isOld) return await both.request(kind, `${kind} ${spec}`);
    } catch (error) {
      if (error !== UNSUPPORTED) throw error;
      isOld = true;
    }
    return old[kind].request(kind, spec);
  };
  const readInfo = async (spec: string): Promise<ObjectInfo | null> =>
    spec.includes("\n") ? null : (await request("info", spec)).info;
  return {
    readInfo,
    async read(spec, maxBytes, type = "blob") {
      const info = await readInfo(spec);
      if (info === null || info.type !== type || info.bytes > maxBytes) return null;
      return (await request("contents", info.id)).content;
    },
    resolve: async (rev) => (await readInfo(`${rev}^{commit}`))?.id ?? null,
    close() {
      for (const each of [both, old.info, old.contents]) each.close();
    },
  };
}

type Answer = { readonly info: ObjectInfo | null; readonly content: string };

type BatchProcess = {
  request(kind: RequestKind, line: string): Promise<Answer>;
  close(): void;
};

type Waiting = {
  readonly kind: RequestKind;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
};

const UNSUPPORTED = new Error("this git doesn't support --batch-command");

/** Git's exit code for an unknown option. */
const USAGE_EXIT = 129;

/**
 * An answer is a line, followed for contents by the bytes and a line feed. Answers come in the order of the requests. One closure: bytes
 * that arrive, requests and the end of the process change the same state.
 */
function createBatchProcess(
  mode: "--batch-command" | "--batch" | "--batch-check",
  git: GitOptions,
): BatchProcess {
  let child: ChildProcessWithoutNullStreams | null = null;
  let failure: Error | null = null;
  const queue: Waiting[] = [];
  let info: ObjectInfo | null = null;
  /** Remaining bytes of the contents. -1 while a line is expected. */
  let remaining = -1;
  let pieces: string[] = [];

  const fail = (error: Error): void => {
    failure = error;
    for (const waiting of queue.splice(0)) waiting.reject(error);
  };

  const settle = (content: string): void => {
    pieces = [];
    remaining = -1;
    queue.shift()?.resolve({ info, content });
  };

  const takeLine = (line: string): void => {
    info = parseInfo(line);
    pieces = [];
    if (info !== null && queue[0]?.kind === "contents") remaining = info.bytes + 1;
    else settle("");
  };

  const onData = (chunk: string): void => {
    let at = 0;
    while (at < chunk.length) {
      if (remaining === -1) {
        const end = chunk.indexOf("\n", at);
        pieces.push(chunk.slice(at, end === -1 ? undefined : end));
        if (end === -1) return;
        at = end + 1;
        takeLine(pieces.join(""));
        continue;
      }
      const piece = chunk.slice(at, at + remaining);
      at += piece.length;
      remaining -= piece.length;
      pieces.push(piece);
      if (remaining === 0) settle(pieces.join("").slice(0, -1));
    }
  };

  const start = (): ChildProcessWithoutNullStreams => {
    const settings = [...(git.settings ?? []), ...SMALL_MEMORY];
    const started = spawnBatchGit(["cat-file", mode], { ...git, settings });
    started.stdout.setEncoding("latin1").on("data", onData);
    started.stderr.resume();
    started.stdin.on("error", () => {});
    started.on("error", (error) => fail(spawnFailure(error)));
    started.on("close", (code) =>
      fail(mode === "--batch-command" && code === USAGE_EXIT ? UNSUPPORTED : endedEarly()),
    );
    return started;
  };

  return {
    request(kind, line) {
      if (failure !== null) return Promise.reject(failure);
      const { stdin } = (child ??= start());
      return new Promise((resolve, reject) => {
        queue.push({ kind, resolve, reject });
        stdin.write(`${line}\n`, "latin1");
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
  return new KodiaiError("git", "git cat-file exited before it answered", {
    hint: "Run `git fsck` to check the repository.",
  });
}
