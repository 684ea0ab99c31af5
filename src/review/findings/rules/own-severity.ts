/** Whether the configuration sets the severity of a rule's findings. */
import type { ConfigTree } from "../../../config/repo-config/repo-config.ts";
import type { Finding } from "../finding.ts";

export function hasOwnSeverity({ rule, path }: Finding, config: ConfigTree): boolean {
  const setting = config.forPath(path).values.floor.rules[rule ?? ""];
  return setting !== undefined && setting !== "on";
}
