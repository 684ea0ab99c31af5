/** Decides what a model reads: everything, for a reason, or what is new since the last review. */
import type { ChangedFile } from "../change/change.ts";
import { compareScope } from "../change/compare-scope.ts";
import { createPlaceMap, type MappedPlace, type Place } from "../change/map-places.ts";
import { fullScope, type Scope } from "../change/scope.ts";
import { isLive } from "./life-states.ts";
import type { PriorReview } from "./prior-review.ts";

export type ScopeRequest = {
  readonly files: readonly ChangedFile[];
  readonly prior: PriorReview;
  /** A person asked to read everything. */
  readonly isFull: boolean;
  /** Identifies the configuration that now applies to the files of the last review. */
  readonly config: string;
};

export function decideScope({ files, prior, isFull, config }: ScopeRequest): Scope {
  const [last] = prior.runs;
  if (last === undefined) return fullScope(files, "first", null);
  if (isFull) return fullScope(files, "requested", last.head);
  if (last.files === null) return fullScope(files, "prior-unreachable", last.head);
  if (last.config !== config) return fullScope(files, "config-changed", last.head);
  // Code that comes back may bring back a finding that was resolved, or whose code wasn't checked since, so it's read again.
  const settled = new Set(
    prior.findings.filter(({ state }) => !isLive(state) || state === "addressed").map(({ path }) => path),
  );
  const earlier = prior.runs.flatMap(({ files: read, readings }, index) => {
    if (read === null) return [];
    return [{ readings, files: index === 0 ? read : read.filter(({ path }) => !settled.has(path)) }];
  });
  return { full: null, since: last.head, byPath: compareScope(files, earlier) };
}

/** A model reads everything if only the built-in rules have read the change: the earlier reviews had no model, or it failed. */
export function scopeForModel(scope: Scope): Scope {
  // New hunks say nothing about earlier reviews.
  const known = [...scope.byPath.values()].flat().filter(({ status }) => status !== "new");
  const lines = known.flatMap(({ readings }) => readings).filter((reading) => reading !== null);
  const isUnread = lines.length > 0 && lines.every(({ model }) => model === null);
  return scope.full === null && isUnread ? { ...scope, full: "model-changed" } : scope;
}

/** Where places of the last review are now. Without its diff, nothing says that they changed. */
export function placesSince(
  files: readonly ChangedFile[],
  { runs: [last] }: PriorReview,
): (place: Place) => MappedPlace {
  if (last === undefined || last.files === null) return ({ path }) => ({ kind: "unknown", path });
  return createPlaceMap(files, last.files);
}
