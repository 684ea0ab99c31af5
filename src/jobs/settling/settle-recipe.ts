/**
 * The recipe that settles findings: it composes the summary and the check of the last review again, from the ledger and the threads as they
 * are now, and calls no model. The review itself stays as it is, and nothing is approved.
 */
import { KodiaiError } from "../../base/errors.ts";
import { reachFaultPoint } from "../../base/fault-point.ts";
import type { Forge, ForgeSession, PublishOutcome, PullRequest } from "../../forge/forge.ts";
import type { PriorFinding } from "../../review/context/prior-review.ts";
import { NO_PRIOR_REVIEW } from "../../review/context/prior-findings.ts";
import { composePullRequest } from "../../review/publication/compose/compose-pull-request.ts";
import { settlePublication } from "../../review/publication/compose/settle-publication.ts";
import { readKeptPublication } from "../../store/repositories/kept-publications.ts";
import { createPublicationJournal } from "../../store/repositories/publications.ts";
import { createFeedbackRulings } from "../gathering/feedback-rulings.ts";
import { createWriteAccess } from "../gathering/gather-access.ts";
import { gatherFindings } from "../gathering/gather-prior-review.ts";
import { createDegradations } from "../gathering/optional.ts";
import type { RowStore } from "../job-store.ts";
import { makeSuppressions } from "../memory/make-suppressions.ts";
import { readTeamFeedback } from "../memory/open-team-memory.ts";
import type { JobContext, JobOutcome, Recipe } from "../recipe.ts";
import { decodeState, encodeState } from "../review-state.ts";
import { publishGuard } from "../run/publish-run.ts";
import { type KeptPublication, parseKeptPublication } from "./kept-publication.ts";
import { parseSettleJob } from "./settle-job.ts";

export type SettleDeps = {
  readonly forge: Pick<Forge, "openSession">;
  readonly store: RowStore;
  readonly version: string;
};

export function createSettleRecipe(deps: SettleDeps): Recipe {
  return {
    async run(context) {
      const { repositoryRef, number } = parseSettleJob(context.job.payload);
      const key = { repositoryId: repositoryRef.repositoryId, pullRequest: number, version: deps.version };
      const text = await readKeptPublication(key, deps.store.database);
      if (text === null) return { state: "skipped", reason: "skipped:not-reviewed" };
      const kept = parseKeptPublication(text);
      const session = deps.forge.openSession(repositoryRef);
      try {
        const pullRequest = await session.pullRequests.read(number);
        // The review of the new head takes the same words into account.
        if (pullRequest.head !== kept.head) return { state: "skipped", reason: "skipped:stale" };
        return toOutcome(await settle({ kept, pullRequest, session }, context, deps.store));
      } catch (error) {
        if (!(error instanceof KodiaiError) || error.code !== "not-found" || error.retryable) throw error;
        return { state: "skipped", reason: "skipped:not-found" };
      } finally {
        await session.close();
      }
    },
    giveUp: async () => {},
  };
}

type ToSettle = {
  readonly kept: KeptPublication;
  readonly pullRequest: PullRequest;
  readonly session: ForgeSession;
};

async function settle(
  { kept, pullRequest, session }: ToSettle,
  context: JobContext,
  store: RowStore,
): Promise<PublishOutcome> {
  await context.step("settling");
  const { repositoryRef, number, head, url } = pullRequest;
  const { database, now } = store;
  const { repositoryId } = repositoryRef;
  const priors = await readPriors({ pullRequest, session }, context, store);
  const feedbackOn = await readRulings(repositoryId, kept.policy.feedback, store);
  const settled = settlePublication(kept.publication, kept.skippedBecause, {
    priors: new Map(priors.map((prior) => [prior.identity, prior])),
    feedbackOn,
  });
  const threads = new Map(
    priors.flatMap(({ identity, thread }) => (thread === null ? [] : [[identity, thread.url] as const])),
  );
  const policy = {
    ...kept.policy,
    autoApprove: false,
    url,
    state: stateOf(kept.state, priors),
    mention: await session.mention(),
  };
  reachFaultPoint("before-settling", number);
  const outcome = await session.reviews.publish({
    pullRequest,
    compose: () => ({ ...composePullRequest(settled, policy, kept.moved, threads), review: null }),
    threadsToResolve: [],
    journal: createPublicationJournal(database, {
      repositoryId,
      pullRequest: number,
      head,
      request: SETTLING,
      now,
    }),
    request: SETTLING,
    guard: publishGuard(context),
    mayBeDraft: true,
  });
  reachFaultPoint("after-settling", number);
  return outcome;
}

/** No review has this request. */
const SETTLING = "settle";

/** A failed look-up fails the job, which is retried: a check must not become green because GitHub was unavailable. */
async function readPriors(
  { pullRequest, session }: Pick<ToSettle, "pullRequest" | "session">,
  { signal }: JobContext,
  { database }: RowStore,
): Promise<readonly PriorFinding[]> {
  const { repositoryRef, number } = pullRequest;
  const { reviews, people } = session;
  const degradations = { ...createDegradations(signal), optional: STRICT };
  const hasWriteAccess = createWriteAccess(pullRequest, people, degradations);
  const request = { repositoryId: repositoryRef.repositoryId, pullRequest: number, runId: NO_RUN };
  return gatherFindings(request, NO_PRIOR_REVIEW, { database, reviews, degradations, hasWriteAccess });
}

const STRICT = <Value>(_what: string, step: () => Promise<Value>): Promise<Value> => step();

/** Runs are numbered from 1, and the findings of all of them count. */
const NO_RUN = 0;

async function readRulings(
  repositoryId: number,
  settings: KeptPublication["policy"]["feedback"],
  { database, now }: RowStore,
) {
  if (settings === null) return () => null;
  await makeSuppressions(repositoryId, settings, { database, now });
  const read = await readTeamFeedback(repositoryId, { database, now });
  return createFeedbackRulings(read, settings, now()).feedbackOn;
}

/** The state that a lost database is restored from has the same words. */
function stateOf(text: string, priors: readonly PriorFinding[]): string {
  const state = text === "" ? null : decodeState(text);
  if (state === null) return text;
  const byIdentity = new Map(priors.map((prior) => [prior.identity, prior]));
  const findings = state.findings.map((finding): PriorFinding => {
    const now = byIdentity.get(finding.identity);
    if (now === undefined) return finding;
    const { verdict: _, ...rest } = finding;
    return { ...rest, state: now.state, ...(now.verdict === undefined ? {} : { verdict: now.verdict }) };
  });
  return encodeState({ runs: state.runs.map((run) => ({ ...run, files: null })), findings });
}

function toOutcome(outcome: PublishOutcome): JobOutcome {
  switch (outcome.kind) {
    case "published":
      return { state: "done", reason: "settled" };
    case "wait":
      return { state: "wait", untilMs: outcome.untilMs, reason: outcome.reason };
    case "lost":
      return { state: "lost" };
    case "superseded":
    case "cancelled":
      return { state: outcome.kind, reason: outcome.kind };
    case "stale-head":
      return { state: "skipped", reason: "skipped:stale" };
    case "closed":
    case "draft":
      return { state: "skipped", reason: `skipped:${outcome.kind}` };
  }
}
