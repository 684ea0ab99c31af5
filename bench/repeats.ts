/**
 * Measures whether reports of one defect in other words become one finding, and reports of two defects stay two, on pairs within three
 * lines that one reviewer wrote, and that two did. Only the half that nothing was tuned on is judged.
 */
import { isSame } from "../src/review/findings/identify-findings.ts";
import { LIMITS } from "./limits.ts";
import { judge } from "./measure.ts";
import { pairsOf, readRepeatedCases, type ReportPair } from "./support/repeated-reports.ts";

export async function repeats(): Promise<void> {
  for (const half of ["tuning", "unseen"] as const)
    for (const reviewers of ["one reviewer", "two reviewers"] as const) {
      const pairs = pairsOf(readRepeatedCases(half));
      const isMerged = ({ a, b }: ReportPair): boolean => {
        const pass = reviewers === "one reviewer" ? b.finding.pass : "another";
        return isSame(a, { ...b, finding: { ...b.finding, pass } });
      };
      const [same, different] = [pairs.filter((pair) => pair.isSame), pairs.filter((pair) => !pair.isSame)];
      const apart = same.filter((pair) => !isMerged(pair));
      const merged = different.filter(isMerged);
      const onOneLine = ({ a, b }: ReportPair): boolean => a.anchor?.startLine === b.anchor?.startLine;
      console.log(
        `  ${half}, ${reviewers}: ${apart.length} of ${same.length} pairs about one defect stay two; ` +
          `${merged.length} of ${different.length} pairs about two become one, ` +
          `${merged.filter(onOneLine).length} of ${different.filter(onOneLine).length} on one line`,
      );
      if (half === "tuning") continue;
      judge(LIMITS.repeatsApart, (100 * apart.length) / same.length, reviewers);
      judge(LIMITS.repeatsMerged, (100 * merged.length) / different.length, reviewers);
      for (const kind of [apart, merged])
        for (const pair of kind) show(kind === apart ? "apart" : "merged", pair);
    }
}

/** Prints bad cases if KODIAI_BENCH_SHOW names their kind. */
function show(kind: "apart" | "merged", { of, a, b }: ReportPair): void {
  if (process.env["KODIAI_BENCH_SHOW"] !== kind) return;
  const texts = [a, b].map(({ finding: { lineHint, title, body } }) => `    ${lineHint}: ${title}. ${body}`);
  console.log([`  ${kind}, ${of.path}`, ...texts].join("\n"));
}
