/** The actions of people on the dashboard, newest first. */
import { dataTable } from "../components/data-table.ts";
import { html } from "../components/html.ts";
import { stateMark, timeAgo } from "../components/marks.ts";
import { emptyState } from "../components/sections.ts";
import type { DashboardPage } from "../page.ts";
import { readId, withQuery } from "../read/read-query.ts";
import { listAuditEntries } from "../../store/repositories/dashboard-audit.ts";

const PER_PAGE = 100;

export const auditPage: DashboardPage = {
  path: "/audit",
  needs: "admin",
  async answer({ query }, { database, now }) {
    const entries = await listAuditEntries({ before: readId(query, "before"), limit: PER_PAGE }, database);
    const last = entries.length === PER_PAGE ? entries.at(-1) : undefined;
    const body =
      entries.length === 0
        ? emptyState(
            "No actions yet.",
            "Every action on this dashboard is recorded here: retried jobs, edited learnings, downloads.",
          )
        : html`${dataTable({
            caption: "Actions, newest first",
            columns: [
              { label: "When" },
              { label: "Who" },
              { label: "Action" },
              { label: "About" },
              { label: "Result" },
              { label: "Detail" },
            ],
            rows: entries.map(({ at, person, action, target, result, detail }) => [
              timeAgo(at, now()),
              person,
              html`<code>${action}</code>`,
              target,
              stateMark(result),
              detail,
            ]),
          })}${last === undefined ? null : html`<p><a rel="next" href="${withQuery("/audit", { before: String(last.id) })}">Older actions</a></p>`}`;
    return { kind: "page", title: "Audit", body };
  },
};
