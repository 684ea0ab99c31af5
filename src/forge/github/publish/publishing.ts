/** The context that all publishing steps share, and the rules for requests whose outcome is unknown. */
import type { Log } from "../../../base/log.ts";
import type {
  JournalEntry,
  PublicationPart,
  PublishOutcome,
  PublishRequest,
  PullRequest,
  RepositoryRef,
  Reviews,
} from "../../forge.ts";
import { hasStatus } from "../github-error.ts";
import type { MarkedPart, MarkerContent, MarkerScope, Markers } from "../markers.ts";
import type { RepositoryCalls } from "../repository-calls.ts";

export type PublishDeps = {
  readonly calls: RepositoryCalls;
  readonly markers: Markers;
  /** Reads the current state and head of the pull request. */
  readonly readCurrent: (number: number) => Promise<Pick<PullRequest, "isOpen" | "isDraft" | "head">>;
  readonly readThreads: Reviews["readThreads"];
  /**
   * The token was given, not created for this job. Parts that it may not write are left out. Other processes, whose journals this one
   * doesn't see, may publish the same head with it.
   */
  readonly hasGivenToken: boolean;
  readonly now: () => number;
  readonly sleep: (delayMs: number) => Promise<void>;
  readonly log: Log;
};

export type Publishing = PublishDeps & {
  readonly request: PublishRequest;
  /** The commit that was reviewed. */
  readonly head: string;
};

/** An outcome that stops publishing. */
export type Stop = Exclude<PublishOutcome, { readonly kind: "published" }>;

/** GitHub ends a request after 10 s, and its effects are visible a moment later. */
const SETTLE_MS = 12_000;

/** Lists and reads by id can lag by this much. */
export const LIST_LAG_MS = 30_000;

/** An item that isn't listed after this time doesn't exist. */
const LAG_MS = 2 * LIST_LAG_MS;

/** The marker scope of a part. All heads and requests share one summary. */
export function scopeOf(
  publishing: {
    readonly request: Pick<PublishRequest, "request"> & {
      readonly pullRequest: Pick<PullRequest, "repositoryRef" | "number">;
    };
    readonly head: string;
  },
  part: MarkedPart,
): MarkerScope {
  const { pullRequest, request } = publishing.request;
  const { repositoryRef, number } = pullRequest;
  const { installationId, forgeId } = repositoryRef;
  if (part === "summary") return summaryScope(repositoryRef, number);
  return { installationId, forgeId, number, part, head: publishing.head, request };
}

/** Returns the app's comments with a marker of this scope, oldest first. */
export async function findComments(
  number: number,
  scope: MarkerScope,
  { calls, markers }: Pick<PublishDeps, "calls" | "markers">,
): Promise<readonly { readonly id: number; readonly content: MarkerContent }[]> {
  const comments = await calls.listOwnComments(number);
  return comments.flatMap(({ id, body }) => {
    const content = markers.read(scope, body);
    return content === null ? [] : [{ id, content }];
  });
}

/** The summary belongs to the pull request. */
export function summaryScope({ installationId, forgeId }: RepositoryRef, number: number): MarkerScope {
  return { installationId, forgeId, number, part: "summary", head: "", request: "" };
}

/** GitHub's sentences about a token that lacks a permission. Locked conversations and archived repositories are refused with others. */
const MISSING_PERMISSION =
  /not accessible by|must authenticate via a github app|must have \w+ (?:rights|access)/i;

/** Null if a given token may not do it. Without access, GitHub also answers as if the place to write to didn't exist. */
export async function unlessRefused<Value>(
  { hasGivenToken, log }: Pick<PublishDeps, "hasGivenToken" | "log">,
  write: () => Promise<Value>,
): Promise<Value | null> {
  try {
    return await write();
  } catch (error) {
    const isRefused =
      hasStatus(error, 404) || (hasStatus(error, 403) && MISSING_PERMISSION.test(error.call.words));
    if (!hasGivenToken || !isRefused) throw error;
    log.info("the token may not write this", { reason: error.message });
    return null;
  }
}

/** Waits until a request without an answer has either taken effect or never will. */
export async function waitForLateEffect({ sleep }: Pick<PublishDeps, "sleep">): Promise<void> {
  await sleep(SETTLE_MS);
}

/** Returns until when an unlisted item may still appear. Null if nothing was attempted, or long enough ago. */
export function mayAppearUntil(intent: JournalEntry | null, nowMs: number): number | null {
  if (intent === null || intent.attemptedAt === null) return null;
  const untilMs = intent.attemptedAt + LAG_MS;
  return nowMs < untilMs ? untilMs : null;
}

export function waitForOutcome(part: PublicationPart, untilMs: number): Stop {
  return { kind: "wait", untilMs, reason: `fate-unknown:${part}` };
}

/** Checks that the publication is still wanted and matches the head of an open pull request that isn't a draft. Null if so. */
export async function findStop({ request, head, readCurrent }: Publishing): Promise<Stop | null> {
  const answer = await request.guard();
  if (answer !== "go") return { kind: answer };
  const current = await readCurrent(request.pullRequest.number);
  if (!current.isOpen) return { kind: "closed" };
  if (current.head !== head) return { kind: "stale-head", head: current.head };
  return current.isDraft && !request.mayBeDraft ? { kind: "draft" } : null;
}
