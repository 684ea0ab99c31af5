/** A comparison of two scores as a report. */
import { count } from "../../base/count.ts";
import { describeUsd } from "../../review/publication/words.ts";
import type { ComparedFigure, Comparison } from "../score/compare-scores.ts";
import type { EvalReport } from "./eval-report.ts";
import { plainNumber, percentOf } from "./words.ts";

export function reportComparison(comparison: Comparison): EvalReport {
  const { set, first, second, pairs, onlyFirst, onlySecond, figures } = comparison;
  const only = [[onlyFirst, "first"] as const, [onlySecond, "second"] as const].flatMap(([number, which]) =>
    number === 0 ? [] : [`${count(number, "pull request")} only in the ${which} run count in no figure`],
  );
  const [better, worse] = [namesOf(figures, "better"), namesOf(figures, "worse")];
  return {
    title: `${second} compared with ${first}`,
    subtitle: `Set ${set.name}, version ${set.version}; ${count(pairs, "pull request")} that both reviewed`,
    warnings: only,
    sections: [
      {
        title:
          better === "" && worse === ""
            ? "No difference that this set can show"
            : [better === "" ? "" : `Better: ${better}`, worse === "" ? "" : `Worse: ${worse}`]
                .filter(Boolean)
                .join(". "),
        note: "The difference is the second minus the first, with what 95 of 100 samples of pull requests give. Where that contains 0, or fewer than six pull requests say anything, this set can't tell the two apart; that isn't proof that they are equal.",
        columns: ["Figure", "First", "Second", "Difference", "Second is"],
        rows: figures.map((figure) => [
          figure.name,
          valueOf(figure, figure.first),
          valueOf(figure, figure.second),
          differenceOf(figure),
          figure.verdict === "none" ? "no difference that this set can show" : figure.verdict,
        ]),
        chart: null,
      },
    ],
  };
}

function namesOf(figures: readonly ComparedFigure[], verdict: ComparedFigure["verdict"]): string {
  return figures
    .filter((each) => each.verdict === verdict)
    .map(({ name }) => name)
    .join(", ");
}

function valueOf({ name }: Pick<ComparedFigure, "name">, value: number | null): string {
  if (name === "cost per review") return value === null ? "–" : describeUsd(value);
  return name === "findings per sound change" ? plainNumber(value) : percentOf(value);
}

/** Shares differ in points, not in percent. */
function differenceOf({ name, difference: { value, low, high } }: ComparedFigure): string {
  if (value === null) return "–";
  const isShare = name !== "cost per review" && name !== "findings per sound change";
  const signed = (each: number): string => {
    const text = isShare ? (each * 100).toFixed(1) : each.toFixed(name === "cost per review" ? 4 : 2);
    return each > 0 ? `+${text}` : text;
  };
  const interval = low === null || high === null ? "" : ` (${signed(low)} to ${signed(high)})`;
  return `${signed(value)}${isShare ? " points" : ""}${interval}`;
}

/** One line for a baseline that isn't reached. */
export function describeDrop(figure: ComparedFigure): string {
  return `${figure.name} was ${valueOf(figure, figure.first)} and is ${valueOf(figure, figure.second)}: ${differenceOf(figure)}`;
}
