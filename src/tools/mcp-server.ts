/**
 * Serves tools to other programs over the Model Context Protocol on standard input and output. Standard output belongs to
 * the protocol. Ends when the client closes its side, or when `signal` aborts.
 */
import { Readable } from "node:stream";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ErrorCode, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { describeError } from "../base/errors.ts";
import { printable } from "../base/printable.ts";
import type { ModelTool, ToolAnswer } from "../model/model.ts";
import { boundedLines, type TooLong } from "./bounded-lines.ts";
import { createConcurrencyLimit } from "./concurrency-limit.ts";

/** How long to wait for pending answers after the client has closed its input. */
const LAST_ANSWERS_MS = 10_000;

/** Arguments are names, lines and patterns. The SDK's own limit would end the connection; this one answers with an error. */
const MAX_MESSAGE_MB = 10;
const MAX_MESSAGE_BYTES = MAX_MESSAGE_MB * 1_024 * 1_024;

/** Each call may start a git process or a review. */
const MAX_CALLS_AT_ONCE = 8;

export type ServedTool = Omit<ModelTool, "call"> & {
  /** May reject; the client gets an error. `signal` aborts when the client no longer waits for the answer. */
  readonly call: (args: unknown, signal: AbortSignal) => Promise<Pick<ToolAnswer, "text" | "isError">>;
};

type McpOptions = {
  readonly version: string;
  readonly tools: readonly ServedTool[];
  /** Describes the tools to the client. */
  readonly instructions: string;
  readonly signal: AbortSignal;
  readonly onError: (message: string) => void;
};

/** Resolves when the connection is closed. */
export async function serveMcp({ version, tools, instructions, signal, onError }: McpOptions): Promise<void> {
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();
  const limit = createConcurrencyLimit(MAX_CALLS_AT_ONCE);
  const served = new McpServer({ name: "kodiai", version }, { capabilities: { tools: {} }, instructions });
  const { server } = served;
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.map(({ name, description, parameters }) => ({
      name,
      description,
      inputSchema: { ...parameters, type: "object" as const },
      annotations: { readOnlyHint: true },
    })),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const cancelled = AbortSignal.any([extra.signal, closing.signal]);
    const answering = limit(() => answer(params, { tools, signal: cancelled }));
    running.add(answering);
    const { text, isError } = await answering.finally(() => running.delete(answering));
    return { content: [{ type: "text", text }], isError };
  });
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the protocol's object is no event target
  server.onerror = (error) => onError(printable(error.message));
  const input = Readable.from(boundedLines(process.stdin, MAX_MESSAGE_BYTES, (line) => refuse(line)));
  const transport = new StdioServerTransport(input, process.stdout, { maxBufferSize: MAX_MESSAGE_BYTES });
  const refuse = ({ bytes, id }: TooLong): void => {
    const message = `a message of ${bytes} bytes was refused: the limit is ${MAX_MESSAGE_MB} MB`;
    onError(message);
    // Without an id, no request waits for an answer.
    if (id !== null)
      void transport.send({ jsonrpc: "2.0", id, error: { code: ErrorCode.InvalidRequest, message } });
  };
  const over = untilOver(signal, served, input);
  await served.connect(transport);
  if ((await over) === "input") await settleWithin(running, LAST_ANSWERS_MS, signal);
  closing.abort();
  await served.close();
}

async function answer(
  { name, arguments: args }: { readonly name: string; readonly arguments?: unknown },
  { tools, signal }: Pick<McpOptions, "tools" | "signal">,
): Promise<Pick<ToolAnswer, "text" | "isError">> {
  const tool = tools.find((each) => each.name === name);
  if (tool === undefined) {
    const known = tools.map((each) => each.name).join(", ");
    return { text: `Unknown tool ${JSON.stringify(name)}. Available tools: ${known}.`, isError: true };
  }
  try {
    return await tool.call(args ?? {}, signal);
  } catch (error) {
    return { text: `${name} failed: ${describeError(error)}`, isError: true };
  }
}

/** "input" when the client closed its input; "all" when the client stopped reading, the protocol closed, or `signal` aborted. */
function untilOver(signal: AbortSignal, { server }: McpServer, input: Readable): Promise<"input" | "all"> {
  return new Promise((resolve) => {
    input.once("end", () => resolve("input"));
    input.once("close", () => resolve("input"));
    process.stdout.on("error", () => resolve("all"));
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the protocol's object is no event target
    server.onclose = () => resolve("all");
    if (signal.aborted) resolve("all");
    signal.addEventListener("abort", () => resolve("all"), { once: true });
  });
}

async function settleWithin(running: ReadonlySet<Promise<unknown>>, maxMs: number, signal: AbortSignal) {
  const stop = AbortSignal.any([signal, AbortSignal.timeout(maxMs)]);
  const stopped = new Promise((resolve) => stop.addEventListener("abort", resolve, { once: true }));
  await Promise.race([Promise.allSettled(running), stopped]);
  // The SDK writes an answer one turn after it resolves.
  await new Promise((resolve) => void setImmediate(resolve));
}
