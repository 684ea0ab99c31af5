/** The parts of memory that a review used, as the publication shows them. */
import { maskSecrets } from "../../../base/secrets/mask-secrets.ts";
import type { Context } from "../../context/context.ts";
import type { DroppedFinding } from "../../findings/finding.ts";
import type { JudgingContext } from "../../findings/rules/rule.ts";
import type { MemoryReport } from "../publication.ts";

export type UsedMemory = {
  readonly context: Pick<Context, "memories" | "learnings">;
  /** In force in the repository. */
  readonly suppressions: readonly Omit<MemoryReport["suppressions"][number], "hidden">[];
  readonly dropped: readonly DroppedFinding[];
  readonly feedbackOn: JudgingContext["feedbackOn"];
};

export function composeMemory({ context, suppressions, dropped, feedbackOn }: UsedMemory): MemoryReport {
  const hidden = dropped
    .filter(({ reason }) => reason === "suppressed:feedback")
    .map(({ finding }) => feedbackOn(finding));
  const countHidden = (id: number): number =>
    hidden.filter((ruling) => ruling?.kind === "suppress" && ruling.id === id).length;
  return {
    similar: context.memories.map((memory) => ({ ...memory, title: maskSecrets(memory.title) })),
    learnings: context.learnings.map((learning) => ({ ...learning, text: maskSecrets(learning.text) })),
    suppressions: suppressions
      .toSorted((a, b) => b.id - a.id)
      .map(({ id, title, expiresAt }) => ({
        id,
        title: maskSecrets(title),
        expiresAt,
        hidden: countHidden(id),
      })),
  };
}
