/** What judging depends on besides the finding: configuration, what was told before, what people did not want. */
import type { ConfigTree } from "../../config/repo-config/repo-config.ts";
import type { Analysis } from "../../review/analysis/analysis.ts";
import { hasTooling } from "../../review/analysis/tooling.ts";
import type { Finding } from "../../review/findings/finding.ts";
import type { JudgingContext } from "../../review/findings/rules/rule.ts";
import { isToolingMatter } from "../../review/findings/rules/tooling.ts";
import type { Listing } from "./gather-listing.ts";

export type JudgingSources = {
  readonly config: ConfigTree;
  readonly analysis: Analysis;
  readonly listing: Listing;
  /** Identities of findings that were told before on the same pull request. */
  readonly alreadyTold: ReadonlySet<string>;
  readonly listedBefore: ReadonlySet<string>;
};

export async function gatherJudgingContext(
  findings: readonly Finding[],
  { config, analysis, listing, alreadyTold, listedBefore }: JudgingSources,
): Promise<JudgingContext> {
  const paths = findings.some(isToolingMatter) ? await listing() : null;
  return {
    analysis,
    config,
    alreadyTold,
    listedBefore,
    suppressedByFeedback: () => null,
    hasTooling: paths !== null && hasTooling(paths),
  };
}
