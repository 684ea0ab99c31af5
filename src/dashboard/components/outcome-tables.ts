/** The outcomes of findings, by what was known about them when they were reported. */
import { grouped } from "../../base/count.ts";
import type { FindingFigures } from "../../jobs/report/report.ts";
import { dataTable } from "./data-table.ts";
import { type Html, html } from "./html.ts";
import { percent } from "./marks.ts";
import { section } from "./sections.ts";

export function outcomeTables({ byConfidence, bySource, byCategory }: FindingFigures): Html | null {
  if (Object.keys(bySource).length === 0) return null;
  const groups = [
    ["Confidence", byConfidence],
    ["Source", bySource],
    ["Category", byCategory],
  ] as const;
  return section(
    "What people did with findings",
    html`<div class="tables">
      ${groups.map(([label, rows]) =>
        dataTable({
          caption: `Outcomes of findings by ${label.toLowerCase()}`,
          columns: [
            { label },
            ...["Findings", "Accepted", "Dismissed", "Ignored", "Open", "Acceptance"].map((each) => ({
              label: each,
              isNumber: true as const,
            })),
          ],
          rows: Object.entries(rows).map(
            ([key, { accepted, dismissed, ignored, open, unknown, acceptance }]) => [
              key,
              grouped(accepted + dismissed + ignored + open + unknown),
              grouped(accepted),
              grouped(dismissed),
              grouped(ignored),
              grouped(open),
              percent(acceptance),
            ],
          ),
        }),
      )}
    </div>`,
    "Reported findings, by what was known about them. Outcomes are known of those that memory keeps; acceptance counts those that were accepted or dismissed.",
  );
}
