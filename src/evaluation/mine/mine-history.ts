/**
 * Builds cases from a repository's own history: merged pull requests whose lines a later commit fixed, or that were reverted with a reason.
 * The answer is what the later commit says. Deterministic for a commit and a start.
 */
import type { HistoryCommit, RepositoryHistory } from "../../repository/repository-history.ts";
import type { EvaluationCase, KnownAnswer, SetProblem } from "../set/evaluation-set.ts";
import { findFixed, isFix } from "./fixes.ts";
import { isByBot, type MergedChange, reasonOfRevert, revertedBy, toMergedChange } from "./mainline.ts";
import { toMinedCase } from "./mined-case.ts";

/** Two years of a busy repository. */
const MAX_COMMITS = 20_000;

/** Each takes up to a few seconds. */
const MAX_FIXES = 1_500;

export type HistoryMine = {
  readonly repository: string;
  readonly sinceMs: number;
  readonly onProgress: (stage: string) => void;
};

export type MinedHistory = {
  readonly cases: readonly EvaluationCase[];
  /** Limits that were reached. */
  readonly problems: readonly SetProblem[];
  readonly counts: MiningCounts;
};

export type MiningCounts = {
  readonly pullRequests: number;
  /** Commits that say that they fix something. */
  readonly fixes: number;
  /** Those that replace lines of one pull request of the time. */
  readonly traced: number;
  readonly reverts: number;
  /** Those that say why. */
  readonly explainedReverts: number;
};

export async function mineHistory(
  { repository, sinceMs, onProgress }: HistoryMine,
  history: RepositoryHistory,
): Promise<MinedHistory> {
  onProgress("reading the history");
  const head = await history.findCommit("HEAD");
  const newest = head === null ? [] : await history.listMainline({ from: head, sinceMs, max: MAX_COMMITS });
  const own = newest.filter((commit) => !isByBot(commit));
  const merged = new Map(
    own.flatMap((commit) => {
      const change = toMergedChange(commit);
      return change === null ? [] : [[commit.id, change] as const];
    }),
  );
  const problems: SetProblem[] = [];
  if (newest.length === MAX_COMMITS)
    problems.push({
      where: repository,
      problem: `only the newest ${MAX_COMMITS} commits were read; choose a later --since`,
    });
  // Oldest first, so that the first fix of a place counts.
  const fixes = own.filter(isFix).toReversed();
  if (fixes.length > MAX_FIXES)
    problems.push({
      where: repository,
      problem: `only the newest ${MAX_FIXES} of ${fixes.length} fixes were examined; choose a later --since`,
    });
  const answers = new Map<string, KnownAnswer[]>();
  let traced = 0;
  for (const [index, fix] of fixes.slice(-MAX_FIXES).entries()) {
    onProgress(`examining fixes: ${index + 1} of ${Math.min(fixes.length, MAX_FIXES)}`);
    const place = await findFixed(fix, history);
    if (place === null || !merged.has(place.commit)) continue;
    traced++;
    append(answers, place.commit, {
      ...answerOf(fix),
      path: place.path,
      lines: place.lines,
      sentence: sentenceOf(fix),
    });
  }
  const { reverts, explained } = explainReverts(own, merged, answers);
  onProgress("reading pull requests");
  const cases: EvaluationCase[] = [];
  for (const [id, change] of merged) {
    const known = answers.get(id);
    if (known === undefined) continue;
    const { number, title, body, base } = change;
    const about = { id: `pr-${number}`, title, body, answers: known, repository, base, head: id };
    const made = await toMinedCase(about, history);
    // A number comes twice when a pull request was merged into the mainline in parts.
    const isTaken = made !== null && cases.some((each) => each.id === made.id);
    if (made !== null) cases.push(isTaken ? { ...made, id: `${made.id}-${id.slice(0, 12)}` } : made);
  }
  const counts = {
    pullRequests: merged.size,
    fixes: fixes.length,
    traced,
    reverts,
    explainedReverts: explained,
  };
  return { cases: cases.toSorted((a, b) => (a.id < b.id ? -1 : 1)), problems, counts };
}

/** A revert says that something was wrong, but not where. A revert that was reverted says nothing. */
function explainReverts(
  commits: readonly HistoryCommit[],
  merged: ReadonlyMap<string, MergedChange>,
  answers: Map<string, KnownAnswer[]>,
) {
  const reverts = commits.flatMap((commit) => {
    const target = revertedBy(commit);
    return target === null ? [] : [{ commit, target }];
  });
  const isTarget = (of: HistoryCommit, { target }: (typeof reverts)[number]): boolean =>
    (target.commit !== null && of.id.startsWith(target.commit)) ||
    (target.number !== null && toMergedChange(of)?.number === target.number);
  let explained = 0;
  for (const revert of reverts) {
    const reason = reasonOfRevert(revert.commit);
    const change = [...merged.values()].find(({ commit }) => isTarget(commit, revert));
    const isReverted = reverts.some((other) => isTarget(revert.commit, other));
    const isOfRevert = change !== undefined && revertedBy(change.commit) !== null;
    if (reason === null || change === undefined || isReverted || isOfRevert) continue;
    explained++;
    append(answers, change.commit.id, {
      ...answerOf(revert.commit),
      path: null,
      lines: null,
      sentence: reason,
    });
  }
  return { reverts: reverts.length, explained };
}

function append(answers: Map<string, KnownAnswer[]>, commit: string, answer: KnownAnswer): void {
  const known = answers.get(commit) ?? [];
  // A second fix of the same lines is about what the first one left.
  const overlaps = known.some(
    ({ path, lines }) =>
      path === answer.path &&
      lines !== null &&
      answer.lines !== null &&
      lines[0] <= answer.lines[1] &&
      answer.lines[0] <= lines[1],
  );
  if (!overlaps) answers.set(commit, [...known, answer]);
}

function answerOf({ id }: HistoryCommit): Pick<KnownAnswer, "id" | "side" | "severity" | "category"> {
  return { id: id.slice(0, 12), side: "new", severity: null, category: null };
}

/** The title of the fix, without its number. */
function sentenceOf(fix: HistoryCommit): string {
  return toMergedChange(fix)?.title ?? fix.subject;
}
