/** A context pack as data: its text, and what became of every file. `kodiai pack` and its callers only write it down. */
import type { RankedFile } from "./rank/ranked-file.ts";
import type { ShownLines } from "./render/block.ts";

/** Why a file, or a hunk, isn't in the pack, or isn't in it as a whole. */
export const PACK_REASONS = [
  "filtered:lockfile",
  "filtered:env",
  "filtered:secret",
  "filtered:binary",
  "filtered:docs",
  "filtered:tests",
  "filtered:tests-not-close",
  "filtered:generated-cache",
  "filtered:missing",
  "filtered:too-large",
  "filtered:config-exclude",
  "filtered:unknown",
  "too-far",
  "over-budget",
  "reduced:functions",
  "reduced:pieces",
  "reduced:signatures",
  "reduced:hunks",
  "index-failed",
  "index-limits-reached",
] as const;
export type PackReason = (typeof PACK_REASONS)[number];

export type PackOmission = { readonly path: string; readonly reason: PackReason };

/** One row of the selection table. */
export type SelectedFile = RankedFile & {
  readonly decision: "included" | "reduced" | "omitted";
  /** Null exactly when the file is included as a whole. */
  readonly reason: PackReason | null;
  /** Exact for what is included and for what was tried; null when the file was never counted. */
  readonly tokens: number | null;
};

/** The budget of a pack and its use. `baseline` is the pack with changed files only. */
export type PackTokens = {
  readonly budget: number;
  readonly baseline: number;
  readonly final: number;
  readonly remaining: number;
};

export type ContextPack = {
  /** "core-over-budget": the diff alone is larger than the budget. The text is empty; everything else is there. */
  readonly kind: "packed" | "core-over-budget";
  readonly text: string;
  readonly tokens: PackTokens;
  /** Changed files in the pack, in the order of the change. */
  readonly changed: readonly string[];
  readonly changedOmissions: readonly PackOmission[];
  /** All candidates, by rank. */
  readonly selection: readonly SelectedFile[];
  readonly targets: readonly PackTarget[];
  /** All lines of files in the text. */
  readonly shown: readonly ShownLines[];
};

/** The edges that the index knows of one changed file. */
export type PackTarget = {
  readonly path: string;
  readonly dependencies: number;
  readonly dependents: number;
  /** "ok", or why there may be more edges than these. */
  readonly state: "ok" | "index-failed" | "index-limits-reached";
};
