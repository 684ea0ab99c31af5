/** The recipe for a mention; see attend-mention.ts. */
import type { Recipe } from "../../recipe.ts";
import { parseMentionJob } from "../mention-job.ts";
import { runMention } from "../run-mention.ts";
import { attendMention, type MentionDeps } from "./attend-mention.ts";
import { giveUpMention } from "./give-up-mention.ts";

export function createMentionRecipe(deps: MentionDeps): Recipe {
  return {
    run: runMention(deps.forge, (mention, step) => attendMention(mention, { ...deps, ...step })),
    giveUp: (job, why) => giveUpMention(parseMentionJob(job.payload), why, deps),
  };
}
