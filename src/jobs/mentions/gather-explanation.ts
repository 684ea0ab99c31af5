/** Gathers the facts about a finding that explain it without a model: its rule, its code and its life. */
import type { PullRequest } from "../../forge/forge.ts";
import { repositoryUrlOf } from "../../review/publication/compose/compose-pull-request.ts";
import type { ExplanationInput } from "../../review/publication/compose/compose-explanation.ts";
import type { Sql } from "../../store/database.ts";
import { type LedgerEntry, readFindingEvents } from "../../store/repositories/stored-findings.ts";
import { RULES_URL } from "../../version.ts";
import { reasoningOf } from "./reasoning-of.ts";

export type ExplanationSources = {
  readonly pullRequest: Pick<PullRequest, "repositoryRef" | "number" | "url">;
  readonly sql: Sql;
  /** Reads a file at a commit; null if it can't be read. */
  readonly readText: (path: string, commit: string) => Promise<string | null>;
};

export async function gatherExplanation(
  finding: Omit<LedgerEntry, "verdict">,
  { pullRequest, sql, readText }: ExplanationSources,
): Promise<Omit<ExplanationInput, "answer" | "mayFix" | "mention">> {
  const { repositoryRef, number, url } = pullRequest;
  const key = { repositoryId: repositoryRef.repositoryId, pullRequest: number };
  return {
    finding,
    reasoning: reasoningOf(finding),
    rule: await findRule(finding.rule),
    // Removed lines aren't in the file.
    fileText: finding.side === "new" ? await readText(finding.path, finding.head) : null,
    events: await readFindingEvents({ ...key, identity: finding.identity }, sql),
    repositoryUrl: repositoryUrlOf(url),
    rulesUrl: RULES_URL,
  };
}

async function findRule(id: string | null): Promise<ExplanationInput["rule"]> {
  if (id === null) return null;
  // Imported only when needed, as for the configuration.
  const { ALL_RULES } = await import("../../rules/all-rules.ts");
  return ALL_RULES.find((rule) => rule.id === id) ?? null;
}
