/** The Claude Agent SDK's program without Kodiai: its start, and as many turns as a review has, against a scripted provider. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { query } from "@anthropic-ai/claude-agent-sdk";
import { agentOptions } from "../../src/model/claude-agent/agent-options.ts";
import { loadAgent } from "../../src/model/claude-agent/load-agent.ts";
import { createToolServer } from "../../src/model/claude-agent/tool-server.ts";
import type { ModelTool } from "../../src/model/model.ts";
import type { ModelServer } from "../../test/support/model-server/model-server.ts";
import type { ModelTurn } from "../../test/support/model-server/script.ts";

/** Marks the conversation, so that it has its own script. */
const PROMPT = "Call the tool until it has enough. ".repeat(1_000);

const LIMITS = { deadlineMs: 600_000, maxTurns: 80, maxOutputTokens: 32_000 };

const read = async () => ({ text: "line\n".repeat(500), isError: false, ends: null });

const TOOL: ModelTool = {
  name: "read",
  description: "Returns a few lines.",
  parameters: { type: "object", properties: { path: { type: "string" } } },
  call: read,
};

const CALL: ModelTurn = { toolCalls: [{ name: TOOL.name, args: { path: "a" } }] };

/** Returns the milliseconds of a conversation of so many turns, from the start of the program to its last message. */
export async function timeBareAgent(server: ModelServer, name: string, turns: number): Promise<number> {
  const model = await loadAgent({ id: `claude:${name}`, name });
  server.onConversation(
    ({ prompt }) => prompt.includes(PROMPT),
    ({ turn }) => (turn < turns - 1 ? CALL : { text: "Enough." }),
  );
  const home = mkdtempSync(join(tmpdir(), "kodiai-bench-agent-"));
  const workplace = { home, temporary: home, empty: home, remove: async () => {} };
  const before = server.requests.length;
  const startedAt = performance.now();
  const session = query({
    prompt: PROMPT,
    options: agentOptions({
      name,
      effort: "medium",
      credentials: { apiKey: "bench", oauthToken: null, baseUrl: server.url },
      system: "You review.",
      limits: LIMITS,
      workplace,
      outbound: {},
      programPath: model.programPath,
      toolServer: createToolServer({ tools: [TOOL], deadlineMs: LIMITS.deadlineMs, call: read }),
      betweenCalls: async () => ({ continue: true }),
      onStop: async () => ({}),
      spawn: ({ command, args, env }) =>
        spawn(command, args, { cwd: home, env, stdio: ["pipe", "pipe", "ignore"] }),
    }),
  });
  try {
    for await (const message of session) if (message.type === "result") break;
    const made = server.requests.length - before;
    if (made !== turns) throw new Error(`the bare program made ${made} calls instead of ${turns}`);
    return performance.now() - startedAt;
  } finally {
    session.close();
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }
}
