/**
 * `/deep-review QUESTION` and `/deep-review-stop` in pi. `kodiai deep-review` does all the work; the extension shows its progress
 * and puts its answer into the session.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { composeMessage, describeEnd, describeMissing } from "./compose-message.ts";
import type { Context, Pi } from "./pi-api.ts";
import { type RunningKodiai, runKodiai } from "./run-kodiai.ts";
import { showProgress } from "./show-progress.ts";

const USAGE =
  "Usage: /deep-review QUESTION. Options of `kodiai deep-review` go first, with `=`: /deep-review --base=main What could this break?";

/** Options, then the question. */
const ARGUMENTS = /^((?:--[\w-]+(?:=\S+)?\s+)*)(.*)$/s;

export default function deepReview(pi: Pi): void {
  let running: RunningKodiai | null = null;
  let isOver = false;

  pi.registerCommand("deep-review", {
    description: "Packs the change with the code around it and asks a long-thinking model",
    async handler(given, context) {
      const [, options = "", question = ""] = ARGUMENTS.exec(given.trim()) ?? [];
      const refusal = refuse(question, context, running !== null);
      if (refusal !== null) return fail(refusal, context);
      const ended = start(options.split(/\s+/).filter(Boolean), question, context);
      if (context.mode === "json") return ended;
      // With a user, the handler returns at once: pi runs no other command before, not even /deep-review-stop.
      ended.catch((error: unknown) => context.ui.notify(String(error), "error"));
    },
  });

  pi.registerCommand("deep-review-stop", {
    description: "Stops the running deep review",
    async handler(_, { ui }) {
      if (running === null) return ui.notify("No deep review is running.", "info");
      await running.stop();
    },
  });

  pi.on("session_shutdown", async () => {
    isOver = true;
    await running?.stop();
  });

  async function start(options: readonly string[], question: string, context: Context): Promise<void> {
    const command = process.env["KODIAI_COMMAND"] ?? "kodiai";
    isOver = false;
    const folder = mkdtempSync(join(tmpdir(), "kodiai-deep-review-"));
    const display = showProgress(context);
    running = runKodiai({
      command,
      args: ["deep-review", "--out", folder, ...options, "--", question],
      cwd: context.cwd,
      onAnswer: display.answer,
      onProgress: display.stage,
    });
    const end = await running.end;
    running = null;
    // pi refuses calls of an extension whose session is over.
    if (isOver) return;
    display.clear();
    if (end.kind === "not-started") {
      rmSync(folder, { recursive: true });
      return fail(describeMissing(command, end.error), context);
    }
    const outcome = describeEnd(end, folder);
    if (outcome !== null) context.ui.notify(outcome, end.kind === "stopped" ? "info" : "error");
    const content = composeMessage(end, outcome, { question, folder });
    if (content === null) return rmSync(folder, { recursive: true });
    const details = { question, folder, outcome };
    pi.sendMessage({ customType: "deep-review", content, display: true, details }, { triggerTurn: false });
  }
}

function refuse(question: string, { mode }: Context, isRunning: boolean): string | null {
  if (question === "") return USAGE;
  if (mode === "print")
    return "pi --print doesn't show messages of extensions. Run `kodiai deep-review` instead.";
  return isRunning ? "A deep review is running. Stop it with /deep-review-stop." : null;
}

/** Without a user interface, pi prints only errors. */
function fail(message: string, { mode, ui }: Context): void {
  if (mode === "print" || mode === "json") throw new Error(message);
  ui.notify(message, "error");
}
