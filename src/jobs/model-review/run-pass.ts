/**
 * One part of the change, from the first model down the ladder until one is done with it or nothing is left to try. A review that
 * is taken up again goes on where the ladder was left: an attempt that has ended is not made twice.
 */
import type { Outcome } from "../../model/model.ts";
import type { ReviewPass } from "../../review/analysis/analysis.ts";
import type { NumberedEntry } from "../../tools/notebook.ts";
import { readPaths } from "./cover-files.ts";
import {
  heardOf,
  isMute,
  ladderOf,
  MIN_ATTEMPT_MS,
  reduce,
  type Rung,
  rungsAfter,
  rungsLeft,
} from "./fallback-plan.ts";
import type { ModelReviewTask } from "./review-with-models.ts";
import { type AttemptResult, runAttempt } from "./run-attempt.ts";

/** What is tried next. */
type Plan = {
  readonly rung: Rung;
  /** The rungs below. */
  readonly rest: readonly Rung[];
  readonly scope: ReviewPass;
  readonly deadlineMs: number;
};

type PassTask = ModelReviewTask & { readonly pass: ReviewPass; readonly endsAt: number };

export async function runPass(pass: ReviewPass, task: ModelReviewTask): Promise<void> {
  const ended = attemptsAt(pass, task);
  const usedMs = ended.reduce((sum, { outcome }) => sum + outcome.ms, 0);
  const passTask = { ...task, pass, endsAt: task.deps.now() + pass.seconds * 1_000 - usedMs };
  let plan = planFirst(ended, passTask);
  while (plan !== null) {
    const result = await runAttempt({ ...plan, pass: plan.scope }, task);
    const next = await planNext(plan, result.outcome, passTask);
    await keep(result, { ...plan, isLast: next === null }, task);
    plan = next;
  }
}

/** After attempts that an earlier process has made; one that died has left none, only what it recorded. */
function planFirst(ended: readonly Attempted[], task: PassTask): Plan | null {
  const { pass, models } = task;
  const last = ended.at(-1);
  const outcomes = outcomesOf(task);
  const rungs = heardOf(rungsLeft(ladderOf(models), ended), outcomes);
  const model = models.find(({ id }) => id === last?.outcome.model);
  const isWasted = rungs.length === 0 && last?.outcome.kind === "timed-out";
  // That it was not the last one says that a second try was promised.
  if (isWasted && model !== undefined && !isMute(model.id, outcomes))
    return planReduced({ model, step: "reduced" }, task);
  const left = withoutRead(task);
  // An attempt that died at its very end has left no word of it.
  return planRest(rungs, left.paths.length === 0 ? pass : left, task);
}

async function planNext({ rung, rest }: Plan, outcome: Outcome, task: PassTask): Promise<Plan | null> {
  const outcomes = [...outcomesOf(task), outcome];
  const rungs = heardOf(rungsAfter(rung, outcome, rest), outcomes);
  const isWasted = rungs.length === 0 && outcome.kind === "timed-out" && !hasFindings(task);
  const isReducible = rung.step !== "reduced" && !isMute(rung.model.id, outcomes);
  if (isWasted && isReducible && (await mayRetry(task)))
    return planReduced({ model: rung.model, step: "reduced" }, task);
  return planRest(rungs, withoutRead(task), task);
}

/** With what is left of the time. */
function planRest([rung, ...rest]: readonly Rung[], scope: ReviewPass, task: PassTask): Plan | null {
  const deadlineMs = task.endsAt - task.deps.now();
  const isOver = rung === undefined || scope.paths.length === 0 || deadlineMs < MIN_ATTEMPT_MS;
  return isOver ? null : { rung, rest, scope, deadlineMs };
}

/** With time of its own: that of the pass is over. */
function planReduced(rung: Rung, { pass, notebook, prepared }: PassTask): Plan | null {
  const riskOf = (path: string): number => prepared.analysis.byPath.get(path)?.risk ?? 0;
  const scope = reduce(pass, readPaths(pass.name, notebook.entries()), riskOf);
  return scope.paths.length === 0 ? null : { rung, rest: [], scope, deadlineMs: scope.seconds * 1_000 };
}

/** Who cannot be asked says no: what was found so far must not wait for it. */
async function mayRetry({ access, prepared }: PassTask): Promise<boolean> {
  return (await prepared.degradations.optional("a second try", () => access.choice.mayRetry())) ?? false;
}

type Attempted = Extract<NumberedEntry, { kind: "outcome" }>;

function attempts({ notebook }: ModelReviewTask): readonly Attempted[] {
  return notebook.entries().filter((entry) => entry.kind === "outcome");
}

function attemptsAt({ name }: ReviewPass, task: ModelReviewTask): readonly Attempted[] {
  return attempts(task).filter(({ pass }) => pass === name);
}

/** Of all parts of the change: a provider is the same in each. */
function outcomesOf(task: ModelReviewTask): readonly Outcome[] {
  return attempts(task).map(({ outcome }) => outcome);
}

type Kept = Pick<Plan, "rung" | "scope"> & { readonly isLast: boolean };

async function keep(result: AttemptResult, { rung, scope, isLast }: Kept, { notebook }: ModelReviewTask) {
  const { name: pass, paths } = scope;
  await notebook.append({
    kind: "outcome",
    pass,
    step: rung.step,
    ...result,
    files: paths.length,
    isLast,
  });
}

function hasFindings({ pass: { name }, notebook }: PassTask): boolean {
  return notebook.entries().some(({ kind, pass }) => kind === "finding" && pass === name);
}

/** Whoever goes on where another model failed reads what that one has not. */
function withoutRead({ pass, notebook }: PassTask): ReviewPass {
  const read = readPaths(pass.name, notebook.entries());
  return { ...pass, paths: pass.paths.filter((path) => !read.has(path)) };
}
