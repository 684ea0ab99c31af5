/** Reviews pushed commits. They belong to no pull request, so nothing is published: the caller shows the review in the job. */
import { resolve } from "node:path";
import type { CliDeps } from "../cli/command.ts";
import { EXIT } from "../cli/exit-code.ts";
import { review } from "../cli/review.ts";
import type { Publication } from "../review/publication/publication.ts";
import type { PushedRange } from "./events.ts";
import type { ActionInputs } from "./inputs.ts";
import type { WorkflowJob } from "./workflow-job.ts";

export type ReviewedRange = {
  readonly publication: Publication;
  /** A finding is at least as severe as the input or the configuration allows. */
  readonly isFailure: boolean;
};

export type ActionContext = { readonly job: WorkflowJob; readonly inputs: ActionInputs };

/** As `kodiai review --range`, in a repository that was fetched for it. */
export async function reviewRange(
  { head, base, defaultBranch }: PushedRange,
  { job, inputs }: ActionContext,
  deps: CliDeps,
): Promise<ReviewedRange> {
  const { repository, mergeBase } = await deps.code.openRange({
    apiUrl: job.apiUrl,
    cloneUrl: `${job.serverUrl}/${job.owner}/${job.name}.git`,
    token: inputs.token,
    dataFolder: job.temporaryFolder,
    range: {
      repositoryId: job.repositoryId,
      head,
      base: base === null ? { branch: defaultBranch } : { commit: base },
    },
    onStage: () => {},
  });
  const inWorkspace = (path: string): string => resolve(job.workspace, path);
  const options = {
    // Without a common history, the newest commit is all that is known to be new.
    ...(mergeBase === null || mergeBase === head ? { commit: head } : { range: `${mergeBase}..${head}` }),
    ...(inputs.failOn !== null && { "fail-on": inputs.failOn }),
    ...(inputs.model !== null && { model: inputs.model }),
    ...(inputs.budgetUsd !== null && { "budget-usd": String(inputs.budgetUsd) }),
    ...(inputs.verify !== null && { verify: inputs.verify }),
    ...(inputs.config !== null && { config: inWorkspace(inputs.config) }),
  };
  const lists = inputs.sarifIn.length === 0 ? {} : { sarif: inputs.sarifIn.map(inWorkspace) };
  const reviewed: Publication[] = [];
  const code = await review.run(
    { options, lists, positionals: [] },
    {
      ...deps,
      code: { ...deps.code, openRepository: async () => repository },
      createTerminalForge: async () => ({ publish: async (publication) => void reviewed.push(publication) }),
    },
  );
  const [publication] = reviewed;
  if (publication === undefined) throw new TypeError("a review that finished was published");
  return { publication, isFailure: code === EXIT.findings };
}
