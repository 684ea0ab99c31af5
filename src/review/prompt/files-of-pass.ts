/** The changed files of a pass in the order in which they are listed and shown: riskiest first, in a later round as planned. */
import { comparePaths } from "../analysis/triage.ts";
import type { ChangedFile } from "../change/change.ts";
import type { PromptInput } from "./prompt.ts";

export function filesOfPass({
  change,
  analysis,
  pass,
}: Pick<PromptInput, "change" | "analysis" | "pass">): readonly ChangedFile[] {
  const places = new Map(pass.paths.map((path, index) => [path, index]));
  const rankOf = ({ path }: ChangedFile): number =>
    pass.round === undefined ? -(analysis.byPath.get(path)?.risk ?? 0) : (places.get(path) ?? 0);
  return change.files
    .filter(({ path }) => places.has(path))
    .toSorted((a, b) => rankOf(a) - rankOf(b) || comparePaths(a.path, b.path));
}
