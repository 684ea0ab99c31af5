/** Records a review at its ports, from outside: the review doesn't know. */
import type { Degradation, Publication } from "../../review/publication/publication.ts";
import { type RulesReview, reviewWithRules } from "../reading/review-with-rules.ts";
import { type ChangeReview, createChangeReview } from "../review-change.ts";
import { openDependencyReader } from "../gathering/dependencies/open-dependency-reader.ts";
import { reportDependencies } from "../gathering/dependencies/report-dependencies.ts";
import type { Degradations } from "../gathering/optional.ts";
import type { PreparedReview, ReviewDeps, ReviewRequest } from "../gathering/prepare-review.ts";
import { gatherSurroundingCode } from "../gathering/related-code/gather-surrounding-code.ts";
import { maskRecording } from "./mask-recording.ts";
import { recordCodeLookup } from "./record-code-lookup.ts";
import { recordDependencyReader } from "./record-dependency-reader.ts";
import { recordModels, type WatchedModels } from "./record-models.ts";
import { recordRepository } from "./record-repository.ts";
import { recordTeamMemory } from "./record-team-memory.ts";
import {
  MAX_RECORDING_CHARS,
  RECORDING_FORMAT,
  RECORDING_KIND,
  type RecordedCode,
  type RecordedDependencies,
  type RecordedFloor,
  type RecordedRequest,
  type ReviewRecording,
} from "./recording.ts";
import { outcomeOf } from "./review-outcome.ts";

/** A review that is recorded while it runs. It works as it would without. */
export type RecordedReview = ChangeReview & {
  /** Call it after the review. Without secrets; null when it would be too large. */
  recording(): Promise<ReviewRecording | null>;
};

/** A larger recording isn't kept. */
export function isTooLarge(text: string): boolean {
  return text.length > MAX_RECORDING_CHARS;
}

/** `wallClock`: milliseconds since 1970. */
export function recordReview(
  real: ReviewDeps,
  degradations: Degradations | undefined,
  wallClock: () => number,
): RecordedReview {
  const repository = real.repository === null ? null : recordRepository(real.repository, MAX_RECORDING_CHARS);
  let request: ReviewRequest | null = null;
  let finished: Finished | null = null;
  const memory = real.teamMemory === undefined ? null : recordTeamMemory(real.teamMemory);
  const watched: ReviewDeps = {
    ...real,
    repository: repository?.repository ?? null,
    ...(memory !== null && { teamMemory: memory.memory }),
  };
  return {
    prepare(given) {
      request = given;
      return createChangeReview(watched, degradations).prepare(given);
    },
    async review(prepared, access) {
      const models = recordModels(access, { now: real.now, readChecks: real.readChecks ?? null });
      let floor: RecordedFloor | null = null;
      let dependencies: RecordedDependencies | null = null;
      let code: RecordedCode | null = null;
      const { review } = createChangeReview({
        ...watched,
        readChecks: models.readChecks,
        async reportDependencies() {
          const before = prepared.degradations.list();
          // A replay shows the report; it doesn't need what the search for call sites read of the repository.
          const report = await (real.reportDependencies ?? reportDependencies)(prepared, real);
          dependencies = { report, degradations: newSince(before, prepared), reading: null };
          return report;
        },
        async openDependencyReader() {
          const opened = await (real.openDependencyReader ?? openDependencyReader)(prepared, real);
          if (opened === null || dependencies === null) return null;
          const { recorded, reader } = recordDependencyReader(opened);
          dependencies.reading = recorded;
          return reader;
        },
        async gatherSurroundingCode() {
          const before = prepared.degradations.list();
          // A replay shows what was gathered; it doesn't need what the search read of the repository.
          const gathered = await (real.gatherSurroundingCode?.(prepared) ??
            gatherSurroundingCode(prepared, real));
          const { codeLookup, ...related } = gathered;
          const watchedLookup = codeLookup === null ? null : recordCodeLookup(codeLookup);
          const lookup = watchedLookup?.recorded ?? null;
          code = { ...related, degradations: newSince(before, prepared), lookup };
          return { ...related, codeLookup: watchedLookup?.lookup ?? null };
        },
        async reviewWithRules(_, context) {
          const before = prepared.degradations.list();
          // A replay shows what the rules found; it doesn't need what they read of the repository.
          const found = await reviewWithRules(prepared, context, real);
          floor = toRecordedFloor(found, newSince(before, prepared));
          return found;
        },
      });
      const result = await review(prepared, models.access);
      if (floor !== null) finished = { dependencies, code, floor, models, publication: result.publication };
      return result;
    },
    async recording() {
      if (request === null || finished === null) throw new TypeError("a recording follows its review");
      const { dependencies, code, floor, models, publication } = finished;
      if ((repository?.chars() ?? 0) > MAX_RECORDING_CHARS) return null;
      const calls =
        repository === null
          ? null
          : { isShallow: repository.repository.isShallow, calls: repository.calls() };
      const recording: ReviewRecording = {
        kind: RECORDING_KIND,
        format: RECORDING_FORMAT,
        program: real.version,
        recordedAt: wallClock(),
        request: toRecordedRequest(request),
        repository: calls,
        dependencies,
        code,
        memory: memory?.recorded ?? null,
        floor,
        models: models.recorded(),
        outcome: outcomeOf(publication),
      };
      return maskRecording(recording, models.found());
    },
  };
}

type Finished = {
  readonly dependencies: RecordedDependencies | null;
  readonly code: RecordedCode | null;
  readonly floor: RecordedFloor;
  readonly models: WatchedModels;
  readonly publication: Publication;
};

function toRecordedRequest({ givenConfig, ...request }: ReviewRequest): RecordedRequest {
  return {
    ...request,
    givenConfig:
      givenConfig === null
        ? null
        : { path: givenConfig.path, text: Buffer.from(givenConfig.bytes).toString("latin1") },
  };
}

function toRecordedFloor(
  { findings, coverage, rules, rulesForAll, gaps, report, analysers }: RulesReview,
  degradations: readonly Degradation[],
): RecordedFloor {
  const { offPaths, unreadPaths } = coverage;
  return {
    findings,
    offPaths: [...offPaths],
    unreadPaths: [...unreadPaths],
    rules: [...rules],
    rulesForAll: [...rulesForAll],
    gaps,
    report,
    analysers,
    degradations,
  };
}

/** Counts include only new ones. */
function newSince(before: readonly Degradation[], { degradations }: PreparedReview): readonly Degradation[] {
  return degradations.list().flatMap((degradation) => {
    const known = before.find(({ what }) => what === degradation.what)?.count ?? 0;
    return degradation.count > known ? [{ ...degradation, count: degradation.count - known }] : [];
  });
}
