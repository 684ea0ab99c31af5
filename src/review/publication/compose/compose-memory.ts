/** The parts of memory that a review used, as the publication shows them. */
import { maskSecrets } from "../../../base/secrets/mask-secrets.ts";
import type { RecalledMemory } from "../../context/context.ts";
import type { Judgement } from "../../findings/judge-findings.ts";
import type { JudgingContext } from "../../findings/rules/rule.ts";
import type { MemoryReport } from "../publication.ts";

export type UsedFeedback = Pick<JudgingContext, "feedbackOn"> & {
  /** In force in the repository. */
  readonly suppressions: readonly Omit<MemoryReport["suppressions"][number], "hidden">[];
};

export function composeMemory(
  recalled: Pick<RecalledMemory, "memories" | "learnings">,
  { suppressions, feedbackOn }: UsedFeedback,
  { dropped, judged }: Pick<Judgement, "dropped" | "judged">,
): MemoryReport {
  const hidden = dropped
    .filter(({ reason }) => reason === "suppressed:feedback")
    .map(({ finding, anchor }) => ({ finding, anchor, taught: feedbackOn(finding) }));
  const countHidden = (id: number): number =>
    hidden.filter(({ taught }) => taught?.kind === "suppress" && taught.id === id).length;
  return {
    similar: recalled.memories.map((memory) => ({ ...memory, title: maskSecrets(memory.title) })),
    learnings: recalled.learnings.map((learning) => ({ ...learning, text: maskSecrets(learning.text) })),
    suppressions: suppressions
      .toSorted((a, b) => b.id - a.id)
      .map(({ id, title, expiresAt }) => ({
        id,
        title: maskSecrets(title),
        expiresAt,
        hidden: countHidden(id),
      })),
    taught: [...judged, ...hidden].flatMap(({ finding, anchor, taught }) => {
      if (taught === undefined || taught === null) return [];
      const { reason, undo } = taught;
      const effect = taught.kind !== "explained" ? taught.kind : taught.isListed ? "list" : "note";
      return {
        title: maskSecrets(finding.title),
        path: anchor?.path ?? finding.path,
        line: anchor?.startLine ?? null,
        effect,
        reason: { ...reason, words: maskSecrets(reason.words) },
        undo,
      } as const;
    }),
  };
}
