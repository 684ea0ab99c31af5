/** Runs a recorded review again from its recording alone, and lists the differences. */
import type { Degradation, Publication } from "../../review/publication/publication.ts";
import type { RulesReview } from "../reading/review-with-rules.ts";
import { createChangeReview, reviewChange } from "../review-change.ts";
import type { PreparedReview, ReviewDeps, ReviewRequest } from "../gathering/prepare-review.ts";
import type { RecordedCode, RecordedFloor, RecordedRequest, ReviewRecording } from "./recording.ts";
import type { SurroundingCode } from "../gathering/related-code/gather-surrounding-code.ts";
import { replayCodeLookup } from "./record-code-lookup.ts";
import { replayDependencyReader } from "./record-dependency-reader.ts";
import { replayTeamMemory } from "./record-team-memory.ts";
import { replayModels } from "./replay-models.ts";
import { replayRepository } from "./replay-repository.ts";
import { compareOutcomes, outcomeOf } from "./review-outcome.ts";

/** More remarks don't help a reader. */
const MAX_REMARKS = 20;

export type Replay = {
  readonly publication: Publication;
  /** Differences of the outcome; none if it is the same. */
  readonly differences: readonly string[];
  /** Other differences: prompts, results of tools, the version. */
  readonly remarks: readonly string[];
};

export type ReplayDeps = Pick<ReviewDeps, "reader" | "signal" | "version">;

export async function replayReview(recording: ReviewRecording, deps: ReplayDeps): Promise<Replay> {
  const remarks: string[] = [];
  let nowMs = recording.models.startedAtMs;
  const models = replayModels(recording.models, {
    setClock: (atMs) => void (nowMs = Math.max(nowMs, atMs)),
    remark: (text) => void remarks.push(text),
  });
  const review = createChangeReview({
    ...deps,
    repository: recording.repository === null ? null : replayRepository(recording.repository),
    now: () => nowMs,
    onProgress: () => {},
    readChecks: models.readChecks,
    reportDependencies: async (prepared) => {
      noteAgain(recording.dependencies?.degradations ?? [], prepared);
      return recording.dependencies?.report ?? null;
    },
    openDependencyReader: async () => {
      const reading = recording.dependencies?.reading ?? null;
      return reading === null ? null : replayDependencyReader(reading);
    },
    ...(recording.memory !== null && { teamMemory: replayTeamMemory(recording.memory) }),
    gatherSurroundingCode: async (prepared) => replayCode(recording.code, prepared),
    reviewWithRules: async (prepared) => toReading(recording.floor, prepared),
  });
  const { publication } = await reviewChange(toRequest(recording.request), models.access, review);
  const outcome = outcomeOf(publication);
  const left = models.unplayed().map(({ model }) => `${model} is called once less than before`);
  const missed = changedDegradations(recording.outcome.degradations, outcome.degradations);
  return {
    publication,
    differences: compareOutcomes(recording.outcome, outcome),
    remarks: shorten([...versionRemark(recording, deps), ...remarks, ...left, ...missed]),
  };
}

function replayCode(recorded: RecordedCode | null, prepared: PreparedReview): SurroundingCode {
  if (recorded === null) return { relatedCode: [], shortFunctions: [], codeLookup: null };
  const { relatedCode, shortFunctions, degradations, lookup } = recorded;
  noteAgain(degradations, prepared);
  return { relatedCode, shortFunctions, codeLookup: lookup === null ? null : replayCodeLookup(lookup) };
}

function toRequest({ givenConfig, ...request }: RecordedRequest): ReviewRequest {
  return {
    ...request,
    givenConfig:
      givenConfig === null
        ? null
        : { path: givenConfig.path, bytes: Buffer.from(givenConfig.text, "latin1") },
  };
}

function noteAgain(recorded: readonly Degradation[], { degradations }: PreparedReview): void {
  for (const { what, message, count } of recorded)
    for (let noted = 0; noted < count; noted++) degradations.note(what, message);
}

function toReading(recorded: RecordedFloor, prepared: PreparedReview): RulesReview {
  const { findings, offPaths, unreadPaths, rules, gaps, report, analysers } = recorded;
  noteAgain(recorded.degradations, prepared);
  const coverage = { offPaths: new Set(offPaths), unreadPaths: new Map(unreadPaths), byModel: null };
  return {
    findings,
    coverage,
    rules: new Set(rules),
    rulesForAll: new Set(recorded.rulesForAll),
    gaps,
    report,
    analysers,
  };
}

function versionRemark({ program }: ReviewRecording, { version }: ReplayDeps): readonly string[] {
  return program === version ? [] : [`version ${program} recorded it, and this is ${version}`];
}

function changedDegradations(before: readonly string[], after: readonly string[]): readonly string[] {
  const without = (some: readonly string[], others: readonly string[]) =>
    some.filter((each) => !others.includes(each));
  return [
    ...without(after, before).map((each) => `new degradation: ${each}`),
    ...without(before, after).map((each) => `degradation no longer there: ${each}`),
  ];
}

function shorten(remarks: readonly string[]): readonly string[] {
  const more = remarks.length - MAX_REMARKS;
  return more <= 0 ? remarks : [...remarks.slice(0, MAX_REMARKS), `and ${more} more`];
}
