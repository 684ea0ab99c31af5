/** Collects the signals on the findings of a pull request, as it is now, from its threads and its ledger. Pure. */
import { maskCredentials } from "../../base/secrets/mask-credentials.ts";
import type { Person, PullRequest, ReviewThread } from "../../forge/forge.ts";
import { classifyReply } from "../../memory/classify-reply.ts";
import type { Feedback } from "../../memory/feedback.ts";
import { patternOf } from "../../memory/pattern-of.ts";
import type { Finding } from "../../review/findings/finding.ts";
import type { LedgerFinding } from "../../store/repositories/findings.ts";

/** A signal before it is known whether its person may teach. */
export type PersonSignal = Omit<Feedback, "person" | "teaches" | "reason"> & { readonly person: Person };

type Act = Pick<PersonSignal, "signal" | "person" | "url" | "at">;

export type SignalSources = {
  readonly pullRequest: Pick<PullRequest, "number" | "url" | "author" | "mergedAt" | "mergedBy">;
  readonly findings: readonly LedgerFinding[];
  /** Oldest first. */
  readonly threads: readonly ReviewThread[];
  /** The time of signals that the host has no time for. */
  readonly now: number;
};

export function collectSignals({
  pullRequest,
  findings,
  threads,
  now,
}: SignalSources): readonly PersonSignal[] {
  const byFinding = Map.groupBy(threads, ({ findingId }) => findingId);
  return findings.flatMap((finding) => {
    const own = byFinding.get(finding.identity) ?? [];
    const acts = [
      ...verdictOn(finding),
      ...own.flatMap(reactionsOf),
      ...repliesOf(own),
      ...resolutionOf(finding, own.at(-1), now),
      ...changesOf(finding, own.at(-1), { pullRequest, now }),
      ...mergeOf(finding, own.at(-1), pullRequest),
    ];
    const { identity, rule } = finding;
    const title = maskCredentials(finding.title);
    // The ledger's rows are written from findings, which have these categories.
    const pattern = patternOf({ rule, title, category: finding.category as Finding["category"] });
    // A finding that came back has several threads, and a person may have reacted in each.
    const distinct = new Map(acts.map((act) => [`${act.signal} ${act.person.login}`, act]));
    return [...distinct.values()].map((act) => ({
      pullRequest: pullRequest.number,
      identity,
      pattern,
      title,
      ...act,
    }));
  });
}

function reactionsOf({ reactions, url }: ReviewThread): readonly Act[] {
  return reactions.map(({ person, content, at }) => ({
    signal: content === "+1" ? "thumbs-up" : "thumbs-down",
    person,
    url,
    at,
  }));
}

/** The verdict that a person gave with a command. The ledger has it, because a command needs no thread. */
function verdictOn({ verdict }: LedgerFinding): readonly Act[] {
  if (verdict === null) return [];
  const { state, by, url, at } = verdict;
  const person = { login: by, isBot: false };
  return [{ signal: state === "contested" ? "dismissed" : "waived", person, url, at }];
}

/** The last reply of each person that agrees or disagrees, because people change their minds. */
function repliesOf(threads: readonly ReviewThread[]): readonly Act[] {
  const last = new Map<string, Act>();
  for (const { author: person, body, url, at } of threads.flatMap(({ replies }) => replies)) {
    const signal = classifyReply(body);
    if (signal !== null) last.set(person.login, { signal, person, url, at });
  }
  return [...last.values()];
}

/** A thread that is resolved after its lines were changed says that the finding was fixed, not that it was rejected. */
function resolutionOf(
  { state }: LedgerFinding,
  thread: ReviewThread | undefined,
  now: number,
): readonly Act[] {
  if (thread?.isResolved !== true || thread.resolvedBy === null || thread.isOutdated) return [];
  if (isFixed(state) || state === "addressed" || state === "expired") return [];
  return [{ signal: "resolved", person: thread.resolvedBy, url: thread.url, at: now }];
}

/** The author of the pull request counts as the author of its commits. */
function changesOf(
  { state, isSuggestionCommitted }: LedgerFinding,
  thread: ReviewThread | undefined,
  { pullRequest, now }: Pick<SignalSources, "pullRequest" | "now">,
): readonly Act[] {
  const isResolvedByPerson = thread?.isResolved === true && thread.resolvedBy !== null;
  // The review after it takes a resolved thread as accepted, and doesn't compare its lines.
  const isWaivedAfterChange = state === "waived" && isResolvedByPerson && thread.isOutdated;
  if (!isFixed(state) && !isWaivedAfterChange) return [];
  const signal = isSuggestionCommitted ? "suggestion-committed" : "code-changed";
  return [{ signal, person: pullRequest.author, url: pullRequest.url, at: now }];
}

function mergeOf(
  { state }: LedgerFinding,
  thread: ReviewThread | undefined,
  { mergedAt, mergedBy, url }: SignalSources["pullRequest"],
): readonly Act[] {
  const isUntouched = (state === "open" || state === "contested") && thread?.isOutdated !== true;
  if (mergedAt === null || mergedBy === null || !isUntouched) return [];
  return [{ signal: "merged-untouched", person: mergedBy, url, at: mergedAt }];
}

function isFixed(state: string): boolean {
  return state === "verified";
}
