/** Reads the notebook: every attempt with its figures, the summaries of the models, and the cost without a report. */
import type { ReviewPass } from "../../review/analysis/analysis.ts";
import type { PassOverview, PassReport } from "../../review/publication/publication.ts";
import type { NumberedEntry } from "../../tools/notebook.ts";
import { fromMicroUsd, toMicroUsd } from "../spending/micro-usd.ts";

/** `passes`: those of all rounds. */
export function reportPasses(
  entries: readonly NumberedEntry[],
  passes: readonly ReviewPass[] = [],
): readonly PassReport[] {
  const rounds = new Map(passes.map(({ name, round }) => [name, round]));
  const reports: PassReport[] = [];
  const found = new Map<string, number>();
  for (const entry of entries) {
    const { pass } = entry;
    if (entry.kind === "finding" && entry.replaces === null) found.set(pass, (found.get(pass) ?? 0) + 1);
    if (entry.kind !== "outcome") continue;
    const { outcome, step, files, costUsd, sections = [] } = entry;
    const { model, kind, stopReason, turns, tokens, ms } = outcome;
    const findings = found.get(pass) ?? 0;
    found.delete(pass);
    const leftOut = sections
      .filter(({ cutChars }) => cutChars > 0)
      .map(({ section, cutChars: chars }) => ({ section, chars }));
    const round = rounds.get(pass);
    reports.push({
      name: pass,
      ...(round === undefined ? {} : { round: { number: round.number, lens: round.lens } }),
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
      ...(leftOut.length === 0 ? {} : { leftOut }),
      ...(sections.length === 0 ? {} : { sections }),
    });
  }
  return reports;
}

/**
 * The summary of each part by its last attempt. If that attempt was cut off there is none, even if an earlier one had written one. A
 * later round summarises the same change again, so its summary isn't shown.
 */
export function overviewOf(
  entries: readonly NumberedEntry[],
  laterRounds: readonly ReviewPass[] = [],
): readonly PassOverview[] {
  const later = new Set(laterRounds.map(({ name }) => name));
  const said = new Map<string, string>();
  const last = new Map<string, string>();
  for (const entry of entries) {
    const { pass } = entry;
    if (later.has(pass)) continue;
    if (entry.kind === "summary") said.set(pass, entry.text);
    if (entry.kind !== "outcome") continue;
    last.set(pass, entry.outcome.kind === "completed" ? (said.get(pass) ?? "") : "");
    said.delete(pass);
  }
  return [...last].filter(([, text]) => text !== "").map(([pass, text]) => ({ pass, text }));
}

/**
 * The cost that no attempt reports, as an upper bound: an attempt whose process crashed left only its reservation, and a call that was cut
 * off may cost more than was received.
 */
export function findCutOffUsd(spentUsd: number, entries: readonly NumberedEntry[]): number {
  const reported = entries.reduce(
    (sum, entry) => sum + (entry.kind === "outcome" ? toMicroUsd(entry.costUsd ?? 0) : 0),
    0,
  );
  return fromMicroUsd(Math.max(0, toMicroUsd(spentUsd) - reported));
}
