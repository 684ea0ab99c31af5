/**
 * Reviews one part of the change: tries the steps of the fallback plan until one completes or none is left. A resumed review continues
 * where the plan stopped: attempts that have ended aren't repeated.
 */
import type { Outcome } from "../../model/model.ts";
import type { ReviewPass } from "../../review/analysis/analysis.ts";
import type { NumberedEntry } from "../../tools/notebook.ts";
import { coverFiles } from "./cover-files.ts";
import {
  withoutSilent,
  isSilent,
  candidatesOf,
  MIN_ATTEMPT_MS,
  reduce,
  type ModelCandidate,
  candidatesAfter,
  candidatesLeft,
} from "./fallback-plan.ts";
import type { ModelReviewTask } from "./model-review-task.ts";
import { type AttemptResult, runAttempt } from "./run-attempt.ts";

/** The next attempt. */
type Plan = {
  readonly candidate: ModelCandidate;
  /** The candidates after it. */
  readonly rest: readonly ModelCandidate[];
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

/** True when an attempt of this process or an earlier one was the last. */
export function isOver({ name }: ReviewPass, task: Pick<ModelReviewTask, "notebook">): boolean {
  return attempts(task).some(({ pass, isLast }) => pass === name && isLast);
}

/** The first attempt of this process, after those of earlier ones. An attempt whose process crashed left only its findings. */
function planFirst(ended: readonly Attempted[], task: PassTask): Plan | null {
  const { pass, models } = task;
  const last = ended.at(-1);
  const outcomes = outcomesOf(task);
  const candidates = withoutSilent(candidatesLeft(candidatesOf(models), ended), outcomes);
  const model = models.find(({ id }) => id === last?.outcome.model);
  const isWasted = candidates.length === 0 && last?.outcome.kind === "timed-out";
  // The last attempt wasn't marked as final, so a second one was planned.
  if (isWasted && model !== undefined && !isSilent(model.id, outcomes))
    return planReduced({ model, step: "reduced" }, task);
  const left = withoutRead(task);
  // A process that crashed after marking all files left no outcome. The part is reviewed again.
  return planRest(candidates, left.paths.length === 0 ? pass : left, task);
}

async function planNext({ candidate, rest }: Plan, outcome: Outcome, task: PassTask): Promise<Plan | null> {
  const outcomes = [...outcomesOf(task), outcome];
  const candidates = withoutSilent(candidatesAfter(candidate, outcome, rest), outcomes);
  const isWasted = candidates.length === 0 && outcome.kind === "timed-out" && !hasFindings(task);
  const isReducible = candidate.step !== "reduced" && !isSilent(candidate.model.id, outcomes);
  if (isWasted && isReducible && (await mayRetry(task)))
    return planReduced({ model: candidate.model, step: "reduced" }, task);
  return planRest(candidates, withoutRead(task), task);
}

/** Plans with the remaining time. */
function planRest(
  [candidate, ...rest]: readonly ModelCandidate[],
  scope: ReviewPass,
  task: PassTask,
): Plan | null {
  const deadlineMs = task.endsAt - task.deps.now();
  const isOver = candidate === undefined || scope.paths.length === 0 || deadlineMs < MIN_ATTEMPT_MS;
  return isOver ? null : { candidate, rest, scope, deadlineMs };
}

/** Plans with extra time: the pass's own time is used up. */
function planReduced(candidate: ModelCandidate, task: PassTask): Plan | null {
  const riskOf = (path: string): number => task.prepared.analysis.byPath.get(path)?.risk ?? 0;
  const scope = reduce(withoutRead(task), riskOf);
  return scope.paths.length === 0 ? null : { candidate, rest: [], scope, deadlineMs: scope.seconds * 1_000 };
}

/** False if the history of timeouts can't be read: the findings so far must not wait for it. */
async function mayRetry({ access, prepared }: PassTask): Promise<boolean> {
  return (await prepared.degradations.optional("a second try", () => access.choice.mayRetry())) ?? false;
}

type Attempted = Extract<NumberedEntry, { kind: "outcome" }>;

function attempts({ notebook }: Pick<ModelReviewTask, "notebook">): readonly Attempted[] {
  return notebook.entries().filter((entry) => entry.kind === "outcome");
}

function attemptsAt({ name }: ReviewPass, task: ModelReviewTask): readonly Attempted[] {
  return attempts(task).filter(({ pass }) => pass === name);
}

/** Outcomes of all parts, because they share the providers. */
function outcomesOf(task: ModelReviewTask): readonly Outcome[] {
  return attempts(task).map(({ outcome }) => outcome);
}

type Kept = Pick<Plan, "candidate" | "scope"> & { readonly isLast: boolean };

async function keep(
  result: AttemptResult,
  { candidate, scope, isLast }: Kept,
  { notebook }: ModelReviewTask,
) {
  const { name: pass, paths } = scope;
  await notebook.append({
    kind: "outcome",
    pass,
    step: candidate.step,
    ...result,
    files: paths.length,
    isLast,
  });
}

function hasFindings({ pass: { name }, notebook }: PassTask): boolean {
  return notebook.entries().some(({ kind, pass }) => kind === "finding" && pass === name);
}

/** The next model reads only the files that no earlier attempt has read. */
function withoutRead({ pass, notebook, hunksToRead }: PassTask): ReviewPass {
  const covered = coverFiles([pass], notebook.entries(), hunksToRead);
  return { ...pass, paths: pass.paths.filter((path) => covered.get(path) !== null) };
}
