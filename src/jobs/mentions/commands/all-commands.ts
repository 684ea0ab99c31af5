/** All commands, in the order in which a comment is read as one of them. A kind that is missing doesn't compile. */
import type { CommandKind } from "../command.ts";
import type { CommandSpec } from "../command-spec.ts";
import { askCommand } from "./ask-command.ts";
import { changeCommand } from "./change-command.ts";
import { configurationCommand } from "./configuration-command.ts";
import { dismissCommand } from "./dismiss-command.ts";
import { explainCommand } from "./explain-command.ts";
import { fixCommand } from "./fix-command.ts";
import { forgetLearningCommand } from "./forget-learning-command.ts";
import { helpCommand } from "./help-command.ts";
import { learnCommand } from "./learn-command.ts";
import { pauseCommand } from "./pause-command.ts";
import { planCommand } from "./plan-command.ts";
import { reopenCommand } from "./reopen-command.ts";
import { resolveCommand } from "./resolve-command.ts";
import { resumeCommand } from "./resume-command.ts";
import { reviewCommand } from "./review-command.ts";
import { summaryCommand } from "./summary-command.ts";
import { thanksCommand } from "./thanks-command.ts";
import { unknownCommand } from "./unknown-command.ts";
import { waiveCommand } from "./waive-command.ts";

export const ALL_COMMANDS: { readonly [Kind in CommandKind]: CommandSpec<Kind> } = {
  review: reviewCommand,
  summary: summaryCommand,
  explain: explainCommand,
  plan: planCommand,
  fix: fixCommand,
  change: changeCommand,
  dismiss: dismissCommand,
  waive: waiveCommand,
  reopen: reopenCommand,
  learn: learnCommand,
  forget: forgetLearningCommand,
  pause: pauseCommand,
  resume: resumeCommand,
  resolve: resolveCommand,
  configuration: configurationCommand,
  help: helpCommand,
  thanks: thanksCommand,
  // Free text is a question, so these two come last.
  ask: askCommand,
  unknown: unknownCommand,
};
