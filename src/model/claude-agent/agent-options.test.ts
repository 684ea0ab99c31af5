import assert from "node:assert/strict";
import { test } from "node:test";
import type { ModelLimits, ModelTool } from "../model.ts";
import { type AgentOptionsInput, agentEnvironment, agentOptions } from "./agent-options.ts";
import { BUILT_IN_TOOLS } from "./built-in-tools.ts";
import { createToolServer } from "./tool-server.ts";

const LIMITS: ModelLimits = {
  deadlineMs: 60_000,
  stallMs: 1_000,
  overloadMs: 1_000,
  maxTurns: 7,
  maxOutputTokens: 4_321,
};

const TOOLS: readonly ModelTool[] = ["read_file", "record_finding"].map((name) => ({
  name,
  description: name,
  parameters: { type: "object" },
  call: async () => ({ text: "", isError: false, ends: null }),
}));

const WORKPLACE = { home: "/w/home", temporary: "/w/tmp", empty: "/w/empty", remove: async () => {} };

const INPUT: AgentOptionsInput = {
  name: "some-model",
  credentials: { apiKey: "key", oauthToken: null, baseUrl: "http://127.0.0.1:1" },
  system: "You review.",
  tools: TOOLS,
  limits: LIMITS,
  workplace: WORKPLACE,
  programPath: "/somewhere/claude",
  toolServer: createToolServer({
    tools: TOOLS,
    deadlineMs: 1_000,
    call: async () => ({ text: "", isError: false }),
  }),
  betweenCalls: async () => ({ continue: true }),
  onStop: async () => ({}),
  spawn: () => {
    throw new Error("nothing is started here");
  },
};

// Written out in full: whoever weakens one of these must come here and say so.
test("the agent program is given a model, our tools, and nothing else", () => {
  const { env, hooks, mcpServers, spawnClaudeCodeProcess, ...options } = agentOptions(INPUT);
  assert.deepEqual(options, {
    model: "some-model",
    systemPrompt: "You review.",
    maxTurns: 7,
    includePartialMessages: true,
    verbatimPrompts: true,
    settingSources: [],
    tools: [],
    disallowedTools: BUILT_IN_TOOLS,
    allowedTools: ["mcp__kodiai__read_file", "mcp__kodiai__record_finding"],
    strictMcpConfig: true,
    permissionMode: "dontAsk",
    permissionPrompts: "none",
    plugins: [],
    agents: {},
    skills: [],
    additionalDirectories: [],
    cwd: "/w/empty",
    pathToClaudeCodeExecutable: "/somewhere/claude",
    persistSession: false,
    enableFileCheckpointing: false,
    promptSuggestions: false,
    agentProgressSummaries: false,
    title: "review",
  });
  assert.deepEqual(mcpServers, { kodiai: INPUT.toolServer });
  assert.deepEqual(hooks, {
    PostToolBatch: [{ hooks: [INPUT.betweenCalls], onFailure: "block", timeout: 61 }],
    Stop: [{ hooks: [INPUT.onStop], timeout: 61 }],
  });
  assert.equal(spawnClaudeCodeProcess, INPUT.spawn);
  assert.deepEqual(env, agentEnvironment(INPUT));
});

test("the environment of the agent program is its own, to the last variable", () => {
  assert.deepEqual(agentEnvironment(INPUT), {
    ANTHROPIC_API_KEY: "key",
    ANTHROPIC_BASE_URL: "http://127.0.0.1:1",
    ANTHROPIC_DEFAULT_HAIKU_MODEL: "some-model",
    HOME: "/w/home",
    CLAUDE_CONFIG_DIR: "/w/home",
    TMPDIR: "/w/tmp",
    PATH: "/w/empty",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_UPDATES: "1",
    DISABLE_GROWTHBOOK: "1",
    CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL: "1",
    ENABLE_CLAUDEAI_MCP_SERVERS: "false",
    CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK: "1",
    CLAUDE_CODE_DISABLE_REFUSAL_RETRY: "1",
    CLAUDE_CODE_DISABLE_REFUSAL_FALLBACK: "1",
    CLAUDE_CODE_DISABLE_MODEL_ACCESS_FALLBACK: "1",
    CLAUDE_CODE_DISABLE_LEGACY_MODEL_REMAP: "1",
    DISABLE_COMPACT: "1",
    CLAUDE_CODE_DISABLE_FILE_MENTIONS: "1",
    CLAUDE_CODE_DISABLE_ATTACHMENTS: "1",
    CLAUDE_CODE_DISABLE_CLAUDE_MDS: "1",
    CLAUDE_CODE_DISABLE_AUTO_MEMORY: "1",
    CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS: "1",
    CLAUDE_CODE_DISABLE_BUNDLED_SKILLS: "1",
    CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1",
    CLAUDE_CODE_DISABLE_CRON: "1",
    CLAUDE_CODE_DISABLE_WORKFLOWS: "1",
    ENABLE_TOOL_SEARCH: "false",
    BUN_GC_TIMER_DISABLE: "1",
    CLAUDE_CODE_MAX_OUTPUT_TOKENS: "4321",
    MAX_MCP_OUTPUT_TOKENS: "250000",
    CLAUDE_AGENT_SDK_CLIENT_APP: "kodiai",
  });
});

test("of a key and a token the agent program gets one, and no address when none is set", () => {
  const names = (credentials: AgentOptionsInput["credentials"]): readonly string[] =>
    Object.keys(agentEnvironment({ ...INPUT, credentials })).filter((name) =>
      /KEY|OAUTH|BASE_URL/.test(name),
    );
  assert.deepEqual(names({ apiKey: "key", oauthToken: "token", baseUrl: null }), ["ANTHROPIC_API_KEY"]);
  assert.deepEqual(names({ apiKey: null, oauthToken: "token", baseUrl: null }), ["CLAUDE_CODE_OAUTH_TOKEN"]);
});
