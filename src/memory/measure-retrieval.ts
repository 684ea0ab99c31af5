/** Figures that show how useful the recalled findings were to a review. */
import type { Analysis } from "../review/analysis/analysis.ts";
import type { Memory } from "../review/context/memory.ts";
import type { Retrieval } from "../review/context/retrieval.ts";
import type { Finding } from "../review/findings/finding.ts";
import { queryLanguages } from "./build-query.ts";
import { patternOf } from "./pattern-of.ts";
import { areRelated } from "./related-languages.ts";

export type RetrievalInReview = {
  readonly retrieval: Retrieval;
  /** The ones that the model saw. */
  readonly memories: readonly Memory[];
  readonly analysis: Pick<Analysis, "files">;
  /** Of this review. */
  readonly findings: readonly Pick<Finding, "rule" | "category" | "title">[];
};

export function measureRetrieval({ retrieval, memories, analysis, findings }: RetrievalInReview) {
  const { outcome, embeddings, candidates, ms } = retrieval;
  const languages = queryLanguages(analysis);
  const patterns = new Set(findings.map(patternOf));
  return {
    outcome: outcome === "complete" ? (memories.length > 0 ? "found" : "nothing") : outcome,
    embeddings,
    candidates,
    shown: memories.length,
    sameLanguage: memories.filter(({ language }) => languages.some((each) => areRelated(each, language)))
      .length,
    distances: memories.flatMap(({ distance }) => distance ?? []),
    recurred: memories.filter((memory) => patterns.has(patternOf(memory))).length,
    ms,
  };
}
