/** Dependency bumps that reviews have seen, and what became of them. */
import { dataTable } from "../components/data-table.ts";
import { html } from "../components/html.ts";
import { stateMark, timeAgo } from "../components/marks.ts";
import { emptyState, selectField } from "../components/sections.ts";
import type { DashboardPage } from "../page.ts";
import { readId, withQuery } from "../read/read-query.ts";
import { listBumps } from "../../store/repositories/bumps.ts";
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
              { label: "Outcome" },
              { label: "When" },
            ],
            rows: bumps.map(
              ({ ecosystem, name, from, to, repositoryId: id, pullRequest, state, mergedAt, revertedAt }) => {
                const at = revertedAt ?? mergedAt;
                return [
                  html`${name} <span class="quiet">${ecosystem}</span>`,
                  html`<code>${from}</code> → <code>${to}</code>`,
                  html`<a href="${withQuery("/reviews", { repository: String(id), pr: String(pullRequest) })}">${nameOf.get(id) ?? "a repository"} #${pullRequest}</a>`,
                  stateMark(revertedAt === null ? state : "reverted"),
                  at === null ? "–" : timeAgo(at, now()),
                ];
              },
            ),
          });
    const note = html`<p class="note">The merge confidence and the advisories of a bump are part of its review on the pull request; they aren't stored.</p>`;
    return { kind: "page", title: "Dependencies", body: html`${form}${note}${table}` };
  },
};
