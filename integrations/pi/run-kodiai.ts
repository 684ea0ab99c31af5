/** Runs `kodiai` as a child process that can be stopped within a second, with every process it has started. */
import { type ChildProcess, spawn } from "node:child_process";
import { StringDecoder } from "node:string_decoder";

/** After SIGINT, kodiai writes down what it has. Stopping takes less than a second in total. */
const KILL_AFTER_MS = 800;

/** No model writes more. The complete answer is in a file anyway. */
const MAX_ANSWER_CHARS = 400_000;

/** Enough for any message of kodiai, with its hint. */
const MAX_PROBLEM_CHARS = 4_000;

export type RunEnd =
  | { readonly kind: "exited"; readonly code: number; readonly answer: string; readonly problem: string }
  | { readonly kind: "stopped"; readonly answer: string }
  /** The program couldn't be started. */
  | { readonly kind: "not-started"; readonly error: NodeJS.ErrnoException };

export type RunningKodiai = {
  /** Never rejects. */
  readonly end: Promise<RunEnd>;
  /** Resolves when the process has ended. */
  stop(): Promise<void>;
};

type RunOptions = {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Called with all of the answer that is there so far. */
  readonly onAnswer: (text: string) => void;
  /** Called with each line on standard error. */
  readonly onProgress: (line: string) => void;
};

export function runKodiai({ command, args, cwd, onAnswer, onProgress }: RunOptions): RunningKodiai {
  // A group of its own, so that one signal reaches git and the reader process too, as Ctrl-C does in a terminal.
  const isGroup = process.platform !== "win32";
  const child = spawn(command, args, { cwd, detached: isGroup, stdio: ["ignore", "pipe", "pipe"] });
  let answer = "";
  let problem = "";
  let isStopped = false;
  readText(child.stdout, (text) => {
    answer = (answer + text).slice(0, MAX_ANSWER_CHARS);
    onAnswer(answer);
  });
  readText(child.stderr, (text) => {
    problem = (problem + text).slice(-MAX_PROBLEM_CHARS);
    const lines = text.split(/[\r\n]+/).filter((line) => line.trim() !== "");
    const last = lines.at(-1);
    if (last !== undefined) onProgress(last.trim());
  });
  const end = new Promise<RunEnd>((resolve) => {
    child.on("error", (error) => resolve({ kind: "not-started", error }));
    child.on("close", (code) =>
      resolve(
        isStopped ? { kind: "stopped", answer } : { kind: "exited", code: code ?? -1, answer, problem },
      ),
    );
  });
  return {
    end,
    async stop() {
      isStopped = true;
      signalAll(child, "SIGINT", isGroup);
      const killing = setTimeout(() => signalAll(child, "SIGKILL", isGroup), KILL_AFTER_MS);
      await end;
      clearTimeout(killing);
    },
  };
}

function readText(stream: NodeJS.ReadableStream | null, onText: (text: string) => void): void {
  const decoder = new StringDecoder("utf8");
  stream?.on("data", (chunk: Buffer) => onText(withoutControls(decoder.write(chunk))));
}

/** The answer quotes code and comes from a model: it must not move the cursor or change colors. */
function withoutControls(text: string): string {
  return text.replace(/\u001B\[[\d;?]*[A-Za-z]|[\0-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]/g, "");
}

function signalAll(child: ChildProcess, signal: NodeJS.Signals, isGroup: boolean): void {
  if (child.pid === undefined) return;
  try {
    if (isGroup) process.kill(-child.pid, signal);
    else child.kill(signal);
  } catch {
    // It has ended.
  }
}
