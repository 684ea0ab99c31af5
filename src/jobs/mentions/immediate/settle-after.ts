/** A person's word about a finding changes its thread, the summary and the check, and teaches. */
import { KodiaiError } from "../../../base/errors.ts";
import type { Sql } from "../../../store/database.ts";
import type { LedgerEntry } from "../../../store/repositories/stored-findings.ts";
import { planLearn } from "../../memory/learn-job.ts";
import { planSettle } from "../../settling/settle-job.ts";
import type { AskedCommand, ImmediateDeps } from "./immediate-command.ts";

/** Enqueues what brings the summary and the check up to date, and what learns from the word. Part of the transaction that records it. */
export async function settleAfter(
  { repositoryRef, place, requestId: name }: AskedCommand["mention"],
  { store }: Pick<ImmediateDeps, "store">,
  sql: Sql,
): Promise<void> {
  const { number } = place;
  const jobs = [planSettle({ repositoryRef, number, name }), planLearn({ repositoryRef, number, name })];
  await store.queue.enqueue(jobs, sql);
}

/** Resolves the threads of a finding, or opens them again. Repeating it has no further effect. A sentence if the host didn't let Kodiai. */
export async function changeThreads(
  { identity }: Pick<LedgerEntry, "identity">,
  isResolved: boolean,
  { session, mention }: Pick<AskedCommand, "session" | "mention">,
): Promise<string> {
  const { number } = mention.place;
  const threads = await session.reviews.readThreads(number);
  const ids = threads
    .filter((thread) => thread.findingId === identity && thread.isResolved !== isResolved)
    .map(({ id }) => id);
  if (ids.length === 0) return "";
  const { reviews } = session;
  try {
    const changed = await (isResolved
      ? reviews.resolveThreads(number, ids)
      : reviews.reopenThreads(number, ids));
    if (changed === ids.length) return "";
  } catch (error) {
    if (!(error instanceof KodiaiError) || error.code !== "forbidden" || error.retryable) throw error;
  }
  return `Its thread stays as it is: ${session.missingPermission.resolve}`;
}

/** Whether the word teaches, as far as it is known at once. */
export function describeTeaching({ subject, config, mention }: AskedCommand): string {
  if (!config.tree.root.values.memory.enabled)
    return "Kodiai learns nothing from it (`memory.enabled: false`).";
  const isAuthor =
    subject.kind === "pull-request" && subject.pullRequest.author.login === mention.requester.login;
  return isAuthor
    ? "Kodiai learns nothing from it, because you opened this pull request."
    : "Kodiai learns from it, because you have write access.";
}
