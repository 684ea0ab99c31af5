/** Divides test files among processes: unit tests, and those of the fake GitHub, share some; every other file has its own. */
import { join } from "node:path";
import { type Durations, estimateMs } from "./durations.ts";

const UNIT_TESTS = join(import.meta.dirname, "unit-tests.ts");

/**
 * Unit tests that share a process. To start git, the system copies the page tables of the process, so in one that has loaded a hundred
 * files of tests each start takes 20 ms and more.
 */
const MOST_IN_PROCESS = 24;

/** The work of one process. */
export type Work = {
  /** The module that the process runs, with `argv`. */
  readonly entry: string;
  readonly argv: readonly string[];
  /** The test files in it. */
  readonly files: readonly string[];
};

type Group = { files: string[]; ms: number };

/** Loading the program takes as long as many of these tests. They leave nothing running. */
function sharesProcess(file: string): boolean {
  return file.startsWith("src/") || file.startsWith("fake-github/");
}

/** Longest first, so that no long file is left over at the end while other processors are idle. */
export function planWork(files: readonly string[], processes: number, known: Durations): readonly Work[] {
  const byLength = files
    .map((file) => ({ file, ms: estimateMs(file, known) }))
    .toSorted((one, other) => other.ms - one.ms);
  const shared = Math.ceil(files.filter(sharesProcess).length / MOST_IN_PROCESS);
  const units = Array.from({ length: Math.max(processes, shared) }, (): Group => ({ files: [], ms: 0 }));
  const others: Group[] = [];
  for (const { file, ms } of byLength) {
    if (!sharesProcess(file)) {
      others.push({ files: [file], ms });
      continue;
    }
    const open = units.filter((group) => group.files.length < MOST_IN_PROCESS);
    const smallest = open.reduce((least, group) => (group.ms < least.ms ? group : least));
    smallest.files.push(file);
    smallest.ms += ms;
  }
  return [...units, ...others]
    .filter(({ files: inGroup }) => inGroup.length > 0)
    .toSorted((one, other) => other.ms - one.ms)
    .map(({ files: inGroup }) => toWork(inGroup));
}

function toWork(files: readonly string[]): Work {
  const [first = ""] = files;
  return sharesProcess(first) ? { entry: UNIT_TESTS, argv: files, files } : { entry: first, argv: [], files };
}
