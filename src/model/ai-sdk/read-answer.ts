/**
 * Reads one answer while it streams in. A tool is called as soon as its call is complete, so that its records survive an answer that
 * never ends.
 */
import type { ModelTask, Said, ToolAnswer } from "../model.ts";
import { estimateTokens, sizeOf } from "../tokens.ts";
import type {
  AssistantPart,
  FinishPart,
  ProviderOptions,
  StreamPart,
  ToolCallPart,
  ToolResultPart,
} from "./language-model.ts";
import type { RunWatch } from "./watch.ts";

export type Answer = {
  /** The answer, as it is sent back to the model with the next call. */
  readonly content: AssistantPart[];
  readonly results: ToolResultPart[];
  /** Calls whose arguments are empty or aren't JSON. They may be cut off, so they wait for the end of the answer. */
  readonly doubtful: ToolCallPart[];
  /** Calls of tools that don't exist; one answer covers them all. */
  readonly strays: ToolCallPart[];
  /** Size of everything received, thinking included, as `sizeOf` measures it. */
  size: number;
  /** The provider has sent a part of it. */
  isBegun: boolean;
  finish: FinishPart | null;
  /** A tool has ended the run; further calls are not made. */
  ends: ToolAnswer["ends"];
};

/** Answers a call; null for a tool that doesn't exist. */
export type CallTool = (name: string, args: unknown) => Promise<ToolAnswer> | null;

export function createAnswer(): Answer {
  return {
    content: [],
    results: [],
    doubtful: [],
    strays: [],
    size: 0,
    isBegun: false,
    finish: null,
    ends: null,
  };
}

/** Text and thinking of an answer. */
export function saidIn(content: readonly AssistantPart[]): Said {
  const partsOf = (type: "text" | "reasoning"): string =>
    content.map((part) => (part.type === type ? part.text : "")).join("");
  return { text: partsOf("text"), thinking: partsOf("reasoning") };
}

type OpenPart = Extract<AssistantPart, { type: "text" | "reasoning" }>;

/** Joins text and thinking from their deltas. Provider metadata goes back to the provider with its part. */
function takeText(
  part: StreamPart,
  answer: Answer,
  { open, onPiece }: Pick<ReadAnswerDeps, "onPiece"> & { readonly open: Map<string, OpenPart> },
): void {
  if (!("id" in part) || typeof part.id !== "string") return;
  const type = part.type.startsWith("reasoning") ? "reasoning" : "text";
  const key = `${type} ${part.id}`;
  if (part.type === "text-start" || part.type === "reasoning-start") {
    const begun: OpenPart = { type, text: "" };
    open.set(key, begun);
    answer.content.push(begun);
  }
  const current = open.get(key);
  if (current === undefined) return;
  if (part.type === "text-delta" || part.type === "reasoning-delta") {
    current.text += part.delta;
    answer.size += sizeOf(part.delta);
    onPiece({
      kind: type === "text" ? "text" : "thinking",
      delta: part.delta,
      outputTokens: estimateTokens(answer.size),
    });
  }
  if ("providerMetadata" in part && part.providerMetadata !== undefined)
    current.providerOptions = part.providerMetadata;
}

/** Reports the arguments of calls piece by piece. The whole call follows in a part of its own. */
function watchArguments(
  part: StreamPart,
  { calls, onArguments }: Pick<ReadAnswerDeps, "onArguments"> & { readonly calls: Map<string, string> },
): void {
  if (part.type === "tool-input-start") {
    calls.set(part.id, part.toolName);
    onArguments({ tool: part.toolName, delta: "", isFirst: true });
  }
  const tool = part.type === "tool-input-delta" ? calls.get(part.id) : undefined;
  if (tool !== undefined && part.type === "tool-input-delta")
    onArguments({ tool, delta: part.delta, isFirst: false });
}

/** Tool arguments have three levels. JSON with thousands of levels can be parsed, but not serialized for the next call. */
const MAX_DEPTH = 100;

/** The arguments; text that isn't JSON, or can't be sent back, stays text. */
function parseArguments(input: string): unknown {
  // Some providers send nothing for a call without arguments.
  if (input.trim() === "") return {};
  try {
    const args: unknown = JSON.parse(input);
    return isDeeper(args, MAX_DEPTH) ? input : args;
  } catch {
    return input;
  }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1));
}

const optionsOf = (metadata: ProviderOptions | undefined): { providerOptions?: ProviderOptions } =>
  metadata === undefined ? {} : { providerOptions: metadata };

async function makeCall(
  part: ToolCallPart,
  args: unknown,
  answer: Answer,
  callTool: CallTool,
): Promise<void> {
  const called = callTool(part.toolName, args);
  if (called === null) answer.strays.push(part);
  else takeResult(part, args, await called, answer);
}

function takeResult(
  part: ToolCallPart,
  args: unknown,
  { text, isError, ends }: ToolAnswer,
  answer: Answer,
): void {
  const { toolCallId, toolName } = part;
  // Providers reject a history whose arguments aren't an object.
  const input = typeof args === "object" && args !== null && !Array.isArray(args) ? args : {};
  answer.content.push({
    type: "tool-call",
    toolCallId,
    toolName,
    input,
    ...optionsOf(part.providerMetadata),
  });
  answer.results.push({
    type: "tool-result",
    toolCallId,
    toolName,
    output: { type: isError ? "error-text" : "text", value: text },
  });
  answer.ends = ends;
}

async function takeCall(part: ToolCallPart, answer: Answer, callTool: CallTool): Promise<void> {
  answer.size += sizeOf(part.input);
  if (answer.ends !== null) return;
  const args = parseArguments(part.input);
  if (args === part.input || part.input.trim() === "") answer.doubtful.push(part);
  else await makeCall(part, args, answer, callTool);
}

/** True when the model finished its answer. Otherwise the last call may be incomplete. */
function isComplete({ finish }: Answer): boolean {
  return finish !== null && !CUT.has(finish.finishReason.unified);
}

const CUT: ReadonlySet<FinishPart["finishReason"]["unified"]> = new Set(["length", "interrupted"]);

/**
 * The part of an answer that is sent back: all of it or, if the answer was cut off, everything up to the last executed call. The model
 * would take half a text for a complete one, and half a thought has no signature.
 */
export function contentOf(answer: Answer): readonly AssistantPart[] {
  if (isComplete(answer)) return answer.content;
  return answer.content.slice(0, answer.content.findLastIndex(({ type }) => type === "tool-call") + 1);
}

export type ReadAnswerDeps = Pick<ModelTask, "strayCalls"> & {
  readonly onPiece: NonNullable<ModelTask["onPiece"]>;
  readonly onArguments: NonNullable<ModelTask["onArguments"]>;
  readonly watch: RunWatch;
  readonly callTool: CallTool;
};

/** Throws errors that the provider sends, and the reason of `watch`. */
export async function readAnswer(
  stream: ReadableStream<StreamPart>,
  answer: Answer,
  deps: ReadAnswerDeps,
): Promise<void> {
  const { watch } = deps;
  /** A running tool stops the stall timer. */
  const whileResting = async (called: Promise<ToolAnswer>): Promise<ToolAnswer> => {
    watch.rest();
    const answered = await watch.race(called);
    watch.touch();
    return answered;
  };
  const callTool: CallTool = (name, args) => {
    const called = deps.callTool(name, args);
    return called === null ? null : whileResting(called);
  };
  const texts = { ...deps, open: new Map<string, OpenPart>() };
  const inputs = { ...deps, calls: new Map<string, string>() };
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value: part } = await watch.race(reader.read());
      if (done) break;
      if (part.type === "error") throw part.error;
      // The SDK itself sends the first part.
      answer.isBegun ||= part.type !== "stream-start";
      if (part.type === "finish") answer.finish = part;
      else if (part.type === "tool-call") await takeCall(part, answer, callTool);
      else {
        takeText(part, answer, texts);
        watchArguments(part, inputs);
      }
    }
    if (!isComplete(answer)) return;
    for (const part of answer.doubtful)
      if (answer.ends === null) await makeCall(part, parseArguments(part.input), answer, callTool);
    if (answer.strays.length === 0 || answer.ends !== null) return;
    const refused = deps.strayCalls(answer.strays.map(({ toolName }) => toolName));
    for (const part of answer.strays) takeResult(part, parseArguments(part.input), refused, answer);
  } finally {
    // Closes the stream even after an error. The result no longer matters.
    reader.cancel().catch(() => undefined);
  }
}
