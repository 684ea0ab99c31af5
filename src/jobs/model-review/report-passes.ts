/** From the notebook: every attempt of a model, for the details of the review. */
import type { PassReport } from "../../review/publication/publication.ts";
import type { NumberedEntry } from "../../tools/notebook.ts";

export function reportPasses(entries: readonly NumberedEntry[]): readonly PassReport[] {
  const reports: PassReport[] = [];
  const found = new Map<string, number>();
  for (const entry of entries) {
    const { pass } = entry;
    if (entry.kind === "finding" && entry.replaces === null) found.set(pass, (found.get(pass) ?? 0) + 1);
    if (entry.kind !== "outcome") continue;
    const { outcome, step, files, costUsd } = entry;
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
    });
  }
  return reports;
}
