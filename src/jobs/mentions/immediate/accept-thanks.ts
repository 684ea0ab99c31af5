/** Thanks and praise: 👍, and no words. */
import type { ImmediateCommand } from "./immediate-command.ts";
import { replying } from "./refuse.ts";

export const acceptThanks: ImmediateCommand<"thanks"> = async () =>
  replying({ body: null, reaction: "+1", outcome: "answered:thanks" });
