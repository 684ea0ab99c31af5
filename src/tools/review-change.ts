/** `review_change`: the whole review as a tool, for programs that speak the Model Context Protocol. */
import * as z from "zod";
import type { ChangeRequest, PullRequestChange } from "../repository/repository.ts";
import { refArgument } from "./ref-argument.ts";
import { refuse } from "./resolve-paths.ts";
import type { Tool } from "./tool.ts";

const schema = z.object({
  base: refArgument.optional().describe("Review the current branch against this branch, tag or commit"),
  staged: z.boolean().optional().describe("Review staged changes"),
  commit: refArgument.optional().describe("Review one commit"),
  range: refArgument.optional().describe("Review a range: A..B, or A...B from the merge base"),
});

export type ChangeSource = Exclude<ChangeRequest, PullRequestChange>;

type WholeReview = {
  /** The review in the documented JSON format. */
  readonly review: (source: ChangeSource) => Promise<string>;
};

export const reviewChangeTool: Tool<WholeReview, z.infer<typeof schema>> = {
  name: "review_change",
  description:
    "Reviews a change and returns the review as JSON. By default, reviews the current branch with uncommitted work against its base; base, staged, commit or range select another change.",
  schema,
  async execute({ base, staged = false, commit, range }, { review }) {
    const sources: readonly ChangeSource[] = [
      ...(base === undefined ? [] : [{ kind: "current", base } as const]),
      ...(staged ? [{ kind: "staged" } as const] : []),
      ...(commit === undefined ? [] : [{ kind: "commit", ref: commit } as const]),
      ...(range === undefined ? [] : [{ kind: "range", range } as const]),
    ];
    if (sources.length > 1) return refuse("Use only one of base, staged, commit and range.");
    return { text: await review(sources[0] ?? { kind: "current", base: null }) };
  },
};
