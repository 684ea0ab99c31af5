/** Runs `kodiai ask` against the scripted model. */
import type { TestContext } from "node:test";
import { type DeepDeskOptions, openDeepDesk } from "./model-scenes/deep-desk.ts";
import type { ModelTurn, ScriptedCall } from "./model-server/script.ts";

export const MODEL = "openai:gpt-5";

export const QUESTION = "Who waits for `find`?";

export const openDesk = (t: TestContext, options: DeepDeskOptions) =>
  openDeepDesk(t, { command: "ask", ...options });

export const answering = (text: string): ScriptedCall => ({ name: "give_answer", args: { text } });

export const READS: ModelTurn = {
  text: "Let me look.",
  toolCalls: [{ name: "read_file", args: { path: "src/users.ts" } }],
  usage: { input: 1_000, output: 100 },
};

export const ANSWERS: ModelTurn = {
  toolCalls: [answering("`load` doesn't: `src/users.ts:9`.")],
  usage: { input: 1_000, output: 100 },
};
