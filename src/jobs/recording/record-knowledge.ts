/** Records what a review learns about its change from rules, linters, registries and the repository's code, and answers the same again. */
import type { Degradation } from "../../review/publication/publication.ts";
import type { PreparedReview } from "../gathering/prepared-review.ts";
import type { Knowledge, KnownCode } from "../knowledge.ts";
import type { RulesReview } from "../reading/review-with-rules.ts";
import { recordCodeLookup, replayCodeLookup } from "./record-code-lookup.ts";
import { recordDependencyReader, replayDependencyReader } from "./record-dependency-reader.ts";
import type { RecordedCode, RecordedDependencies, RecordedFloor, ReviewRecording } from "./recording.ts";

/** Null: the review hasn't asked. */
export type RecordedKnowledge = {
  dependencies: RecordedDependencies | null;
  code: RecordedCode | null;
  floor: RecordedFloor | null;
};

/** `recorded` grows with every question. */
export function recordKnowledge(real: Knowledge): {
  readonly recorded: RecordedKnowledge;
  readonly knowledge: Knowledge;
} {
  const recorded: RecordedKnowledge = { dependencies: null, code: null, floor: null };
  const knowledge: Knowledge = {
    warm: (change) => real.warm(change),
    async reportDependencies(prepared) {
      const since = degradationsSince(prepared);
      const report = await real.reportDependencies(prepared);
      recorded.dependencies = { report, degradations: since(), reading: null };
      return report;
    },
    async openDependencyReader(prepared) {
      const opened = await real.openDependencyReader(prepared);
      if (opened === null || recorded.dependencies === null) return null;
      const { recorded: reading, reader } = recordDependencyReader(opened);
      recorded.dependencies.reading = reading;
      return reader;
    },
    async gatherCode(prepared) {
      const since = degradationsSince(prepared);
      const { surrounding, lookup } = await real.gatherCode(prepared);
      const watched = lookup === null ? null : recordCodeLookup(lookup);
      recorded.code = { ...surrounding, degradations: since(), lookup: watched?.recorded ?? null };
      return { surrounding, lookup: watched?.lookup ?? null };
    },
    async reviewWithRules(prepared, dependencies) {
      const since = degradationsSince(prepared);
      const found = await real.reviewWithRules(prepared, dependencies);
      recorded.floor = toRecordedFloor(found, since());
      return found;
    },
  };
  return { recorded, knowledge };
}

/** A question that wasn't asked before has an empty answer. */
export function replayKnowledge({
  dependencies,
  code,
  floor,
}: Pick<ReviewRecording, "dependencies" | "code" | "floor">): Knowledge {
  return {
    warm: () => {},
    async reportDependencies(prepared) {
      noteAgain(dependencies?.degradations ?? [], prepared);
      return dependencies?.report ?? null;
    },
    async openDependencyReader() {
      const reading = dependencies?.reading ?? null;
      return reading === null ? null : replayDependencyReader(reading);
    },
    async gatherCode(prepared) {
      noteAgain(code?.degradations ?? [], prepared);
      return toKnownCode(code);
    },
    async reviewWithRules(prepared) {
      noteAgain(floor.degradations, prepared);
      return toRulesReview(floor);
    },
  };
}

function toRecordedFloor(
  { coverage: { offPaths, unreadPaths }, rules, rulesForAll, ...found }: RulesReview,
  degradations: readonly Degradation[],
): RecordedFloor {
  return {
    ...found,
    offPaths: [...offPaths],
    unreadPaths: [...unreadPaths],
    rules: [...rules],
    rulesForAll: [...rulesForAll],
    degradations,
  };
}

function toRulesReview({ offPaths, unreadPaths, rules, rulesForAll, ...found }: RecordedFloor): RulesReview {
  return {
    ...found,
    coverage: { offPaths: new Set(offPaths), unreadPaths: new Map(unreadPaths) },
    rules: new Set(rules),
    rulesForAll: new Set(rulesForAll),
  };
}

function toKnownCode(recorded: RecordedCode | null): KnownCode {
  const { relatedCode, shortFunctions, lookup } = recorded ?? {
    relatedCode: [],
    shortFunctions: [],
    lookup: null,
  };
  return {
    surrounding: { relatedCode, shortFunctions },
    lookup: lookup === null ? null : replayCodeLookup(lookup),
  };
}

/** Returns those that were noted after this call. Counts include only new ones. */
function degradationsSince({ degradations }: PreparedReview): () => readonly Degradation[] {
  const before = degradations.list();
  return () =>
    degradations.list().flatMap((degradation) => {
      const known = before.find(({ what }) => what === degradation.what)?.count ?? 0;
      return degradation.count > known ? [{ ...degradation, count: degradation.count - known }] : [];
    });
}

function noteAgain(recorded: readonly Degradation[], { degradations }: PreparedReview): void {
  for (const { what, message, count } of recorded)
    for (let noted = 0; noted < count; noted++) degradations.note(what, message);
}
