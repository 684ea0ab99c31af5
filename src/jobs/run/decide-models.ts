/**
 * Decides within a transaction whether a person may use models for a run, by their class and what that class has had within the hour.
 * Reviews and answers share the limits. A decision is stored per run, so a request counts exactly once even if a process crashes.
 */
import type { Sql } from "../../store/database.ts";
import { readModelRequests, saveModelRequest } from "../../store/repositories/model-requests.ts";
import { lockSpending } from "../../store/repositories/spendings.ts";
import {
  type Decision,
  decideRequest,
  LIMIT_WINDOW_MS,
  type RequestToDecide,
} from "../spending/request-limits.ts";
import type { RequestSubject } from "./requester-class.ts";

export type ModelDecisionInput = RequestToDecide & {
  readonly subject: Pick<RequestSubject, "repositoryRef" | "number">;
};

export type ModelDecision = Decision & {
  /** A refusal of another request was answered within the hour. */
  readonly hasAnswered: boolean;
};

/** Until the end of the transaction, no other process decides about this installation. */
export async function decideModels(
  { subject, ...request }: ModelDecisionInput,
  sql: Sql,
): Promise<ModelDecision> {
  const { nowMs } = request;
  const { installationId, repositoryId } = subject.repositoryRef;
  await lockSpending(installationId, nowMs, sql);
  const key = { repositoryId, pullRequest: subject.number };
  const earlier = await readModelRequests({ ...key, sinceMs: nowMs - LIMIT_WINDOW_MS }, sql);
  const decision = decideRequest(
    request,
    earlier.map(({ outcome, ...each }) => ({
      ...each,
      isGranted: outcome === "granted",
      isAnswered: outcome === "answered",
    })),
  );
  const hasAnswered = earlier.some(({ outcome, runId }) => outcome === "answered" && runId !== request.runId);
  return { ...decision, hasAnswered };
}

export async function saveDecision(
  {
    kind,
    by,
    isAnswered,
  }: { readonly kind: Decision["kind"]; readonly by: Decision["by"]; readonly isAnswered: boolean },
  { subject, runId, nowMs }: Pick<ModelDecisionInput, "subject" | "runId" | "nowMs">,
  sql: Sql,
): Promise<void> {
  const outcome = kind === "granted" ? "granted" : isAnswered ? "answered" : "refused";
  const { repositoryId } = subject.repositoryRef;
  await saveModelRequest(
    { ...by, repositoryId, pullRequest: subject.number, runId, outcome, at: nowMs },
    sql,
  );
}
