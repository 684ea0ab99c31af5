/** A file of lines that only grows. A line is on disk when `append` returns. A line that a crash cut off is removed. */
import { closeSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs";
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";

/** Answers of models can quote private code. */
const PRIVATE_MODE = 0o600;

export type AppendFile = {
  /** Without its line feed. */
  append(line: string): void;
  close(): void;
};

export function openAppendFile(path: string): {
  readonly file: AppendFile;
  readonly lines: readonly string[];
} {
  mkdirSync(dirname(path), { recursive: true });
  const handle = openSync(path, "a+", PRIVATE_MODE);
  const text = readFileSync(handle);
  const end = text.lastIndexOf(0x0a) + 1;
  if (end < text.length) ftruncateSync(handle, end);
  const lines = text.subarray(0, end).toString("utf8").split("\n").slice(0, -1);
  return {
    lines,
    file: {
      append(line) {
        writeSync(handle, `${line}\n`);
        fsyncSync(handle);
      },
      close: () => closeSync(handle),
    },
  };
}
