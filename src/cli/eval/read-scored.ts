/** Reads what a person names as the result of an evaluation: the folder of a run, a stored score, or stored results of another tool. */
import { KodiaiError } from "../../base/errors.ts";
import { parseJson } from "../../base/parse-json.ts";
import { printable } from "../../base/printable.ts";
import type { RunFile } from "../../evaluation/run/run-file.ts";
import type { RunResults } from "../../evaluation/score/score-run.ts";
import type { Score } from "../../evaluation/score/score.ts";
import type { CliDeps } from "../command.ts";

/** Several times the score of the largest set. */
const MAX_SCORE_BYTES = 64 * 1024 * 1024;

/** Null when the folder has no run. */
async function readRunIfAny(folder: string): Promise<RunResults | null> {
  const { readResults, readRunFile } = await import("../../evaluation/run/run-folder.ts");
  const run = readRunFile(folder);
  return run === null ? null : readResults(folder, run);
}

export async function readRun(folder: string): Promise<RunResults> {
  const results = await readRunIfAny(folder);
  if (results !== null) return results;
  throw new KodiaiError("usage", `${printable(folder)} has no run`, {
    hint: `Make one with \`kodiai eval run --out ${printable(folder)}\`, or name the folder of one.`,
  });
}

/** A score as `kodiai eval score` wrote it. Null when the text is something else. */
export async function parseScore(text: string, name: string): Promise<Score | null> {
  const { Score: schema, SCORE_FORMAT, SCORE_KIND } = await import("../../evaluation/score/score.ts");
  const content = parseJson(text);
  if (typeof content !== "object" || content === null || !("kind" in content) || content.kind !== SCORE_KIND)
    return null;
  const parsed = schema.safeParse(content);
  if (parsed.success) return parsed.data;
  const isOther = "format" in content && content.format !== SCORE_FORMAT;
  throw new KodiaiError("bad-json", `${printable(name)} can't be read as a score`, {
    hint: isOther
      ? "Another version of Kodiai wrote it. Score the run's folder again with this version."
      : "It was cut off or edited. Score the run's folder again.",
  });
}

export async function readText(path: string, deps: CliDeps): Promise<string> {
  return Buffer.from(await deps.files.readFile(path, MAX_SCORE_BYTES)).toString("utf8");
}

/** A run or a score; null for a file that is neither. */
export async function readScore(
  name: string,
  deps: CliDeps,
): Promise<{ readonly score: Score; readonly run: RunFile | null } | null> {
  const results = await readRunIfAny(name);
  if (results !== null) {
    const { scoreRun } = await import("../../evaluation/score/score-run.ts");
    return { score: scoreRun(results), run: results.run };
  }
  const score = await parseScore(await readText(name, deps), name);
  return score === null ? null : { score, run: null };
}
