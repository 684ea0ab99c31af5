/** Publishes the summary: one comment per pull request, created once and then edited in place. */
import { hashParts } from "../../../base/hash.ts";
import { reachFaultPoint } from "../../../base/fault-point.ts";
import type { PullRequestPublication } from "../../../review/publication/pull-request-publication.ts";
import { withMarker } from "../text-limits.ts";
import { createOnce } from "./create-once.ts";
import {
  findComment,
  LIST_LAG_MS,
  scopeOf,
  waitForOutcome,
  type Publishing,
  type Stop,
} from "./publishing.ts";

export type SummaryOutcome = { readonly kind: "done"; readonly id: number } | Stop;

type Summary = Pick<PullRequestPublication, "summary" | "state">;

/** Without a state, the hash is that of the text alone, as in journals from before there was one. */
export function summaryHash({ summary, state }: Summary): string {
  return hashParts(state === "" ? [summary] : [summary, state]);
}

/** Whether the published summary is up to date. */
export async function isSummaryCurrent(publishing: Publishing, summary: Summary): Promise<boolean> {
  const intent = await publishing.request.journal.read("summary");
  return (
    intent?.state === "published" && intent.externalId !== null && intent.bodyHash === summaryHash(summary)
  );
}

export async function publishSummary(publishing: Publishing, summary: Summary): Promise<SummaryOutcome> {
  const { request, calls, markers } = publishing;
  const { number } = request.pullRequest;
  const scope = scopeOf(publishing, "summary");
  const bodyHash = summaryHash(summary);
  const { state } = summary;
  const marker = markers.render(scope, { bodyHash, moved: [], ...(state === "" ? {} : { state }) });
  const body = withMarker(summary.summary, marker);
  const intent = await request.journal.read("summary");
  const record = async (id: number): Promise<SummaryOutcome> => {
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
  if (knownId !== null && intent?.state === "published" && intent.bodyHash === bodyHash) {
    return { kind: "done", id: knownId };
  }
  reachFaultPoint("before-summary");
  if (knownId !== null && (await calls.updateComment(knownId, body))) return record(knownId);

  const created = await createOnce(
    {
      part: "summary",
      journal: request.journal,
      intent,
      bodyHash,
      marker,
      find: async () => (await findComment(number, scope, publishing))?.id ?? null,
      create: async () => calls.createComment(number, body),
      isLost: async () => (await request.guard()) === "lost",
    },
    publishing,
  );
  if (created.kind === "lost") return created;
  if (created.kind === "unknown") return waitForOutcome("summary", created.untilMs);
  // An existing summary may be from an earlier head, or from an attempt whose answer was lost.
  if (created.kind === "found" && !(await calls.updateComment(created.id, body))) {
    // The comment was deleted, but the list still contains it.
    return waitForOutcome("summary", publishing.now() + LIST_LAG_MS);
  }
  return record(created.id);
}
