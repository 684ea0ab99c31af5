/** Suppresses the patterns that people rejected often enough, for as long as the configuration says. */
import { DAY_MS } from "../../base/day-ms.ts";
import type { RepoConfig } from "../../config/repo-config/schema.ts";
import { patternsToSuppress } from "../../memory/decide-suppression.ts";
import { findProblems } from "../../memory/problems.ts";
import type { Database } from "../../store/database.ts";
import { readFeedback } from "../../store/repositories/feedback.ts";
import { insertSuppression, readSuppressions } from "../../store/repositories/suppressions.ts";

export async function makeSuppressions(
  repositoryId: number,
  settings: RepoConfig["feedback"],
  { database, now }: { readonly database: Database; readonly now: () => number },
): Promise<void> {
  if (!settings.autoSuppress.enabled) return;
  const at = now();
  const read = await readFeedback(repositoryId, database);
  const { patternOf } = findProblems(read);
  const byProblem = <Row extends { readonly pattern: string }>(rows: readonly Row[]): readonly Row[] =>
    rows.map((row) => ({ ...row, pattern: patternOf(row.pattern) }));
  const feedback = byProblem(read);
  const suppressions = byProblem(await readSuppressions(repositoryId, database));
  const expiresAt = at + settings.autoSuppress.expireDays * DAY_MS;
  for (const pattern of patternsToSuppress({ feedback, suppressions, settings, now: at })) {
    const title = feedback.find((row) => row.pattern === pattern)?.title ?? pattern;
    await insertSuppression({ repositoryId, pattern, title, at, expiresAt }, database);
  }
}
