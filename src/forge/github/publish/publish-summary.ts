/** Publishes the summary: one comment per pull request, created once if it is wanted, and then edited in place. */
import { hashParts } from "../../../base/hash.ts";
import { reachFaultPoint } from "../../../base/fault-point.ts";
import type { PullRequestPublication } from "../../../review/publication/pull-request-publication.ts";
import type { JournalEntry } from "../../forge.ts";
import { withMarker } from "../text-limits.ts";
import { createOnce } from "./create-once.ts";
import {
  findComments,
  LIST_LAG_MS,
  mayAppearUntil,
  scopeOf,
  waitForOutcome,
  type Publishing,
  type Stop,
} from "./publishing.ts";

export type SummaryOutcome = { readonly kind: "done"; readonly id: number | null } | Stop;

type Summary = Pick<PullRequestPublication, "summary" | "isSummaryWanted" | "state">;

/** Without a state, the hash is that of the text alone, as in journals from before there was one. */
export function summaryHash({ summary, state }: Pick<Summary, "summary" | "state">): string {
  return hashParts(state === "" ? [summary] : [summary, state]);
}

/** Whether the published summary is up to date. */
export async function isSummaryCurrent(publishing: Publishing, summary: Summary): Promise<boolean> {
  const intent = await publishing.request.journal.read("summary");
  return isSummaryPublished(intent, summary, summaryHash(summary));
}

/** One that isn't wanted is current without a comment. */
export function isSummaryPublished(
  intent: JournalEntry | null,
  { isSummaryWanted }: Pick<Summary, "isSummaryWanted">,
  bodyHash: string,
): intent is JournalEntry {
  if (intent?.state !== "published" || intent.bodyHash !== bodyHash) return false;
  return intent.externalId !== null || !isSummaryWanted;
}

/** `bodyHash` identifies the text. */
export async function publishSummary(
  publishing: Publishing,
  summary: Summary,
  bodyHash: string,
): Promise<SummaryOutcome> {
  const { request, calls, markers } = publishing;
  const { number } = request.pullRequest;
  const scope = scopeOf(publishing, "summary");
  const { state } = summary;
  const marker = markers.render(scope, { bodyHash, moved: [], ...(state === "" ? {} : { state }) });
  const body = withMarker(summary.summary, marker);
  const intent = await request.journal.read("summary");
  const record = async (id: number | null): Promise<SummaryOutcome> => {
    reachFaultPoint("after-summary");
    await request.journal.write("summary", {
      state: "published",
      bodyHash,
      marker,
      externalId: id,
      attemptedAt: null,
    });
    return { kind: "done", id };
  };

  const knownId = intent?.externalId ?? null;
  if (isSummaryPublished(intent, summary, bodyHash)) return { kind: "done", id: knownId };
  reachFaultPoint("before-summary");
  if (knownId !== null && (await calls.updateComment(knownId, body))) return record(knownId);
  // Two processes that don't share a journal may both have created one. The oldest stays.
  const find = async (): Promise<number | null> => {
    const [oldest, ...later] = await findComments(number, scope, publishing);
    for (const { id } of later) await calls.deleteComment(id);
    return oldest?.id ?? null;
  };
  if (!summary.isSummaryWanted) {
    const found = await find();
    if (found !== null && (await calls.updateComment(found, body))) return record(found);
    // An attempt without an answer may still have created one.
    const openUntilMs = mayAppearUntil(intent, publishing.now());
    return openUntilMs === null ? record(null) : waitForOutcome("summary", openUntilMs);
  }
  const created = await createOnce(
    {
      part: "summary",
      journal: request.journal,
      intent,
      bodyHash,
      marker,
      find,
      create: async () => calls.createComment(number, body),
      isLost: async () => (await request.guard()) === "lost",
    },
    publishing,
  );
  if (created.kind === "lost") return created;
  if (created.kind === "unknown") return waitForOutcome("summary", created.untilMs);
  const isAlone = created.kind === "created" && !publishing.hasGivenToken;
  const id = isAlone ? created.id : ((await find()) ?? created.id);
  // An existing summary may be from an earlier head, from an attempt whose answer was lost, or from another process.
  if ((created.kind === "found" || id !== created.id) && !(await calls.updateComment(id, body))) {
    // The comment was deleted, but the list still contains it.
    return waitForOutcome("summary", publishing.now() + LIST_LAG_MS);
  }
  return record(id);
}
