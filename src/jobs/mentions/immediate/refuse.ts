/** Refuses a command in one line that names what is needed. Null if nothing is against it. Pure. */
import type { CommandClass } from "../command.ts";
import { ALL_COMMANDS } from "../commands/all-commands.ts";
import type { Reply, ReplyOutcome } from "../reply.ts";
import type { ImmediateResult, AskedCommand } from "./immediate-command.ts";
import { missingClass } from "./missing-class.ts";

export function refuseByRights(
  { mention, subject, config }: Pick<AskedCommand, "mention" | "subject" | "config">,
  found: CommandClass,
): ImmediateResult | null {
  const { command } = mention;
  const { who, where } = ALL_COMMANDS[command.kind];
  const { mentions } = config.tree.root.values;
  switch (missingClass(who, found, mentions)) {
    case "writer":
      return who === "writer"
        ? refused("refused:no-write-access", `\`${command.kind}\` needs write access to this repository.`)
        : refused(
            "refused:no-write-access",
            "Kodiai answers only people with write access here (`mentions.allowEveryone: false`).",
          );
    case "contributor":
      return refused(
        "refused:no-merged-pull-request",
        `\`${command.kind}\` needs write access to this repository, or a merged pull request in it.`,
      );
    case null:
      return where === "pull-request" && subject.kind === "issue"
        ? refused("refused:not-a-pull-request", `\`${command.kind}\` works on pull requests only.`)
        : null;
  }
}

/** `body` is Markdown that is safe to publish. */
export function refused(outcome: ReplyOutcome, body: string): ImmediateResult {
  return replying({ body, reaction: "confused", outcome });
}

export function replying(reply: Reply): ImmediateResult & { readonly kind: "reply" } {
  return { kind: "reply", reply };
}
