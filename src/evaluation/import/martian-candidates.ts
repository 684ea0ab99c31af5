/**
 * Stored results of other tools on the set martian: the comments that its authors extracted from each tool's review, in their
 * `candidates.json`. They become the results of a run, so that everything scores them as it scores Kodiai.
 */
import * as z from "zod";
import { KodiaiError } from "../../base/errors.ts";
import { parseJson } from "../../base/parse-json.ts";
import { printable } from "../../base/printable.ts";
import { type CaseRun, RUN_FORMAT } from "../run/case-run.ts";
import type { RunFile } from "../run/run-file.ts";
import type { RunResults } from "../score/score-run.ts";

const Candidate = z.object({
  text: z.string(),
  path: z.string().nullish(),
  line: z.int().nullish(),
});

/** By pull request, then by tool. */
const Candidates = z.record(z.string(), z.record(z.string(), z.array(Candidate)));

const PULL_REQUEST = /^https:\/\/github\.com\/([\w.-]+)\/([\w.-]+)\/(?:pull\/(\d+)|commit\/[0-9a-f]{40})$/;

/** `like`: a run on the same set, whose cases are compared. `name`: of the file, for messages. */
export function readMartianCandidates(
  text: string,
  { tool, like, name }: { readonly tool: string | null; readonly like: RunFile; readonly name: string },
): RunResults {
  const { data } = Candidates.safeParse(parseJson(text));
  if (data === undefined)
    throw new KodiaiError(
      "bad-json",
      `${printable(name)} is neither a run, nor a score, nor stored results of martian`,
      {
        hint: "Name the folder of `kodiai eval run`, a JSON file of `kodiai eval score`, or a candidates.json of the set martian.",
      },
    );
  const tools = [...new Set(Object.values(data).flatMap((each) => Object.keys(each)))].toSorted();
  if (tool === null || !tools.includes(tool))
    throw new KodiaiError(
      "usage",
      `${printable(name)} has results of several tools; choose one with --tool`,
      {
        hint: `It has ${printable(tools.join(", "))}.`,
      },
    );
  const byCase = new Map<string, readonly z.infer<typeof Candidate>[]>(
    Object.entries(data).flatMap(([url, results]) => {
      const [, owner, repository, number = "0"] = PULL_REQUEST.exec(url) ?? [];
      const found = results[tool];
      return found === undefined ? [] : [[`${owner}.${repository}.${number}`, found] as const];
    }),
  );
  const runs = like.cases.flatMap(({ id }): readonly CaseRun[] => {
    const found = byCase.get(id);
    return found === undefined ? [] : [toCaseRun(id, found)];
  });
  const settings = { ...like.settings, model: "", verify: null, passes: null, config: null, repeat: 1 };
  return { run: { ...like, reviewer: tool, settings, problems: [] }, runs, problems: [] };
}

function toCaseRun(id: string, found: readonly z.infer<typeof Candidate>[]): CaseRun {
  return {
    format: RUN_FORMAT,
    case: id,
    repeat: 1,
    failure: null,
    conclusion: "complete",
    findings: found.map(({ text, path, line }) => ({
      title: text,
      body: "",
      path: path ?? "",
      side: "new",
      lines: line == null ? null : [line, line],
      // The file has neither; both only decide in which row a finding counts.
      severity: "medium",
      category: "correctness",
      confidence: 0.5,
      source: "model",
      rule: null,
      pass: "",
      fate: "shown",
      placement: path == null || line == null ? "summary" : "inline",
      reason: null,
      mergedInto: null,
      verdict: null,
    })),
    size: { lines: 0, files: 0 },
    costUsd: null,
    tokens: { input: 0, cachedInput: 0, output: 0 },
    firstCallTokens: null,
    ms: 0,
  };
}
