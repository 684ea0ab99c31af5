/** The recipe for a mention; see attend-mention.ts. */
import type { Forge } from "../../../forge/forge.ts";
import type { Recipe } from "../../recipe.ts";
import { parseMentionJob } from "../mention-job.ts";
import { runMention } from "../run-mention.ts";
import { attendMention } from "./attend-mention.ts";
import { giveUpMention } from "./give-up-mention.ts";
import type { ImmediateDeps } from "./immediate-command.ts";

export type MentionDeps = ImmediateDeps & { readonly forge: Pick<Forge, "openSession"> };

export function createMentionRecipe(deps: MentionDeps): Recipe {
  return {
    run: runMention(deps, (attempt) => attendMention(attempt, deps)),
    giveUp: (job, why) => giveUpMention(parseMentionJob(job.payload), why, deps),
  };
}
