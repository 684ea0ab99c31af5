/** Gathers the context of a change, after its analysis and before the review reads it. */
import type { DependencyReport } from "../../ecosystems/dependency-report.ts";
import { findUnreadHunks, type Scope } from "../../review/change/scope.ts";
import { placesSince, scopeForModel } from "../../review/context/decide-scope.ts";
import { findReportedByModel } from "../../review/findings/carry-prior.ts";
import { locatePrior } from "../../review/findings/match-prior.ts";
import type {
  Context,
  EarlierFindings,
  RecalledMemory,
  ReportedBefore,
} from "../../review/context/context.ts";
import type { AvailableModels } from "../model-review/model-access.ts";
import type { PreparedReview } from "./prepared-review.ts";
import type { ReviewDeps } from "./prepare-review.ts";
import { noteMissingLogs } from "./note-missing-logs.ts";
import { readGuidelines } from "./read-guidelines.ts";

/** Only models read it. */
const WITHOUT_MODEL: Omit<Context, "asked" | "scope" | "dependencies"> = {
  guidelines: [],
  earlier: { toCheckAgain: [], reportedBefore: [] },
  memory: { memories: [], retrieval: null, learnings: [] },
  code: { relatedCode: [], shortFunctions: [] },
  sources: { readChecks: null, dependencyReader: null, codeLookup: null },
};

type MemoryDeps = Pick<ReviewDeps, "teamMemory" | "signal" | "now">;

export type ContextDeps = MemoryDeps & Pick<ReviewDeps, "repository" | "knowledge" | "readChecks">;

export async function gatherContext(
  prepared: PreparedReview,
  { models }: Pick<AvailableModels, "models">,
  deps: ContextDeps,
): Promise<Context> {
  const { asked } = prepared;
  const { knowledge } = deps;
  const dependencies = await knowledge.reportDependencies(prepared);
  if (models.length === 0) return { ...WITHOUT_MODEL, asked, scope: prepared.scope, dependencies };
  const scope = scopeForModel(prepared.scope);
  const guidelines = await readGuidelines(prepared, deps);
  const memory = await recallMemory(prepared, deps);
  const isReadable = dependencies !== null && !isOffline(dependencies);
  const dependencyReader = isReadable ? await knowledge.openDependencyReader(prepared) : null;
  const { surrounding, lookup } = await knowledge.gatherCode(prepared);
  return {
    asked,
    scope,
    dependencies,
    guidelines,
    earlier: splitReported(prepared, scope),
    memory,
    code: surrounding,
    sources: { readChecks: notedChecks(prepared, deps), dependencyReader, codeLookup: lookup },
  };
}

function notedChecks(
  { degradations }: PreparedReview,
  { readChecks }: Pick<ContextDeps, "readChecks">,
): ContextDeps["readChecks"] {
  return readChecks === null ? null : async () => noteMissingLogs(await readChecks(), degradations);
}

/** New code may have fixed what was reported in its file. */
function splitReported({ change, prior }: PreparedReview, scope: Scope): EarlierFindings {
  const unread = findUnreadHunks(change.files, scope);
  const located = locatePrior(prior, placesSince(change.files, prior));
  const reported = findReportedByModel(located, change.files);
  const isRead = ({ path }: ReportedBefore): boolean => unread(path).length > 0;
  return {
    toCheckAgain: reported.filter(isRead),
    reportedBefore: reported.filter((each) => !isRead(each)),
  };
}

/** Imported only here: a review without a model needs none of it. */
async function recallMemory(prepared: PreparedReview, deps: MemoryDeps): Promise<RecalledMemory> {
  const [{ gatherMemories }, { gatherLearnings }] = await Promise.all([
    import("./gather-memories.ts"),
    import("./gather-learnings.ts"),
  ]);
  const recalled = await gatherMemories(prepared, deps);
  const paths = prepared.analysis.files.map(({ path }) => path);
  return { ...recalled, learnings: await gatherLearnings({ ...prepared, paths }, deps) };
}

/** The operator allows no look-ups. */
function isOffline({ packages }: DependencyReport): boolean {
  return packages.some(({ release }) => release.kind === "failed" && release.reason === "offline");
}
