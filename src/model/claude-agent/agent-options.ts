/**
 * The permissions of the agent program: a model, our tools, and nothing of the machine. It reads no settings, project files or environment,
 * has no built-in tools, and stores nothing.
 */
import type { HookCallback, McpSdkServerConfigWithInstance, Options } from "@anthropic-ai/claude-agent-sdk";
import type { Effort } from "../../config/effort.ts";
import type { ModelLimits } from "../model.ts";
import { takesThinkingBudget, thinkingBudget } from "../thinking-budget.ts";
import { BUILT_IN_TOOLS } from "./built-in-tools.ts";
import type { ScratchFolders } from "./scratch-folders.ts";

/** Name of our MCP server; the model sees `mcp__kodiai__read_file`. */
export const TOOL_SERVER = "kodiai";

/** Settings of the program. Without any one of them, it would send data, cost money, or read a file. */
const SWITCHES = {
  // Only model calls leave the machine: no telemetry, error reports, updates, feature flags or marketplaces.
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  DISABLE_TELEMETRY: "1",
  DISABLE_ERROR_REPORTING: "1",
  DISABLE_AUTOUPDATER: "1",
  DISABLE_UPDATES: "1",
  DISABLE_GROWTHBOOK: "1",
  CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL: "1",
  ENABLE_CLAUDEAI_MCP_SERVERS: "false",
  // No calls that the meter has not admitted: retries without streaming or after a refusal, other models, summaries.
  CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK: "1",
  CLAUDE_CODE_DISABLE_REFUSAL_RETRY: "1",
  CLAUDE_CODE_DISABLE_REFUSAL_FALLBACK: "1",
  CLAUDE_CODE_DISABLE_MODEL_ACCESS_FALLBACK: "1",
  CLAUDE_CODE_DISABLE_LEGACY_MODEL_REMAP: "1",
  DISABLE_COMPACT: "1",
  // The prompt is only text: `@/etc/passwd` in a diff must not attach that file.
  CLAUDE_CODE_DISABLE_FILE_MENTIONS: "1",
  CLAUDE_CODE_DISABLE_ATTACHMENTS: "1",
  CLAUDE_CODE_DISABLE_CLAUDE_MDS: "1",
  CLAUDE_CODE_DISABLE_AUTO_MEMORY: "1",
  CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS: "1",
  // No background work.
  CLAUDE_CODE_DISABLE_BUNDLED_SKILLS: "1",
  CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1",
  CLAUDE_CODE_DISABLE_CRON: "1",
  CLAUDE_CODE_DISABLE_WORKFLOWS: "1",
  // The few tools are listed from the start.
  ENABLE_TOOL_SEARCH: "false",
} as const;

/**
 * The program's runtime, Bun, checks for garbage every 16 ms, which is a tenth of a short run. Without the timer it collects when enough
 * memory has been allocated.
 */
const NO_TIMED_COLLECTION = { BUN_GC_TIMER_DISABLE: "1" } as const;

/** A tool's answer may be 200 KB. The program's own limit is 25,000 tokens; longer answers go to a file that the model can't read. */
const MAX_TOOL_ANSWER_TOKENS = 250_000;

export type Credentials = {
  readonly apiKey: string | null;
  readonly oauthToken: string | null;
  /** Null for the provider's default. */
  readonly baseUrl: string | null;
};

type AgentLimits = Pick<ModelLimits, "deadlineMs" | "maxTurns" | "maxOutputTokens">;

export type AgentOptionsInput = {
  readonly name: string;
  readonly effort: Effort;
  readonly credentials: Credentials;
  readonly system: string;
  readonly limits: AgentLimits;
  readonly workplace: ScratchFolders;
  /** Variables for the operator's proxy and certificate authorities. */
  readonly outbound: Readonly<Record<string, string>>;
  readonly programPath: string;
  readonly toolServer: McpSdkServerConfigWithInstance;
  /** Called after the tools of an answer have run, before the next call. */
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
  outbound,
}: Pick<AgentOptionsInput, "name" | "credentials" | "limits" | "workplace" | "outbound">): Record<
  string,
  string
> {
  return {
    ...SWITCHES,
    ...NO_TIMED_COLLECTION,
    HOME: workplace.home,
    CLAUDE_CONFIG_DIR: workplace.home,
    TMPDIR: workplace.temporary,
    // An empty folder: there is no other program to start.
    PATH: workplace.empty,
    ...(apiKey === null ? {} : { ANTHROPIC_API_KEY: apiKey }),
    ...(apiKey === null && oauthToken !== null ? { CLAUDE_CODE_OAUTH_TOKEN: oauthToken } : {}),
    ...(baseUrl === null ? {} : { ANTHROPIC_BASE_URL: baseUrl }),
    ...outbound,
    // The program uses this model for side tasks. Its price is known.
    ANTHROPIC_DEFAULT_HAIKU_MODEL: name,
    CLAUDE_CODE_MAX_OUTPUT_TOKENS: String(limits.maxOutputTokens),
    MAX_MCP_OUTPUT_TOKENS: String(MAX_TOOL_ANSWER_TOKENS),
    CLAUDE_AGENT_SDK_CLIENT_APP: "kodiai",
  };
}

/** For models with a thinking budget, the program would choose one that leaves a single token for the answer. */
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
    // The prompt contains untrusted text: the program must not interpret file mentions or commands in it.
    verbatimPrompts: true,

    settingSources: [],
    tools: [],
    disallowedTools: [...BUILT_IN_TOOLS],
    // Every tool of our server, which offers the task's alone.
    allowedTools: [`mcp__${TOOL_SERVER}`],
    mcpServers: { [TOOL_SERVER]: input.toolServer },
    strictMcpConfig: true,
    permissionMode: "dontAsk",
    // There is no user to grant more. A denying `canUseTool` would do the same, but the library would log a warning on every run.
    permissionPrompts: "none",
    plugins: [],
    agents: {},
    skills: [],
    additionalDirectories: [],
    // The only hooks. They run in this process.
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
    // Without a title the program may generate one with a model.
    title: "review",
  };
}
