/** Decides whether a person may give a command. Pure. */
import type { RepoConfig } from "../../../config/repo-config/schema.ts";
import type { CommandClass } from "../command.ts";

/** `found` is the class that the host confirms for the person now. Null if they may give the command; otherwise what they need. */
export function missingClass(
  who: CommandClass,
  found: CommandClass,
  { allowEveryone }: Pick<RepoConfig["mentions"], "allowEveryone">,
): Exclude<CommandClass, "anyone"> | null {
  if (found === "writer") return null;
  if (who === "writer" || !allowEveryone) return "writer";
  return who === "contributor" && found === "anyone" ? "contributor" : null;
}
