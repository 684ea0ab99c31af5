/** Scripts in a JSON file: the turns of a conversation, or rules that choose them by text in the prompt. */
import * as z from "zod";
import type { ModelServer } from "./model-server.ts";
import { forever, type ModelScript, type ModelTurn } from "./script.ts";

const times = z.union([z.int().min(1), z.literal("always")]).optional();

const fault = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("status"),
    status: z.int().min(400).max(599),
    retryAfterSeconds: z.number().min(0).optional(),
    words: z.string().optional(),
    times,
  }),
  z.strictObject({ kind: z.literal("error-event"), isOverloaded: z.boolean().optional(), times }),
  z.strictObject({
    kind: z.enum(["context-overflow", "no-credit", "silence", "stall", "reset", "cut"]),
    times,
  }),
]);

const usage = z.strictObject({
  input: z.int().min(0),
  cachedInput: z.int().min(0).optional(),
  cacheWriteInput: z.int().min(0).optional(),
  output: z.int().min(0),
});

const call = z.strictObject({ name: z.string().min(1), args: z.unknown() });

const turn = z.strictObject({
  thinking: z.string().optional(),
  text: z.string().optional(),
  toolCalls: z.array(call).optional(),
  halfCall: call.optional(),
  usage: z.union([usage, z.literal("none")]).optional(),
  stop: z.enum(["length", "refusal"]).optional(),
  faults: z.array(fault).optional(),
  pauseMs: z.int().min(0).optional(),
  splitBytes: z.int().min(1).optional(),
});

const rule = z.strictObject({
  /** Text that the prompt contains; default: every prompt matches. */
  when: z.string().optional(),
  turns: z.array(turn).min(1),
  /** Repeats the last turn forever. */
  isEndless: z.boolean().optional(),
});

const file = z.union([z.array(turn).min(1), rule, z.strictObject({ rules: z.array(rule).min(1) })]);

type Rule = z.infer<typeof rule>;

function scriptOf({ turns, isEndless }: Rule): ModelScript {
  // A field that JSON omits is undefined here; scripts treat both alike.
  const list = turns as readonly ModelTurn[];
  const last = list.at(-1);
  if (isEndless !== true || last === undefined) return list;
  return list.length === 1 ? forever(last) : ({ turn: number }) => list[number] ?? last;
}

/** Throws with the position of the mistake if the text isn't a script. */
export function playScriptFile(text: string, server: ModelServer): void {
  const parsed = file.safeParse(JSON.parse(text));
  if (!parsed.success)
    throw new Error(`the script is not as it should be:\n${z.prettifyError(parsed.error)}`);
  const { data } = parsed;
  const rules: readonly Rule[] = Array.isArray(data)
    ? [{ turns: data }]
    : "rules" in data
      ? data.rules
      : [data];
  // If several rules match, the server uses the latest, but a file should use the first.
  for (const given of rules.toReversed())
    server.onConversation(({ prompt }) => prompt.includes(given.when ?? ""), scriptOf(given));
}
