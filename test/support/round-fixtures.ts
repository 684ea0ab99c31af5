/** One script for a model that reads a change in several rounds and for one that ranks its hunks. Prompt and tools tell which one is called. */
import { FINISHING, recording } from "./model-scenes/model-scene.ts";
import type { ModelScript, ScriptedCall, ScriptedRequest } from "./model-server/script.ts";

const FOLDERS = ["api", "shop", "web"] as const;

/** 63 files of one line, enough for `review.triageModel`. */
export const MANY_FILES: Readonly<Record<string, string>> = Object.fromEntries(
  FOLDERS.flatMap((folder) =>
    Array.from({ length: 21 }, (_, index) => {
      const name = String(index).padStart(2, "0");
      return [`src/${folder}/${name}.ts`, `export const ${folder}${name} = ${index};\n`] as const;
    }),
  ),
);

export const found = (folder: string, title: string): ScriptedCall =>
  recording({ path: `src/${folder}/00.ts`, quote: `export const ${folder}00 = 0;`, title });

export type Conversation = "triage" | "first round" | "later round";

export function conversationOf({ tools, prompt }: Pick<ScriptedRequest, "tools" | "prompt">): Conversation {
  if (tools.some((name) => name.endsWith("rank_hunks"))) return "triage";
  return prompt.includes("# What to look for") ? "later round" : "first round";
}

/** The numbers of the hunks in a folder, as the triage model reads them. */
function numbersIn(folder: string, prompt: string): readonly number[] {
  return [...prompt.matchAll(/^#(\d+) (\S+)/gm)].flatMap(([, number, path]) =>
    path?.startsWith(`src/${folder}/`) === true ? [Number(number)] : [],
  );
}

/** Ranks by folder: `shop` is skimmed, `web` is skipped. Each round has a finding of its own. */
export const ROUNDS: ModelScript = (request) => {
  const { prompt, turn } = request;
  const conversation = conversationOf(request);
  if (conversation === "triage") {
    const args = { skim: numbersIn("shop", prompt), skip: numbersIn("web", prompt) };
    return { toolCalls: [{ name: "rank_hunks", args }] };
  }
  const calls =
    conversation === "first round"
      ? [found("api", "The first round found this"), FINISHING]
      : [found("api", "The first round found this"), found("shop", "A later round found this"), FINISHING];
  const call = calls[turn];
  return call === undefined ? { text: "Done." } : { toolCalls: [call] };
};
