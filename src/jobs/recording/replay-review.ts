/** Runs a recorded review again from its recording alone, and lists the differences. */
import type { Publication } from "../../review/publication/publication.ts";
import { createChangeReview, reviewChange } from "../review-change.ts";
import type { ReviewDeps, ReviewRequest } from "../gathering/prepare-review.ts";
import type { RecordedRequest, ReviewRecording } from "./recording.ts";
import { replayChecks } from "./record-checks.ts";
import { replayKnowledge } from "./record-knowledge.ts";
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
  const { repository, memory, models: recorded } = recording;
  const review = createChangeReview({
    reader: deps.reader,
    signal: deps.signal,
    version: deps.version,
    repository: repository === null ? null : replayRepository(repository),
    knowledge: replayKnowledge(recording),
    readChecks: recorded.checks === null ? null : replayChecks(recorded.checks),
    teamMemory: memory === null ? null : replayTeamMemory(memory),
    now: () => nowMs,
    onProgress: () => {},
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

function toRequest({ givenConfig, organization, ...request }: RecordedRequest): ReviewRequest {
  return {
    ...request,
    ...(organization === undefined ? {} : { organization: toOrganization(organization) }),
    givenConfig:
      givenConfig === null
        ? null
        : { path: givenConfig.path, bytes: Buffer.from(givenConfig.text, "latin1") },
  };
}

function toOrganization({ text, ...named }: NonNullable<RecordedRequest["organization"]>) {
  return { ...named, bytes: text === null ? null : Buffer.from(text, "latin1") };
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
