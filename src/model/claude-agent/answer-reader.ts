/** Reads answers from their stream events, and has them counted. */
import type { SDKPartialAssistantMessage } from "@anthropic-ai/claude-agent-sdk";
import { MAX_SAID_CHARS, type Said, type StreamedArguments, type StreamedPiece } from "../model.ts";
import { sizeOf } from "../tokens.ts";
import type { UsageCounter } from "./usage-counter.ts";

type StreamEvent = SDKPartialAssistantMessage["event"];
type Delta = Extract<StreamEvent, { type: "content_block_delta" }>["delta"];

export type FinishedAnswer = {
  /** The provider's word; null: the answer was cut off. */
  readonly stopReason: string | null;
  readonly hasText: boolean;
  /** True if a whole call has arrived. The program drops half a call. */
  readonly hasToolCalls: boolean;
};

export type AnswerReader = {
  /** The answer, once its last event has arrived. */
  read(event: StreamEvent): FinishedAnswer | null;
  /** Ends the open answer as cut off; false when none is open. */
  breakOff(): boolean;
  /** Resolves when the open answer ends. */
  over(): Promise<void>;
};

type Block = Extract<StreamEvent, { type: "content_block_start" }>["content_block"];

type OpenAnswer = {
  stopReason: string | null;
  hasText: boolean;
  hasToolCalls: boolean;
  /** The kind of the part that is arriving, or arrived last. */
  block: Block["type"] | null;
  /** The tool whose call is arriving, by our name; null for none. */
  tool: string | null;
  readonly said: { text: string; thinking: string };
  readonly over: PromiseWithResolvers<void>;
};

export type AnswerEvents = {
  readonly onBegin: () => void;
  /** Text and thinking of an answer, complete or cut off. */
  readonly onSaid: (said: Said) => void;
  readonly onPiece: (kind: StreamedPiece["kind"], delta: string) => void;
  readonly onArguments: (piece: StreamedArguments) => void;
};

/** Tools of our server are named `mcp__kodiai__read_file`. */
function ownNameOf(name: string): string {
  return name.replace(/^mcp__[a-z]+__/, "");
}

export function createAnswerReader(
  usage: UsageCounter,
  { onBegin, onSaid, onPiece, onArguments }: AnswerEvents,
): AnswerReader {
  let answer: OpenAnswer | null = null;

  function close(): OpenAnswer | null {
    const closed = answer;
    answer = null;
    usage.close();
    if (closed !== null) onSaid(closed.said);
    closed?.over.resolve();
    return closed;
  }

  function receive(text: string): void {
    usage.receive(sizeOf(text));
  }

  function readDelta(delta: Delta, into: OpenAnswer): void {
    if (delta.type === "thinking_delta") {
      receive(delta.thinking);
      if (into.said.thinking.length <= MAX_SAID_CHARS) into.said.thinking += delta.thinking;
      onPiece("thinking", delta.thinking);
    }
    if (delta.type === "input_json_delta") {
      receive(delta.partial_json);
      if (into.tool !== null) onArguments({ tool: into.tool, delta: delta.partial_json, isFirst: false });
    }
    if (delta.type !== "text_delta") return;
    receive(delta.text);
    if (into.said.text.length <= MAX_SAID_CHARS) into.said.text += delta.text;
    onPiece("text", delta.text);
    into.hasText ||= delta.text.trim() !== "";
  }

  function readPiece(event: StreamEvent, into: OpenAnswer): void {
    if (event.type === "content_block_delta") return readDelta(event.delta, into);
    if (event.type === "content_block_start") {
      into.block = event.content_block.type;
      into.tool = event.content_block.type === "tool_use" ? ownNameOf(event.content_block.name) : null;
      if (into.tool !== null) onArguments({ tool: into.tool, delta: "", isFirst: true });
    }
    if (event.type === "content_block_stop") into.hasToolCalls ||= into.block === "tool_use";
    if (event.type !== "message_delta") return;
    into.stopReason = event.delta.stop_reason;
    usage.update(event.usage);
  }

  return {
    read(event) {
      if (event.type === "message_stop") return close();
      if (event.type === "message_start") {
        close();
        usage.open(event.message.usage);
        answer = {
          tool: null,
          stopReason: null,
          hasText: false,
          hasToolCalls: false,
          block: null,
          said: { text: "", thinking: "" },
          over: Promise.withResolvers(),
        };
        onBegin();
      } else if (answer !== null) readPiece(event, answer);
      return null;
    },
    breakOff: () => close() !== null,
    over: async () => answer?.over.promise,
  };
}
