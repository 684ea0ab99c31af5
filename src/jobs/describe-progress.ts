/** "built-in rules, 20 of 100 files", "part 2 of 3: openai:gpt-x, turn 3, read_file, USD 0.02". */
import { partOf, partPrefix, describeUsd } from "../review/publication/words.ts";
import type { ReviewProgress } from "./review-progress.ts";

export function describeProgress(progress: ReviewProgress): string {
  if (progress.kind === "rules") {
    const { doneFiles, totalFiles } = progress;
    return `built-in rules, ${partOf(doneFiles, totalFiles, "file")}`;
  }
  const { pass, model, turn, tool, costUsd } = progress;
  const facts = [
    model,
    `turn ${turn}`,
    ...(tool === null ? [] : [tool]),
    ...(costUsd === null ? [] : [describeUsd(costUsd)]),
  ];
  return `${partPrefix(pass)}${facts.join(", ")}`;
}
