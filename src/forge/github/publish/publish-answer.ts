/** Publishes a one-line answer to a request: a comment that is created once and never edited. */
import { hashParts } from "../../../base/hash.ts";
import type { AnswerRequest } from "../../forge.ts";
import { outcomeUnknown } from "../github-error.ts";
import { withMarker } from "../text-limits.ts";
import { createOnce } from "./create-once.ts";
import { findComment, type PublishDeps, scopeOf } from "./publishing.ts";

export async function publishAnswer(answer: AnswerRequest, deps: PublishDeps): Promise<void> {
  const { pullRequest, journal, body, isLost } = answer;
  const { calls, markers } = deps;
  const { number } = pullRequest;
  const intent = await journal.read("answer");
  if (intent?.state === "published") return;
  const scope = scopeOf({ request: answer, head: "" }, "answer");
  const bodyHash = hashParts([body]);
  const marker = markers.render(scope, { bodyHash, moved: [] });
  const created = await createOnce(
    {
      part: "answer",
      journal,
      intent,
      bodyHash,
      marker,
      find: async () => (await findComment(number, scope, deps))?.id ?? null,
      create: async () => calls.createComment(number, withMarker(body, marker)),
      isLost,
    },
    deps,
  );
  if (created.kind === "lost") return;
  if (created.kind === "unknown") throw outcomeUnknown(created.untilMs, "the answer");
  await journal.write("answer", {
    state: "published",
    bodyHash,
    marker,
    externalId: created.id,
    attemptedAt: null,
  });
}
