/** Dependency bumps that reviews have seen, and what became of them. */
import { dataTable } from "../components/data-table.ts";
import { externalLink } from "../components/external-link.ts";
import { html, type HtmlValue } from "../components/html.ts";
import { stateMark, timeAgo } from "../components/marks.ts";
import { emptyState, selectField } from "../components/sections.ts";
import type { DashboardPage } from "../page.ts";
import { readId, withQuery } from "../read/read-query.ts";
import { type BumpFacts, listBumps } from "../../store/repositories/bumps.ts";
import { listRepositoryNames } from "../../store/repositories/listed-reviews.ts";

const MAX_SHOWN = 100;

export const dependenciesPage: DashboardPage = {
  path: "/dependencies",
  needs: "anyone-signed-in",
  async answer({ query, viewer }, { database, now }) {
    const repositoryId = readId(query, "repository");
    const readable = viewer.repositories;
    const bumps = await listBumps({ readable, repositoryId, limit: MAX_SHOWN }, database);
    const names = await listRepositoryNames(readable, database);
    const nameOf = new Map(names.map(({ id, name }) => [id, name]));
    const form = html`<form class="filters" method="get" action="/dependencies">${selectField(
      { name: "repository", label: "Repository", chosen: repositoryId === null ? "" : String(repositoryId) },
      [["", "All"], ...names.map(({ id, name }) => [String(id), name] as const)],
    )}<button>Show</button></form>`;
    const table =
      bumps.length === 0
        ? emptyState(
            "No bumps yet.",
            "Pull requests that change the version of a package appear here after their review.",
          )
        : dataTable({
            caption: "Dependency bumps",
            columns: [
              { label: "Package" },
              { label: "Versions" },
              { label: "Pull request" },
              { label: "Confidence" },
              { label: "Advisories" },
              { label: "Outcome" },
              { label: "When" },
            ],
            rows: bumps.map(
              ({
                ecosystem,
                name,
                from,
                to,
                repositoryId: id,
                pullRequest,
                facts,
                state,
                mergedAt,
                revertedAt,
              }) => {
                const at = revertedAt ?? mergedAt;
                return [
                  html`${name} <span class="quiet">${ecosystem}</span>`,
                  html`<code>${from}</code> → <code>${to}</code>`,
                  html`<a href="${withQuery("/reviews", { repository: String(id), pr: String(pullRequest) })}">${nameOf.get(id) ?? "a repository"} #${pullRequest}</a>`,
                  confidenceOf(facts),
                  advisoriesOf(facts),
                  stateMark(revertedAt === null ? state : "reverted"),
                  at === null ? "–" : timeAgo(at, now()),
                ];
              },
            ),
          });
    const note = html`<p class="note">Confidence and advisories are those of the last review. Open advisories still apply after the bump.</p>`;
    return {
      kind: "page",
      title: "Dependencies",
      body: html`${form}${bumps.length === 0 ? null : note}${table}`,
    };
  },
};

/** "low: a breaking version" as a mark and its reasons. */
function confidenceOf(facts: BumpFacts | null): HtmlValue {
  if (facts === null) return html`<span class="quiet">not stored</span>`;
  const [level = "", because = ""] = facts.confidence.split(/: (.*)/s);
  return html`${stateMark(level)}${because === "" ? null : html` <span class="quiet">${because}</span>`}`;
}

function advisoriesOf(facts: BumpFacts | null): HtmlValue {
  if (facts === null) return html`<span class="quiet">not stored</span>`;
  const { advisories } = facts;
  if (advisories === null) return stateMark("unknown");
  if (advisories.length === 0) return "none";
  return html`<ul class="inline">${advisories.map(
    ({ id, url, severity, fate }) =>
      html`<li>${externalLink(url, id)} <span class="quiet">${severity}, ${fate === "fixed" ? "fixed" : "open"}</span></li>`,
  )}</ul>`;
}
