/**
 * Whether a pull request would be reviewed now, decided by the same gates and the same configuration as in its job. Publishes nothing and
 * records no run.
 */
import type { ModelSettings } from "../config/model-settings.ts";
import type { ConfigProblem } from "../config/repo-config/repo-config.ts";
import type { RepoConfig } from "../config/repo-config/schema.ts";
import type { ForgeSession, RepositoryRef } from "../forge/forge.ts";
import { chooseModels } from "../model/choose-models.ts";
import type { Refusal } from "../model/spending.ts";
import type { Reader } from "../reading/reader.ts";
import type { RepositoryCache } from "../repository/repository.ts";
import type { Pause } from "../store/repositories/pauses.ts";
import { gateReview, type SkipReason } from "./gate-review.ts";
import { createWriteAccess, gatherTagTrust } from "./gathering/gather-access.ts";
import { gatherAuthor } from "./gathering/gather-author.ts";
import { gatherOrganizationConfig } from "./gathering/gather-organization-config.ts";
import { readBranchConfig } from "./gathering/read-branch-config.ts";
import { gatherGate } from "./gathering/gather-gate.ts";
import { readEarlier, withDiffs } from "./gathering/gather-prior-review.ts";
import { openPullRequest, type OpenedPullRequest } from "./gathering/open-pull-request.ts";
import { createDegradations } from "./gathering/optional.ts";
import { prepareReview } from "./gathering/prepare-review.ts";
import type { RowStore } from "./job-store.ts";
import { effectiveBudgets } from "./spending/budgets.ts";
import { findUsedUpBudget } from "./spending/create-spending.ts";

export type PreviewDeps = {
  readonly session: ForgeSession;
  readonly store: RowStore;
  readonly repositories: Pick<RepositoryCache, "openPullRequest">;
  readonly openReader: (signal: AbortSignal) => Promise<Reader>;
  /** The operator's. */
  readonly models: ModelSettings;
  readonly signal: AbortSignal;
};

/** The configuration that decides. */
export type PreviewedConfig = {
  /** ".kodiai.yml of base 1a2b3c4d5e". */
  readonly origin: string;
  readonly problems: readonly ConfigProblem[];
};

export type PullRequestPreview =
  | { readonly kind: "closed" }
  | {
      readonly kind: "open";
      readonly config: PreviewedConfig;
      /** Null: it would be reviewed. */
      readonly skip: SkipReason | null;
      /** Set by a person. */
      readonly pause: Pause | null;
      /** The budget that keeps models from reviewing; null if none does, or no model is configured. */
      readonly usedUp: Refusal | null;
    };

/** The trigger of the reconciler: it finds a pull request whose event didn't arrive. */
const NOW = ["sweep"] as const;

export async function previewPullRequest(
  repositoryRef: RepositoryRef,
  number: number,
  deps: PreviewDeps,
): Promise<PullRequestPreview> {
  const { session, repositories, signal } = deps;
  const key = { repositoryId: repositoryRef.repositoryId, pullRequest: number };
  const { database } = deps.store;
  const earlier = await readEarlier(key, { database, reviews: session.reviews });
  const context = { signal, step: async () => {} };
  const opened = await openPullRequest({ number, earlierRuns: earlier.runs }, session, {
    repositories,
    context,
  });
  if (opened === null) return { kind: "closed" };
  const reader = await deps.openReader(signal);
  try {
    const { repository, change } = opened;
    // Findings decide nothing here.
    const prior = await withDiffs({ runs: earlier.runs, findings: [] }, repository, change);
    return await previewOpened(opened, { ...deps, prior, reader });
  } finally {
    reader.close();
    opened.repository.close();
  }
}

type OpenedDeps = PreviewDeps & {
  readonly prior: Awaited<ReturnType<typeof withDiffs>>;
  readonly reader: Reader;
};

async function previewOpened(
  { pullRequest, repository, change }: OpenedPullRequest,
  { session, store, models, prior, reader, signal }: OpenedDeps,
): Promise<PullRequestPreview> {
  const { database, now } = store;
  const { people, contents } = session;
  const degradations = createDegradations(signal);
  const hasWriteAccess = createWriteAccess(pullRequest, people, degradations);
  const request = {
    change,
    givenConfig: null,
    organization: await gatherOrganizationConfig(contents, pullRequest.isPrivate),
    isExplicit: false,
    isFull: false,
    tags: await gatherTagTrust(pullRequest, change, hasWriteAccess),
    author: await gatherAuthor(pullRequest, people, { database, now, degradations }),
    prior,
  };
  const prepared = await prepareReview(request, { repository, reader }, degradations);
  const { gate, pause } = await gatherGate({ pullRequest, change, prepared }, store);
  const { repositoryRef, number, author } = pullRequest;
  const { installationId, repositoryId } = repositoryRef;
  const scope = {
    runId: 0,
    installationId,
    repositoryId,
    pullRequest: number,
    author: author.login,
    isOutsider: !(await hasWriteAccess(author)),
  };
  const { origin, problems } = prepared.config;
  return {
    kind: "open",
    config: { origin, problems },
    skip: gateReview({ ...gate, triggers: NOW, mayRepeat: false }),
    pause,
    usedUp: await findUsedUp(scope, gate.config, { models, store }),
  };
}

async function findUsedUp(
  scope: Parameters<typeof findUsedUpBudget>[0]["scope"],
  { model, fallbackModels, budget }: RepoConfig,
  { models, store }: Pick<PreviewDeps, "models" | "store">,
): Promise<Refusal | null> {
  const wanted = { asked: null, configured: model ?? null, fallbacks: fallbackModels };
  if (chooseModels(wanted, models).models.length === 0) return null;
  const budgets = effectiveBudgets(budget, models.budgets);
  return findUsedUpBudget({ scope, budgets, ...store });
}

/** The events of a pull request that can lead to a review by themselves. */
export const PREVIEWED_EVENTS = ["opened", "synchronize", "ready-for-review"] as const;
export type PreviewedEvent = (typeof PREVIEWED_EVENTS)[number];

export type RepositoryPreview = {
  readonly config: PreviewedConfig;
  /** For an ordinary pull request: by a person, with a file that isn't skipped, and no draft. Null: it would be reviewed. */
  readonly skips: Readonly<Record<PreviewedEvent, SkipReason | null>>;
  readonly review: Pick<RepoConfig["review"], "drafts" | "skipAuthors" | "skipPaths">;
};

/** For new pull requests into the default branch. */
export async function previewRepository({
  session,
}: Pick<PreviewDeps, "session">): Promise<RepositoryPreview> {
  const { defaultBranch, isPrivate } = await session.contents.readRepository();
  const place = { branch: defaultBranch, isPrivate };
  const { tree, problems, origin } = await readBranchConfig(place, session.contents);
  const config = tree.root.values;
  const gate = {
    pullRequest: { isDraft: false, author: { login: "", isBot: false }, head: "new" },
    config,
    analysis: { intent: { isDraft: false, skipReview: false }, files: [{ isSkipped: false }] },
    prior: { runs: [] },
    base: "",
    isModelOwed: false,
    isPaused: false,
    isPausedByPerson: false,
    mayRepeat: false,
  };
  const skipOf = (event: PreviewedEvent): SkipReason | null => gateReview({ ...gate, triggers: [event] });
  return {
    config: { origin, problems },
    skips: {
      opened: skipOf("opened"),
      synchronize: skipOf("synchronize"),
      "ready-for-review": skipOf("ready-for-review"),
    },
    review: config.review,
  };
}
