/** The effective values of a gathered configuration, for readers of the repository. They may not be able to read its owner's defaults. */
import { type ExplainedKey, explainConfig } from "../../config/explain-config.ts";
import type { GatheredConfig } from "./gather-config.ts";

/** Everyone with the repository reads the answer, and not that file. */
const HIDDEN = "not shown here";

export function explainGathered({
  tree,
  hiddenFile,
}: Pick<GatheredConfig, "tree" | "hiddenFile">): readonly ExplainedKey[] {
  return explainConfig(tree, "").map((key) =>
    !key.isDefault && key.origin === hiddenFile ? { ...key, value: HIDDEN } : key,
  );
}
