/** `pause`: stops automatic reviews of the pull request. Requested reviews still happen. */
import { codeSpan } from "../../../review/publication/render/safe-markdown.ts";
import { readPause, setPause } from "../../../store/repositories/pauses.ts";
import type { ImmediateCommand } from "./immediate-command.ts";
import { refuseIfClosed } from "./request-review.ts";

export const pauseReviews: ImmediateCommand<"pause"> = async (_command, asked, { store }) => {
  const { repositoryRef, place, requester } = asked.mention;
  const mention = await asked.session.mention();
  const key = { repositoryId: repositoryRef.repositoryId, pullRequest: place.number };
  return (
    refuseIfClosed(asked) ?? {
      kind: "record",
      async record(sql) {
        const before = await readPause(key, sql);
        await setPause(key, { login: requester.login, at: store.now() }, sql);
        const state =
          before === null
            ? "Automatic reviews of this pull request are paused."
            : `${codeSpan(before.login)} has already paused automatic reviews of this pull request.`;
        return {
          body: `${state} ${codeSpan(`${mention} review`)} still requests one, and ${codeSpan(`${mention} resume`)} ends the pause.`,
          reaction: "+1",
          outcome: before === null ? "done:paused" : "answered:already-paused",
        };
      },
    }
  );
};
