/** Finds unknown and removed rule IDs in a configuration. Separate from parsing, because the list of rules isn't part of the configuration. */
import { nearest } from "../../base/nearest.ts";
import { printable } from "../../base/printable.ts";
import { REMOVED_RULE_IDS } from "./removed-rules.ts";
import type { ConfigProblem, ConfigTree } from "./repo-config.ts";

/** As many as a person would read. A hostile file can list thousands. */
const MAX_PROBLEMS = 50;

export function checkRuleIds(tree: ConfigTree, knownIds: readonly string[]): ConfigProblem[] {
  const known = new Set(knownIds);
  return (tree.ruleMentions ?? [])
    .filter(({ id }) => !known.has(id))
    .slice(0, MAX_PROBLEMS)
    .map(({ id, file, line, column }) => {
      const key = `floor.rules.${printable(id)}`;
      return { severity: "warning", file, line, column, key, message: `${key}: ${describe(id, knownIds)}` };
    });
}

function describe(id: string, knownIds: readonly string[]): string {
  if (REMOVED_RULE_IDS.has(id)) return "Kodiai no longer has this rule; you can delete the entry";
  const near = nearest(id, knownIds);
  return `unknown rule; ${near === null ? "the entry has no effect" : `did you mean "${near}"?`}`;
}
