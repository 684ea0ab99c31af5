/** The frame of both jobs about a mention: its payload, and a session that ends with the job. */
import { reachFaultPoint } from "../../base/fault-point.ts";
import type { Forge, ForgeSession } from "../../forge/forge.ts";
import type { JobContext, JobOutcome, Recipe } from "../recipe.ts";
import { type MentionJob, parseMentionJob } from "./mention-job.ts";

export type MentionStep = { readonly context: JobContext; readonly session: ForgeSession };

export function runMention(
  forge: Pick<Forge, "openSession">,
  work: (mention: MentionJob, step: MentionStep) => Promise<JobOutcome>,
): Recipe["run"] {
  return async (context) => {
    const mention = parseMentionJob(context.job.payload);
    reachFaultPoint("after-claim", mention.place.number);
    const session = forge.openSession(mention.repositoryRef);
    try {
      return await work(mention, { context, session });
    } finally {
      await session.close();
    }
  };
}
