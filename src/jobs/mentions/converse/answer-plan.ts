/** `plan: …`: a model says what it would change. Nothing is written. */
import { askTheCode, replyOf } from "./ask-the-code.ts";
import type { Converse } from "./conversation.ts";

export const answerPlan: Converse<"plan"> = async ({ instruction }, conversation, deps) =>
  replyOf("plan", await askTheCode({ intent: "plan", question: instruction }, conversation, deps));
