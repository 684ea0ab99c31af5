/** Finds unknown rule IDs in a configuration. Separate from parsing, because the list of rules isn't part of the configuration. */
import { nearest } from "../../base/nearest.ts";
import { printable } from "../../base/printable.ts";
import type { ConfigProblem, ConfigTree } from "./repo-config.ts";

/** As many as a person would read. A hostile file can list thousands. */
const MAX_PROBLEMS = 50;

export function checkRuleIds(tree: ConfigTree, knownIds: readonly string[]): ConfigProblem[] {
  const known = new Set(knownIds);
  return (tree.ruleMentions ?? [])
    .filter(({ id }) => !known.has(id))
    .slice(0, MAX_PROBLEMS)
    .map(({ id, file, line, column }) => {
      const near = nearest(id, knownIds);
      const hint = near === null ? "the entry has no effect" : `did you mean "${near}"?`;
      const key = `floor.rules.${printable(id)}`;
      return { severity: "warning", file, line, column, key, message: `${key}: unknown rule; ${hint}` };
    });
}
