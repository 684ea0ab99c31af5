/** The last part of a pack: how many files were left out, and why. The manifests list them one by one. */
import { PACK_REASONS, type PackReason } from "../context-pack.ts";
import { type PackBlock, plainBlock } from "./block.ts";

/** Enough for every reason at once, so that the part always fits. */
export const OMITTED_TOKENS = 400;

export function renderOmitted(reasons: readonly PackReason[]): PackBlock {
  const counts = PACK_REASONS.flatMap((reason) => {
    const files = reasons.filter((each) => each === reason).length;
    return files === 0 ? [] : [`- ${reason}: ${files}`];
  });
  if (counts.length === 0) return plainBlock("Omitted", "Nothing.");
  return plainBlock(
    "Omitted",
    `Files that aren't in this pack as a whole, by reason:\n\n${counts.join("\n")}`,
  );
}
