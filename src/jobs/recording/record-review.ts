/** Records a review at its ports, from outside: the review doesn't know. */
import type { Publication } from "../../review/publication/publication.ts";
import { type ChangeReview, createChangeReview } from "../review-change.ts";
import type { OrganizationConfig } from "../gathering/gather-organization-config.ts";
import type { Degradations } from "../gathering/optional.ts";
import type { ReviewDeps, ReviewRequest } from "../gathering/prepare-review.ts";
import { maskRecording } from "./mask-recording.ts";
import { recordChecks } from "./record-checks.ts";
import { recordKnowledge } from "./record-knowledge.ts";
import { recordModels, type WatchedModels } from "./record-models.ts";
import { recordRepository } from "./record-repository.ts";
import { recordTeamMemory } from "./record-team-memory.ts";
import {
  MAX_RECORDING_CHARS,
  RECORDING_FORMAT,
  RECORDING_KIND,
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
  const memory = real.teamMemory === null ? null : recordTeamMemory(real.teamMemory);
  const checks = real.readChecks === null ? null : recordChecks(real.readChecks);
  const { knowledge, recorded: known } = recordKnowledge(real.knowledge);
  const watched: ReviewDeps = {
    ...real,
    repository: repository?.repository ?? null,
    knowledge,
    readChecks: checks?.readChecks ?? null,
    teamMemory: memory?.memory ?? null,
  };
  const { prepare, review } = createChangeReview(watched, degradations);
  let request: ReviewRequest | null = null;
  let finished: Finished | null = null;
  return {
    prepare(given) {
      request = given;
      return prepare(given);
    },
    async review(prepared, access) {
      const models = recordModels(access, real.now);
      const result = await review(prepared, models.access);
      finished = { models, publication: result.publication };
      return result;
    },
    async recording() {
      const { floor, dependencies, code } = known;
      if (request === null || finished === null || floor === null)
        throw new TypeError("a recording follows its review");
      const { models, publication } = finished;
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
        models: { ...models.recorded(), checks: checks?.recorded ?? null },
        outcome: outcomeOf(publication),
      };
      return maskRecording(recording, models.found());
    },
  };
}

type Finished = { readonly models: WatchedModels; readonly publication: Publication };

function toRecordedOrganization({ bytes, ...named }: OrganizationConfig) {
  return { ...named, text: bytes === null ? null : Buffer.from(bytes).toString("latin1") };
}

function toRecordedRequest({ givenConfig, organization, ...request }: ReviewRequest): RecordedRequest {
  return {
    ...request,
    givenConfig:
      givenConfig === null
        ? null
        : { path: givenConfig.path, text: Buffer.from(givenConfig.bytes).toString("latin1") },
    ...(organization === undefined ? {} : { organization: toRecordedOrganization(organization) }),
  };
}
