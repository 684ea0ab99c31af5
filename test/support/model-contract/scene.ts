/** The setup of a behaviour: a scripted provider, a model that uses it, and a task that records every step. */
import { setTimeout as sleep } from "node:timers/promises";
import type {
  Meter,
  Model,
  ModelEvent,
  ModelLimits,
  ModelPrompt,
  ModelTool,
  Outcome,
  StreamedPiece,
  Tokens,
  ToolAnswer,
} from "../../../src/model/model.ts";
import type { ModelServer } from "../model-server/model-server.ts";
import type { ModelScript } from "../model-server/script.ts";

/** Times that no behaviour reaches, on any machine. A behaviour that tests a limit makes it smaller. */
export const LIMITS: ModelLimits = {
  deadlineMs: 600_000,
  stallMs: 600_000,
  overloadMs: 300_000,
  maxTurns: 8,
  maxOutputTokens: 1_000,
};

/** A silence that isn't the machine's. On a busy one, an answer that was sent is read seconds later. */
export const SILENCE_MS = 5_000;

/** Must reach the provider and never appear in an outcome. */
export const KEY = "sk-the-key-of-the-contract";

/** Options of the models in the contract. */
export const MANNER = { effort: "medium", cacheKey: "0123456789abcdef" } as const;

const PROMPT: ModelPrompt = { system: "You review changes.", user: "Here is the change." };

export type Admission = { readonly inputTokens: number; readonly outputTokens: number };

export type Run = {
  readonly outcome: Promise<Outcome>;
  /** Arguments of tool calls, in order. */
  readonly calls: readonly { readonly name: string; readonly args: unknown }[];
  readonly events: readonly ModelEvent[];
  readonly pieces: readonly StreamedPiece[];
  /** Calls of the meter. */
  readonly admissions: readonly Admission[];
  readonly added: readonly Tokens[];
  readonly abort: (reason: unknown) => void;
  readonly elapsedMs: () => number;
};

export type RunOptions = {
  readonly limits?: Partial<ModelLimits>;
  readonly prompt?: ModelPrompt;
  /** Output tokens that a call may use; 0 allows no further call. */
  readonly admit?: (count: number, outputTokens: number) => number;
  readonly remind?: () => string | null;
  /** The run is one answer. */
  readonly isWithoutTools?: boolean;
  readonly signal?: AbortSignal;
};

export type Scene = {
  readonly server: ModelServer;
  readonly model: Model;
  readonly run: (script: ModelScript, options?: RunOptions) => Run;
};

const SCHEMA = {
  type: "object",
  properties: { title: { type: "string" } },
  required: ["title"],
  additionalProperties: false,
} as const;

const MAX_STRAYS = 3;

const plain = (text: string): ToolAnswer => ({ text, isError: false, ends: null });

/** Like the real tools, refuses arguments that aren't an object. */
function answerOf(name: string, args: unknown): ToolAnswer {
  if (name === "finish_review")
    return { text: "bye", isError: false, ends: { kind: "completed", stopReason: { kind: "finished" } } };
  if (name === "give_up")
    return {
      text: "enough",
      isError: true,
      ends: { kind: "failed", stopReason: { kind: "malformed-tool-calls" } },
    };
  const isWrong = typeof args !== "object" || args === null || !("title" in args);
  return isWrong ? { text: "title is missing", isError: true, ends: null } : plain("recorded");
}

function tool(name: string, call: (args: unknown) => Promise<ToolAnswer>): ModelTool {
  return { name, description: `The tool ${name}.`, parameters: SCHEMA, call };
}

export function createScene(server: ModelServer, model: Model): Scene {
  const run = (script: ModelScript, options: RunOptions = {}): Run => {
    server.script(script);
    const calls: { name: string; args: unknown }[] = [];
    const events: ModelEvent[] = [];
    const pieces: StreamedPiece[] = [];
    const admissions: Admission[] = [];
    const added: Tokens[] = [];
    const controller = new AbortController();
    const tools = ["record_finding", "finish_review", "give_up"].map((name) =>
      tool(name, async (args) => {
        calls.push({ name, args });
        strays = 0;
        return answerOf(name, args);
      }),
    );
    const meter: Meter = {
      async admit(atMost) {
        admissions.push(atMost);
        return options.admit?.(admissions.length, atMost.outputTokens) ?? atMost.outputTokens;
      },
      add: (tokens) => void added.push(tokens),
    };
    let strays = 0;
    const startedAt = performance.now();
    const outcome = model.run(
      {
        prompt: options.prompt ?? PROMPT,
        tools: options.isWithoutTools === true ? [] : tools,
        strayCalls: (names) => ({
          text: `There is no tool ${names.join(", ")}.`,
          isError: true,
          ends:
            ++strays < MAX_STRAYS ? null : { kind: "failed", stopReason: { kind: "malformed-tool-calls" } },
        }),
        limits: { ...LIMITS, ...options.limits },
        meter,
        onEvent: (event) => void events.push(event),
        onPiece: (piece) => void pieces.push(piece),
        ...(options.remind === undefined ? {} : { remind: options.remind }),
      },
      options.signal ?? controller.signal,
    );
    // It is awaited later, so a rejection in between isn't an error.
    outcome.catch(() => undefined);
    return {
      outcome,
      calls,
      events,
      pieces,
      admissions,
      added,
      abort: (reason) => controller.abort(reason),
      elapsedMs: () => performance.now() - startedAt,
    };
  };
  return { server, model, run };
}

/** Resolves when the condition is true; otherwise the test times out. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(5);
}
