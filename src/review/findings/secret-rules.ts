import type { Finding } from "./finding.ts";

/** The built-in rules whose findings point at secrets. */
export const SECRET_RULES: ReadonlySet<string> = new Set(["secret-in-code", "dockerfile-secret"]);

export function pointsAtSecret({ rule, isSecret }: Pick<Finding, "rule" | "isSecret">): boolean {
  return isSecret === true || (rule !== null && SECRET_RULES.has(rule));
}
