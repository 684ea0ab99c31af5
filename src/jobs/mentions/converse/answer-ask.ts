/** `ask`: a model answers a question from the code. */
import { askTheCode, replyOf } from "./ask-the-code.ts";
import type { Converse } from "./conversation.ts";

export const answerAsk: Converse<"ask"> = async ({ question }, conversation, deps) =>
  replyOf("ask", await askTheCode({ intent: "ask", question }, conversation, deps));
