/** The repositories with memory, and how much each remembers. */
import { grouped } from "../../base/count.ts";
import { dataTable } from "../components/data-table.ts";
import { html } from "../components/html.ts";
import { emptyState } from "../components/sections.ts";
import type { DashboardPage } from "../page.ts";
import { listKnownRepositories } from "../../store/repositories/memory-records.ts";

export const memoriesPage: DashboardPage = {
  path: "/memory",
  needs: "anyone-signed-in",
  async answer({ viewer }, { database }) {
    const known = await listKnownRepositories(database, viewer.repositories);
    const body =
      known.length === 0
        ? emptyState(
            "Nothing is remembered yet.",
            html`Reviews remember their findings, and learn from reactions and replies to them. People can state a learning with <code>kodiai memory add</code>.`,
          )
        : dataTable({
            caption: "Repositories with memory",
            columns: [
              { label: "Repository" },
              { label: "Learnings", isNumber: true },
              { label: "Suppressions", isNumber: true },
              { label: "Remembered findings", isNumber: true },
              { label: "Reactions", isNumber: true },
              { label: "Shared" },
            ],
            rows: known.map(
              ({ repositoryId, name, learnings, suppressions, memories, feedback, isSharing }) => [
                html`<a href="/repositories/${repositoryId}/memory">${name}</a>`,
                grouped(learnings),
                grouped(suppressions),
                grouped(memories),
                grouped(feedback),
                isSharing === true ? "with its organization" : "no",
              ],
            ),
          });
    return { kind: "page", title: "Memory", body };
  },
};
