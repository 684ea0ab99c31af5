/** The first job's function for each command. A kind that is missing doesn't compile. */
import type { MentionCommand, CommandKind } from "../command.ts";
import type { DeskCommand, DeskDeps, DeskResult, DeskVisit } from "./desk-command.ts";
import { dismissFinding, waiveFinding } from "./give-verdict.ts";
import { explainAtOnce } from "./explain-at-once.ts";
import { askForEdits, handToModel, summarise } from "./hand-over.ts";
import { learnText } from "./learn-text.ts";
import { pauseReviews } from "./pause-reviews.ts";
import { requestReview, resumeReviews } from "./request-review.ts";
import { resolveOwnThreads } from "./resolve-own-threads.ts";
import { showConfiguration } from "./show-configuration.ts";
import { showHelp } from "./show-help.ts";
import { suggestCommand } from "./suggest-command.ts";

export const DESK: { readonly [Kind in CommandKind]: DeskCommand<Kind> } = {
  review: requestReview,
  resume: resumeReviews,
  summary: summarise,
  explain: explainAtOnce,
  ask: handToModel,
  plan: handToModel,
  fix: askForEdits,
  change: askForEdits,
  dismiss: dismissFinding,
  waive: waiveFinding,
  learn: learnText,
  pause: pauseReviews,
  resolve: resolveOwnThreads,
  configuration: showConfiguration,
  help: showHelp,
  unknown: suggestCommand,
};

export function runDeskCommand<Kind extends CommandKind>(
  command: Extract<MentionCommand, { kind: Kind }>,
  visit: DeskVisit,
  deps: DeskDeps,
): Promise<DeskResult> {
  const run: DeskCommand<Kind> = DESK[command.kind];
  return run(command, visit, deps);
}
