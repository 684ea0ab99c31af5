/**
 * Marks findings whose problem was there before the change. A reviewer that can check a file twice, after and before the
 * change, passes both results; a finding is matched with one before it by the rule and the code.
 */
import type { ChangedFile } from "../change/change.ts";
import { walkHunk } from "../change/walk-hunks.ts";
import type { Finding } from "./finding.ts";
import { foldCode } from "./fold-code.ts";

/** These miss a name. One that the file used before, and that wasn't defined there either, comes from somewhere else. */
const MISSING_NAME = /^(?:ruff\/F821|oxlint\/jsx-no-undef)$/;

/** `before` are findings on removed lines, with their lines at the base. */
export function markExisting(
  after: readonly Finding[],
  before: readonly Finding[],
  file: ChangedFile,
): readonly Finding[] {
  if (before.length === 0) return after;
  const runs = runsOf(file);
  const unmatched = new Set(before);
  const take = (isMatch: (earlier: Finding) => boolean): boolean => {
    for (const earlier of unmatched) if (isMatch(earlier)) return unmatched.delete(earlier);
    return false;
  };
  const existing = new Set(
    after.filter(
      ({ rule, title }) =>
        rule !== null &&
        MISSING_NAME.test(rule) &&
        before.some((earlier) => earlier.rule === rule && earlier.title === title),
    ),
  );
  // Each earlier finding explains one finding: first the same code anywhere in the file, then an edited line.
  for (const finding of after)
    if (
      !existing.has(finding) &&
      take((earlier) => earlier.rule === finding.rule && hasSameCode(earlier, finding))
    )
      existing.add(finding);
  for (const finding of after) {
    const run = runs.new.get(finding.lineHint ?? 0);
    if (existing.has(finding) || run === undefined) continue;
    if (take((earlier) => earlier.rule === finding.rule && runs.old.get(earlier.lineHint ?? 0) === run))
      existing.add(finding);
  }
  return after.map((finding) => (existing.has(finding) ? { ...finding, isExisting: true } : finding));
}

/** True when a finding is on an added line next to removed ones, or misses a name: an earlier finding can explain it. */
export function mayBeExisting(findings: readonly Finding[], file: ChangedFile): boolean {
  if (findings.length === 0) return false;
  const runs = runsOf(file);
  const withRemoved = new Set(runs.old.values());
  return (
    withRemoved.size > 0 &&
    findings.some(
      ({ lineHint, rule }) =>
        withRemoved.has(runs.new.get(lineHint ?? 0) ?? 0) || (rule !== null && MISSING_NAME.test(rule)),
    )
  );
}

function hasSameCode(one: Finding, other: Finding): boolean {
  return one.quote !== "" && foldCode(one.quote) === foldCode(other.quote);
}

/** The number of the run of changed lines that a line belongs to, on each side. Context lines separate runs. */
function runsOf({ hunks }: ChangedFile): Readonly<Record<"new" | "old", ReadonlyMap<number, number>>> {
  const runs = { new: new Map<number, number>(), old: new Map<number, number>() };
  let run = 0;
  for (const hunk of hunks) {
    run++;
    for (const { kind, newLine, oldLine } of walkHunk(hunk)) {
      if (kind === "context") run++;
      else if (newLine !== null) runs.new.set(newLine, run);
      else if (oldLine !== null) runs.old.set(oldLine, run);
    }
  }
  return runs;
}
