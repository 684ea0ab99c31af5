/** Which packages of a change must not be looked up. */
import type { Repository } from "../../../repository/repository.ts";
import { policyCommitOf } from "../../../review/change/policy-commit.ts";
import type { PackageChange } from "../../../review/bumps/package-change.ts";
import type { PreparedReview } from "../prepare-review.ts";

const MAX_NPMRC_BYTES = 64 * 1024;

/** If the settings can't be read, everything is private. */
export async function readPrivacy(
  { change, config, degradations }: Pick<PreparedReview, "change" | "config" | "degradations">,
  repository: Repository | null,
): Promise<(change: PackageChange) => boolean> {
  const { createPrivacy } = await import("../../../review/bumps/privacy.ts");
  const npmrc = await degradations.optional("npm settings", async () => {
    const commit = policyCommitOf(change);
    if (repository === null || commit === null) return "";
    const texts = await repository.readFiles({ commit }, [".npmrc"], MAX_NPMRC_BYTES);
    return texts.get(".npmrc") ?? "";
  });
  const patterns = config.tree.root.values.dependencies.privatePackages;
  return npmrc === null ? () => true : createPrivacy({ patterns, npmrc });
}
