/** The repositories that a viewer may read and that have reviews. */
import { dataTable } from "../components/data-table.ts";
import { html } from "../components/html.ts";
import { emptyState } from "../components/sections.ts";
import type { DashboardPage } from "../page.ts";
import { withQuery } from "../read/read-query.ts";
import { listRepositoryNames } from "../../store/repositories/listed-reviews.ts";

export const repositoriesPage: DashboardPage = {
  path: "/repositories",
  needs: "anyone-signed-in",
  async answer({ viewer }, { database }) {
    const all = await listRepositoryNames(viewer.repositories, database);
    const body =
      all.length === 0
        ? emptyState(
            "No repositories yet.",
            "A repository appears here with its first review. Open a pull request in one that has the app.",
          )
        : dataTable({
            caption: "Repositories",
            columns: [
              { label: "Repository" },
              { label: "Reviews" },
              { label: "Memory" },
              { label: "Dependencies" },
            ],
            rows: all.map(({ id, name }) => [
              html`<a href="/repositories/${id}">${name}</a>`,
              html`<a href="${withQuery("/reviews", { repository: String(id) })}">Reviews<span class="heard"> of ${name}</span></a>`,
              html`<a href="/repositories/${id}/memory">Memory<span class="heard"> of ${name}</span></a>`,
              html`<a href="${withQuery("/dependencies", { repository: String(id) })}">Dependencies<span class="heard"> of ${name}</span></a>`,
            ]),
          });
    return { kind: "page", title: "Repositories", body };
  },
};
