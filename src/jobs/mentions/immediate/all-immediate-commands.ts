/** The first job's function for each command. A kind that is missing doesn't compile. */
import type { MentionCommand, CommandKind } from "../command.ts";
import type { ImmediateCommand, ImmediateDeps, ImmediateResult, AskedCommand } from "./immediate-command.ts";
import { acceptThanks } from "./accept-thanks.ts";
import { dismissFinding, waiveFinding } from "./give-verdict.ts";
import { reopenFinding } from "./reopen-finding.ts";
import { explainAtOnce } from "./explain-at-once.ts";
import { forgetStatedLearning } from "./forget-stated-learning.ts";
import { askForEdits, handToModel, summarise } from "./hand-over.ts";
import { learnText } from "./learn-text.ts";
import { pauseReviews } from "./pause-reviews.ts";
import { requestReview, resumeReviews } from "./request-review.ts";
import { resolveOwnThreads } from "./resolve-own-threads.ts";
import { showConfiguration } from "./show-configuration.ts";
import { showHelp } from "./show-help.ts";
import { suggestCommand } from "./suggest-command.ts";

export const IMMEDIATE_COMMANDS: { readonly [Kind in CommandKind]: ImmediateCommand<Kind> } = {
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
  reopen: reopenFinding,
  learn: learnText,
  forget: forgetStatedLearning,
  pause: pauseReviews,
  resolve: resolveOwnThreads,
  configuration: showConfiguration,
  help: showHelp,
  thanks: acceptThanks,
  unknown: suggestCommand,
};

export function runImmediateCommand<Kind extends CommandKind>(
  command: Extract<MentionCommand, { kind: Kind }>,
  asked: AskedCommand,
  deps: ImmediateDeps,
): Promise<ImmediateResult> {
  const run: ImmediateCommand<Kind> = IMMEDIATE_COMMANDS[command.kind];
  return run(command, asked, deps);
}
