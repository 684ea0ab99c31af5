/**
 * Measures how long it takes to find what is new in 5,000 files with 20,000 hunks, 1 % of them edited, after two earlier runs. The
 * baseline is parsing the diff. `node bench/scope.ts parse` and `node bench/scope.ts classify` do it once, to measure the memory.
 */
import type { ChangedFile } from "../src/review/change/change.ts";
import { createDiffParser } from "../src/review/change/parse-diff.ts";
import { isHunkUnread, type Scope } from "../src/review/change/scope.ts";
import { createSharing, type ShareFile } from "../src/review/change/share-files.ts";
import { decideScope } from "../src/review/context/decide-scope.ts";
import { JOB_NODE_OPTIONS } from "../src/worker/job-process.ts";
import { LIMITS } from "./limits.ts";
import { judge, measure, report } from "./measure.ts";

const FILES = 5_000;
const HUNKS_PER_FILE = 4;
/** The mean of real commits. */
const LINES_PER_HUNK = 10;
/** One of so many hunks is edited from run to run. */
const EDITED_EVERY = 100;
/** One of so many files has another base from run to run, so that its hunks are at other lines. */
const REBASED_EVERY = 10;
const ROUNDS = 5;

/** The diff at one run, file by file; `run` counts from 0. */
function* diffAt(run: number): Generator<string> {
  for (let file = 0; file < FILES; file++) {
    const path = `src/${file % 100}/file-${file}.ts`;
    const shift = file % REBASED_EVERY === 0 ? run : 0;
    const hunks = Array.from({ length: HUNKS_PER_FILE }, (_hunk, hunk) =>
      hunkText(file * HUNKS_PER_FILE + hunk, 1 + hunk * 50 + shift, run),
    );
    yield `diff --git a/${path} b/${path}\nindex ${blob(file, shift)}..${blob(file, editsOf(file, run) + 5)} 100644\n--- a/${path}\n+++ b/${path}\n${hunks.join("")}`;
  }
}

/** 0 when no hunk of the file is edited in this run. */
function editsOf(file: number, run: number): number {
  const numbers = Array.from({ length: HUNKS_PER_FILE }, (_, hunk) => file * HUNKS_PER_FILE + hunk);
  return numbers.some((number) => isEditedIn(number, run)) ? run : 0;
}

function isEditedIn(number: number, run: number): boolean {
  return run > 0 && (number + run) % EDITED_EVERY === 0;
}

function parse(texts: Iterable<string>, share?: ShareFile): readonly ChangedFile[] {
  const parser = createDiffParser(share);
  for (const text of texts) parser.push(text);
  return parser.end();
}

function hunkText(number: number, start: number, run: number): string {
  const context = Array.from({ length: 3 }, (_, line) => ` const context${line} = of(${number});\n`).join("");
  const changed = Array.from({ length: LINES_PER_HUNK }, (_, line) => {
    const isEdited = isEditedIn(number, run) && line === 4;
    return `+export const value${line} = compute(${number}, ${isEdited ? run : "old"}, "a text of usual length");\n`;
  }).join("");
  return `@@ -${start},6 +${start},${6 + LINES_PER_HUNK} @@ section\n${context}${changed}${context}`;
}

function blob(file: number, version: number): string {
  return (file * 10 + version).toString(16).padStart(40, "0");
}

function classify(files: readonly ChangedFile[], earlier: readonly (readonly ChangedFile[])[]): Scope {
  const runs = earlier.map((read, index) => ({
    base: "",
    head: String(index),
    config: "",
    readings: { usual: { model: { id: "a:x", head: String(index) } }, others: [] },
    files: read,
  }));
  return decideScope({ files, prior: { runs, findings: [] }, isFull: false, config: "" });
}

function countUnread({ byPath }: Scope): number {
  return [...byPath.values()].flat().filter((hunk) => isHunkUnread(hunk)).length;
}

function medianMs(work: () => void): number {
  const times = Array.from({ length: ROUNDS }, () => {
    const startedAt = performance.now();
    work();
    return performance.now() - startedAt;
  });
  return times.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Number.NaN;
}

export async function scope(): Promise<void> {
  const texts = [...diffAt(2)];
  const [oldest, last, current] = [parse(diffAt(0)), parse(diffAt(1)), parse(texts)];
  // The hunks edited since the last run, and those edited before it, which are back in their first form.
  const unread = countUnread(classify(current, [last]));
  const expected = (2 * FILES * HUNKS_PER_FILE) / EDITED_EVERY;
  if (unread !== expected) throw new Error(`${unread} hunks are unread, not ${expected}`);
  const [parsing, classifying] = [
    medianMs(() => void parse(texts)),
    medianMs(() => void classify(current, [last, oldest])),
  ];
  console.log(`  parsing the diff: ${parsing.toFixed(0)} ms, classifying it: ${classifying.toFixed(0)} ms`);
  judge(LIMITS.classifyHunks, classifying);
  judge(LIMITS.classifyToParse, classifying / parsing);
  const once = (what: string, name: string, options: readonly string[]) => ({
    name,
    command: process.execPath,
    args: [...options, import.meta.filename, what],
    cwd: import.meta.dirname,
    expects: /\d+ hunks/,
  });
  const measured = measure(
    [
      once("parse", "parse, in the process of a job", JOB_NODE_OPTIONS),
      once("classify", "classify, in the process of a job", JOB_NODE_OPTIONS),
      once("classify", "classify, with Node's defaults", []),
    ],
    1,
  );
  report(measured);
  for (const { name, peakMb } of measured) judge(LIMITS.classifyMemory, peakMb ?? Number.NaN, name);
}

if (import.meta.main) {
  const current = parse(diffAt(2));
  // As a run reads them.
  const share = createSharing(current);
  const earlier = [1, 0].map((run) => parse(diffAt(run), share));
  const unread = process.argv[2] === "classify" ? countUnread(classify(current, earlier)) : 0;
  console.log(`${current.flatMap(({ hunks }) => hunks).length} hunks, ${unread} unread`);
}
