/**
 * How much a review reports. The mode comes from a keyword in the pull request, then from `review.mode`, then from the
 * change's size. Explicit settings override its values. It decides which findings are reported, never what is checked.
 */
import type { LoadedConfig } from "../../config/repo-config/repo-config.ts";
import type { Severity } from "../../base/severity.ts";
import type { EffectiveMode, ReviewIntent, ReviewMode, Scale } from "./analysis.ts";

/** Small changes get every comment; large ones only the important ones. */
const STRICT_LINES = 100;
const BALANCED_LINES = 500;

type ModeValues = {
  readonly minLevel: Severity;
  readonly maxComments: number;
  readonly ignored: readonly string[];
  readonly focused: readonly string[];
};

const MODES: Readonly<Record<ReviewMode, ModeValues>> = {
  strict: { minLevel: "minor", maxComments: 15, ignored: [], focused: [] },
  balanced: { minLevel: "medium", maxComments: 7, ignored: ["style"], focused: [] },
  lenient: {
    minLevel: "major",
    maxComments: 5,
    ignored: ["style", "documentation"],
    focused: ["security", "correctness"],
  },
};

export function effectiveMode(intent: ReviewIntent, config: LoadedConfig, scale: Scale): EffectiveMode {
  const { severity, maxComments, patterns } = config.values.review;
  const { mode, origin } = chooseMode(intent, config, scale);
  const values = MODES[mode];
  return {
    mode,
    origin,
    minLevel: severity.minLevel ?? values.minLevel,
    maxComments: maxComments ?? values.maxComments,
    ignoredCategories: ignoredCategories(intent, patterns, values),
    focusedCategories: distinct([...(patterns.focus ?? values.focused), ...intent.focus]),
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
  return { mode: modeBySize(scale.addedLines + scale.removedLines), origin: "size" };
}

function modeBySize(changedLines: number): ReviewMode {
  if (changedLines <= STRICT_LINES) return "strict";
  return changedLines <= BALANCED_LINES ? "balanced" : "lenient";
}

/** A category that was requested isn't ignored by a source with lower precedence. */
function ignoredCategories(
  intent: ReviewIntent,
  patterns: LoadedConfig["values"]["review"]["patterns"],
  values: ModeValues,
): readonly string[] {
  const wanted = new Set(
    distinct([...(patterns.ignore === undefined ? (patterns.focus ?? []) : []), ...intent.focus]),
  );
  const configured = distinct(patterns.ignore ?? values.ignored).filter((category) => !wanted.has(category));
  return distinct([...configured, ...intent.ignore]);
}

function distinct(names: readonly string[]): readonly string[] {
  return [...new Set(names.map((name) => name.trim().toLowerCase()))];
}
