/**
 * Performs an action for a person: permission, record, action, result. The record exists before the action begins, so that an action
 * without a record can't happen, also when the process is killed in between.
 */
import { DAY_MS } from "../../base/day-ms.ts";
import { KodiaiError } from "../../base/errors.ts";
import {
  deleteAuditEntriesBefore,
  finishAuditEntry,
  startAuditEntry,
} from "../../store/repositories/dashboard-audit.ts";
import type { Grant } from "../access/person-access.ts";
import type { ActionDeps, ActionOutcome, DashboardAction } from "./action.ts";

/** Long enough to look up who changed what in the last year. */
const KEEP_AUDIT_DAYS = 400;

export type PerformedAction =
  | ActionOutcome
  /** There is no such thing, or the person may not know of it. */
  | { readonly kind: "not-found" }
  | { readonly kind: "forbidden"; readonly text: string }
  /** The action may have happened; the text says why its end isn't known. */
  | { readonly kind: "failed"; readonly text: string };

export async function performAction(
  action: DashboardAction,
  { form, grant }: { readonly form: URLSearchParams; readonly grant: Grant },
  given: Omit<ActionDeps, "by">,
): Promise<PerformedAction> {
  const deps = { ...given, by: grant.login };
  const { database, now } = deps;
  if (action.needs === "admin" && !grant.isAdmin)
    return { kind: "forbidden", text: "Only administrators of this installation may do this." };
  const target = await action.findTarget(form, deps);
  if (target === null) return { kind: "not-found" };
  const refusal = action.needs === "write" ? judgeRepository(target.repositoryId, grant) : null;
  if (refusal !== null) return refusal;
  const entry = { person: grant.login, action: action.name, target: target.label };
  let id: number;
  try {
    id = await database.transaction(async (sql) => {
      const at = now();
      await deleteAuditEntriesBefore(at - KEEP_AUDIT_DAYS * DAY_MS, sql);
      return startAuditEntry({ ...entry, at, repositoryId: target.repositoryId }, sql);
    });
  } catch (error) {
    if (!(error instanceof KodiaiError)) throw error;
    return { kind: "refused", text: `Nothing was changed: the database can't be written now.` };
  }
  try {
    const outcome = await action.perform(form, target, deps);
    if (outcome.kind === "download") return { ...outcome, texts: recorded(outcome.texts, id, deps) };
    await finishAuditEntry(id, { result: outcome.kind, detail: outcome.text }, database);
    return outcome;
  } catch (error) {
    const text = "The action failed. Look at the page before you try again.";
    await finishAuditEntry(id, { result: "failed", detail: describe(error) }, database).catch(() => {});
    if (!(error instanceof KodiaiError)) throw error;
    return { kind: "failed", text };
  }
}

/** Null if the person may change the repository. */
function judgeRepository(repositoryId: number | null, { repositories }: Grant): PerformedAction | null {
  if (repositories === "all") return null;
  const canWrite = repositoryId === null ? undefined : repositories.get(repositoryId);
  if (canWrite === undefined) return { kind: "not-found" };
  return canWrite
    ? null
    : {
        kind: "forbidden",
        text: "This needs write access to the repository, and GitHub doesn't grant it to you.",
      };
}

/** A download is done when its end was sent. */
async function* recorded(
  texts: AsyncIterable<string>,
  id: number,
  { database }: Pick<ActionDeps, "database">,
): AsyncGenerator<string> {
  let result: "done" | "failed" = "failed";
  try {
    yield* texts;
    result = "done";
  } finally {
    const detail = result === "done" ? "Downloaded." : "The download stopped before its end.";
    await finishAuditEntry(id, { result, detail }, database);
  }
}

function describe(error: unknown): string {
  return error instanceof KodiaiError ? error.message : "internal error";
}
