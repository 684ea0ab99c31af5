/** The commands that another job answers, and what keeps them from it: no model, or no permission to write. */
import { codeSpan } from "../../../review/publication/render/safe-markdown.ts";
import { loadConfiguredModels, type ModelSource } from "../../reading/pull-request-models.ts";
import type { CommandOf } from "../command.ts";
import { planConversation } from "../mention-job.ts";
import type { ImmediateCommand, ImmediateDeps, ImmediateResult, AskedCommand } from "./immediate-command.ts";
import { wasHeadAt } from "./pin-head.ts";
import { refused } from "./refuse.ts";

export const summarise: ImmediateCommand<"summary"> = async (_command, asked) => converse(asked);

export async function handToModel(
  _command: CommandOf<"ask" | "plan">,
  asked: AskedCommand,
  deps: ImmediateDeps,
): Promise<ImmediateResult> {
  return (await hasModel(asked, deps)) ? converse(asked) : refuseWithoutModel();
}

/** `fix` may need no model: verified suggestions are committed as they are. */
export async function askForEdits(
  { kind }: CommandOf<"fix" | "change">,
  asked: AskedCommand,
  deps: ImmediateDeps,
): Promise<ImmediateResult> {
  if (!asked.config.tree.root.values.write.enabled)
    return refused(
      "refused:write-off",
      "Kodiai doesn't edit files here. To allow it, set `write.enabled: true` in `.kodiai.yml` on the base branch.",
    );
  if (kind !== "fix" && !(await hasModel(asked, deps))) return refuseWithoutModel();
  const { subject, mention } = asked;
  if (subject.kind === "issue") return converse(asked);
  const { pullRequest } = subject;
  return (await wasHeadAt(pullRequest, mention.writtenAt, deps.store.database))
    ? converse({ ...asked, mention: { ...mention, seenHead: pullRequest.head } })
    : refused(
        "refused:moved",
        `The newest commit ${codeSpan(pullRequest.head.slice(0, 7))} came after your comment, or Kodiai can't tell that it didn't. Nothing was changed. Look at the commit, and then comment again.`,
      );
}

export function converse({ mention, isWriter }: Pick<AskedCommand, "mention" | "isWriter">): ImmediateResult {
  return { kind: "hand-over", request: planConversation(mention, isWriter), outcome: null };
}

/** Loads no clone, and asks no provider. */
export async function hasModel(
  { mention, config }: Pick<AskedCommand, "mention" | "config">,
  { models }: { readonly models: Pick<ModelSource, "load"> },
): Promise<boolean> {
  const available = await loadConfiguredModels(config.tree.root.values, mention.repositoryRef, models);
  return available.models.length > 0;
}

function refuseWithoutModel(): ImmediateResult {
  return refused(
    "refused:no-model",
    "This needs a model, and none is set up here. Ask the operator to set one up.",
  );
}
