/** Stores the dependency bumps of pull requests and what became of them, and reads them for later reviews. */
import type { PullRequest } from "../../forge/forge.ts";
import type { ReportedPackage } from "../../ecosystems/dependency-report.ts";
import { describeConfidence } from "../../ecosystems/describe-dependencies.ts";
import type { EcosystemId } from "../../ecosystems/ecosystem.ts";
import type { Publication } from "../../review/publication/publication.ts";
import type { Database, Sql } from "../../store/database.ts";
import {
  type Bump,
  type BumpAdvisory,
  type BumpFacts,
  markReverted,
  type MergedBump,
  readMergedBumps,
  settleBumps,
  writeBumps,
} from "../../store/repositories/bumps.ts";
import type { PastBumpReader } from "../gathering/dependencies/report-deps.ts";

/** Direct ones come first. A lockfile that is created again changes thousands. */
const MAX_BUMPS = 1_000;

/** Longer names and versions don't occur, and wouldn't be shown. */
const MAX_CHARS = 300;

/** Of one bump. More say no more. */
const MAX_ADVISORIES = 20;

/** Per package in a report. */
const MAX_SHOWN = 5;

/** Earlier bumps of a package that one pull request may take back. */
const MAX_REVERTED = 50;

type PullRequestKey = Pick<PullRequest, "repositoryRef" | "number">;

const scopeOf = ({ repositoryRef, number }: PullRequestKey) => ({
  repositoryId: repositoryRef.repositoryId,
  pullRequest: number,
});

export async function rememberBumps(
  { pullRequest, publication }: { readonly pullRequest: PullRequest; readonly publication: Publication },
  sql: Sql,
): Promise<void> {
  const bumps = (publication.dependencies?.packages ?? []).flatMap((each): readonly (Bump & BumpFacts)[] => {
    const { change, confidence, advisories } = each;
    const { ecosystem, name, from, to } = change;
    if (from === null || to === null || from.version === to.version) return [];
    const bump = { ecosystem, name, from: from.version, to: to.version };
    if (Object.values(bump).some(({ length }) => length > MAX_CHARS)) return [];
    return [{ ...bump, confidence: describeConfidence(confidence), advisories: advisoriesOf(advisories) }];
  });
  await writeBumps(bumps.slice(0, MAX_BUMPS), { ...scopeOf(pullRequest), head: pullRequest.head }, sql);
}

/** Null when no database answered: that isn't "none". */
function advisoriesOf(looked: ReportedPackage["advisories"]): readonly BumpAdvisory[] | null {
  if (looked.kind === "failed") return null;
  if (looked.kind === "absent") return [];
  return looked.value.slice(0, MAX_ADVISORIES).map(({ advisory: { id, url, severity }, fate }) => ({
    id: id.slice(0, MAX_CHARS),
    url: url === null || url.length > MAX_CHARS ? null : url,
    severity,
    fate,
  }));
}

/** Records that a pull request was merged or closed, and which earlier bumps it took back. */
export async function settlePullRequest(pullRequest: PullRequest, database: Database): Promise<void> {
  const { mergedAt, isOpen } = pullRequest;
  if (isOpen) return;
  const scope = scopeOf(pullRequest);
  const { ecosystemOf } = await import("../../ecosystems/all-ecosystems.ts");
  await database.transaction(async (sql) => {
    const own = await settleBumps(scope, mergedAt, sql);
    if (mergedAt === null) return;
    const { repositoryId } = scope;
    for (const number of revertedBy(pullRequest))
      await markReverted({ repositoryId, pullRequest: number }, { bump: null, at: mergedAt }, sql);
    const merged = await readMergedBumps(own, { repositoryId, limit: MAX_REVERTED }, sql);
    for (const { early, late } of pairsOf(scope.pullRequest, merged)) {
      if (!takesBack(late, early, ecosystemOf(early.ecosystem as EcosystemId).order.compare)) continue;
      const reverted = { repositoryId, pullRequest: early.pullRequest };
      await markReverted(reverted, { bump: early, at: late.mergedAt }, sql);
    }
  });
}

type Pair = { readonly early: MergedBump; readonly late: MergedBump };

/** A pull request's bumps with those of others, in the order they were merged: events can arrive in another one. */
function pairsOf(pullRequest: number, merged: readonly MergedBump[]): readonly Pair[] {
  const isOwn = (bump: MergedBump): boolean => bump.pullRequest === pullRequest;
  const others = merged.filter((bump) => !isOwn(bump));
  return merged
    .filter(isOwn)
    .flatMap((own) =>
      others.map((other) =>
        own.mergedAt < other.mergedAt ? { early: own, late: other } : { early: other, late: own },
      ),
    );
}

/**
 * Whether a step goes back to where an earlier one began, or below. It must go down itself: another folder of the repository may be
 * behind, and its step up to the same version reverts nothing.
 */
function takesBack(
  step: Bump,
  earlier: Bump,
  compare: (one: string, other: string) => number | null,
): boolean {
  if (step.ecosystem !== earlier.ecosystem || step.name !== earlier.name) return false;
  if (step.to === earlier.from && step.from === earlier.to) return true;
  const [own, toStart] = [compare(step.to, step.from), compare(step.to, earlier.from)];
  return own !== null && own < 0 && toStart !== null && toStart <= 0;
}

/** GitHub's button writes "Reverts acme/shop#12" into the description. */
function revertedBy({ body, repositoryRef: { owner, name } }: PullRequest): readonly number[] {
  return [...body.matchAll(/^Reverts (?:([\w.-]+\/[\w.-]+))?#(\d{1,10})\s*$/gm)].flatMap(
    ([, repository, number]) => {
      const isHere =
        repository === undefined || repository.toLowerCase() === `${owner}/${name}`.toLowerCase();
      return isHere ? [Number(number)] : [];
    },
  );
}

/** The reader of a review. Newest first. */
export function createPastBumps(repositoryId: number, database: Sql): PastBumpReader {
  const toDate = (ms: number): string => new Date(ms).toISOString();
  return async (ids) => {
    const rows = await readMergedBumps(ids, { repositoryId, limit: MAX_SHOWN }, database);
    return rows.map(({ ecosystem, name, from, to, mergedAt, revertedAt }) => ({
      ecosystem: ecosystem as EcosystemId,
      name,
      from,
      to,
      mergedAt: toDate(mergedAt),
      revertedAt: revertedAt === null ? null : toDate(revertedAt),
    }));
  };
}
