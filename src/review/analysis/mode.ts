/**
 * Which findings get a comment on their line. The mode comes from a keyword in the pull request, then from `review.mode`, then from
 * the change's size. Explicit settings override its values. The other findings are listed: only people can hide a finding.
 */
import type { LoadedConfig } from "../../config/repo-config/repo-config.ts";
import type { Severity } from "../../base/severity.ts";
import type { EffectiveMode, ReviewIntent, ReviewMode, Scale } from "./analysis.ts";

/** In a small change, every finding gets a comment on its line. */
const STRICT_LINES = 100;

/** Above this, a reader has enough to read without many comments. */
const LARGE_LINES = 500;
const MAX_COMMENTS_OF_LARGE = 8;

type ModeValues = {
  readonly minLevel: Severity;
  readonly maxComments: number;
  readonly listed: readonly string[];
  readonly focused: readonly string[];
};

const MODES: Readonly<Record<ReviewMode, ModeValues>> = {
  strict: { minLevel: "minor", maxComments: 15, listed: [], focused: [] },
  balanced: { minLevel: "medium", maxComments: 10, listed: ["style"], focused: [] },
  lenient: {
    minLevel: "major",
    maxComments: 5,
    listed: ["style", "documentation"],
    focused: ["security", "correctness"],
  },
};

export function effectiveMode(intent: ReviewIntent, config: LoadedConfig, scale: Scale): EffectiveMode {
  const { severity, maxComments, patterns } = config.values.review;
  const { mode, origin } = chooseMode(intent, config, scale);
  const values = MODES[mode];
  const isLarge = origin === "size" && changedLines(scale) > LARGE_LINES;
  const focusedCategories = distinct([...(patterns.focus ?? values.focused), ...intent.focus]);
  const wanted = new Set([...(patterns.focus ?? []), ...intent.focus].map(toName));
  return {
    mode,
    origin,
    minLevel: severity.minLevel ?? values.minLevel,
    shownFrom: severity.minLevel ?? "minor",
    maxComments: maxComments ?? (isLarge ? MAX_COMMENTS_OF_LARGE : values.maxComments),
    ignoredCategories: ignoredCategories(intent, patterns),
    // A list of a team's own replaces the mode's.
    listedCategories: patterns.ignore === undefined ? values.listed.filter((name) => !wanted.has(name)) : [],
    focusedCategories,
  };
}

function chooseMode(
  intent: ReviewIntent,
  config: LoadedConfig,
  scale: Scale,
): { readonly mode: ReviewMode; readonly origin: EffectiveMode["origin"] } {
  if (intent.mode !== null) return { mode: intent.mode, origin: "keyword" };
  const configured = config.values.review.mode;
  if (configured !== "auto" && config.isSet("review.mode")) return { mode: configured, origin: "config" };
  return { mode: changedLines(scale) <= STRICT_LINES ? "strict" : "balanced", origin: "size" };
}

function changedLines({ addedLines, removedLines }: Scale): number {
  return addedLines + removedLines;
}

/** A category that a keyword requests isn't ignored by the configuration. */
function ignoredCategories(
  intent: ReviewIntent,
  patterns: LoadedConfig["values"]["review"]["patterns"],
): readonly string[] {
  const requested = new Set(intent.focus.map(toName));
  const configured = distinct(patterns.ignore ?? []).filter((category) => !requested.has(category));
  return distinct([...configured, ...intent.ignore]);
}

function distinct(names: readonly string[]): readonly string[] {
  return [...new Set(names.map(toName))];
}

function toName(name: string): string {
  return name.trim().toLowerCase();
}
