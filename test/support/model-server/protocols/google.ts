/** Google Generative Language: `POST /v1beta/models/NAME:streamGenerateContent`. */
import {
  type Answer,
  asList,
  asText,
  inPieces,
  isJson,
  type Json,
  type Problem,
  type Protocol,
  type ReadRequest,
  type StreamedAnswer,
  type StreamEvent,
  textOf,
} from "../protocol.ts";
import { SIGNATURE } from "../script.ts";

const PATH = /^\/v1beta\/models\/([^/:]+):streamGenerateContent$/;

const STOP_REASONS = { end: "STOP", calls: "STOP", length: "MAX_TOKENS", refusal: "SAFETY" } as const;

const STATUSES: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  503: "UNAVAILABLE",
};

const partsOf = (content: unknown): readonly Json[] => (isJson(content) ? asList(content["parts"]) : []);

/** A tool's answer; clients wrap it in different ways. */
function resultText(part: Json): readonly string[] {
  const result = part["functionResponse"];
  if (!isJson(result)) return [];
  const response = result["response"];
  if (!isJson(response)) return [JSON.stringify(response)];
  const content = response["content"] ?? response["error"] ?? response["result"];
  return [typeof content === "string" ? content : JSON.stringify(response)];
}

function read(body: Json, path: string): ReadRequest {
  const contents = asList(body["contents"]);
  const parts = contents.flatMap(partsOf);
  const declarations = asList(body["tools"]).flatMap((tool) => asList(tool["functionDeclarations"]));
  return {
    model: PATH.exec(path)?.[1] ?? "",
    system: textOf(partsOf(body["systemInstruction"])),
    prompt: textOf(partsOf(contents.find(({ role }) => role === "user"))),
    tools: declarations.map((declaration) => asText(declaration["name"])),
    toolResults: parts.flatMap(resultText),
    callIds: parts
      .flatMap(({ functionCall: call }) => (isJson(call) ? [asText(call["id"])] : []))
      .filter(Boolean),
    speakers: contents.map(({ role }) => (role === "model" ? "model" : "user")),
    isStream: true,
  };
}

/** Google parses the arguments itself; null when they are no JSON. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

const chunk = (answer: Answer, rest: Json): StreamEvent => ({
  name: null,
  data: { responseId: answer.id, modelVersion: answer.model, ...rest },
});

function candidate(answer: Answer, parts: readonly Json[], finishReason?: string): StreamEvent {
  const content = { role: "model", parts };
  return chunk(answer, { candidates: [{ index: 0, content, ...(finishReason && { finishReason }) }] });
}

function usageOf({ usage }: Answer): Json | null {
  if (usage === null) return null;
  return {
    promptTokenCount: usage.input,
    cachedContentTokenCount: usage.cachedInput,
    candidatesTokenCount: usage.output,
    totalTokenCount: usage.input + usage.output,
  };
}

function stream(answer: Answer): StreamedAnswer {
  const calls = answer.calls.map(({ id, name, json }) => ({ id, name, args: parsed(json) }));
  // A call that is no JSON is not passed on: the answer ends with this reason instead.
  const isMalformed = calls.some(({ args }) => args === null);
  const thoughts = inPieces(answer.thinking).map((text) => candidate(answer, [{ text, thought: true }]));
  const texts = inPieces(answer.text).map((text) => candidate(answer, [{ text }]));
  const signed = answer.thinking === "" ? {} : { thoughtSignature: SIGNATURE };
  const callParts = isMalformed
    ? []
    : calls.map((functionCall) => candidate(answer, [{ functionCall, ...signed }]));
  const usage = usageOf(answer);
  const finishReason = isMalformed ? "MALFORMED_FUNCTION_CALL" : STOP_REASONS[answer.stop];
  return {
    opening: [],
    content: [...thoughts, ...texts, ...callParts],
    half: [],
    closing: [
      chunk(answer, {
        candidates: [{ index: 0, content: { role: "model", parts: [] }, finishReason }],
        ...(usage && { usageMetadata: usage }),
      }),
    ],
  };
}

function refusal({ status, about, words }: Problem): unknown {
  const message = {
    overflow: "The input token count (2500000) exceeds the maximum number of tokens allowed (1048576).",
    "no-credit": "You exceeded your current quota, please check your plan and billing details.",
    status: words ?? `scripted ${status}`,
  }[about];
  return { error: { code: status, message, status: STATUSES[status] ?? "INTERNAL" } };
}

export const google: Protocol = {
  name: "google",
  matches: (path) => PATH.test(path),
  read,
  stream,
  whole: null,
  refusal,
  noCreditStatus: 429,
  errorEvent: (isOverloaded) => ({
    name: null,
    data: refusal({ status: isOverloaded ? 503 : 500, about: "status" }),
  }),
};
