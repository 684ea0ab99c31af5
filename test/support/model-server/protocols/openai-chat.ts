/** OpenAI Chat Completions, which vLLM, Ollama and many others implement: `POST /v1/chat/completions`. */
import {
  type Answer,
  asList,
  asText,
  inPieces,
  type Json,
  type Protocol,
  type ReadRequest,
  isJson,
  type StreamedAnswer,
  type StreamEvent,
  textOf,
} from "../protocol.ts";
import { openaiRefusal } from "./openai-refusal.ts";

const STOP_REASONS = {
  end: "stop",
  calls: "tool_calls",
  length: "length",
  refusal: "content_filter",
} as const;

/** The end marker of a stream, which isn't JSON. */
export const DONE: StreamEvent = { name: null, data: "[DONE]" };

function functionName(tool: Json): string {
  return isJson(tool["function"]) ? asText(tool["function"]["name"]) : "";
}

function read(body: Json): ReadRequest {
  const messages = asList(body["messages"]);
  const ofRole = (role: string): readonly Json[] => messages.filter((message) => message["role"] === role);
  return {
    model: asText(body["model"]),
    system: ofRole("system")
      .map((message) => textOf(message["content"]))
      .join("\n"),
    prompt: textOf(ofRole("user")[0]?.["content"]),
    tools: asList(body["tools"]).map(functionName),
    toolResults: ofRole("tool").map((message) => textOf(message["content"])),
    callIds: ofRole("assistant").flatMap((message) =>
      asList(message["tool_calls"]).map((call) => asText(call["id"])),
    ),
    speakers: messages.map(({ role }) => (role === "assistant" ? "model" : "user")),
    isStream: body["stream"] === true,
  };
}

function chunk(answer: Answer, rest: Json): StreamEvent {
  const data = {
    id: `chatcmpl-${answer.id}`,
    object: "chat.completion.chunk",
    created: 1_700_000_000,
    model: answer.model,
    ...rest,
  };
  return { name: null, data };
}

const choice = (delta: Json, finish_reason: string | null = null): Json => ({
  choices: [{ index: 0, delta, finish_reason }],
});

/** The first piece names the call; the others contain only its arguments. */
function callDeltas({ id, name, json }: Answer["calls"][number], index: number): readonly Json[] {
  const first = { index, id, type: "function", function: { name, arguments: "" } };
  return [first, ...inPieces(json).map((piece) => ({ index, function: { arguments: piece } }))].map((call) =>
    choice({ tool_calls: [call] }),
  );
}

function usageOf({ usage }: Answer): readonly Json[] {
  if (usage === null) return [];
  const counts = {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cachedInput },
  };
  return [{ choices: [], usage: counts }];
}

function stream(answer: Answer): StreamedAnswer {
  const field = answer.stop === "refusal" ? "refusal" : "content";
  const texts = inPieces(answer.text).map((piece) => choice({ [field]: piece }));
  const thoughts = inPieces(answer.thinking).map((piece) => choice({ reasoning_content: piece }));
  const calls = answer.calls.flatMap(callDeltas);
  const events = (parts: readonly Json[]): readonly StreamEvent[] => parts.map((part) => chunk(answer, part));
  return {
    opening: events([choice({ role: "assistant", content: "" })]),
    content: events([...thoughts, ...texts, ...calls]),
    // Omits the last piece of its arguments.
    half:
      answer.halfCall === null ? [] : events(callDeltas(answer.halfCall, answer.calls.length).slice(0, -1)),
    closing: [...events([choice({}, STOP_REASONS[answer.stop]), ...usageOf(answer)]), DONE],
  };
}

function errorEvent(isOverloaded: boolean): StreamEvent {
  const error = isOverloaded
    ? { message: "The server is overloaded.", type: "server_error", code: 503 }
    : { message: "The server had an error.", type: "server_error", code: 500 };
  return { name: null, data: { error } };
}

export const openaiChat: Protocol = {
  name: "openai-chat",
  matches: (path) => path === "/v1/chat/completions",
  read,
  stream,
  whole: null,
  refusal: openaiRefusal,
  noCreditStatus: 429,
  errorEvent,
};
