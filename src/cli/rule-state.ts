/** The state of a rule in a repository, from its configuration. */
import type { Severity } from "../base/severity.ts";
import type { ListedRule } from "../linters/list-rules.ts";
import type { ConfigTree } from "../config/repo-config/repo-config.ts";

export type RuleState = {
  readonly isOn: boolean;
  /** The severity here; the rule's own unless a file changes it. */
  readonly severityHere: Severity;
  /** The file that turns it on or off or sets its severity; null when none does. */
  readonly setBy: string | null;
};

export function stateOfRule({ id, origin, severity }: ListedRule, { root }: ConfigTree): RuleState {
  const { floor, analysers } = root.values;
  const off = (key: string): RuleState => ({
    isOn: false,
    severityHere: severity,
    setBy: root.originOf(key),
  });
  if (!floor.enabled) return off("floor.enabled");
  const linter = Object.entries(analysers).find(([name]) => name === origin)?.[1] ?? "on";
  const isIgnored = typeof linter === "object" && linter.ignore.includes(id.slice(origin.length + 1));
  if (linter === "off" || isIgnored) return off(`analysers.${origin}`);
  const setting = floor.rules[id];
  const key = `floor.rules.${id}`;
  if (setting === "off") return off(key);
  return {
    isOn: true,
    severityHere: setting === undefined || setting === "on" ? severity : setting,
    setBy: setting === undefined ? null : root.originOf(key),
  };
}
