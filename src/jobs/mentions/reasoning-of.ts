/** The reasoning of a reported finding, from the reports that the ledger keeps. */
import type { PriorSource } from "../../review/context/prior-review.ts";
import type { FindingRow } from "../../store/repositories/findings.ts";

/** "" if the reports aren't known: a restored ledger has only the findings themselves. */
export function reasoningOf({ sources, title }: Pick<FindingRow, "sources" | "title">): string {
  if (sources === null || sources === undefined) return "";
  // Rows are written from a publication, which has these values.
  const reports = JSON.parse(sources) as readonly PriorSource[];
  return (reports.find((report) => report.title === title) ?? reports[0])?.body ?? "";
}
