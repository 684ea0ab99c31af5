/** OpenAI Responses: `POST /v1/responses`. */
import {
  type Answer,
  asList,
  asText,
  inPieces,
  type Json,
  type Protocol,
  type ReadRequest,
  type StreamedAnswer,
  type StreamEvent,
  textOf,
} from "../protocol.ts";
import { SIGNATURE } from "../script.ts";
import { openaiRefusal } from "./openai-refusal.ts";

const SYSTEM_ROLES: ReadonlySet<unknown> = new Set(["system", "developer"]);

const OF_THE_MODEL: ReadonlySet<unknown> = new Set(["function_call", "reasoning"]);

function speakerOf(item: Json): "model" | "user" {
  return item["role"] === "assistant" || OF_THE_MODEL.has(item["type"]) ? "model" : "user";
}

function read(body: Json): ReadRequest {
  const items = asList(body["input"]);
  const ofType = (type: string): readonly Json[] => items.filter((item) => item["type"] === type);
  const system = items.filter(({ role }) => SYSTEM_ROLES.has(role)).map((item) => textOf(item["content"]));
  return {
    model: asText(body["model"]),
    system: [asText(body["instructions"]), ...system].filter(Boolean).join("\n"),
    prompt: textOf(items.find(({ role }) => role === "user")?.["content"]),
    tools: asList(body["tools"]).map((tool) => asText(tool["name"])),
    toolResults: ofType("function_call_output").map((item) => textOf(item["output"])),
    callIds: ofType("function_call").map((item) => asText(item["call_id"])),
    speakers: items.map(speakerOf),
    isStream: body["stream"] === true,
  };
}

// A fixed date keeps answers the same; no client reads it.
const CREATED_AT_SECONDS = 1_700_000_000;

function usageOf({ usage }: Answer): Json | null {
  if (usage === null) return null;
  return {
    input_tokens: usage.input,
    input_tokens_details: { cached_tokens: usage.cachedInput },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: usage.input + usage.output,
  };
}

function responseOf(answer: Answer, status: string): Json {
  return {
    id: `resp_${answer.id}`,
    object: "response",
    created_at: CREATED_AT_SECONDS,
    model: answer.model,
    status,
    incomplete_details: status === "incomplete" ? { reason: "max_output_tokens" } : null,
    usage: status === "in_progress" ? null : usageOf(answer),
  };
}

function thinkingEvents(answer: Answer): readonly Json[] {
  if (answer.thinking === "") return [];
  const item = { id: `rs_${answer.id}`, type: "reasoning", encrypted_content: SIGNATURE };
  const place = { item_id: item.id, output_index: 0, summary_index: 0 };
  const summary = [{ type: "summary_text", text: answer.thinking }];
  return [
    { type: "response.output_item.added", output_index: 0, item: { ...item, summary: [] } },
    { type: "response.reasoning_summary_part.added", ...place, part: { type: "summary_text", text: "" } },
    ...inPieces(answer.thinking).map((delta) => ({
      type: "response.reasoning_summary_text.delta",
      ...place,
      delta,
    })),
    { type: "response.reasoning_summary_part.done", ...place, part: summary[0] },
    { type: "response.output_item.done", output_index: 0, item: { ...item, summary } },
  ];
}

function messageEvents(answer: Answer, output_index: number): readonly Json[] {
  if (answer.text === "") return [];
  const item_id = `msg_${answer.id}`;
  const kind = answer.stop === "refusal" ? "refusal" : "output_text";
  const place = { item_id, output_index, content_index: 0 };
  const part =
    kind === "refusal"
      ? { type: kind, refusal: answer.text }
      : { type: kind, text: answer.text, annotations: [] };
  const item = { id: item_id, type: "message", role: "assistant" };
  return [
    {
      type: "response.output_item.added",
      output_index,
      item: { ...item, status: "in_progress", content: [] },
    },
    ...inPieces(answer.text).map((delta) => ({ type: `response.${kind}.delta`, ...place, delta })),
    kind === "refusal"
      ? { type: "response.refusal.done", ...place, refusal: answer.text }
      : { type: "response.output_text.done", ...place, text: answer.text },
    {
      type: "response.output_item.done",
      output_index,
      item: { ...item, status: "completed", content: [part] },
    },
  ];
}

function callEvents({ id, name, json }: Answer["calls"][number], output_index: number): readonly Json[] {
  const item = { id: `fc_${id}`, type: "function_call", call_id: id, name };
  const place = { item_id: item.id, output_index };
  return [
    {
      type: "response.output_item.added",
      output_index,
      item: { ...item, status: "in_progress", arguments: "" },
    },
    ...inPieces(json).map((delta) => ({ type: "response.function_call_arguments.delta", ...place, delta })),
    { type: "response.function_call_arguments.done", ...place, arguments: json },
    {
      type: "response.output_item.done",
      output_index,
      item: { ...item, status: "completed", arguments: json },
    },
  ];
}

/** Every event has a sequence number. */
function numbered(events: readonly Json[], from: number): readonly StreamEvent[] {
  return events.map((data, at) => ({
    name: asText(data["type"]),
    data: { ...data, sequence_number: from + at },
  }));
}

function stream(answer: Answer): StreamedAnswer {
  const opening = ["response.created", "response.in_progress"].map((type) => ({
    type,
    response: responseOf(answer, "in_progress"),
  }));
  const textAt = answer.thinking === "" ? 0 : 1;
  const firstCall = answer.text === "" ? textAt : textAt + 1;
  const content = [
    ...thinkingEvents(answer),
    ...messageEvents(answer, textAt),
    ...answer.calls.flatMap((call, at) => callEvents(call, firstCall + at)),
  ];
  // Omits the last piece of its arguments and the two events that end it.
  const half =
    answer.halfCall === null ? [] : callEvents(answer.halfCall, firstCall + answer.calls.length).slice(0, -3);
  const status = answer.stop === "length" ? "incomplete" : "completed";
  const closing = [{ type: `response.${status}`, response: responseOf(answer, status) }];
  return {
    opening: numbered(opening, 0),
    content: numbered(content, opening.length),
    half: numbered(half, opening.length + content.length),
    closing: numbered(closing, opening.length + content.length),
  };
}

function errorEvent(isOverloaded: boolean): StreamEvent {
  const data = {
    type: "error",
    sequence_number: 1_000,
    code: isOverloaded ? "server_is_overloaded" : "server_error",
    message: isOverloaded ? "The server is overloaded." : "The server had an error.",
    param: null,
  };
  return { name: "error", data };
}

export const openaiResponses: Protocol = {
  name: "openai-responses",
  matches: (path) => path === "/v1/responses",
  read,
  stream,
  whole: null,
  refusal: openaiRefusal,
  noCreditStatus: 429,
  errorEvent,
};
