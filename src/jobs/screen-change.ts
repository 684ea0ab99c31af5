/**
 * Reads a change whose review is skipped with the rules that are always reported, and with nothing else: no other rule, no
 * model. Whoever switches a review off must not be able to hide what blinds or steers reviewers.
 */
import type { ConfigTree, LoadedConfig } from "../config/repo-config/repo-config.ts";
import { ALWAYS_REPORTED } from "../review/findings/rules/always-reported.ts";
import { ALL_RULES } from "../review/floor/rules/all-rules.ts";
import type { Publication } from "../review/publication/publication.ts";
import type { ModelAccess } from "./model-review/model-access.ts";
import { createChangeReview } from "./review-change.ts";
import type { PreparedReview, ReviewDeps } from "./gathering/prepare-review.ts";

const OTHER_RULES = Object.fromEntries(
  ALL_RULES.filter(({ id }) => !ALWAYS_REPORTED.has(id)).map(({ id }) => [id, "off"] as const),
);

export type ScreenInput = {
  readonly prepared: PreparedReview;
  readonly reviewDeps: ReviewDeps;
  /** Not used: a skipped review asks no model. */
  readonly models: ModelAccess;
};

/** `because`: why the review is skipped, as the end of a sentence. Never recorded. */
export async function screenChange(
  { prepared, reviewDeps, models }: ScreenInput,
  because: string,
): Promise<Publication> {
  const { config, analysis } = prepared;
  const screened: PreparedReview = {
    ...prepared,
    config: { ...config, tree: withoutOtherRules(config.tree) },
    // Findings these rules rate as minor, such as edited guidelines, can wait for the review.
    analysis: { ...analysis, skippedBecause: because, mode: { ...analysis.mode, minLevel: "critical" } },
  };
  const { review } = createChangeReview(reviewDeps);
  return (await review(screened, models)).publication;
}

/** The base's own settings of the rules that stay hold as always: it can switch them off. */
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
