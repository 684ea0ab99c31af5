/** Collects the signals on the findings of a pull request, as it is now, from its threads and its ledger. Pure. */
import { escapePattern } from "../../base/escape-pattern.ts";
import { hashParts } from "../../base/hash.ts";
import { createFenceReader, withoutHtmlComments } from "../../base/markdown.ts";
import { maskCredentials } from "../../base/secrets/mask-credentials.ts";
import type { Person, PullRequest, ReviewThread, ThreadReply } from "../../forge/forge.ts";
import { classifyReply } from "../../memory/classify-reply.ts";
import { isReason } from "../../memory/explain-rejection.ts";
import type { Feedback, ReplyReading } from "../../memory/feedback.ts";
import { patternOf } from "../../memory/pattern-of.ts";
import type { Finding } from "../../review/findings/finding.ts";
import { cutChars } from "../../review/publication/render/list-item.ts";
import { toStorableText } from "../../store/database.ts";
import type { LedgerFinding } from "../../store/repositories/findings.ts";

/** A signal before it is known whether its person may teach. */
export type PersonSignal = Omit<Feedback, "person" | "teaches" | "reason"> & { readonly person: Person };

type Act = Pick<PersonSignal, "signal" | "person" | "url" | "at"> & { readonly words?: string };

/** As much as a prompt shows. The comment itself has the rest. */
const MAX_WORDS_CHARS = 300;

export type SignalSources = {
  readonly pullRequest: Pick<PullRequest, "number" | "url" | "author" | "mergedAt" | "mergedBy">;
  readonly findings: readonly LedgerFinding[];
  /** Oldest first. */
  readonly threads: readonly ReviewThread[];
  /** The meaning that models saw in replies whose words say nothing clear. */
  readonly readings: readonly ReplyReading[];
  /** How people address Kodiai. Their order or question isn't a reason against the finding. */
  readonly mention: string;
  /** The time of signals that the host has no time for. */
  readonly now: number;
};

export function collectSignals({
  pullRequest,
  findings,
  threads,
  readings,
  mention,
  now,
}: SignalSources): readonly PersonSignal[] {
  const isToKodiai = addressing(mention);
  const byFinding = Map.groupBy(threads, ({ findingId }) => findingId);
  return findings.flatMap((finding) => {
    const own = byFinding.get(finding.identity) ?? [];
    // About a security finding, only clear words of a person count.
    const replies = lastReplies(own, finding.category === "security" ? [] : readings, isToKodiai);
    const acts = [
      ...verdictOn(finding),
      ...own.flatMap(reactionsOf),
      ...replies.flatMap(({ act }) => act ?? []),
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
    // A person who gives a thumbs-down often writes why, without a verdict in words.
    const reasons = new Map(replies.flatMap(({ login, reason }) => (reason === "" ? [] : [[login, reason]])));
    return [...distinct.values()].map((act) => {
      const reason = EXPLAINED.has(act.signal) ? (reasons.get(act.person.login) ?? "") : "";
      const words =
        act.words === undefined || (!isReason(act.words) && isReason(reason)) ? reason : act.words;
      return { pullRequest: pullRequest.number, identity, pattern, title, ...act, words };
    });
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
  const { state, by, url, at, reason } = verdict;
  const person = { login: by, isBot: false };
  return [
    { signal: state === "contested" ? "dismissed" : "waived", person, url, at, words: wordsWritten(reason) },
  ];
}

/** Signals whose reason may be in another reply of the person: "No." comes before the explanation. */
const EXPLAINED: ReadonlySet<Act["signal"]> = new Set(["thumbs-down", "resolved", "disagrees"]);

type LastReply = {
  readonly login: string;
  /** The last reply with a verdict, because people change their minds. Null without one. */
  readonly act: Act | null;
  /** The words of that verdict, or the first explanation after it or without one; "" if nothing, or after agreeing. */
  readonly reason: string;
};

function lastReplies(
  threads: readonly ReviewThread[],
  readings: readonly ReplyReading[],
  isToKodiai: (body: string) => boolean,
): readonly LastReply[] {
  const understood = new Map(readings.map(({ key, verdict }) => [key, verdict]));
  const last = new Map<string, LastReply>();
  for (const reply of threads.flatMap(({ replies }) => replies)) {
    const { author: person, body, url, at } = reply;
    const { login } = person;
    const verdict = classifyReply(body) ?? understood.get(replyKey(reply)) ?? null;
    const signal = verdict === "neither" ? null : verdict;
    const words = wordsWritten(body);
    const before = last.get(login);
    if (signal !== null) {
      const act = { signal, person, url, at, words };
      last.set(login, { login, act, reason: signal === "agrees" ? "" : words });
    } else if (before?.act?.signal !== "agrees") {
      const earlier = before?.reason ?? "";
      // Small talk follows an explanation, and doesn't replace it.
      const isFirst = !isReason(earlier) && (earlier === "" || isReason(words)) && !isToKodiai(body);
      last.set(login, { login, act: before?.act ?? null, reason: isFirst ? words : earlier });
    }
  }
  return [...last.values()];
}

/** Whether a comment addresses Kodiai, so that it has an answer of its own. */
export function addressing(mention: string): (body: string) => boolean {
  const address = new RegExp(`(?:^|\\s)(?:${escapePattern(mention)}|/kodiai)\\b`, "i");
  return (body) => address.test(body);
}

const KEY_CHARS = 24;

/** An edited reply is another one. */
export function replyKey({ url, body }: Pick<ThreadReply, "url" | "body">): string {
  return hashParts([url, body], KEY_CHARS);
}

/** The person's words, without quotes of others and code blocks. */
export function wordsWritten(body: string): string {
  const partOf = createFenceReader();
  const text = withoutHtmlComments(body)
    .split(/\r?\n/)
    .filter((line) => partOf(line) === "text" && !/^\s{0,3}>/.test(line))
    .join(" ");
  const line = maskCredentials(text).replaceAll(/\s+/g, " ").trim();
  return toStorableText(cutChars(line, MAX_WORDS_CHARS));
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
