/** Code outside the diff that the change may affect, each piece with its place and the reason why it is shown. */
import { describeRelatedCode } from "../../context/describe-related.ts";
import type { RelatedCode } from "../../context/related-code.ts";
import type { Guard } from "../../untrusted/guard.ts";
import { showPath } from "../../untrusted/show-path.ts";
import { leftNote } from "../fit.ts";
import { NOTHING, type SectionRenderer } from "../section.ts";

const HEADING = `# Related code
Code outside the change that it may break. Findings belong to changed lines. find_references shows all uses.`;

export const relatedCode: SectionRenderer = {
  name: "related code",
  // The configuration has the real limit, in tokens; this is more than its maximum.
  budgetChars: 100_000,
  leanBudgetChars: 4_000,
  render({ context, pass, guard }, budgetChars) {
    const inPass = new Set(pass.paths);
    const pieces = context.code.relatedCode
      .filter(({ changedPath }) => inPass.has(changedPath))
      .map((piece) => renderPiece(piece, guard));
    if (pieces.length === 0) return NOTHING;
    const kept: string[] = [];
    let roomChars = budgetChars;
    let cutChars = 0;
    for (const piece of pieces) {
      if (piece.length + 2 > roomChars) {
        cutChars += piece.length;
        continue;
      }
      roomChars -= piece.length + 2;
      kept.push(piece);
    }
    if (kept.length === 0) return { ...NOTHING, cutChars };
    const fenced = guard.fence("related code", kept.join("\n\n"));
    return { text: `${HEADING}\n${fenced}${leftNote(pieces.length - kept.length)}`, cutChars };
  },
};

/** Every line begins with its number, so that code can't imitate the header of another piece. */
function renderPiece(piece: RelatedCode, guard: Guard): string {
  const lines = guard.code(piece.text).split("\n");
  const last = piece.startLine + lines.length - 1;
  const show = { name: (name: string) => guard.code(name), path: (path: string) => showPath(path, guard) };
  return [
    `=== ${showPath(piece.path, guard)}:${piece.startLine}-${last} (${describeRelatedCode(piece, show)})`,
    ...lines.map((line, index) => `${piece.startLine + index} ${line}`),
  ].join("\n");
}
