/** Runs `kodiai deep-review` against the scripted model. */
import { recording } from "./model-scenes/model-scene.ts";
import type { ModelTurn } from "./model-server/script.ts";

export const MODEL = "openai:gpt-5";

export const ANSWER: ModelTurn = {
  thinking: "**Looking at load**\n\nIt may not wait.",
  text: "Callers of `load` go on too early: src/users.ts:7.",
  usage: { input: 1_000, output: 100 },
};

export const FILES = ["answer.md", "metadata.json", "pr-context.txt", "report.md", "thinking.md"];

/** The texts of the input, by role. */
export function inputs(body: Readonly<Record<string, unknown>>): readonly (readonly [string, string])[] {
  // The documented form of a request.
  const items = body["input"] as readonly { role: string; content: string | readonly { text: string }[] }[];
  return items.map(({ role, content }) => [
    role,
    typeof content === "string" ? content : content.map(({ text }) => text).join(""),
  ]);
}

export const FOUND = recording({
  path: "src/users.ts",
  quote: "export function load() {",
  title: "Callers cannot await it",
  body: "Callers go on before the search has ended.",
});
