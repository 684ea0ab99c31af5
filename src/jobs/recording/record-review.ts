/** Watches a review at its ports and makes a recording of it afterwards. Whatever is watched works as it did before. */
import type { UnreadReason } from "../../review/publication/compose/compose-receipt.ts";
import type { Degradation, Publication } from "../../review/publication/publication.ts";
import type { FloorReading } from "../reading/read-with-floor.ts";
import { readWithFloor } from "../reading/read-with-floor.ts";
import type { PreparedReview, ReviewDeps, ReviewRequest } from "../gathering/prepare-review.ts";
import { concealRecording } from "./conceal-recording.ts";
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

/** `wallClock`: milliseconds since 1970. */
/** A larger one is not kept. */
export function isTooLarge(text: string): boolean {
  return text.length > MAX_RECORDING_CHARS;
}

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
      if ((watched?.log.chars() ?? 0) > MAX_RECORDING_CHARS) return null;
      const recording: ReviewRecording = {
        kind: RECORDING_KIND,
        format: RECORDING_FORMAT,
        program: real.version,
        recordedAt: wallClock(),
        request: toRecordedRequest(request),
        repository:
          watched === null ? null : { isShallow: watched.repository.isShallow, calls: watched.log.calls() },
        floor,
        models: models.recorded(),
        outcome: outcomeOf(publication),
      };
      return concealRecording(recording, models.found());
    },
  };
}

function toRecordedRequest({
  change,
  givenConfig,
  isExplicit,
  tags,
  author,
  alreadyTold,
  listedBefore = new Set(),
}: ReviewRequest): RecordedRequest {
  return {
    change,
    givenConfig:
      givenConfig === null
        ? null
        : { path: givenConfig.path, text: Buffer.from(givenConfig.bytes).toString("latin1") },
    isExplicit,
    tags,
    author,
    alreadyTold: [...alreadyTold],
    listedBefore: [...listedBefore],
  };
}

function toRecordedFloor(
  { findings, coverage, rulesRun, report }: FloorReading,
  degradations: readonly Degradation[],
): RecordedFloor {
  const unreadBecause = (wanted: UnreadReason): readonly string[] =>
    [...coverage.unreadPaths].flatMap(([path, reason]) => (reason === wanted ? path : []));
  return {
    findings,
    offPaths: [...coverage.offPaths],
    failedPaths: unreadBecause("failed:rule-error"),
    unreadPaths: unreadBecause("limit:time"),
    costlyPaths: unreadBecause("limit:file-cost"),
    rulesRun,
    report,
    degradations,
  };
}

/** Counts are of what came on top. */
function newSince(before: readonly Degradation[], { degradations }: PreparedReview): readonly Degradation[] {
  return degradations.list().flatMap((degradation) => {
    const known = before.find(({ what }) => what === degradation.what)?.count ?? 0;
    return degradation.count > known ? [{ ...degradation, count: degradation.count - known }] : [];
  });
}
