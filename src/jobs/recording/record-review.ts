/** Watches a review at its ports and makes a recording of it afterwards. Whatever is watched works as it did before. */
import type { Degradation, Publication } from "../../review/publication/publication.ts";
import type { FloorReading } from "../reading/read-with-floor.ts";
import { readWithFloor } from "../reading/read-with-floor.ts";
import type { PreparedReview, ReviewDeps, ReviewRequest } from "../gathering/prepare-review.ts";
import { maskRecording } from "./mask-recording.ts";
import { recordModels } from "./record-models.ts";
import { recordRepository } from "./record-repository.ts";
import {
  MAX_RECORDING_CHARS,
  RECORDING_FORMAT,
  RECORDING_KIND,
  type RecordedFloor,
  type RecordedRequest,
  type ReviewRecording,
} from "./recording.ts";
import { outcomeOf } from "./review-outcome.ts";

export type WatchedReview = {
  /** To be reviewed with. */
  readonly deps: ReviewDeps;
  /** Without secrets; null when it would be too large to be kept. */
  finish(request: ReviewRequest, publication: Publication): Promise<ReviewRecording | null>;
};

/** A larger one is not kept. */
export function isTooLarge(text: string): boolean {
  return text.length > MAX_RECORDING_CHARS;
}

/** `wallClock`: milliseconds since 1970. */
export function watchReview(real: ReviewDeps, wallClock: () => number): WatchedReview {
  const watched = real.repository === null ? null : recordRepository(real.repository, MAX_RECORDING_CHARS);
  const models = recordModels(real.models, real.now);
  let floor: RecordedFloor | null = null;
  return {
    deps: {
      ...real,
      repository: watched?.repository ?? null,
      models: models.access,
      async readFloor(prepared) {
        const before = prepared.degradations.list();
        // What the rules read of the repository is not needed to tell again what they found.
        const reading = await readWithFloor(prepared, real);
        floor = toRecordedFloor(reading, newSince(before, prepared));
        return reading;
      },
    },
    async finish(request, publication) {
      if (floor === null) throw new TypeError("a review is recorded after it has been made");
      if ((watched?.chars() ?? 0) > MAX_RECORDING_CHARS) return null;
      const recording: ReviewRecording = {
        kind: RECORDING_KIND,
        format: RECORDING_FORMAT,
        program: real.version,
        recordedAt: wallClock(),
        request: toRecordedRequest(request),
        repository:
          watched === null ? null : { isShallow: watched.repository.isShallow, calls: watched.calls() },
        floor,
        models: models.recorded(),
        outcome: outcomeOf(publication),
      };
      return maskRecording(recording, models.found());
    },
  };
}

function toRecordedRequest({
  givenConfig,
  alreadyTold,
  listedBefore,
  ...rest
}: ReviewRequest): RecordedRequest {
  return {
    ...rest,
    givenConfig:
      givenConfig === null
        ? null
        : { path: givenConfig.path, text: Buffer.from(givenConfig.bytes).toString("latin1") },
    alreadyTold: [...alreadyTold],
    listedBefore: [...(listedBefore ?? [])],
  };
}

function toRecordedFloor(
  { findings, coverage, rulesRun, report }: FloorReading,
  degradations: readonly Degradation[],
): RecordedFloor {
  const { offPaths, unreadPaths } = coverage;
  return { findings, offPaths: [...offPaths], unreadPaths: [...unreadPaths], rulesRun, report, degradations };
}

/** Counts are of what came on top. */
function newSince(before: readonly Degradation[], { degradations }: PreparedReview): readonly Degradation[] {
  return degradations.list().flatMap((degradation) => {
    const known = before.find(({ what }) => what === degradation.what)?.count ?? 0;
    return degradation.count > known ? [{ ...degradation, count: degradation.count - known }] : [];
  });
}
