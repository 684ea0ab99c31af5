/** Readers, and files for them. */
import type { TestContext } from "node:test";
import { createReaderProcess } from "../../src/reading/process/reader-process.ts";
import type { FileReading, Reader } from "../../src/reading/reader.ts";
import { changedFile, configTreeOf } from "./analysis-fixtures.ts";

export const MISBEHAVING = new URL("./misbehaving-reader-main.ts", import.meta.url);

export const floor = configTreeOf().root.values.floor;

export const never = new AbortController().signal;

/** Longer than any normal task takes on a busy machine. */
export const PATIENT_MS = 60_000;

export function readingOf(path: string, text: string, language = "typescript"): FileReading {
  const lines = text.split("\n");
  return {
    file: changedFile({ path, lines: lines.map((line) => `+${line}`) }),
    facts: { path, language, category: "source", floor },
    text: { whole: text },
    isFiltered: false,
  };
}

export function openedFor(t: TestContext, entry: URL, signal = never): Reader {
  const reader = createReaderProcess(entry, signal);
  t.after(() => reader.close());
  return reader;
}
