/** Finds secrets on lines that an edit adds, by the detectors of the built-in rules. The value is never part of a result. Pure. */
import { findEncodedSecrets } from "../../base/secrets/encoded-secrets.ts";
import { findCertainSecrets } from "../../base/secrets/secret-patterns.ts";
import { findSplitSecrets } from "../../base/secrets/split-literals.ts";
import { categoryOf } from "../analysis/categories.ts";
import { isReportedSecret } from "../../base/secrets/reported-secret.ts";
import { secretLabel } from "../../base/secrets/secret-label.ts";
import type { EditRefusal, ProposedEdit } from "./edit.ts";
import { editedLines } from "./edited-lines.ts";

export function findAddedSecrets(edit: ProposedEdit): readonly EditRefusal[] {
  const { path, after } = edit;
  if (after === null) return [];
  const { lines, added } = editedLines(edit);
  if (added.size === 0) return [];
  const starts = startsOf(lines);
  const file = { path, category: categoryOf(path) };
  const certain = findCertainSecrets(after).filter(({ kind, start }) =>
    isReportedSecret(kind, lines[lineAt(starts, start)] ?? "", file),
  );
  const hidden = [
    ...findEncodedSecrets(after, findCertainSecrets),
    ...findSplitSecrets(after, findCertainSecrets),
  ];
  return [...certain, ...hidden]
    .flatMap(({ kind, start, end }) => {
      const [first, last] = [lineAt(starts, start), lineAt(starts, end - 1)];
      const isNew = lines.some((_, at) => at >= first && at <= last && added.has(at));
      const detail = `line ${first + 1} has a credential (${secretLabel(kind)})`;
      return isNew ? [{ rule: "secret", path, detail } as const] : [];
    })
    .slice(0, 1);
}

function startsOf(lines: readonly string[]): readonly number[] {
  let at = 0;
  return lines.map((line) => {
    const start = at;
    at += line.length + 1;
    return start;
  });
}

/** The index of the line that a position is on. */
function lineAt(starts: readonly number[], position: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= position) low = middle;
    else high = middle - 1;
  }
  return low;
}
