/** Pages of tests, one for each way of access. They show what their viewer is said to be. */
import { html } from "../../../src/dashboard/components/html.ts";
import { actionForm } from "../../../src/dashboard/components/action-form.ts";
import type { DashboardPage } from "../../../src/dashboard/page.ts";

function probe(path: string, needs: DashboardPage["needs"]): DashboardPage {
  return {
    path,
    needs,
    answer: async ({ params, viewer, query }) => {
      const form = actionForm({
        name: "retry-job",
        csrf: viewer.csrf,
        fields: {},
        label: "Retry",
        about: "a job",
      });
      const sees = viewer.repositories === "all" ? "all" : viewer.repositories.join(" ");
      const body = html`<p>
          viewer=${viewer.name} sees=${sees}; id=${params["repositoryId"] ?? ""} q=${query.get("q") ?? ""}
        </p>
        ${form}`;
      return { kind: "page", title: `Probe ${path}`, body };
    },
  };
}

export const PROBE_PAGES: readonly DashboardPage[] = [
  probe("/probe", "anyone-signed-in"),
  probe("/probe/repositories/:repositoryId", "repository"),
  probe("/probe/admin", "admin"),
];
