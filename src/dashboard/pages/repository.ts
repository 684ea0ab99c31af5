/** One repository: the configuration that its last review used, with its problems, and its rules with what people thought of them. */
import { grouped } from "../../base/count.ts";
import { DAY_MS } from "../../base/day-ms.ts";
import type { ReviewView } from "../../review/publication/review-view.ts";
import { dataTable } from "../components/data-table.ts";
import { type Html, html } from "../components/html.ts";
import { percent, stateMark, timeAgo } from "../components/marks.ts";
import { emptyState, facts, section } from "../components/sections.ts";
import type { DashboardPage } from "../page.ts";
import { parseId, withQuery } from "../read/read-query.ts";
import { listReviews } from "../../store/repositories/listed-reviews.ts";
import { countRuleOutcomes, type RuleOutcome } from "../../store/repositories/report.ts";
import { readReviewViewText } from "../../store/repositories/review-views.ts";
import type { Run } from "../../store/repositories/to-run.ts";

const DAYS = 30;

/** The last reviews among which one with a view is looked for. */
const MAX_LOOKED_AT = 10;

export const repositoryPage: DashboardPage = {
  path: "/repositories/:repositoryId",
  needs: "repository",
  async answer({ params, viewer }, { database, now }) {
    const repositoryId = parseId(params["repositoryId"]);
    if (repositoryId === null) return { kind: "not-found" };
    const filter = {
      readable: viewer.repositories,
      repositoryId,
      pullRequest: null,
      status: null,
      sinceMs: null,
    };
    const runs = await listReviews({ ...filter, after: null, limit: MAX_LOOKED_AT }, database);
    const [latest] = runs;
    if (latest === undefined) return { kind: "not-found" };
    let opened: { readonly run: Run; readonly view: ReviewView } | null = null;
    for (const run of runs) {
      const text = await readReviewViewText(run.id, database);
      // Only this program writes it.
      if (text !== null) opened = { run, view: JSON.parse(text) as ReviewView };
      if (opened !== null) break;
    }
    const outcomes = await countRuleOutcomes({ repositoryId, sinceMs: now() - DAYS * DAY_MS }, database);
    const body = html`${facts([
      [
        "Last review",
        html`<a href="/reviews/${latest.id}">#${latest.pullRequest}</a>, ${stateMark(latest.status)}, ${timeAgo(latest.startedAt, now())}`,
      ],
      [
        "Reviews",
        html`<a href="${withQuery("/reviews", { repository: String(repositoryId) })}">All reviews</a>`,
      ],
      ["Memory", html`<a href="/repositories/${repositoryId}/memory">Learnings and suppressed patterns</a>`],
      [
        "Dependencies",
        html`<a href="${withQuery("/dependencies", { repository: String(repositoryId) })}">Bumps</a>`,
      ],
    ])}${configurationOf(opened, now())}${rulesOf(outcomes)}`;
    return { kind: "page", title: latest.repository, body };
  },
};

function configurationOf(opened: { readonly run: Run; readonly view: ReviewView } | null, now: number): Html {
  const title = "Configuration";
  if (opened === null)
    return section(
      title,
      emptyState("Not known yet.", "The next published review shows which configuration it used."),
    );
  const { run, view } = opened;
  return section(
    title,
    html`<p>${view.configOrigin}, as the review of <a href="/reviews/${run.id}">#${run.pullRequest}</a> used it ${timeAgo(run.startedAt, now)}.</p>${
      view.configProblems.length === 0
        ? html`<p class="quiet">It has no problems.</p>`
        : html`<ul class="problems">${view.configProblems.map((each) => html`<li>${each}</li>`)}</ul>`
    }<p class="note">In a clone, <code>kodiai config explain PATH</code> shows every value with its origin, and <code>kodiai config check</code> every problem with its line.</p>`,
  );
}

function rulesOf(outcomes: readonly RuleOutcome[]): Html {
  const rules = [...Map.groupBy(outcomes, ({ rule }) => rule)].map(([rule, rows]) => {
    const of = (outcome: string): number => rows.find((row) => row.outcome === outcome)?.findings ?? 0;
    const [accepted, dismissed] = [of("accepted"), of("dismissed")];
    return {
      rule,
      hits: rows.reduce((sum, { findings }) => sum + findings, 0),
      accepted,
      dismissed,
      ignored: of("ignored"),
      acceptance: accepted + dismissed === 0 ? null : accepted / (accepted + dismissed),
    };
  });
  const title = "Rules and what people thought of them";
  if (rules.length === 0)
    return section(title, html`<p class="quiet">No finding in the last ${DAYS} days.</p>`);
  return section(
    title,
    dataTable({
      caption: title,
      columns: [
        { label: "Rule" },
        ...["Findings", "Accepted", "Dismissed", "Ignored", "Acceptance"].map((label) => ({
          label,
          isNumber: true as const,
        })),
      ],
      rows: rules
        .toSorted((a, b) => b.hits - a.hits)
        .map(({ rule, hits, accepted, dismissed, ignored, acceptance }) => [
          html`<code>${rule}</code>`,
          grouped(hits),
          grouped(accepted),
          grouped(dismissed),
          grouped(ignored),
          percent(acceptance),
        ]),
    }),
    `Findings of the last ${DAYS} days. Acceptance counts those that were accepted or dismissed.`,
  );
}
