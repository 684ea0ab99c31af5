/** Bounds the diagnostics of one file, so that a change can't drown one problem in many others. */
import { severityRank } from "../base/severity.ts";
import type { AnalyserRule } from "./analyser-rule.ts";
import type { Diagnostic, FileCheck } from "./engine.ts";
import { causedPlace } from "./caused-place.ts";

/** Diagnostics of one file that the change caused. A file with more is generated, or isn't what it seems. */
const MAX_DIAGNOSTICS = 1_000;

/** Keeps what the change caused. Over the limit, one of each rule stays, then the most severe. */
export function limitDiagnostics(
  { diagnostics, gap }: FileCheck,
  rules: ReadonlyMap<string, AnalyserRule>,
  added: ReadonlySet<number>,
): FileCheck {
  const caused = diagnostics.filter((each) => {
    const rule = rules.get(each.rule);
    return rule !== undefined && causedPlace(each, rule, added) !== null;
  });
  if (caused.length <= MAX_DIAGNOSTICS) return { diagnostics: caused, gap };
  const firsts = new Set(new Map(caused.toReversed().map((each) => [each.rule, each])).values());
  const rankOf = (each: Diagnostic): number =>
    firsts.has(each) ? -1 : severityRank(rules.get(each.rule)?.severity ?? "minor");
  const kept = caused.toSorted((a, b) => rankOf(a) - rankOf(b)).slice(0, MAX_DIAGNOSTICS);
  return { diagnostics: kept, gap: gap ?? "too-many-findings" };
}
