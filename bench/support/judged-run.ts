/**
 * The judged run: commits of public repositories, what a review without a model finds on them, and what a person says about each
 * finding. bench/judged-commits.json keeps it without any code. A verdict belongs to the place and the rule, so it stays when the run is
 * repeated, whatever the words and the severity are then.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import type { JudgedFinding, JudgedRun } from "../../scripts/render-judged-run.ts";

export const EMPTY_RUN: JudgedRun = {
  seed: 0,
  addedLines: 0,
  incomplete: 0,
  fixed: [],
  commits: {},
  findings: [],
};

export function readJudgedRun(path: string): JudgedRun {
  // The bench wrote it, in this shape.
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as JudgedRun) : EMPTY_RUN;
}

/** One finding per line, so that the verdicts of two runs can be merged. */
export function writeJudgedRun(path: string, { findings, ...run }: JudgedRun): void {
  const rows = findings
    .toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
    .map((finding) => `    ${JSON.stringify(finding)}`);
  const head = JSON.stringify(run, null, 2).replace(/\n\}$/, "");
  writeFileSync(path, `${head},\n  "findings": [\n${rows.join(",\n")}\n  ]\n}\n`);
}

type Place = Pick<JudgedFinding, "repository" | "commit" | "path" | "line" | "rule">;

export function keyOf({ repository, commit, path, line, rule }: Place): string {
  return [repository, commit, path, line ?? 0, rule].join(" ");
}

/** The findings of this run, with the verdicts that are known. Those of findings that it didn't make stay, without a severity. */
export function withVerdicts(
  known: readonly JudgedFinding[],
  found: readonly (Place & Pick<JudgedFinding, "severity">)[],
): readonly JudgedFinding[] {
  const before = new Map(known.map((finding) => [keyOf(finding), finding]));
  const now = found.map((finding): JudgedFinding => {
    const { repository, commit, path, line, rule, severity } = finding;
    const { verdict = null, because = null } = before.get(keyOf(finding)) ?? {};
    return { repository, commit, path, line, rule, severity, verdict, because };
  });
  const made = new Set(now.map(keyOf));
  const gone = known.filter((finding) => finding.verdict !== null && !made.has(keyOf(finding)));
  return [...now, ...gone.map((finding) => ({ ...finding, severity: null }))];
}

/** Takes verdicts from a file of findings that a person filled in. Throws on a verdict without a reason. */
export function takeVerdicts(run: JudgedRun, path: string): JudgedRun {
  const given = new Map<string, Pick<JudgedFinding, "verdict" | "because">>();
  for (const [index, line] of readFileSync(path, "utf8").split("\n").entries()) {
    if (line === "") continue;
    // A person edits what this bench wrote; what matters of it is checked here.
    const finding = JSON.parse(line) as JudgedFinding;
    const { verdict, because } = finding;
    if (verdict === null) continue;
    if (!["wanted", "unwanted", "false"].includes(verdict) || (because ?? "") === "")
      throw new Error(
        `${path}:${index + 1}: a verdict is "wanted", "unwanted" or "false", and "because" gives its reason`,
      );
    given.set(keyOf(finding), { verdict, because });
  }
  return {
    ...run,
    findings: run.findings.map((finding) => ({ ...finding, ...given.get(keyOf(finding)) })),
  };
}
