/** The operator's report as one HTML file, made of the parts of the overview. */
import {
  overviewCharts,
  overviewDegradations,
  overviewTables,
  overviewTiles,
} from "../components/overview-parts.ts";
import { html } from "../components/html.ts";
import { outcomeTables } from "../components/outcome-tables.ts";
import type { FindingFigures } from "../../jobs/report/report.ts";
import type { Overview } from "../read/read-overview.ts";
import { standaloneDocument } from "./standalone-document.ts";

/** `repository`: null for all. */
export function renderReportHtml(
  overview: Overview,
  outcomes: FindingFigures,
  repository: string | null,
): string {
  const { since, until } = overview.report;
  const body = html`<p class="quiet">${since.slice(0, 16).replace("T", " ")} to ${until.slice(0, 16).replace("T", " ")} UTC</p>${overviewTiles(overview)}${overviewCharts(overview)}${overviewDegradations(overview)}${overviewTables(overview, { isLinked: false })}${outcomeTables(outcomes)}`;
  return standaloneDocument({ title: `Report of ${repository ?? "all repositories"}`, body });
}
