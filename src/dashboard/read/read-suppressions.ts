/** The suppressed patterns of a repository, with the rejections that led to them and what they have hidden. */
import { isInForce } from "../../memory/decide-suppression.ts";
import type { Feedback, Suppression } from "../../memory/feedback.ts";
import { opinionsOf, SIGNAL_MEANINGS } from "../../memory/weigh-feedback.ts";
import { listFeedback } from "../../store/repositories/memory-records.ts";
import {
  readSuppressionEffects,
  readSuppressions,
  type SuppressionEffect,
} from "../../store/repositories/suppressions.ts";
import type { PageDeps } from "../page.ts";

export type ShownSuppression = Suppression & {
  readonly isInForce: boolean;
  /** Null if it hid nothing. */
  readonly effect: SuppressionEffect | null;
  /** Opinions that count, newest first. Older ones may be missing. */
  readonly rejections: readonly Feedback[];
};

const MAX_SHOWN = 100;

/** Older signals hardly weigh. */
const MAX_SIGNALS = 1_000;

/** Newest first. */
export async function readShownSuppressions(
  repositoryId: number,
  { database, now }: Pick<PageDeps, "database" | "now">,
): Promise<readonly ShownSuppression[]> {
  const all = await readSuppressions(repositoryId, database);
  if (all.length === 0) return [];
  const effects = await readSuppressionEffects(repositoryId, database);
  const feedback = await listFeedback(repositoryId, { limit: MAX_SIGNALS }, database);
  const rejections = opinionsOf(feedback.filter(({ teaches }) => teaches)).filter(
    ({ signal }) => SIGNAL_MEANINGS[signal].side === "rejects",
  );
  const byPattern = Map.groupBy(rejections, ({ pattern }) => pattern);
  return all.slice(0, MAX_SHOWN).map((each) => ({
    ...each,
    isInForce: isInForce(each, now()),
    effect: effects.get(each.id) ?? null,
    rejections: byPattern.get(each.pattern) ?? [],
  }));
}
