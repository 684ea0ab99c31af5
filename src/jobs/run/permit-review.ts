/** Decides whether a model may review, by the class of the person who requested the review. */
import type { RepoConfig } from "../../config/repo-config/schema.ts";
import type { ForgeSession, PullRequest } from "../../forge/forge.ts";
import type { Database } from "../../store/database.ts";
import type { ModelChoice } from "../model-review/model-access.ts";
import { type ReviewRequester, type Decision, effectiveLimits } from "../spending/request-limits.ts";
import type { ModelSource } from "../reading/pull-request-models.ts";
import type { WriteAccess } from "../gathering/gather-access.ts";
import type { GatheredRequest } from "../gathering/gather-requests.ts";
import type { Degradations } from "../gathering/optional.ts";
import { decideModels, saveDecision } from "./decide-models.ts";
import { requesterClassOf } from "./requester-class.ts";

export type PermitInput = {
  readonly requests: readonly GatheredRequest[];
  readonly pullRequest: PullRequest;
  readonly session: ForgeSession;
  readonly run: { readonly id: number };
  readonly config: RepoConfig;
  /** A refusal would leave the request without any review, so the requester gets an answer. */
  readonly wantsAnswer: boolean;
};

export type PermitDeps = {
  readonly database: Database;
  /** The store's clock. */
  readonly now: () => number;
  readonly degradations: Degradations;
  readonly hasWriteAccess: WriteAccess;
  readonly models: Pick<ModelSource, "settings">;
  readonly choice: Pick<ModelChoice, "choose">;
};

/** Null when no model would review: the built-in rules are free, so they have no limit. */
export async function permitReview(input: PermitInput, deps: PermitDeps): Promise<Decision | null> {
  const { requests, pullRequest, run, config, wantsAnswer } = input;
  if ((await deps.choice.choose(config)).models.length === 0) return null;
  const limits = effectiveLimits(config.limits, deps.models.settings.limits);
  const candidates: ReviewRequester[] = [];
  for (const request of requests) {
    candidates.push(await candidateOf(request, input, deps));
    // If the job's own request is unlimited, the others don't matter and the host isn't queried for them.
    if (candidates[0] !== undefined && limits[candidates[0].requesterClass] === null) break;
  }
  const [own, ...inherited] = candidates;
  if (own === undefined) throw new TypeError("every job has its own request");
  const nowMs = deps.now();
  const request = { runId: run.id, candidates: [own, ...inherited], limits, wantsAnswer, nowMs } as const;
  return deps.database.transaction(async (sql) => {
    const decision = await decideModels({ ...request, subject: pullRequest }, sql);
    const isAnswered = decision.kind === "refused" && decision.isAnswered;
    await saveDecision({ ...decision, isAnswered }, { ...request, subject: pullRequest }, sql);
    return decision;
  });
}

async function candidateOf(
  { jobId, trigger, requester: named }: GatheredRequest,
  input: PermitInput,
  deps: PermitDeps,
): Promise<ReviewRequester> {
  const requester = named ?? { ...input.pullRequest.author, isInsider: false };
  // Only the operator can use the command line.
  const requesterClass =
    trigger === "command-line"
      ? "writer"
      : await requesterClassOf(requester, input.pullRequest, { ...deps, session: input.session });
  return { jobId, login: requester.login, requesterClass };
}
