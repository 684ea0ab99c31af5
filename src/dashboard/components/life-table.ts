/** The life of each finding over the pushes of a pull request: a row for each finding, a column for each published review. */
import type { LifeEvent } from "../../store/repositories/listed-reviews.ts";
import type { Run } from "../../store/repositories/to-run.ts";
import type { LedgerEntry } from "../../store/repositories/stored-findings.ts";
import { dataTable } from "./data-table.ts";
import { externalLink } from "./external-link.ts";
import { type Html, html, type HtmlValue } from "./html.ts";
import { commit, severityMark, stateMark } from "./marks.ts";

export type Lives = {
  readonly findings: readonly LedgerEntry[];
  readonly events: readonly LifeEvent[];
  readonly pushes: readonly Run[];
};

/** More rows make no readable table. */
const MAX_FINDINGS = 200;

export function lifeTable({ findings, events, pushes }: Lives): Html {
  const byIdentity = Map.groupBy(events, ({ identity }) => identity);
  return dataTable({
    caption: "The life of each finding over the pushes",
    columns: [
      { label: "Finding" },
      ...pushes.map(({ head }, index) => ({ label: `${index + 1}: ${head.slice(0, 8)}` })),
      { label: "Now" },
    ],
    rows: findings.slice(0, MAX_FINDINGS).map((finding) => [
      html`${severityMark(finding.severity)}
        ${externalLink(finding.url, finding.title)}`,
      ...statesOf(byIdentity.get(finding.identity) ?? [], pushes),
      nowOf(finding),
    ]),
  });
}

/** One cell per push: the state where it changes, a dot where it stays. */
function statesOf(events: readonly LifeEvent[], pushes: readonly Run[]): readonly HtmlValue[] {
  let before: string | null = null;
  return pushes.map(({ id }) => {
    const last = events.findLast(({ run_id: runId }) => runId <= id);
    const [state, was] = [last?.state ?? null, before];
    before = state;
    if (state === null) return null;
    return state === was
      ? html`<span class="quiet" aria-hidden="true">·</span><span class="heard">still ${state}</span>`
      : stateMark(state);
  });
}

function nowOf({ state, verdict, head }: LedgerEntry): Html {
  if (verdict !== null && verdict.state === state)
    return html`${stateMark(state)}
      <span class="quiet">by ${verdict.by}${verdict.reason === "" ? null : `: ${verdict.reason}`}</span>`;
  return html`${stateMark(state)} <span class="quiet">at ${commit(head)}</span>`;
}
