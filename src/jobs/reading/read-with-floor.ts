/** The first reviewer of every change: the deterministic rules, run as a model that needs no prompt. */
import { createFloorModel } from "../../model/floor-model.ts";
import { NO_STRAY_CALLS } from "../../model/model.ts";
import type { PassReport } from "../../review/publication/publication.ts";
import type { PreparedReview, ReviewDeps } from "../gathering/prepare-review.ts";
import { type FloorOutcome, runFloor } from "./run-floor.ts";

export type FloorReading = FloorOutcome & { readonly report: PassReport };

export async function readWithFloor(prepared: PreparedReview, deps: ReviewDeps): Promise<FloorReading> {
  const { change, analysis, config, listing, degradations } = prepared;
  let read: FloorOutcome | null = null;
  const model = createFloorModel(async (isLate) => {
    read = await runFloor(
      { change, analysis, config: config.tree, listing },
      { ...deps, degradations, isLate, onProgress: (done, total) => deps.onProgress("reading", done, total) },
    );
    return read.coverage.unreadPaths.size === 0;
  }, deps.now);
  const { kind, stopReason, turns, tokens, ms } = await model.run(
    {
      prompt: { system: "", user: "" },
      tools: [],
      strayCalls: NO_STRAY_CALLS,
      limits: { ...NO_LIMITS, deadlineMs: analysis.timeBudgetSeconds * 1_000 },
      meter: { admit: async ({ outputTokens }) => outputTokens, add: () => {} },
      onEvent: () => {},
    },
    deps.signal,
  );
  // The model has run the review that it was made of.
  const outcome = read as FloorOutcome | null;
  if (outcome === null) throw new TypeError("the floor has reviewed nothing");
  const report: PassReport = {
    name: "floor",
    model: model.id,
    step: "floor",
    outcome: kind,
    stopReason,
    files: change.files.length,
    turns,
    tokens,
    costUsd: 0,
    ms,
    findings: outcome.findings.length,
  };
  return { ...outcome, report };
}

/** It calls nobody: only its deadline counts. */
const NO_LIMITS = { stallMs: Infinity, overloadMs: Infinity, maxTurns: 1, maxOutputTokens: 0 };
