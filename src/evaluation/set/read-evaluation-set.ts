/**
 * Reads a set from its folder. A case that can't be used becomes a problem that names the file and the field, and the others are used.
 * Only a folder without a readable `set.json` is an error.
 */
import { count } from "../../base/count.ts";
import { type Dirent, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import type * as z from "zod";
import { KodiaiError, messageOf } from "../../base/errors.ts";
import { printable } from "../../base/printable.ts";
import { checkCase } from "./check-case.ts";
import type { CaseFiles, EvaluationCase, EvaluationSet, SetProblem } from "./evaluation-set.ts";
import { CaseFile, RepositoryFile, SetFile } from "./set-files.ts";

/** The largest public set of reviews has a few hundred pull requests. */
const MAX_CASES = 10_000;

/** A pull request with the whole texts of a few hundred files. */
const MAX_FILE_BYTES = 32 * 1024 * 1024;

/** All texts are in memory during a run. */
const MAX_SET_BYTES = 512 * 1024 * 1024;

/** One file with a wrong shape can have a problem per field. */
const MAX_ISSUES_PER_FILE = 5;

type Reading = { readonly folder: string; readonly problems: SetProblem[]; bytes: number };

export function readEvaluationSet(folder: string): EvaluationSet {
  const reading: Reading = { folder, problems: [], bytes: 0 };
  const file = readFile("set.json", SetFile, reading);
  if (file === null) throw notASet(folder, reading.problems);
  const bases = readBases(reading);
  const cases = new Map<string, EvaluationCase>();
  for (const where of listFiles("cases", reading)) {
    const stored = readFile(where, CaseFile, reading);
    if (stored === null) continue;
    const read = withTexts(stored, bases);
    const wrong = cases.has(read.id)
      ? [{ field: "id", problem: `another case is also called ${read.id}; ids must be unique` }]
      : checkCase(read);
    if (wrong.length === 0) cases.set(read.id, read);
    reading.problems.push(
      ...wrong.map(({ field, problem }) => ({ where: `${where}: ${field}`, problem: printable(problem) })),
    );
  }
  if (cases.size === 0)
    reading.problems.push({
      where: "cases",
      problem: "the set has no usable case; add files such as cases/first.json",
    });
  const { name, version } = file;
  return { name, version, cases: [...cases.values()], problems: reading.problems };
}

/** The texts of each repository that cases share, by name. */
function readBases(reading: Reading): ReadonlyMap<string, CaseFiles["base"]> {
  const bases = new Map<string, CaseFiles["base"]>();
  for (const where of listFiles("repositories", reading)) {
    const file = readFile(where, RepositoryFile, reading);
    if (file !== null) bases.set(basename(where, ".json"), file.files);
  }
  return bases;
}

function withTexts(
  { id, title, body, language, isSound, answers, code }: CaseFile,
  bases: ReadonlyMap<string, CaseFiles["base"]>,
): EvaluationCase {
  const about = { id, title, body, language, isSound, answers };
  if (code.kind === "commits") return { ...about, code };
  const { kind, repository, base, changes } = code;
  const files = { base: { ...bases.get(repository), ...base }, changes };
  return { ...about, code: { kind, repository, files } };
}

/** JSON files of a folder in a fixed order, relative to the set. A missing folder has none. */
function listFiles(below: string, { folder, problems }: Reading): readonly string[] {
  const entries = listFolder(join(folder, below), (problem) => problems.push({ where: below, problem }));
  const names = entries.map(({ name }) => name).filter((name) => name.endsWith(".json"));
  if (names.length > MAX_CASES)
    problems.push({
      where: below,
      problem: `has ${count(names.length, "file")}; only the first ${MAX_CASES} are used`,
    });
  return names
    .toSorted()
    .slice(0, MAX_CASES)
    .map((name) => `${below}/${name}`);
}

function listFolder(folder: string, report: (problem: string) => void): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    if (!isMissing) report(`can't be listed (${messageOf(error)})`);
    return [];
  }
}

/** Null when the file can't be used; the problems then say why. */
function readFile<Schema extends z.ZodType>(
  where: string,
  schema: Schema,
  reading: Reading,
): z.output<Schema> | null {
  const report = (problem: string, field?: string): null => {
    reading.problems.push({
      where: field === undefined ? where : `${where}: ${field}`,
      problem: printable(problem),
    });
    return null;
  };
  let value: unknown;
  try {
    const path = join(reading.folder, where);
    const stat = statSync(path);
    if (!stat.isFile()) return report("isn't a file");
    if (stat.size > MAX_FILE_BYTES) return report(`is larger than ${MAX_FILE_BYTES} bytes`);
    if (reading.bytes + stat.size > MAX_SET_BYTES)
      return report(`isn't read, because the set is larger than ${MAX_SET_BYTES} bytes; split it`);
    reading.bytes += stat.size;
    value = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    return report(
      `${error instanceof SyntaxError ? "isn't valid JSON" : "can't be read"} (${messageOf(error)})`,
    );
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  for (const issue of parsed.error.issues.slice(0, MAX_ISSUES_PER_FILE)) {
    const cause = issue.code === "invalid_key" ? issue.issues[0] : undefined;
    report(cause?.message ?? issue.message, fieldAt(issue.path));
  }
  return null;
}

/** `answers[0].lines`, as JavaScript writes it. */
function fieldAt(path: readonly PropertyKey[]): string {
  const text = path.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`)).join("");
  return printable(text.replace(/^\./, "") || "the file");
}

function notASet(folder: string, [first]: readonly SetProblem[]): KodiaiError {
  const why = first === undefined ? "" : `: ${first.where} ${first.problem}`;
  return new KodiaiError("config", `${folder} can't be used as an evaluation set${why}`, {
    hint: "Name a folder with a set.json and a folder of cases. docs/evaluation.md describes them.",
  });
}
