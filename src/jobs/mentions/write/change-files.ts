/** `apply: …` and `change: …`: edits files as a person with write access asked, and opens a pull request or pushes to the head branch. */
import type { Converse } from "../converse/conversation.ts";
import { deliverEdits } from "./deliver-edits.ts";
import { proposeWithModel } from "./propose-with-model.ts";

export const changeFiles: Converse<"change"> = ({ instruction, isHere }, conversation, deps) =>
  deliverEdits(
    { isHere, words: instruction },
    (checks) => proposeWithModel({ kind: "change", instruction }, { conversation, checks }, deps),
    { conversation, deps },
  );
