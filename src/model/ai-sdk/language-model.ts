/**
 * The shapes in which the AI SDK's providers speak, under the names that are used here. It is the interface that every provider of
 * it implements, one call at a time: the loop over calls, their retries, times and costs are ours.
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
