/** The Action's outputs: names, values, and the text of GITHUB_OUTPUT. */
import { SEVERITIES, type Severity } from "../base/severity.ts";
import type { Publication, Verdict } from "../review/publication/publication.ts";

/** All outputs, as in action.yml. */
export const OUTPUT_NAMES = [
  "verdict",
  "findings",
  ...SEVERITIES,
  "coverage",
  "cost-usd",
  "sarif-file",
  "json-file",
] as const;

export type ActionOutputs = Readonly<Record<(typeof OUTPUT_NAMES)[number], string>>;

/** The worst first: what a job with several reviews reports. */
const OUTCOMES: readonly Verdict["outcome"][] = ["incomplete", "findings", "clean", "empty", "skipped"];

/** Files of the one review; null when there was none, or several. */
export type ResultFiles = { readonly sarif: string; readonly json: string } | null;

/** Without a review, numbers are empty: nothing was counted. */
export function composeOutputs(reviews: readonly Publication[], files: ResultFiles): ActionOutputs {
  const outcomes = new Set(reviews.map(({ verdict }) => verdict.outcome));
  const shown = reviews.flatMap(severitiesOf);
  const isCounted = reviews.length > 0;
  const counts = Object.fromEntries(
    SEVERITIES.map((severity) => [
      severity,
      isCounted ? String(shown.filter((each) => each === severity).length) : "",
    ]),
    // Each severity has a count.
  ) as Record<Severity, string>;
  return {
    verdict: OUTCOMES.find((outcome) => outcomes.has(outcome)) ?? "skipped",
    findings: isCounted ? String(shown.length) : "",
    ...counts,
    coverage: isCounted ? coverageOf(reviews) : "",
    "cost-usd": isCounted ? costOf(reviews) : "",
    "sarif-file": files?.sarif ?? "",
    "json-file": files?.json ?? "",
  };
}

/** New findings and those that are still open. */
function severitiesOf({ findings, stillOpen }: Publication): readonly Severity[] {
  return [...findings, ...stillOpen.map(({ judged }) => judged)].map(({ severity }) => severity);
}

/** Share of the lines with text that this review or an earlier one has read, in percent. Rounded down, so that 100 means all. */
function coverageOf(reviews: readonly Publication[]): string {
  const sum = (pick: (coverage: Publication["receipt"]["coverage"]) => number): number =>
    reviews.reduce((total, { receipt }) => total + pick(receipt.coverage), 0);
  const read = sum(({ reviewedLines, carriedLines }) => reviewedLines + carriedLines);
  const toRead = read + sum(({ omittedLines }) => omittedLines);
  return String(toRead === 0 ? 100 : Math.floor((read / toRead) * 100));
}

/** Empty when the price of a model is unknown. */
function costOf(reviews: readonly Publication[]): string {
  const costs = reviews.map(({ usage }) => (usage === null ? 0 : usage.costUsd));
  const known = costs.filter((cost) => cost !== null);
  return known.length < costs.length ? "" : known.reduce((total, cost) => total + cost, 0).toFixed(4);
}

/** For GITHUB_OUTPUT. `delimiter` is random, so that no value can end itself and set another output. */
export function renderOutputs(outputs: ActionOutputs, delimiter: string): string {
  return OUTPUT_NAMES.map((name) => {
    const value = outputs[name];
    if (value.includes(delimiter)) throw new TypeError("an output contains its delimiter");
    return `${name}<<${delimiter}\n${value}\n${delimiter}\n`;
  }).join("");
}
