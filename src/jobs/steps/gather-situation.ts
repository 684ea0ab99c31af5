/** What judging depends on besides the finding: configuration, what was told before, what people did not want. */
import type { ConfigTree } from "../../config/repo-config/repo-config.ts";
import type { Analysis } from "../../review/analysis/analysis.ts";
import type { Situation } from "../../review/findings/rules/rule.ts";
import type { Listing } from "./gather-listing.ts";

export async function gatherSituation(
  config: ConfigTree,
  analysis: Analysis,
  listing: Listing,
): Promise<Situation> {
  return {
    analysis,
    config,
    alreadyTold: new Set(),
    suppressedByFeedback: () => null,
    hasTooling: listing.hasTooling,
    compilePattern: config.files.length === 0 ? () => null : await loadPatternCompiler(),
  };
}

/** The pattern engine is loaded only where a configuration could use it. */
async function loadPatternCompiler(): Promise<Situation["compilePattern"]> {
  const { compileSafePattern } = await import("../../config/repo-config/safe-pattern.ts");
  return compileSafePattern;
}
