/** `give_answer`: the answer to a question, and the end of the conversation. */
import * as z from "zod";
import { MAX_ANSWER_CHARS } from "../review/publication/render/render-answer.ts";
import type { AnswerContext, Tool } from "./tool.ts";

/** Longer answers are cut when they are published. Models count badly, so a longer one is still taken. */
const MAX_TAKEN_CHARS = 100_000;

const schema = z.object({
  text: z
    .string()
    .trim()
    .min(1)
    .max(MAX_TAKEN_CHARS)
    .describe(`The whole answer as Markdown, up to ${MAX_ANSWER_CHARS} characters`),
});

export const giveAnswer: Tool<AnswerContext, z.infer<typeof schema>> = {
  name: "give_answer",
  description: "Gives the answer and ends the conversation. Read everything that you need first.",
  schema,
  async execute({ text }, { answer }) {
    answer.text ??= text;
    return { text: "The answer was given.", isFinal: true };
  },
};
