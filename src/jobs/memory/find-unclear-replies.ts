/** Finds the replies to findings whose words alone don't say whether the person agrees, so that a model may read them. Pure. */
import type { ReviewThread, ThreadReply } from "../../forge/forge.ts";
import { classifyReply } from "../../memory/classify-reply.ts";
import { isReason } from "../../memory/explain-rejection.ts";
import type { ReplyReading } from "../../memory/feedback.ts";
import type { LedgerFinding } from "../../store/repositories/findings.ts";
import { addressing, replyKey, wordsWritten } from "./collect-signals.ts";

/** Per look at a pull request. The next look finds the rest. */
const MAX_REPLIES = 5;

export type UnclearReply = Pick<ReplyReading, "key"> & {
  /** Of the finding. */
  readonly identity: string;
  readonly login: string;
};

export type UnclearSources = {
  readonly findings: readonly LedgerFinding[];
  readonly threads: readonly ReviewThread[];
  readonly readings: readonly ReplyReading[];
  /** How people address Kodiai. */
  readonly mention: string;
};

/** The last reply of each person who hasn't said clearly what they think. Security findings are left out: a model's word never counts there. */
export function findUnclearReplies({
  findings,
  threads,
  readings,
  mention,
}: UnclearSources): readonly UnclearReply[] {
  const byFinding = Map.groupBy(threads, ({ findingId }) => findingId);
  const known = new Set(readings.map(({ key }) => key));
  const isToKodiai = addressing(mention);
  return findings
    .filter(
      ({ category, state, verdict }) => category !== "security" && state !== "verified" && verdict === null,
    )
    .flatMap(({ identity }) =>
      lastUnclear(byFinding.get(identity) ?? [])
        .filter(({ body }) => isReason(wordsWritten(body)) && !isToKodiai(body))
        .map((reply) => ({ key: replyKey(reply), identity, login: reply.author.login })),
    )
    .filter(({ key }) => !known.has(key))
    .slice(0, MAX_REPLIES);
}

function lastUnclear(threads: readonly ReviewThread[]): readonly ThreadReply[] {
  const clear = new Set(threads.flatMap(({ reactions }) => reactions.map(({ person }) => person.login)));
  const last = new Map<string, ThreadReply>();
  for (const reply of threads.flatMap(({ replies }) => replies)) {
    const { login, isBot } = reply.author;
    if (isBot || classifyReply(reply.body) !== null) clear.add(login);
    last.set(login, reply);
  }
  return [...last.values()].filter(({ author }) => !clear.has(author.login));
}
