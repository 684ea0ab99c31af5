/**
 * Reads objects through one long-lived `git cat-file`. What an object is and how large comes first: one over the limit is never
 * unpacked.
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

type Question = "info" | "contents";

/** Git before 2.36 does not know `--batch-command`: there, each kind of question has a git of its own. */
export function createObjectReader(git: GitOptions): ObjectReader {
  const both = createAsker("--batch-command", git);
  const old = { info: createAsker("--batch-check", git), contents: createAsker("--batch", git) };
  let isOld = false;
  const ask = async (question: Question, spec: string): Promise<Answer> => {
    try {
      if (!isOld) return await both.ask(question, `${question} ${spec}`);
    } catch (error) {
      if (error !== UNSUPPORTED) throw error;
      isOld = true;
    }
    return old[question].ask(question, spec);
  };
  const look = async (spec: string): Promise<ObjectInfo | null> =>
    spec.includes("\n") ? null : (await ask("info", spec)).info;
  return {
    look,
    async read(spec, maxBytes, type = "blob") {
      const info = await look(spec);
      if (info === null || info.type !== type || info.bytes > maxBytes) return null;
      return (await ask("contents", info.id)).content;
    },
    resolve: async (rev) => (await look(`${rev}^{commit}`))?.id ?? null,
    close() {
      for (const asker of [both, old.info, old.contents]) asker.close();
    },
  };
}

type Answer = { readonly info: ObjectInfo | null; readonly content: string };

type Asker = {
  ask(question: Question, line: string): Promise<Answer>;
  close(): void;
};

type Waiting = {
  readonly question: Question;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
};

const UNSUPPORTED = new Error("this git does not know --batch-command");

/** How git ends when it does not know an option. */
const USAGE_EXIT = 129;

/** An answer is a line, and for contents those and one line feed after it. Answers come in the order of the questions. */
function createAsker(mode: "--batch-command" | "--batch" | "--batch-check", git: GitOptions): Asker {
  let child: ChildProcessWithoutNullStreams | null = null;
  let failure: Error | null = null;
  const queue: Waiting[] = [];
  let info: ObjectInfo | null = null;
  /** What is still to come of the contents; -1 while a line is expected. */
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
    if (info !== null && queue[0]?.question === "contents") remaining = info.bytes + 1;
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
    const started = spawnAskedGit(["cat-file", mode], git);
    started.stdout.setEncoding("latin1").on("data", onData);
    started.stderr.resume();
    started.stdin.on("error", () => {});
    started.on("error", fail);
    started.on("close", (code) =>
      fail(mode === "--batch-command" && code === USAGE_EXIT ? UNSUPPORTED : endedEarly()),
    );
    return started;
  };

  return {
    ask(question, line) {
      if (failure !== null) return Promise.reject(failure);
      const { stdin } = (child ??= start());
      return new Promise((resolve, reject) => {
        queue.push({ question, resolve, reject });
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
  return new KodiaiError("git", "git cat-file ended before it had answered", {
    hint: "Run `git fsck` to check the repository.",
  });
}
