/** Gathers findings of the past that resemble the change. A review never waits long for them, and never fails without them. */
import { KodiaiError } from "../../base/errors.ts";
import { within } from "../../base/within.ts";
import { buildQuery, queryLanguages } from "../../memory/build-query.ts";
import { expectedCategories } from "../../memory/expected-categories.ts";
import type { RecalledMemory } from "../../review/context/context.ts";
import type { PreparedReview } from "./prepared-review.ts";
import type { ReviewDeps } from "./prepare-review.ts";
import { type Recall, teamMemoryOf } from "./team-memory.ts";

/** A person waits for the review. The usual answer takes less than a tenth of it. */
const MAX_MS = 2_000;

/** The name of its degradations. */
const WHAT = "memories";

export type GatheredMemories = Pick<RecalledMemory, "memories" | "retrieval">;

export async function gatherMemories(
  { change, analysis, config, degradations }: PreparedReview,
  { teamMemory, signal: given }: Pick<ReviewDeps, "teamMemory" | "signal">,
): Promise<GatheredMemories> {
  const memory = teamMemoryOf(config, teamMemory);
  const settings = config.tree.root.values.memory;
  const { enabled, maxContextChars } = settings.retrieval;
  if (memory === null || !enabled || maxContextChars === 0) return { memories: [], retrieval: null };
  const request = {
    query: buildQuery({ change, analysis }),
    languages: queryLanguages(analysis),
    categories: expectedCategories(analysis),
    settings,
  };
  const startedAtMs = performance.now();
  const recall = await degradations.optional(WHAT, () =>
    within({ ms: MAX_MS, signal: given, late }, (signal) => memory.recall(request, signal)),
  );
  for (const problem of recall?.problems ?? []) degradations.note(WHAT, problem);
  const ms = Math.round(performance.now() - startedAtMs);
  return {
    memories: recall?.memories ?? [],
    retrieval: { ...figuresOf(recall, settings.embeddings ?? ""), ms },
  };
}

function late(): KodiaiError {
  return new KodiaiError("network", `no answer within ${MAX_MS / 1_000} seconds`, {
    hint: "Kodiai reviewed without similar findings of the past.",
    retryable: true,
  });
}

function figuresOf(recall: Recall | null, configured: string) {
  if (recall === null) return { outcome: "failed", embeddings: configured, candidates: 0 } as const;
  const { embeddings, candidates, isWordsOnly } = recall;
  return { outcome: isWordsOnly ? "words-only" : "complete", embeddings, candidates } as const;
}
