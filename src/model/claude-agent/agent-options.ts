/**
 * What the agent program may see and do, in one place: a model, our tools, and nothing of the machine it runs on. It reads no
 * settings, no project files, no environment; it has no tools of its own; it keeps nothing.
 */
import type { HookCallback, McpSdkServerConfigWithInstance, Options } from "@anthropic-ai/claude-agent-sdk";
import type { Effort } from "../../config/effort.ts";
import type { ModelLimits, ModelTool } from "../model.ts";
import { takesThinkingBudget, thinkingBudget } from "../thinking-budget.ts";
import { BUILT_IN_TOOLS } from "./built-in-tools.ts";
import type { ScratchFolders } from "./scratch-folders.ts";

/** Name of the server of our tools; the model sees `mcp__kodiai__read_file`. */
export const TOOL_SERVER = "kodiai";

/** Switches of the program. Each is here because something would leave the machine, cost money, or read a file without it. */
const SWITCHES = {
  // Nothing but calls to the model leaves the machine: no telemetry, error reports, updates, feature flags, marketplaces.
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  DISABLE_TELEMETRY: "1",
  DISABLE_ERROR_REPORTING: "1",
  DISABLE_AUTOUPDATER: "1",
  DISABLE_UPDATES: "1",
  DISABLE_GROWTHBOOK: "1",
  CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL: "1",
  ENABLE_CLAUDEAI_MCP_SERVERS: "false",
  // Calls that nobody has admitted: a second try without streaming or after a refusal, another model, a summary of the talk.
  CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK: "1",
  CLAUDE_CODE_DISABLE_REFUSAL_RETRY: "1",
  CLAUDE_CODE_DISABLE_REFUSAL_FALLBACK: "1",
  CLAUDE_CODE_DISABLE_MODEL_ACCESS_FALLBACK: "1",
  CLAUDE_CODE_DISABLE_LEGACY_MODEL_REMAP: "1",
  DISABLE_COMPACT: "1",
  // What the prompt says is text: `@/etc/passwd` in a diff is no wish to see that file.
  CLAUDE_CODE_DISABLE_FILE_MENTIONS: "1",
  CLAUDE_CODE_DISABLE_ATTACHMENTS: "1",
  CLAUDE_CODE_DISABLE_CLAUDE_MDS: "1",
  CLAUDE_CODE_DISABLE_AUTO_MEMORY: "1",
  CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS: "1",
  // Nothing of its own to do.
  CLAUDE_CODE_DISABLE_BUNDLED_SKILLS: "1",
  CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1",
  CLAUDE_CODE_DISABLE_CRON: "1",
  CLAUDE_CODE_DISABLE_WORKFLOWS: "1",
  // All tools are shown from the beginning; there are few.
  ENABLE_TOOL_SEARCH: "false",
} as const;

/**
 * The runtime that the program is built on looks for garbage every 16 ms as long as anything happens, which is a tenth of what a short
 * run takes. Without that it looks when enough has been allocated, like everybody else.
 */
const NO_TIMED_COLLECTION = { BUN_GC_TIMER_DISABLE: "1" } as const;

/** A tool's answer may be 200 KB; the program's own limit is 25,000 tokens, beyond which it writes a file that nobody can read. */
const MAX_TOOL_ANSWER_TOKENS = 250_000;

export type Credentials = {
  readonly apiKey: string | null;
  readonly oauthToken: string | null;
  /** Null for the provider's own. */
  readonly baseUrl: string | null;
};

export type AgentOptionsInput = {
  readonly name: string;
  readonly effort: Effort;
  readonly credentials: Credentials;
  readonly system: string;
  readonly tools: readonly ModelTool[];
  readonly limits: ModelLimits;
  readonly workplace: ScratchFolders;
  readonly programPath: string;
  readonly toolServer: McpSdkServerConfigWithInstance;
  /** Called after the tools of an answer have run, before the provider is called again. */
  readonly betweenCalls: HookCallback;
  /** Called when the model has stopped. */
  readonly onStop: HookCallback;
  readonly spawn: NonNullable<Options["spawnClaudeCodeProcess"]>;
};

/** The whole environment of the program. */
export function agentEnvironment({
  name,
  credentials: { apiKey, oauthToken, baseUrl },
  limits,
  workplace,
}: Pick<AgentOptionsInput, "name" | "credentials" | "limits" | "workplace">): Record<string, string> {
  return {
    ...SWITCHES,
    ...NO_TIMED_COLLECTION,
    HOME: workplace.home,
    CLAUDE_CONFIG_DIR: workplace.home,
    TMPDIR: workplace.temporary,
    // An empty folder: it finds no other program to start.
    PATH: workplace.empty,
    ...(apiKey === null ? {} : { ANTHROPIC_API_KEY: apiKey }),
    ...(apiKey === null && oauthToken !== null ? { CLAUDE_CODE_OAUTH_TOKEN: oauthToken } : {}),
    ...(baseUrl === null ? {} : { ANTHROPIC_BASE_URL: baseUrl }),
    // Whatever it does besides, it does with the model whose price is known.
    ANTHROPIC_DEFAULT_HAIKU_MODEL: name,
    CLAUDE_CODE_MAX_OUTPUT_TOKENS: String(limits.maxOutputTokens),
    MAX_MCP_OUTPUT_TOKENS: String(MAX_TOOL_ANSWER_TOKENS),
    CLAUDE_AGENT_SDK_CLIENT_APP: "kodiai",
  };
}

/** A model that takes a budget would get one by the program that leaves a single token for the answer. */
function thinkingOptions({
  name,
  effort,
  limits,
}: Pick<AgentOptionsInput, "name" | "effort" | "limits">): Pick<Options, "effort" | "thinking"> {
  if (!takesThinkingBudget(name)) return { effort: effort === "minimal" ? "low" : effort };
  const budgetTokens = thinkingBudget(effort, limits.maxOutputTokens);
  return { thinking: budgetTokens === null ? { type: "disabled" } : { type: "enabled", budgetTokens } };
}

export function agentOptions(input: AgentOptionsInput): Options {
  const hookSeconds = Math.ceil(input.limits.deadlineMs / 1000) + 1;
  return {
    model: input.name,
    systemPrompt: input.system,
    maxTurns: input.limits.maxTurns,
    ...thinkingOptions(input),
    includePartialMessages: true,
    // The prompt holds text from outside: no file mentions, no commands are looked for in it.
    verbatimPrompts: true,

    settingSources: [],
    tools: [],
    disallowedTools: [...BUILT_IN_TOOLS],
    allowedTools: input.tools.map(({ name }) => `mcp__${TOOL_SERVER}__${name}`),
    mcpServers: { [TOOL_SERVER]: input.toolServer },
    strictMcpConfig: true,
    permissionMode: "dontAsk",
    // Nobody is there to allow more. A `canUseTool` that denies would say the same, and make the library warn on every run that
    // it is not asked about what is allowed.
    permissionPrompts: "none",
    plugins: [],
    agents: {},
    skills: [],
    additionalDirectories: [],
    // The only ones, and they run in this process.
    hooks: {
      PostToolBatch: [{ hooks: [input.betweenCalls], onFailure: "block", timeout: hookSeconds }],
      Stop: [{ hooks: [input.onStop], timeout: hookSeconds }],
    },

    env: agentEnvironment(input),
    cwd: input.workplace.empty,
    pathToClaudeCodeExecutable: input.programPath,
    spawnClaudeCodeProcess: input.spawn,

    persistSession: false,
    enableFileCheckpointing: false,
    promptSuggestions: false,
    agentProgressSummaries: false,
    // Without one the program may ask a model for it.
    title: "review",
  };
}
