/**
 * The AI SDK's provider types under our own names. They describe one call at a time; Kodiai itself loops over calls and handles retries,
 * timeouts and costs.
 */
import type { OpenAIProvider } from "@ai-sdk/openai";

export type LanguageModel = ReturnType<OpenAIProvider["responses"]>;

export type CallOptions = Parameters<LanguageModel["doStream"]>[0];

export type Message = CallOptions["prompt"][number];

export type AssistantPart = Extract<Message, { role: "assistant" }>["content"][number];

export type ToolResultPart = Extract<
  Extract<Message, { role: "tool" }>["content"][number],
  { type: "tool-result" }
>;

export type ProviderOptions = NonNullable<CallOptions["providerOptions"]>;

type AnswerStream = Awaited<ReturnType<LanguageModel["doStream"]>>["stream"];

export type StreamPart = AnswerStream extends ReadableStream<infer Part> ? Part : never;

export type ToolCallPart = Extract<StreamPart, { type: "tool-call" }>;

export type FinishPart = Extract<StreamPart, { type: "finish" }>;

export type Fetch = typeof globalThis.fetch;
