/** One publication under way: what the steps of publishing share, and the rules about requests whose fate is unknown. */
import type {
  JournalEntry,
  PublicationPart,
  PublishOutcome,
  PublishRequest,
  PullRequest,
} from "../../forge.ts";
import type { MarkedPart, Markers, MarkerScope } from "../markers.ts";
import type { RepositoryCalls } from "../repository-calls.ts";

export type PublishDeps = {
  readonly calls: RepositoryCalls;
  readonly markers: Markers;
  /** State and head of the pull request as they are now. */
  readonly readCurrent: (number: number) => Promise<Pick<PullRequest, "isOpen" | "isDraft" | "head">>;
  readonly now: () => number;
  readonly sleep: (delayMs: number) => Promise<void>;
};

export type Publishing = PublishDeps & {
  readonly request: PublishRequest;
  /** The commit that was reviewed. */
  readonly head: string;
};

/** Why publishing stops here. */
export type Stop = Exclude<PublishOutcome, { readonly kind: "published" }>;

/** GitHub ends a request after 10 s; what it did until then is visible a moment later. */
const SETTLE_MS = 12_000;

/** Lists, and what is read by id, can lag by this much. */
export const LIST_LAG_MS = 30_000;

/** What is not listed after this long does not exist. */
const LAG_MS = 2 * LIST_LAG_MS;

/** Where a review of this publication is recognised. The summary is one for all heads and requests. */
export function scopeOf(
  publishing: {
    readonly request: Pick<PublishRequest, "pullRequest" | "request">;
    readonly head: string;
  },
  part: MarkedPart,
): MarkerScope {
  const { pullRequest, request } = publishing.request;
  const { repositoryRef, number } = pullRequest;
  const { installationId, repositoryId } = repositoryRef;
  const common = { installationId, repositoryId, number, part };
  return part === "summary"
    ? { ...common, head: "", request: "" }
    : { ...common, head: publishing.head, request };
}

/** Id of our own comment that carries a marker of this scope; null when none is listed. */
export async function findComment(
  number: number,
  scope: MarkerScope,
  { calls, markers }: Pick<PublishDeps, "calls" | "markers">,
): Promise<number | null> {
  const comments = await calls.listOwnComments(number);
  return comments.find((comment) => markers.read(scope, comment.body) !== null)?.id ?? null;
}

/** Waits until a request without an answer has either been carried out or never will be. */
export async function settlePublication({ sleep }: Pick<PublishDeps, "sleep">): Promise<void> {
  await sleep(SETTLE_MS);
}

/** Until when something that is not listed may still exist; null when nothing was attempted, or long enough ago. */
export function mayAppearUntil(intent: JournalEntry | null, nowMs: number): number | null {
  if (intent === null || intent.attemptedAt === null) return null;
  const untilMs = intent.attemptedAt + LAG_MS;
  return nowMs < untilMs ? untilMs : null;
}

export function waitForFate(part: PublicationPart, untilMs: number): Stop {
  return { kind: "wait", untilMs, reason: `fate-unknown:${part}` };
}

/** Asks whether this is still wanted, and still the head of an open pull request that is no draft; null when it is. */
export async function findStop({ request, head, readCurrent }: Publishing): Promise<Stop | null> {
  const answer = await request.guard();
  if (answer !== "go") return { kind: answer };
  const current = await readCurrent(request.pullRequest.number);
  if (!current.isOpen) return { kind: "closed" };
  if (current.head !== head) return { kind: "stale-head", head: current.head };
  return current.isDraft && !request.mayBeDraft ? { kind: "draft" } : null;
}
