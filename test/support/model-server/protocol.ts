/** A wire protocol: how to parse a request, and how to write an answer or a refusal. */
import type { ScriptedUsage } from "./script.ts";

export type Json = { readonly [key: string]: unknown };

export type ProtocolName = "anthropic" | "openai-responses" | "openai-chat" | "google";

/** The parsed parts of a request. */
export type ReadRequest = {
  readonly model: string;
  readonly system: string;
  /** The first user message. */
  readonly prompt: string;
  readonly tools: readonly string[];
  readonly toolResults: readonly string[];
  /** Ids of the tool calls in the history; empty where the protocol has none. */
  readonly callIds: readonly string[];
  /** The role of each message. */
  readonly speakers: readonly ("model" | "user")[];
  readonly isStream: boolean;
};

export type AnsweredCall = { readonly id: string; readonly name: string; readonly json: string };

/** A turn, ready to be written. */
export type Answer = {
  readonly id: string;
  readonly model: string;
  /** "" for none. */
  readonly thinking: string;
  readonly text: string;
  readonly calls: readonly AnsweredCall[];
  /** The call in which the answer breaks off; null if it doesn't. */
  readonly halfCall: AnsweredCall | null;
  readonly usage: Required<ScriptedUsage> | null;
  readonly stop: "end" | "calls" | "length" | "refusal";
};

/** An event of a stream; Chat Completions and Google don't name events. */
export type StreamEvent = { readonly name: string | null; readonly data: unknown };

export type StreamedAnswer = {
  readonly opening: readonly StreamEvent[];
  readonly content: readonly StreamEvent[];
  /** The beginning of a call, for an answer that breaks off. */
  readonly half: readonly StreamEvent[];
  readonly closing: readonly StreamEvent[];
};

export type Problem = {
  readonly status: number;
  /** Whether the text is more specific than the status. */
  readonly about: "status" | "overflow" | "no-credit";
  /** Text for a status, instead of the generic one. */
  readonly words?: string;
};

export type Protocol = {
  readonly name: ProtocolName;
  readonly matches: (path: string) => boolean;
  readonly read: (body: Json, path: string) => ReadRequest;
  readonly stream: (answer: Answer) => StreamedAnswer;
  /** The answer to a request without streaming; null if no SDK sends one. */
  readonly whole: ((answer: Answer) => unknown) | null;
  readonly refusal: (problem: Problem) => unknown;
  /** The error of an account without credit. */
  readonly noCreditStatus: number;
  readonly errorEvent: (isOverloaded: boolean) => StreamEvent;
};

// Small enough that every answer arrives in several pieces, like a real model's.
const PIECE_CHARS = 24;

// Applies to answers of any length.
const MAX_PIECES = 500;

export function inPieces(text: string): readonly string[] {
  const size = Math.max(PIECE_CHARS, Math.ceil(text.length / MAX_PIECES));
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += size) pieces.push(text.slice(at, at + size));
  return pieces;
}

export function asList(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isJson) : [];
}

export function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export const asText = (value: unknown): string => (typeof value === "string" ? value : "");

/** The text of a message whose content is a string, or a list of parts with texts. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return asList(content)
    .map((part) => asText(part["text"]))
    .filter(Boolean)
    .join("\n");
}
