/** Stores what a run leaves behind: its findings as pending before they are published, and the whole ledger afterwards. */
import type { PullRequest } from "../../forge/forge.ts";
import type { PriorFinding, PriorReview } from "../../review/context/prior-review.ts";
import type { Publication } from "../../review/publication/publication.ts";
import type { Sql } from "../../store/database.ts";
import {
  appendEvents,
  type FindingEvent,
  insertPending,
  type LedgerScope,
  markCommitted,
  readSuggestions,
  type ReportedRow,
  writeLedger,
} from "../../store/repositories/findings.ts";
import { writeRunReadings } from "../../store/repositories/run-readings.ts";
import { findCommitted } from "./find-committed.ts";

/** The actor of events that no person caused. */
const OWN_ACTOR = "kodiai";

export type Remembered = {
  readonly pullRequest: PullRequest;
  readonly run: { readonly id: number; readonly prior: PriorReview };
  readonly publication: Publication;
  readonly leftBehind: PriorReview;
};

export async function rememberPending(
  { pullRequest, run, publication, leftBehind }: Remembered,
  sql: Sql,
): Promise<void> {
  const rows = rowsOf(publication, leftBehind).flatMap(({ placement, ...row }): readonly ReportedRow[] =>
    placement === null ? [] : [{ ...row, placement }],
  );
  await insertPending(rows, scopeOf(pullRequest, run), sql);
}

export async function rememberPublished(
  { pullRequest, run, publication, leftBehind }: Remembered,
  at: number,
  sql: Sql,
): Promise<void> {
  const scope = { ...scopeOf(pullRequest, run), at };
  await writeLedger(rowsOf(publication, leftBehind), scope, sql);
  await appendEvents(eventsOf(run.prior, publication, leftBehind), scope, sql);
  await markCommitted(findCommitted(await readSuggestions(scope, sql), leftBehind), scope, sql);
  const [own] = leftBehind.runs;
  if (own !== undefined)
    await writeRunReadings(run.id, { config: own.config, readings: JSON.stringify(own.readings) }, sql);
}

function scopeOf({ repositoryRef, number, head }: PullRequest, { id }: Remembered["run"]): LedgerScope {
  return { runId: id, repositoryId: repositoryRef.repositoryId, pullRequest: number, head };
}

/** `placement` is null for findings of earlier runs. */
function rowsOf(
  { findings }: Publication,
  leftBehind: PriorReview,
): readonly (Omit<ReportedRow, "placement"> & { readonly placement: string | null })[] {
  const reported = new Map(findings.map((finding) => [finding.id, finding]));
  return leftBehind.findings.map(({ others, words, sources, ...finding }) => {
    const own = reported.get(finding.identity);
    return {
      ...finding,
      others: JSON.stringify(others),
      words: JSON.stringify(words),
      sources: sources === undefined ? null : JSON.stringify(sources),
      placement: own?.placement ?? null,
      suggestion: own?.suggestion.kind === "verified" ? own.suggestion.replacement : null,
    };
  });
}

/** One event for each finding whose state is another one now. */
function eventsOf(
  prior: PriorReview,
  { resolved, hidden }: Publication,
  { findings }: PriorReview,
): readonly FindingEvent[] {
  const before = new Map(prior.findings.map(({ identity, state }) => [identity, state]));
  const reasons = new Map(
    [...resolved, ...hidden].map(({ prior: { identity }, because }) => [identity, because]),
  );
  return findings.flatMap(({ identity, state, thread }) => {
    const last = before.get(identity);
    if (last === state) return [];
    const actor = state === "waived" && thread?.isResolvedByPerson === true ? "person" : OWN_ACTOR;
    return [{ identity, state, actor, reason: reasons.get(identity) ?? reasonOf(last, state) }];
  });
}

function reasonOf(before: PriorFinding["state"] | undefined, state: PriorFinding["state"]): string {
  if (before === undefined) return "reported";
  if (state === "waived") return "a person resolved its thread";
  return state === "open" ? "found again" : "its code was changed";
}
