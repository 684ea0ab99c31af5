/**
 * A model through the Claude Agent SDK. The SDK's native program holds the conversation; this process serves it our tools. Each run
 * starts its own program in empty folders, with nothing but the key.
 */
import type { Query } from "@anthropic-ai/claude-agent-sdk";
import { KodiaiError } from "../../base/errors.ts";
import { writeAuthorities } from "../../base/outbound/authorities.ts";
import { proxyVariables } from "../../base/outbound/proxy.ts";
import { untilAborted } from "../../base/until-aborted.ts";
import type { Effort } from "../../config/effort.ts";
import type { Model, ModelTask, Outcome, StartLimits } from "../model.ts";
import { agentOptions, type Credentials } from "./agent-options.ts";
import { type AgentRun, startAgentRun } from "./agent-run.ts";
import { joinPrompt } from "./join-prompt.ts";
import { type Agent, loadAgent } from "./load-agent.ts";
import type { AgentProcess } from "./agent-process.ts";
import { createExitedProcess, createProgramSites, type ProgramSite } from "./program-site.ts";
import { createToolServer } from "./tool-server.ts";
import type { ScratchFolders } from "./scratch-folders.ts";

export type ClaudeAgentOptions = Credentials & {
  /** `provider:name`. */
  readonly id: string;
  readonly name: string;
  readonly effort: Effort;
};

export async function createClaudeAgentModel(options: ClaudeAgentOptions): Promise<Model> {
  if (options.apiKey === null && options.oauthToken === null)
    throw new KodiaiError("config", `No API key for the model ${options.id}`, {
      hint: "Set ANTHROPIC_API_KEY, or CLAUDE_CODE_OAUTH_TOKEN to the output of `claude setup-token`.",
    });
  const deps = { agent: await loadAgent(options), options };
  const sites = createProgramSites(
    (limits) => (program, workplace) => startEarly(deps, limits, { program, workplace }),
  );
  return {
    id: options.id,
    warm: sites.warm,
    run: (task, signal) => runAgent(deps, task, { site: sites.take(task.limits), signal }),
  } satisfies Model;
}

type Deps = { readonly agent: Agent; readonly options: ClaudeAgentOptions };

async function runAgent(
  deps: Deps,
  task: ModelTask,
  { site, signal }: { readonly site: ProgramSite; readonly signal: AbortSignal },
): Promise<Outcome> {
  const startedAt = performance.now();
  try {
    signal.throwIfAborted();
    const run = startAgentRun(task);
    try {
      converse(deps, task, { run, site }).then(run.onProgramEnd, run.onProgramEnd);
      const { kind, stopReason } = await untilAborted(run.ended, signal);
      const { turns, tokens } = run.stop();
      const ms = Math.round(performance.now() - startedAt);
      return { kind, stopReason, model: deps.options.id, turns, tokens, ms };
    } finally {
      run.stop();
    }
  } finally {
    // The outcome needn't wait until the killed process is gone, which takes about 50 ms.
    site.program.kill();
    if (signal.aborted) await site.program.stop();
    await site.close();
  }
}

type Parts = { readonly run: AgentRun; readonly site: ProgramSite };

/** Starts the program and reads its messages to the end. */
async function converse(deps: Deps, task: ModelTask, { run, site }: Parts): Promise<void> {
  const { program } = site;
  const workplace = await site.workplace;
  if (!(await run.admit())) return;
  const outbound = await outboundVariables(deps.options, workplace);
  await site.early;
  const query = startQuery(deps, task, { run, program, workplace, outbound });
  try {
    for await (const message of query) run.onMessage(message);
  } finally {
    // The library waits for the program to exit before it frees its resources. By now it was killed or has exited.
    await program.stop();
    query.close();
  }
}

type Place = { readonly program: AgentProcess; readonly workplace: ScratchFolders };

/**
 * Starts the program as a run with these limits will. Only the library knows its command, so it is asked for it, with a process that has
 * exited already.
 */
async function startEarly(
  { agent, options }: Deps,
  limits: StartLimits,
  { program, workplace }: Place,
): Promise<void> {
  const deadlineMs = 0;
  const unheard = async () => ({});
  const query = agent.query({
    prompt: "",
    options: agentOptions({
      ...options,
      credentials: options,
      system: "",
      limits: { ...limits, deadlineMs },
      workplace,
      outbound: await outboundVariables(options, workplace),
      programPath: agent.programPath,
      toolServer: createToolServer({
        tools: [],
        deadlineMs,
        call: async () => ({ text: "", isError: true }),
      }),
      betweenCalls: unheard,
      onStop: unheard,
      spawn(command) {
        program.startEarly(command);
        return createExitedProcess();
      },
    }),
  });
  await query.next().catch(() => {});
}

/** The program's default. */
const ANTHROPIC_URL = "https://api.anthropic.com";

async function outboundVariables(
  { baseUrl }: Credentials,
  { home }: ScratchFolders,
): Promise<Started["outbound"]> {
  const authorities = await writeAuthorities(home, "added");
  return {
    ...proxyVariables(new URL(baseUrl ?? ANTHROPIC_URL)),
    ...(authorities === null ? {} : { NODE_EXTRA_CA_CERTS: authorities }),
  };
}

type Started = Place & {
  readonly run: AgentRun;
  readonly outbound: Readonly<Record<string, string>>;
};

function startQuery(
  { agent, options }: Deps,
  task: ModelTask,
  { run, program, workplace, outbound }: Started,
): Query {
  const { tools, prompt } = task;
  const limits = { ...task.limits, maxOutputTokens: run.maxOutputTokens() };
  return agent.query({
    prompt: joinPrompt(prompt),
    options: agentOptions({
      name: options.name,
      effort: options.effort,
      credentials: options,
      system: prompt.system,
      limits,
      workplace,
      outbound,
      programPath: agent.programPath,
      toolServer: createToolServer({ tools, deadlineMs: limits.deadlineMs, call: run.callTool }),
      betweenCalls: run.betweenCalls,
      onStop: run.onStop,
      spawn: program.start,
    }),
  });
}
