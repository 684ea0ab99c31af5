/**
 * Defects on the same or neighboring lines, each reported in different words: cases with code, and reports that name their defect by a
 * letter. `tuning.txt` is for changing the comparison, and `unseen.txt` only for judging it.
 */
import { readFileSync } from "node:fs";
import { findingOf } from "../../test/support/findings-fixtures.ts";
import { changedFile } from "../../test/support/analysis-fixtures.ts";
import { CATEGORIES } from "../../src/base/severity.ts";
import { identifyInChange } from "../../src/review/findings/judge-findings.ts";
import { NEIGHBORING_LINES, type Placed } from "../../src/review/findings/identify-findings.ts";

export type ReportedDefect = { readonly defect: string; readonly report: Placed };

/** Reports of one file of code. */
export type RepeatedCase = {
  readonly path: string;
  readonly code: string;
  readonly reports: readonly ReportedDefect[];
};

const REPORT = /^--- (?<defect>[A-Z]) (?<line>\d+) (?<category>[a-z]+) \| (?<title>.+)$/;

export function readRepeatedCases(half: "tuning" | "unseen"): readonly RepeatedCase[] {
  const text = readFileSync(new URL(`../repeats/${half}.txt`, import.meta.url), "utf8");
  return text
    .split(/^=== /m)
    .slice(1)
    .map((part) => {
      const [head = "", ...blocks] = part.trimEnd().split(/\n(?=--- )/);
      const [path = "", ...code] = head.split("\n");
      const file = changedFile({ path, lines: code.map((line) => `+${line}`) });
      const found = blocks.map((block) => {
        const [first = "", ...body] = block.split("\n");
        const { defect, line, category, title } = REPORT.exec(first)?.groups ?? {};
        const known = CATEGORIES.find((each) => each === category);
        const quote = code[Number(line) - 1];
        if (known === undefined || quote === undefined || title === undefined || defect === undefined)
          throw new Error(`${path}: ${first}`);
        const finding = findingOf({
          title,
          body: body.join("\n"),
          category: known,
          path,
          quote,
          lineHint: Number(line),
        });
        return { defect, finding };
      });
      const placed = identifyInChange(
        found.map(({ finding }) => finding),
        { files: [file] },
      );
      const reports = placed.map((report, at) => ({ defect: found[at]?.defect ?? "", report }));
      return { path, code: code.join("\n"), reports };
    });
}

export type ReportPair = {
  readonly of: RepeatedCase;
  readonly a: Placed;
  readonly b: Placed;
  readonly isSame: boolean;
};

/** Reports that are close enough to be compared. */
export function pairsOf(cases: readonly RepeatedCase[]): readonly ReportPair[] {
  return cases.flatMap((of) =>
    of.reports.flatMap((one, at) =>
      of.reports.slice(at + 1).flatMap((other): readonly ReportPair[] => {
        const [a, b] = [one.report, other.report];
        const lines = Math.abs((a.anchor?.startLine ?? 0) - (b.anchor?.startLine ?? 0));
        return lines > NEIGHBORING_LINES ? [] : [{ of, a, b, isSame: one.defect === other.defect }];
      }),
    ),
  );
}
