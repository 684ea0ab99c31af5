/** Our tools as an MCP server in this process. Arguments reach the tool unchecked: the tool validates them and describes mistakes. */
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import type { McpSdkServerConfigWithInstance } from "@anthropic-ai/claude-agent-sdk";
import type { ModelTool, ToolAnswer } from "../model.ts";
import { TOOL_SERVER } from "./agent-options.ts";

/** The program would write longer answers to a file and show 2,000 characters of them. Tools answer with 200 KB or less. */
const MAX_ANSWER_CHARS = 500_000;

export type ToolServerInput = {
  readonly tools: readonly ModelTool[];
  /** The time limit of the run; calls have no shorter one. */
  readonly deadlineMs: number;
  readonly call: (tool: ModelTool, args: unknown) => Promise<Pick<ToolAnswer, "text" | "isError">>;
};

// The program rejects a shorter timeout.
const MIN_CALL_MS = 1000;

export function createToolServer({
  tools,
  deadlineMs,
  call,
}: ToolServerInput): McpSdkServerConfigWithInstance {
  const instance = new McpServer({ name: TOOL_SERVER, version: "1" }, { capabilities: { tools: {} } });
  instance.server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.map(({ name, description, parameters }) => ({
      name,
      description,
      inputSchema: { ...parameters, type: "object" as const },
      _meta: { "anthropic/maxResultSizeChars": MAX_ANSWER_CHARS },
    })),
  }));
  instance.server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const tool = tools.find(({ name }) => name === params.name);
    const { text, isError } =
      tool === undefined
        ? { text: `There is no tool ${params.name}.`, isError: true }
        : await call(tool, params.arguments ?? {});
    return { content: [{ type: "text", text }], isError };
  });
  return { type: "sdk", name: TOOL_SERVER, timeout: Math.max(deadlineMs, MIN_CALL_MS), instance };
}
