/** Anthropic Messages: `POST /v1/messages`. */
import {
  type Answer,
  asList,
  asText,
  inPieces,
  type Json,
  type Problem,
  type Protocol,
  type ReadRequest,
  type StreamedAnswer,
  type StreamEvent,
  textOf,
} from "../protocol.ts";
import { SIGNATURE } from "../script.ts";

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  529: "overloaded_error",
};

const STOP_REASONS = {
  end: "end_turn",
  calls: "tool_use",
  length: "max_tokens",
  refusal: "refusal",
} as const;

/** An event carries its name twice: before the data and in it. */
const event = (data: Json): StreamEvent => ({ name: asText(data["type"]), data });

function read(body: Json): ReadRequest {
  const messages = asList(body["messages"]);
  const parts = messages.flatMap((message) => asList(message["content"]));
  return {
    model: asText(body["model"]),
    system: textOf(body["system"]),
    prompt: textOf(messages.find(({ role }) => role === "user")?.["content"]),
    tools: asList(body["tools"]).map((tool) => asText(tool["name"])),
    toolResults: parts.filter(({ type }) => type === "tool_result").map((part) => textOf(part["content"])),
    callIds: parts.filter(({ type }) => type === "tool_use").map((part) => asText(part["id"])),
    speakers: messages.map(({ role }) => (role === "assistant" ? "model" : "user")),
    isStream: body["stream"] === true,
  };
}

/** Tokens from a cache are counted separately, not within the rest. */
function inputUsage({ usage }: Answer): Json {
  return {
    input_tokens: usage === null ? 0 : usage.input - usage.cachedInput - usage.cacheWriteInput,
    cache_creation_input_tokens: usage?.cacheWriteInput ?? 0,
    cache_read_input_tokens: usage?.cachedInput ?? 0,
  };
}

function thinkingBlock(thinking: string): readonly StreamEvent[] {
  const delta = (data: Json): StreamEvent => event({ type: "content_block_delta", index: 0, delta: data });
  return [
    event({
      type: "content_block_start",
      index: 0,
      content_block: { type: "thinking", thinking: "", signature: "" },
    }),
    ...inPieces(thinking).map((piece) => delta({ type: "thinking_delta", thinking: piece })),
    delta({ type: "signature_delta", signature: SIGNATURE }),
    event({ type: "content_block_stop", index: 0 }),
  ];
}

function textBlock(text: string, index: number): readonly StreamEvent[] {
  return [
    event({ type: "content_block_start", index, content_block: { type: "text", text: "" } }),
    ...inPieces(text).map((piece) =>
      event({ type: "content_block_delta", index, delta: { type: "text_delta", text: piece } }),
    ),
    event({ type: "content_block_stop", index }),
  ];
}

function callBlock({ id, name, json }: Answer["calls"][number], index: number): readonly StreamEvent[] {
  return [
    event({ type: "content_block_start", index, content_block: { type: "tool_use", id, name, input: {} } }),
    ...inPieces(json).map((piece) =>
      event({ type: "content_block_delta", index, delta: { type: "input_json_delta", partial_json: piece } }),
    ),
    event({ type: "content_block_stop", index }),
  ];
}

function message(answer: Answer, rest: Json): Json {
  const { id, model } = answer;
  return { id: `msg_${id}`, type: "message", role: "assistant", model, stop_sequence: null, ...rest };
}

function stream(answer: Answer): StreamedAnswer {
  const thoughts = answer.thinking === "" ? [] : [thinkingBlock(answer.thinking)];
  const texts = answer.text === "" ? [] : [textBlock(answer.text, thoughts.length)];
  const spoken = [...thoughts, ...texts];
  const blocks = [...spoken, ...answer.calls.map((call, at) => callBlock(call, spoken.length + at))];
  const usage = { ...inputUsage(answer), output_tokens: answer.usage === null ? 0 : 1 };
  return {
    opening: [
      event({ type: "message_start", message: message(answer, { content: [], stop_reason: null, usage }) }),
      event({ type: "ping" }),
    ],
    content: blocks.flat(),
    // Without the end of the block and the last piece of its arguments.
    half: answer.halfCall === null ? [] : callBlock(answer.halfCall, blocks.length).slice(0, -2),
    closing: [
      event({
        type: "message_delta",
        delta: { stop_reason: STOP_REASONS[answer.stop], stop_sequence: null },
        usage: { ...inputUsage(answer), output_tokens: answer.usage?.output ?? 0 },
      }),
      event({ type: "message_stop" }),
    ],
  };
}

/** Arguments that are no JSON cannot be said in an answer that comes at once. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return {};
  }
}

function whole(answer: Answer): unknown {
  const texts = answer.text === "" ? [] : [{ type: "text", text: answer.text }];
  const calls = answer.calls.map(({ id, name, json }) => ({
    type: "tool_use",
    id,
    name,
    input: parsed(json),
  }));
  return message(answer, {
    content: [...texts, ...calls],
    stop_reason: STOP_REASONS[answer.stop],
    usage: { ...inputUsage(answer), output_tokens: answer.usage?.output ?? 0 },
  });
}

const errorBody = (type: string, message: string): Json => ({ type: "error", error: { type, message } });

function refusal({ status, about, words }: Problem): unknown {
  const type = ERROR_TYPES[status] ?? "api_error";
  const message = {
    overflow: "prompt is too long: 250000 tokens > 200000 maximum",
    "no-credit":
      "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.",
    status: words ?? `scripted ${type}`,
  }[about];
  return errorBody(type, message);
}

export const anthropic: Protocol = {
  name: "anthropic",
  matches: (path) => path === "/v1/messages",
  read,
  stream,
  whole,
  refusal,
  noCreditStatus: 400,
  errorEvent: (isOverloaded) =>
    event(
      isOverloaded
        ? errorBody("overloaded_error", "Overloaded")
        : errorBody("api_error", "Internal server error"),
    ),
};
