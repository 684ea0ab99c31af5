/**
 * Judged runs: commits of public repositories, what a review without a model finds on them, and what a person says about each
 * finding. bench/judged-commits.json keeps them without any code. A verdict belongs to the place and the rule, so it stays when the run is
 * repeated, whatever the words and the severity are then.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import type { Severity } from "../../src/base/severity.ts";
import type { JudgedFinding, JudgedRun, JudgedRuns } from "../../scripts/render-judged-run.ts";

export function readKept<Kept>(path: string, otherwise: Kept): Kept {
  // The bench wrote it, in this shape.
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Kept) : otherwise;
}

export function writeJudgedRuns(path: string, runs: JudgedRuns): void {
  writeFileSync(path, `[\n${runs.map((run) => renderKept(run).trimEnd()).join(",\n")}\n]\n`);
}

/** JSON with one repository and one finding per line, so that the verdicts of two readings can be merged. */
export function renderKept({
  findings,
  ...facts
}: Readonly<Record<string, unknown>> & { readonly findings: readonly Place[] }): string {
  const rows = findings
    .toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
    .map((finding) => `    ${JSON.stringify(finding)}`);
  const head = Object.entries(facts).map(([name, value]) => `  "${name}": ${renderFact(value)},\n`);
  return `{\n${head.join("")}  "findings": [\n${rows.join(",\n")}\n  ]\n}\n`;
}

function renderFact(value: unknown): string {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return JSON.stringify(value);
  const rows = Object.entries(value).map(
    ([name, each]) => `    ${JSON.stringify(name)}: ${JSON.stringify(each)}`,
  );
  return `{\n${rows.join(",\n")}\n  }`;
}

/** The last run, or the one that the caller begins. Throws on a repository that an earlier run used. */
export function lastRun(
  runs: JudgedRuns,
  begun: string | undefined,
  seed: number,
  repositories: readonly string[],
): JudgedRun {
  const date = begun ?? runs.at(-1)?.date;
  if (date === undefined) throw new Error("there is no judged run yet: --begin DATE begins one");
  const earlier = runs.filter((run) => run.date !== date);
  for (const run of earlier)
    for (const name of repositories)
      if (run.commits[name] !== undefined)
        throw new Error(`the run of ${run.date} used ${name}: choose a repository that no run used`);
  const known = runs.find((run) => run.date === date);
  return known ?? { date, seed, addedLines: 0, incomplete: 0, fixed: [], commits: {}, findings: [] };
}

type Place = Pick<JudgedFinding, "repository" | "commit" | "path" | "line" | "rule">;
type Verdict = { readonly verdict: string | null; readonly because: string | null };
type Judged<Judgement extends string> = Place & {
  readonly severity: Severity | null;
  readonly verdict: Judgement | null;
  readonly because: string | null;
};

export function keyOf({ repository, commit, path, line, rule }: Place): string {
  return [repository, commit, path, line ?? 0, rule].join(" ");
}

/** The findings of this run, with the verdicts that are known. Those of findings that it didn't make stay, without a severity. */
export function withVerdicts<Judgement extends string>(
  known: readonly Judged<Judgement>[],
  found: readonly (Place & { readonly severity: Severity })[],
): readonly Judged<Judgement>[] {
  const before = new Map(known.map((finding) => [keyOf(finding), finding]));
  const now = found.map((finding): Judged<Judgement> => {
    const { repository, commit, path, line, rule, severity } = finding;
    const { verdict = null, because = null } = before.get(keyOf(finding)) ?? {};
    return { repository, commit, path, line, rule, severity, verdict, because };
  });
  const made = new Set(now.map(keyOf));
  const gone = known.filter((finding) => finding.verdict !== null && !made.has(keyOf(finding)));
  return [...now, ...gone.map((finding) => ({ ...finding, severity: null }))];
}

/** Takes verdicts from a file of findings that a person filled in. Throws on a verdict without a reason. */
export function takeVerdicts<Kept extends Place & Verdict>(
  findings: readonly Kept[],
  path: string,
  verdicts: readonly string[],
): readonly Kept[] {
  const given = new Map<string, Verdict>();
  for (const [index, line] of readFileSync(path, "utf8").split("\n").entries()) {
    if (line === "") continue;
    // A person edits what this bench wrote; what matters of it is checked here.
    const finding = JSON.parse(line) as Kept;
    const { verdict, because } = finding;
    if (verdict === null) continue;
    if (!verdicts.includes(verdict) || (because ?? "") === "")
      throw new Error(
        `${path}:${index + 1}: a verdict is one of ${verdicts.join(", ")}, and "because" gives its reason`,
      );
    given.set(keyOf(finding), { verdict, because });
  }
  return findings.map((finding) => ({ ...finding, ...given.get(keyOf(finding)) }));
}
