/** `resolve`: resolves the thread of one finding, or all open threads that Kodiai started. Others' threads stay as they are. */
import { count } from "../../../base/count.ts";
import { KodiaiError } from "../../../base/errors.ts";
import { codeSpan } from "../../../review/publication/render/safe-markdown.ts";
import type { Reply } from "../reply.ts";
import type { ImmediateCommand, ImmediateDeps, ImmediateResult, AskedCommand } from "./immediate-command.ts";
import { findTarget } from "./find-target.ts";
import { refused, replying } from "./refuse.ts";

/** Each is a request to the host. A second command resolves more. */
const MAX_RESOLVED = 50;

export const resolveOwnThreads: ImmediateCommand<"resolve"> = async ({ finding }, asked, deps) => {
  const chosen = await chooseThreads(finding, asked, deps);
  if (chosen.kind !== "threads") return chosen;
  const { ids } = chosen;
  if (ids.length === 0)
    return replying({
      body: "None of these threads is open.",
      reaction: "+1",
      outcome: "answered:nothing-open",
    });
  try {
    const wanted = ids.slice(0, MAX_RESOLVED);
    const resolved = await asked.session.reviews.resolveThreads(asked.mention.place.number, wanted);
    return replying(await describeResolved(resolved, ids.length, asked));
  } catch (error) {
    if (!(error instanceof KodiaiError) || error.code !== "forbidden" || error.retryable) throw error;
    return refused("refused:no-permission", noPermission(asked));
  }
};

function noPermission({ session }: Pick<AskedCommand, "session">): string {
  return `Kodiai may not resolve threads here: ${session.missingPermission.resolve}`;
}

/** The open threads that are meant. */
async function chooseThreads(
  number: number | null,
  asked: AskedCommand,
  deps: ImmediateDeps,
): Promise<ImmediateResult | { readonly kind: "threads"; readonly ids: readonly string[] }> {
  const target = await findTarget(number, asked, deps);
  if (target.kind === "refused") return target.result;
  const threads = await asked.session.reviews.readThreads(asked.mention.place.number);
  const ids = threads
    .filter(({ isResolved }) => !isResolved)
    .filter(({ findingId }) => target.kind === "none" || findingId === target.finding.identity)
    .map(({ id }) => id);
  return { kind: "threads", ids };
}

async function describeResolved(resolved: number, all: number, asked: AskedCommand): Promise<Reply> {
  const left = all - resolved;
  if (resolved === 0)
    return {
      body: `No thread was resolved. ${noPermission(asked)}`,
      reaction: "confused",
      outcome: "failed:unresolved",
    };
  const command = codeSpan(`${await asked.session.mention()} resolve`);
  const rest = left === 0 ? "" : ` ${count(left, "thread")} stayed open; ${command} tries again.`;
  return { body: `${count(resolved, "thread")} resolved.${rest}`, reaction: "+1", outcome: "done:resolved" };
}
