/**
 * Checks a change whose review is skipped with only the rules that always report: no other rules, no model. Turning a
 * review off must not hide text that deceives or steers reviewers.
 */
import type { ConfigTree, LoadedConfig } from "../config/repo-config/repo-config.ts";
import { ALWAYS_REPORTED } from "../review/findings/rules/always-reported.ts";
import { FLOOR_RULE_IDS } from "../rules/rule-ids.ts";
import type { Publication } from "../review/publication/publication.ts";
import type { ModelAccess } from "./model-review/model-access.ts";
import { createChangeReview } from "./review-change.ts";
import type { PreparedReview } from "./gathering/prepared-review.ts";
import type { ReviewDeps } from "./gathering/prepare-review.ts";

const OTHER_RULES = Object.fromEntries(
  FLOOR_RULE_IDS.filter((id) => !ALWAYS_REPORTED.has(id)).map((id) => [id, "off"] as const),
);

export type ScreenInput = {
  readonly prepared: PreparedReview;
  readonly reviewDeps: ReviewDeps;
  /** Required by the type only: a skipped review uses no model. */
  readonly models: ModelAccess;
};

/** `because` ends the sentence "Review skipped: …". The screening is never recorded. */
export async function screenChange(
  { prepared, reviewDeps, models }: ScreenInput,
  because: string,
): Promise<Publication> {
  const { config, analysis } = prepared;
  const screened: PreparedReview = {
    ...prepared,
    config: { ...config, tree: withoutOtherRules(config.tree) },
    // Findings these rules rate as minor can wait for the review.
    analysis: {
      ...analysis,
      skippedBecause: because,
      mode: { ...analysis.mode, minLevel: "critical", shownFrom: "critical" },
    },
  };
  const { review } = createChangeReview(reviewDeps);
  return (await review(screened, models)).publication;
}

/** The base's settings for the remaining rules still apply, so it can turn them off. */
function withoutOtherRules(tree: ConfigTree): ConfigTree {
  const known = new Map<LoadedConfig, LoadedConfig>();
  const restrict = (loaded: LoadedConfig): LoadedConfig => {
    const { values } = loaded;
    const floor = { ...values.floor, rules: { ...values.floor.rules, ...OTHER_RULES } };
    const restricted = known.get(loaded) ?? { ...loaded, values: { ...values, floor } };
    known.set(loaded, restricted);
    return restricted;
  };
  return { ...tree, root: restrict(tree.root), forPath: (path) => restrict(tree.forPath(path)) };
}
