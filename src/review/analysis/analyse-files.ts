/** Analyzes each file, one line per field, then assigns the tiers, which need the risk of every file. */
import { compileGlobs, type GlobSet } from "../../base/glob.ts";
import type { ConfigTree, LoadedConfig } from "../../config/repo-config/repo-config.ts";
import type { ChangedFile } from "../change/change.ts";
import { walkHunk } from "../change/walk-hunks.ts";
import type { FileAnalysis } from "./analysis.ts";
import { categoryOf, compileCategoryGlobs } from "./categories.ts";
import { riskOf } from "./file-risk.ts";
import { languageOf, languageOfFirstLine } from "../../languages/language-of.ts";
import { markOf, type FileAttributes } from "./marks.ts";
import { countDiffTokens, isReviewable, triageFiles, triageLimits } from "./triage.ts";

export type FileSituation = {
  readonly config: ConfigTree;
  /** By path. Paths without attributes may be omitted. */
  readonly attributes: ReadonlyMap<string, FileAttributes>;
  readonly isReadBefore?: (path: string) => boolean;
};

/** In the order of the change. */
export function analyseFiles(
  files: readonly ChangedFile[],
  situation: FileSituation,
): readonly FileAnalysis[] {
  const { largePR, fileCategories, review } = situation.config.root.values;
  const categories = compileCategoryGlobs(fileCategories);
  const isSkippedPath = createSkipCheck(situation.config);
  const siblings = { hasCpp: files.some((file) => languageOf(file.path) === "cpp") };

  const triaged = files.map((file) => {
    const { path, addedLines, removedLines, newMode } = file;
    const category = categoryOf(path, categories);
    const byName = languageOf(path, siblings);
    const language = byName === "unknown" ? languageOfFirstLine(firstLineOf(file)) : byName;
    const mark = markOf(file, situation.attributes.get(path));
    const isSkipped = isSkippedPath(path);
    const riskFacts = { path, category, language, mark, addedLines, removedLines, newMode };
    const risk = riskOf(riskFacts, largePR.riskWeights);
    const facts = { path, category, language, mark, isSkipped, risk };
    // Code that was read before must not crowd out new code.
    const isToRead = isReviewable(file, facts) && situation.isReadBefore?.(path) !== true;
    return { path, risk, isReviewable: isToRead, tokens: countDiffTokens(file), facts };
  });

  const reviewableFiles = triaged.filter((file) => file.isReviewable).length;
  const tiers = triageFiles(triaged, triageLimits(reviewableFiles, largePR, review.chunked));
  return triaged.map(({ path, facts }) => Object.assign(facts, { tier: tiers.get(path) ?? "mentioned" }));
}

/** Empty when no hunk shows it. */
function firstLineOf({ hunks: [first] }: ChangedFile): string {
  if (first === undefined || first.newStart > 1) return "";
  for (const { newLine, text } of walkHunk(first)) if (newLine === 1) return text;
  return "";
}

/** Compiles globs once per configuration, because many files share one. */
function createSkipCheck(config: ConfigTree): (path: string) => boolean {
  const compiled = new Map<LoadedConfig, GlobSet>();
  return (path) => {
    const nearest = config.forPath(path);
    const matches = compiled.get(nearest) ?? compileGlobs(nearest.values.review.skipPaths);
    compiled.set(nearest, matches);
    return matches(path);
  };
}
