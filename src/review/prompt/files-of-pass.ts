/** The changed files of a pass, riskiest first: the order in which they are listed and shown. */
import { comparePaths } from "../analysis/triage.ts";
import type { ChangedFile } from "../change/change.ts";
import type { PromptInput } from "./prompt.ts";

export function filesOfPass({
  change,
  analysis,
  pass,
}: Pick<PromptInput, "change" | "analysis" | "pass">): readonly ChangedFile[] {
  const inPass = new Set(pass.paths);
  const riskOf = ({ path }: ChangedFile): number => analysis.byPath.get(path)?.risk ?? 0;
  return change.files
    .filter(({ path }) => inPass.has(path))
    .toSorted((a, b) => riskOf(b) - riskOf(a) || comparePaths(a.path, b.path));
}
