/**
 * Payload of the two jobs that answer a mention. `mention` acknowledges it, checks who may do what, and answers what takes no time.
 * `converse` does the rest: it reads code, and may ask a model. Never a credential.
 */
import type { CommentPlace, RepositoryRef } from "../../forge/forge.ts";
import { hashParts } from "../../base/hash.ts";
import { type JobRequest, SEPARATE_LANE_PREFIX } from "../../queue/queue.ts";
import { type Requester, reviewKey, type ReviewTrigger } from "../review-job.ts";
import { parseStoredRef, type StoredRef } from "../stored-ref.ts";
import type { MentionCommand } from "./command.ts";

export const MENTION_KIND = "mention";
export const CONVERSE_KIND = "converse";

/** Each has its own slot in every worker, so that a mention is acknowledged and answered while reviews run. */
export const MENTION_LANE = "mention";
export const CONVERSE_LANE = "converse";

export type MentionJob = {
  readonly repositoryRef: RepositoryRef;
  readonly place: CommentPlace;
  readonly isPullRequest: boolean;
  readonly requester: Requester;
  /** The host's id of the requester's account; null if unknown. */
  readonly requesterId: number | null;
  readonly command: MentionCommand;
  /** From the event. The same comment always has the same one. */
  readonly requestId: string;
  /** When the comment was written; milliseconds since 1970. */
  readonly writtenAt: number;
  /** A reply in a thread that doesn't name Kodiai. It is answered only where `mentions.threads` is on. Missing: it names it. */
  readonly isUnaddressed?: true;
  /** The requests of the same text that come before this one. It waits until their jobs have ended. Missing: none. */
  readonly after?: readonly string[];
  /** The head that the requester of an edit saw. Missing: not proven, or the mention edits no pull request. */
  readonly seenHead?: string;
};

/** For people without write access: one slot in every worker for each kind, so that they never take one that a review needs. */
export const OUTSIDER_LANES = {
  [MENTION_KIND]: `${SEPARATE_LANE_PREFIX}${MENTION_KIND}`,
  [CONVERSE_KIND]: `${SEPARATE_LANE_PREFIX}${CONVERSE_KIND}`,
} as const;

/** The event claims who is on the team. That only decides the lane: the job asks the host. */
export function planMention(mention: MentionJob): JobRequest {
  return mention.requester.isInsider
    ? planFor(mention, { kind: MENTION_KIND, lane: MENTION_LANE })
    : planForOutsider(mention, MENTION_KIND);
}

/** Free slots for reviews answer as well. */
export function planConversation(mention: MentionJob, isWriter: boolean): JobRequest {
  return isWriter
    ? planFor(mention, { kind: CONVERSE_KIND, lane: CONVERSE_LANE })
    : planForOutsider(mention, CONVERSE_KIND);
}

/**
 * Installations take turns, and so do the people of one. More turns would let one installation with many accounts hold up the others;
 * with fewer, a person more often shares a turn with someone who writes a lot.
 */
const TURNS_PER_INSTALLATION = 8;

function planForOutsider(mention: MentionJob, kind: keyof typeof OUTSIDER_LANES): JobRequest {
  const { repositoryRef, requester } = mention;
  const turn = Number.parseInt(hashParts([requester.login], TURN_HEX_CHARS), 16) % TURNS_PER_INSTALLATION;
  return {
    ...planFor(mention, { kind, lane: OUTSIDER_LANES[kind] }),
    // One at a time in the whole repository, so that the limits of a person count all that came before.
    serialKey: `${prefixOf(kind, repositoryRef.repositoryId)}by/${requester.login}`,
    group: `${repositoryRef.installationId}/${turn}`,
  };
}

/** Many more values than turns. */
const TURN_HEX_CHARS = 8;

/** A person is waiting for the answer; as for a requested review. */
const PRIORITY = 10;

function planFor(mention: MentionJob, { kind, lane }: Pick<JobRequest, "kind" | "lane">): JobRequest {
  const { repositoryRef, place, requestId, after = [] } = mention;
  // Its own line, so that a command that waits for others of its text keeps no other mention waiting.
  const line = kind === MENTION_KIND && after.length > 0 ? `${place.number}/${after.at(-1)}` : place.number;
  return {
    key: keyOf(kind, mention, requestId),
    kind,
    lane,
    // In order, and never replaced: every mention gets its own answer.
    serialKey: `${prefixOf(kind, repositoryRef.repositoryId)}${line}`,
    supersedes: false,
    group: talkGroup(repositoryRef),
    priority: PRIORITY,
    delayMs: 0,
    payload: JSON.stringify(mention),
  };
}

function keyOf(kind: string, { repositoryRef, place }: MentionJob, requestId: string): string {
  return `${prefixOf(kind, repositoryRef.repositoryId)}${place.number}/${requestId}`;
}

/** The keys of all jobs that a request of the same text may have become. */
export function jobKeysOf(mention: MentionJob, requestId: string): readonly string[] {
  const { repositoryRef, place } = mention;
  return [
    ...[MENTION_KIND, CONVERSE_KIND].map((kind) => keyOf(kind, mention, requestId)),
    ...REVIEWING.map((trigger) => reviewKey(repositoryRef, place.number, `${trigger}/${requestId}`)),
  ];
}

/** The triggers of reviews that a comment requests. */
const REVIEWING: readonly ReviewTrigger[] = ["comment", "resume"];

/** Jobs that a person waits for have a limit of their own, so that an installation whose reviews have reached theirs still answers. */
export function talkGroup({ installationId }: Pick<RepositoryRef, "installationId">): string {
  return `talk/${installationId}`;
}

function prefixOf(kind: string, repositoryId: number): string {
  return `${kind}/${repositoryId}/`;
}

/** The prefixes of the serial keys of all mentions in a repository. */
export function mentionsOfRepository(repositoryId: number): readonly string[] {
  return [MENTION_KIND, CONVERSE_KIND].map((kind) => prefixOf(kind, repositoryId));
}

/** The queue holds only what this file wrote, so its shape is known. */
export function parseMentionJob(payload: string): MentionJob {
  const { repositoryRef, ...mention } = JSON.parse(payload) as Omit<MentionJob, "repositoryRef"> & {
    readonly repositoryRef: StoredRef;
  };
  return { repositoryRef: parseStoredRef(repositoryRef), ...mention };
}
