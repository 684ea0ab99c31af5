/** Gathers the context of a change, after its analysis and before the review reads it. */
import type { DependencyReport } from "../../ecosystems/dependency-report.ts";
import { findUnreadHunks, type Scope } from "../../review/change/scope.ts";
import { placesSince, scopeForModel } from "../../review/context/decide-scope.ts";
import { findReportedByModel } from "../../review/findings/carry-prior.ts";
import { locatePrior } from "../../review/findings/match-prior.ts";
import type { Context, ReportedBefore } from "../../review/context/context.ts";
import type { AvailableModels } from "../model-review/model-access.ts";
import type { GatheredMemories } from "./gather-memories.ts";
import type { PreparedReview, ReviewDeps } from "./prepare-review.ts";
import { openDependencyReader } from "./dependencies/open-dependency-reader.ts";
import { reportDependencies } from "./dependencies/report-dependencies.ts";
import type { CodeDeps, SurroundingCode } from "./related-code/gather-surrounding-code.ts";
import { readGuidelines } from "./read-guidelines.ts";

export async function gatherContext(
  prepared: PreparedReview,
  { models }: Pick<AvailableModels, "models">,
  deps: Pick<
    ReviewDeps,
    | "repository"
    | "reader"
    | "lookups"
    | "signal"
    | "readChecks"
    | "readPastBumps"
    | "reportDependencies"
    | "openDependencyReader"
    | "codeIndex"
    | "gatherSurroundingCode"
    | "teamMemory"
    | "now"
  >,
): Promise<Context> {
  const dependencies = await (deps.reportDependencies ?? reportDependencies)(prepared, deps);
  const isReadable = models.length > 0 && dependencies !== null && !isOffline(dependencies);
  const scope = models.length === 0 ? prepared.scope : scopeForModel(prepared.scope);
  return {
    ...(prepared.asked !== undefined && { asked: prepared.asked }),
    // Only models read guidelines.
    guidelines: models.length === 0 ? [] : await readGuidelines(prepared, deps),
    readChecks: deps.readChecks ?? null,
    prior: prepared.prior,
    scope,
    ...(models.length === 0 ? { toCheckAgain: [], reportedBefore: [] } : splitReported(prepared, scope)),
    ...(models.length === 0 || deps.teamMemory === undefined
      ? { memories: [] }
      : await gatherMemoriesWith(deps, prepared)),
    learnings: models.length === 0 ? [] : await gatherLearningsWith(deps, prepared),
    dependencies,
    dependencyReader: isReadable
      ? await (deps.openDependencyReader ?? openDependencyReader)(prepared, deps)
      : null,
    ...(models.length === 0
      ? NO_CODE
      : await (deps.gatherSurroundingCode ?? gatherSurroundingCodeOf(deps))(prepared)),
  };
}

/** New code may have fixed what was reported in its file. */
function splitReported(
  { change, prior }: PreparedReview,
  scope: Scope,
): Pick<Context, "toCheckAgain" | "reportedBefore"> {
  const unread = findUnreadHunks(change.files, scope);
  const located = locatePrior(prior, placesSince(change.files, prior));
  const reported = findReportedByModel(located, change.files);
  const isRead = ({ path }: ReportedBefore): boolean => unread(path).length > 0;
  return {
    toCheckAgain: reported.filter(isRead),
    reportedBefore: reported.filter((each) => !isRead(each)),
  };
}

const NO_CODE: SurroundingCode = { relatedCode: [], shortFunctions: [], codeLookup: null };

/** Imported only here, like the code below: a review without a model needs none of it. */
async function gatherMemoriesWith(
  deps: Pick<ReviewDeps, "teamMemory" | "signal">,
  prepared: PreparedReview,
): Promise<GatheredMemories> {
  const { gatherMemories } = await import("./gather-memories.ts");
  return gatherMemories(prepared, deps);
}

function gatherSurroundingCodeOf(deps: CodeDeps): (prepared: PreparedReview) => Promise<SurroundingCode> {
  return async (prepared) => {
    const { gatherSurroundingCode } = await import("./related-code/gather-surrounding-code.ts");
    return gatherSurroundingCode(prepared, deps);
  };
}

/** Imported only here, for the same reason. */
async function gatherLearningsWith(
  deps: Pick<ReviewDeps, "teamMemory" | "now">,
  prepared: PreparedReview,
): Promise<Context["learnings"]> {
  const { gatherLearnings } = await import("./gather-learnings.ts");
  return gatherLearnings(prepared, deps);
}

/** The operator allows no look-ups. */
function isOffline({ packages }: DependencyReport): boolean {
  return packages.some(({ release }) => release.kind === "failed" && release.reason === "offline");
}
