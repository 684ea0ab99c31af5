/** Gathers what a prompt for a question or for edits is built from: the subject, the repository's guidance, what Kodiai's reviews know, the thread. */
import { KodiaiError } from "../../../base/errors.ts";
import type { Change } from "../../../review/change/change.ts";
import { MAX_PRIOR_RUNS } from "../../../review/context/prior-findings.ts";
import type {
  AskedFinding,
  Guidance,
  KnownPullRequest,
  Surroundings,
} from "../../../review/prompt/surroundings/surroundings.ts";
import { readKeptPublication } from "../../../store/repositories/kept-publications.ts";
import { listLearnings } from "../../../store/repositories/learnings.ts";
import { readReviewedRuns } from "../../../store/repositories/run-readings.ts";
import { gatherLearnings } from "../../gathering/gather-learnings.ts";
import { noteMissingLogs } from "../../gathering/note-missing-logs.ts";
import { readGuidelines } from "../../gathering/read-guidelines.ts";
import { parseKeptPublication } from "../../settling/kept-publication.ts";
import { reasoningOf } from "../reasoning-of.ts";
import type { Conversation, ConversationDeps, StoredFinding } from "./conversation.ts";

/** A part that fails is left out, and the prompt says so. */
export async function gatherSurroundings(
  conversation: Conversation,
  deps: ConversationDeps,
): Promise<Surroundings> {
  const { subject, code, discussion, finding } = conversation;
  const { title, body: description } = subject.kind === "issue" ? subject.issue : subject.pullRequest;
  const { lines, comments } = discussion;
  const guidance = await gatherGuidance(conversation, deps);
  const known = await gatherKnown(conversation, deps);
  return {
    subject: { kind: subject.kind, title, description },
    change: code.change,
    guidance,
    ...(known !== null && { known }),
    thread: comments.map(({ author, isOwn, body }) => ({ author: author.login, isOwn, text: body })),
    hunk: lines === null ? null : { path: lines.path, text: lines.hunk },
    finding: finding === null ? null : toAskedFinding(finding),
  };
}

export function toAskedFinding(finding: StoredFinding): AskedFinding {
  return { ...finding, body: reasoningOf(finding) };
}

async function gatherGuidance(
  { code: { change, repository }, config, degradations, mention, context }: Conversation,
  { store: { database, now } }: ConversationDeps,
): Promise<Guidance> {
  const { repositoryId } = mention.repositoryRef;
  const paths = change.files.map(({ path }) => path);
  const teamMemory = { readLearnings: () => listLearnings(repositoryId, now(), database) };
  return {
    config: config.tree.root.values,
    guidelines: await readGuidelines(
      { change, config, degradations },
      { repository, signal: context.signal },
    ),
    learnings: await gatherLearnings({ paths, config, degradations }, { teamMemory, now }),
  };
}

async function gatherKnown(
  { subject, mention, code, session, findings, degradations }: Conversation,
  { store: { database }, version }: ConversationDeps,
): Promise<KnownPullRequest | null> {
  if (subject.kind === "issue") return null;
  const { headRef, baseRef } = subject.pullRequest;
  const key = { repositoryId: mention.repositoryRef.repositoryId, pullRequest: mention.place.number };
  const runs = await readReviewedRuns(key, MAX_PRIOR_RUNS, database);
  const kept = await readKeptPublication({ ...key, version }, database);
  const checks = await degradations.optional("checks", async () =>
    noteMissingLogs(await session.checks.read(code.head), degradations),
  );
  const reviewedHeads = [...new Set(runs.map(({ head }) => head))];
  return {
    headBranch: headRef,
    baseBranch: baseRef,
    summary: kept === null ? "" : summaryOf(kept),
    reviewedHeads,
    sinceReview: await readSince(reviewedHeads[0], code),
    findings: findings.map(toAskedFinding),
    checks: checks ?? [],
    missing: [...new Set(degradations.list().map(({ what }) => what))],
  };
}

/** The verdict, and the models' descriptions of the change. */
function summaryOf(kept: string): string {
  const { verdict, overview } = parseKeptPublication(kept).publication;
  return [verdict.headline, ...overview.map(({ text }) => text)].join("\n\n");
}

/** Null if the commit of the last review is gone, as after a force-push. */
async function readSince(
  last: string | undefined,
  { repository, head, change }: Conversation["code"],
): Promise<Change | null> {
  if (last === undefined || last === head || change.files.length === 0) return null;
  try {
    return await repository.readChange({
      kind: "pull-request",
      title: "",
      body: "",
      description: "since the last review",
      mergeBase: last,
      head,
    });
  } catch (error) {
    if (error instanceof KodiaiError && !error.retryable) return null;
    throw error;
  }
}
