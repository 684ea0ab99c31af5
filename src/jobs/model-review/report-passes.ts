/** From the notebook: every attempt of a model, for the details of the review, what it said at its end, and what was spent besides. */
import type { PassOverview, PassReport } from "../../review/publication/publication.ts";
import type { NumberedEntry } from "../../tools/notebook.ts";
import { fromMicroUsd, toMicroUsd } from "../spending/micro-usd.ts";

export function reportPasses(entries: readonly NumberedEntry[]): readonly PassReport[] {
  const reports: PassReport[] = [];
  const found = new Map<string, number>();
  for (const entry of entries) {
    const { pass } = entry;
    if (entry.kind === "finding" && entry.replaces === null) found.set(pass, (found.get(pass) ?? 0) + 1);
    if (entry.kind !== "outcome") continue;
    const { outcome, step, files, costUsd, leftOut } = entry;
    const { model, kind, stopReason, turns, tokens, ms } = outcome;
    const findings = found.get(pass) ?? 0;
    found.delete(pass);
    reports.push({
      name: pass,
      model,
      step,
      outcome: kind,
      stopReason,
      files,
      turns,
      tokens,
      costUsd,
      ms,
      findings,
      ...(leftOut === undefined ? {} : { leftOut }),
    });
  }
  return reports;
}

/**
 * What was said at the end of each part, by whoever had the last word about it. A model that was cut off has said nothing, also
 * where an attempt before it had.
 */
export function overviewOf(entries: readonly NumberedEntry[]): readonly PassOverview[] {
  const said = new Map<string, string>();
  const last = new Map<string, string>();
  for (const entry of entries) {
    const { pass } = entry;
    if (entry.kind === "summary") said.set(pass, entry.text);
    if (entry.kind !== "outcome") continue;
    last.set(pass, entry.outcome.kind === "completed" ? (said.get(pass) ?? "") : "");
    said.delete(pass);
  }
  return [...last].filter(([, text]) => text !== "").map(([pass, text]) => ({ pass, text }));
}

/**
 * What was spent of which no attempt tells. An attempt whose process died has left nothing but what it had set aside, and for a
 * call that was cut off more may be asked than came of it: so this is the most that it can be.
 */
export function findCutOffUsd(spentUsd: number, entries: readonly NumberedEntry[]): number {
  const told = entries.reduce(
    (sum, entry) => sum + (entry.kind === "outcome" ? toMicroUsd(entry.costUsd ?? 0) : 0),
    0,
  );
  return fromMicroUsd(Math.max(0, toMicroUsd(spentUsd) - told));
}
