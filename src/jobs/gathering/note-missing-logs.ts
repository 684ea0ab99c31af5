/** Logs of failed checks that couldn't be read are degradations: a review or an answer did without them. */
import type { CheckReport } from "../../review/context/check-report.ts";
import { describeLogProblem } from "../../review/context/describe-check.ts";
import type { Degradations } from "./optional.ts";

export function noteMissingLogs(
  checks: readonly CheckReport[],
  degradations: Pick<Degradations, "note">,
): readonly CheckReport[] {
  for (const { log } of checks)
    if (log !== undefined && "problem" in log)
      degradations.note("logs of failed checks", describeLogProblem(log.problem));
  return checks;
}
