/** Starts `kodiai mcp` in a folder and calls its tools with the official client. */
import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { BIN } from "./built-program.ts";

export function environmentOf(cwd: string): Record<string, string> {
  return { PATH: process.env["PATH"] ?? "", HOME: cwd, GIT_CONFIG_NOSYSTEM: "1" };
}

type Answer = { readonly text: string; readonly isError: boolean };

export async function connect(t: TestContext, cwd: string, args: readonly string[] = []) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [BIN, "mcp", ...args],
    cwd,
    env: environmentOf(cwd),
    stderr: "pipe",
  });
  const client = new Client({ name: "test", version: "1" });
  const problems: string[] = [];
  transport.stderr?.on("data", (chunk: Buffer) => problems.push(chunk.toString()));
  await client.connect(transport);
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the protocol's object is no event target
  client.onerror = (error) => problems.push(error.message);
  t.after(() => client.close());
  const call = async (name: string, given: Record<string, unknown> = {}): Promise<Answer> => {
    const result = CallToolResultSchema.parse(await client.callTool({ name, arguments: given }));
    const [first] = result.content;
    assert.ok(first?.type === "text");
    return { text: first.text, isError: result.isError === true };
  };
  const ask = async (name: string, given: Record<string, unknown> = {}): Promise<string> => {
    const { text, isError } = await call(name, given);
    assert.equal(isError, false, text);
    return text;
  };
  return { client, call, ask, problems };
}
