/**
 * A run folder: `run.json`, one file in `cases` per finished review with its recording in `recordings`, and the journals of those that
 * aren't finished. A case's file is written last and whole, so one that is there is finished.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type * as z from "zod";
import { KodiaiError, messageOf } from "../../base/errors.ts";
import { makeFolders } from "../../base/make-folders.ts";
import { parseJson } from "../../base/parse-json.ts";
import { printable } from "../../base/printable.ts";
import type { RunResults } from "../score/score-run.ts";
import type { SetProblem } from "../set/evaluation-set.ts";
import { CaseRun, RUN_FORMAT } from "./case-run.ts";
import { RUN_KIND, RunFile } from "./run-file.ts";

/** Recordings and answers of models quote code, which may be private. */
const PRIVATE_MODE = 0o600;

export const RUN_JSON = "run.json";

export type Unit = { readonly case: string; readonly repeat: number };

const nameOf = ({ case: id, repeat }: Unit): string => `${id}.${repeat}`;

export function journalPath(folder: string, unit: Unit): string {
  return join(folder, "journals", `${nameOf(unit)}.jsonl`);
}

/** Null when the folder has no run yet. */
export function readRunFile(folder: string): RunFile | null {
  const path = join(folder, RUN_JSON);
  if (!existsSync(path)) return null;
  const parsed = parseFile(readFileSync(path, "utf8"), RunFile, RUN_KIND);
  if (typeof parsed === "string")
    throw new KodiaiError("bad-json", `${printable(path)} can't be read: ${parsed}`, {
      hint: "Start a new run in another folder with --out, or restore the file.",
    });
  return parsed;
}

/** Fails when the folder holds something else. */
export async function createRun(folder: string, run: RunFile): Promise<void> {
  makeFolders(folder);
  const [foreign] = await readdir(folder);
  if (foreign !== undefined)
    throw new KodiaiError(
      "usage",
      `${printable(folder)} has other files in it, such as ${printable(foreign)}`,
      {
        hint: "Use --out with a new or empty folder.",
      },
    );
  writeDurably(join(folder, RUN_JSON), `${JSON.stringify(run, null, 2)}\n`);
}

/** All finished reviews, and the files that can't be read. */
export async function readResults(folder: string, run: RunFile): Promise<RunResults> {
  const cases = join(folder, "cases");
  const names = existsSync(cases)
    ? (await readdir(cases)).filter((name) => name.endsWith(".json")).toSorted()
    : [];
  const runs: CaseRun[] = [];
  const problems: SetProblem[] = [];
  for (const name of names) {
    const parsed = parseFile(await readFile(join(cases, name), "utf8"), CaseRun, null);
    if (typeof parsed === "string") problems.push({ where: `cases/${name}`, problem: parsed });
    else runs.push(parsed);
  }
  return { run, runs, problems };
}

/** The value, or what is wrong with the text. */
function parseFile<Value>(text: string, schema: z.ZodType<Value>, kind: string | null): Value | string {
  const content = parseJson(text);
  if (typeof content !== "object" || content === null)
    return "it is no JSON object; it was cut off or edited";
  const { kind: given, format } = content as { readonly kind?: unknown; readonly format?: unknown };
  if (kind !== null && given !== kind) return "it is no run of `kodiai eval run`";
  if (typeof format === "number" && format !== RUN_FORMAT)
    return `it has format ${format}, and this version of Kodiai reads format ${RUN_FORMAT}; use the version that wrote it`;
  const parsed = schema.safeParse(content);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  return printable(`${issue?.path.join(".") ?? ""}: ${issue?.message ?? "wrong"}`);
}

/** First the recording, then the result: a result means that everything about the review is there. A failed review keeps its journal. */
export function keepReview(folder: string, run: CaseRun, recording: string | null): void {
  if (recording !== null)
    writeDurably(join(folder, "recordings", `${nameOf(run)}.json.gz`), gzipSync(recording));
  writeDurably(join(folder, "cases", `${nameOf(run)}.json`), `${JSON.stringify(run, null, 1)}\n`);
  if (run.failure === null) removeJournal(folder, run);
}

export function removeJournal(folder: string, unit: Unit): void {
  rmSync(journalPath(folder, unit), { force: true });
}

/** The file has its old content or the new one, also after a power failure. */
export function writeDurably(path: string, content: string | Uint8Array): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    mkdirSync(join(path, ".."), { recursive: true });
    const handle = openSync(temporary, "w", PRIVATE_MODE);
    try {
      const bytes = typeof content === "string" ? Buffer.from(content) : content;
      for (let at = 0; at < bytes.length;) at += writeSync(handle, bytes, at);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw new KodiaiError("io", `could not write ${printable(path)}: ${messageOf(error)}`, {
      hint: "Check the folder's permissions and the free disk space. Finished reviews are kept.",
      cause: error,
    });
  }
}
