/** The checks of `kodiai doctor`, without secrets. The checks run when the page is opened. */
import { count } from "../../base/count.ts";
import { dataTable } from "../components/data-table.ts";
import { html } from "../components/html.ts";
import { stateMark } from "../components/marks.ts";
import { isHealthy } from "../../doctor/run-checks.ts";
import type { CheckLine } from "../../doctor/check.ts";
import type { DashboardPage } from "../page.ts";

/** A reader waits for a page no longer than that. `kodiai doctor` waits longer. */
const LIMIT_MS = 20_000;

export const healthPage: DashboardPage = {
  path: "/health",
  needs: "admin",
  async answer(_, { examine }) {
    const lines = await examine(AbortSignal.timeout(LIMIT_MS)).catch(() => null);
    const body =
      lines === null
        ? html`<p class="verdict">The checks didn't finish.</p><p>Run <code>kodiai doctor</code> on the server: it waits longer and shows the same checks.</p>`
        : html`<p class="verdict">${summaryOf(lines)}</p>${table(lines)}`;
    return { kind: "page", title: "Health", body };
  },
};

function summaryOf(lines: readonly CheckLine[]): string {
  if (!isHealthy(lines)) return "Something needs attention.";
  const warnings = lines.filter(({ state }) => state === "warning").length;
  if (warnings === 0) return "Everything that was checked is in order.";
  return `No check failed. ${count(warnings, "check")} ${warnings === 1 ? "has" : "have"} a warning.`;
}

/** The worst first. */
function table(lines: readonly CheckLine[]) {
  return dataTable({
    caption: "Checks",
    columns: [{ label: "Check" }, { label: "State" }, { label: "Result" }, { label: "What to do" }],
    rows: lines
      .toReversed()
      .map(({ name, state, what, remedy }) => [name, stateMark(state), what, remedy ?? "–"]),
  });
}
