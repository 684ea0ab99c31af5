/** The settings of one repository: those of its last review, and those that would have changed the last weeks. */
import { countedFindings, findingFiguresOf, settingsWorthATry } from "../../jobs/report/finding-figures.ts";
import type { FindingFigures, SettingAdvice } from "../../jobs/report/report.ts";
import type { ReviewView, ViewedSetting } from "../../review/publication/review-view.ts";
import { readFindingCounts } from "../../store/repositories/daily-findings.ts";
import { readReviewViewText } from "../../store/repositories/review-views.ts";
import type { Run } from "../../store/repositories/to-run.ts";
import type { PageDeps } from "../page.ts";

export type UsedSettings = {
  readonly run: Run;
  readonly view: ReviewView;
  /** Keys that no file sets, with their defaults. Empty if the view doesn't know which ones are set. */
  readonly defaults: readonly Omit<ViewedSetting, "origin">[];
};

/** `runs`: newest first. Null if none of them has a view. */
export async function readUsedSettings(
  runs: readonly Run[],
  { database }: Pick<PageDeps, "database">,
): Promise<UsedSettings | null> {
  for (const run of runs) {
    const text = await readReviewViewText(run.id, database);
    if (text === null) continue;
    // Only this program writes it.
    const view = JSON.parse(text) as ReviewView;
    if (view.settings === undefined) return { run, view, defaults: [] };
    const set = new Set(view.settings.map(({ key }) => key));
    // The schema is loaded only for this page.
    const [{ explainConfig }, { noConfig }] = await Promise.all([
      import("../../config/explain-config.ts"),
      import("../../config/repo-config/no-config.ts"),
    ]);
    return { run, view, defaults: explainConfig(noConfig(), "").filter(({ key }) => !set.has(key)) };
  }
  return null;
}

export type SettingsAdvice = {
  readonly settings: readonly SettingAdvice[];
  /** Of the findings that the advice is about. */
  readonly figures: FindingFigures;
  readonly findings: number;
};

export async function readSettingsAdvice(
  { repositoryId, sinceMs }: { readonly repositoryId: number; readonly sinceMs: number },
  { database }: Pick<PageDeps, "database">,
): Promise<SettingsAdvice> {
  const all = await readFindingCounts({ sinceMs, readable: [repositoryId] }, database);
  const counts = all.get(repositoryId) ?? new Map<string, number>();
  return {
    settings: settingsWorthATry(counts),
    figures: findingFiguresOf(counts),
    findings: countedFindings(counts),
  };
}
