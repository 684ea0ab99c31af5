/** The knowledge about a change from its repository, the reader's process, the linters and the registries. */
import type { CodeIndex } from "../../code-index/code-index.ts";
import { languageOf } from "../../languages/language-of.ts";
import type { Knowledge } from "../knowledge.ts";
import { reviewWithRules, type RulesDeps } from "../reading/review-with-rules.ts";
import { openDependencyReader } from "./dependencies/open-dependency-reader.ts";
import type { ReportDeps } from "./dependencies/report-deps.ts";
import { reportDependencies } from "./dependencies/report-dependencies.ts";

export type KnowledgeSources = RulesDeps &
  ReportDeps & {
    /** Facts about the repository's files. Null where nothing is known beyond the diff. */
    readonly codeIndex: CodeIndex | null;
  };

export function createKnowledge(sources: KnowledgeSources): Knowledge {
  return {
    warm: ({ files }) =>
      sources.analysers?.warm?.(files.map(({ path }) => ({ path, language: languageOf(path) }))),
    reportDependencies: (prepared) => reportDependencies(prepared, sources),
    openDependencyReader: (prepared) => openDependencyReader(prepared, sources),
    async gatherCode(prepared) {
      // Imported only here: a review without a model needs none of it.
      const { gatherCode } = await import("./related-code/gather-code.ts");
      return gatherCode(prepared, sources);
    },
    reviewWithRules: (prepared, dependencies) => reviewWithRules(prepared, dependencies, sources),
  };
}
