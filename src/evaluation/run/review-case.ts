/** Reviews one pull request of a set, as the command line would, without memory and look-ups, and records the review. */
import { describeError } from "../../base/errors.ts";
import type { CodeIndex } from "../../code-index/code-index.ts";
import type { RepoConfig } from "../../config/repo-config/schema.ts";
import { createReviewDeps } from "../../jobs/gathering/create-review-deps.ts";
import type { GivenConfig } from "../../jobs/gathering/gather-config.ts";
import { createLazyCodeIndex } from "../../jobs/gathering/related-code/lazy-code-index.ts";
import type { ModelAccess } from "../../jobs/model-review/model-access.ts";
import { isTooLarge, recordReview } from "../../jobs/recording/record-review.ts";
import { reviewChange } from "../../jobs/review-change.ts";
import type { Analysers } from "../../linters/analysers.ts";
import type { Exchange } from "../../model/exchange.ts";
import type { Reader } from "../../reading/reader.ts";
import type { Repository } from "../../repository/repository.ts";
import { NO_PRIOR_REVIEW } from "../../review/context/prior-findings.ts";
import type { Publication } from "../../review/publication/publication.ts";
import type { EvaluationCase, SetProblem } from "../set/evaluation-set.ts";
import { openAnswerJournal } from "./answer-journal.ts";
import { type CaseRun, RUN_FORMAT } from "./case-run.ts";
import { evaluateFindings } from "./evaluate-findings.ts";
import { journaledModels } from "./journaled-models.ts";

/** The code of a case, opened. */
export type CaseCode = { readonly repository: Repository; readonly base: string; readonly head: string };

/** The ports that reviews need. */
export type CaseReviewer = {
  /** The caller closes the repository. */
  readonly openCode: (given: EvaluationCase) => Promise<CaseCode | SetProblem>;
  readonly openCodeIndex: (given: {
    readonly repository: Repository;
    readonly reader: Reader;
  }) => Promise<CodeIndex>;
  readonly reader: Reader;
  readonly analysers: Analysers;
  /** One access for each review. `null` as the exchange isn't used: built-in rules alone ask no model. */
  readonly openModels: (exchange: Exchange) => Promise<ModelAccess>;
  readonly version: string;
  readonly now: () => number;
  /** Milliseconds since 1970. */
  readonly wallClock: () => number;
};

export type CaseReview = {
  readonly set: EvaluationCase;
  readonly repeat: number;
  readonly model: string;
  readonly verify: RepoConfig["review"]["verify"] | null;
  readonly passes: RepoConfig["review"]["passes"] | null;
  readonly config: GivenConfig | null;
  readonly salt: string;
  readonly journalPath: string;
  /** Called before a request is paid. Throws to stop the review. */
  readonly admit: (usd: number | null) => void;
  /** Called after each call with what the review has cost so far. */
  readonly onCosts: (usd: number) => void;
  readonly signal: AbortSignal;
};

export type ReviewedCase = {
  readonly run: CaseRun;
  /** JSON; null when there is none: the review failed, or its recording would be too large. */
  readonly recording: string | null;
  /** Requests of an earlier process that may have been paid without an answer. */
  readonly unanswered: number;
};

/** Rejects only if `signal` is aborted. */
export async function reviewCase(wanted: CaseReview, reviewer: CaseReviewer): Promise<ReviewedCase> {
  let keptMs = 0;
  const startedAt = reviewer.now();
  const now = (): number => reviewer.now() + keptMs;
  const { set, repeat, signal } = wanted;
  const journal = openAnswerJournal(wanted.journalPath, {
    admit: wanted.admit,
    onKept: (ms) => void (keptMs += ms),
    now: reviewer.now,
    onChanged: () => wanted.onCosts(journal.costs().usd),
  });
  const models = journaledModels(
    await reviewer.openModels(journal.exchange),
    journal,
    `${wanted.salt}\n${set.id}\n${repeat}`,
  );
  const ofModels = () => {
    const { input, cachedInput, output } = models.tokens();
    const { usd, isPriced } = journal.costs();
    return {
      costUsd: isPriced ? usd : null,
      tokens: { input, cachedInput, output },
      firstCallTokens: models.firstCallTokens(),
      ms: Math.round(now() - startedAt),
    };
  };
  const about = { format: RUN_FORMAT, case: set.id, repeat } as const;
  const none = { conclusion: null, findings: [], size: { lines: 0, files: 0 } };
  const { unanswered } = journal.costs();
  try {
    const reviewed = await reviewCode({ ...wanted, access: models.access, now }, reviewer);
    if ("problem" in reviewed)
      return {
        run: { ...about, ...none, failure: reviewed.problem, ...ofModels() },
        recording: null,
        unanswered,
      };
    const { publication, recording, size } = reviewed;
    const failure = failureOf(publication, wanted.model);
    const run: CaseRun = {
      ...about,
      failure,
      conclusion: failure === null ? publication.conclusion : null,
      findings: evaluateFindings(publication),
      size,
      ...ofModels(),
    };
    return { run, recording, unanswered };
  } catch (error) {
    signal.throwIfAborted();
    return {
      run: { ...about, ...none, failure: describeError(error), ...ofModels() },
      recording: null,
      unanswered,
    };
  } finally {
    journal.close();
  }
}

type Wanted = CaseReview & { readonly access: ModelAccess; readonly now: () => number };

async function reviewCode({ set, access, now, signal, ...wanted }: Wanted, reviewer: CaseReviewer) {
  const opened = await reviewer.openCode(set);
  if ("problem" in opened) return opened;
  const { repository, base, head } = opened;
  const { reader, analysers } = reviewer;
  const codeIndex = createLazyCodeIndex(() => reviewer.openCodeIndex({ repository, reader }));
  try {
    const { title, body } = set;
    const description = `pull request ${set.id} of an evaluation`;
    const change = await repository.readChange({
      kind: "pull-request",
      title,
      body,
      description,
      mergeBase: base,
      head,
    });
    if (change.files.length === 0)
      return { problem: "its two commits are equal, so there is nothing to review" };
    const deps = createReviewDeps(
      {
        repository,
        reader,
        analysers,
        lookups: null,
        readPastBumps: null,
        codeIndex,
        now,
        signal,
        onProgress: () => {},
      },
      reviewer.version,
    );
    const recorded = recordReview(deps, undefined, reviewer.wallClock);
    const { publication } = await reviewChange(
      {
        change,
        givenConfig: wanted.config,
        verify: wanted.verify,
        passes: wanted.passes,
        isExplicit: true,
        isFull: true,
        tags: "none",
        author: { association: null, mergedPullRequests: null },
        prior: NO_PRIOR_REVIEW,
      },
      access,
      recorded,
    );
    const text = JSON.stringify(await recorded.recording());
    const lines = change.files.reduce(
      (sum, { addedLines, removedLines }) => sum + addedLines + removedLines,
      0,
    );
    return {
      publication,
      recording: text === "null" || isTooLarge(text) ? null : text,
      size: { lines, files: change.files.length },
    };
  } finally {
    codeIndex.close();
    repository.close();
  }
}

/** A review that should have had a model and had none says nothing about it. */
function failureOf({ usage, conclusion, notices, details }: Publication, model: string): string | null {
  if (model === "floor") return null;
  if (usage !== null && usage.turns > 0 && conclusion !== "model-failed") return null;
  return notices[0] ?? details.modelNote ?? "no model has answered";
}
