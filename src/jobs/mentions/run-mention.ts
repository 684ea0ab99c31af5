/** The frame of both jobs about a mention: its payload, its record, and a session that ends with the job. */
import { reachFaultPoint } from "../../base/fault-point.ts";
import type { Forge, ForgeSession } from "../../forge/forge.ts";
import type { RowStore } from "../job-store.ts";
import type { JobContext, JobOutcome, Recipe } from "../recipe.ts";
import { type MentionJob, parseMentionJob } from "./mention-job.ts";
import { claimMentionRecord, type MentionRecord } from "./mention-record.ts";

/** One attempt of a job at a mention. */
export type MentionAttempt = {
  readonly mention: MentionJob;
  readonly record: MentionRecord;
  readonly session: ForgeSession;
  readonly context: JobContext;
};

export function runMention(
  { forge, store }: { readonly forge: Pick<Forge, "openSession">; readonly store: RowStore },
  work: (attempt: MentionAttempt) => Promise<JobOutcome>,
): Recipe["run"] {
  return async (context) => {
    const mention = parseMentionJob(context.job.payload);
    reachFaultPoint("after-claim", mention.place.number);
    const session = forge.openSession(mention.repositoryRef);
    try {
      return await work({ mention, record: await claimMentionRecord(mention, store), session, context });
    } finally {
      await session.close();
    }
  };
}
