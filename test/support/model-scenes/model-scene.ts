/**
 * A scenario of the whole app with a model. The provider is the scripted server, which the real SDKs call over HTTP with an operator's
 * settings.
 */
import { test, type TestContext } from "node:test";
import { isAll } from "../extent.ts";
import { createScenario, type Scenario, type ScenarioOptions } from "../app/scenario.ts";
import type { FakeGithub } from "../../../fake-github/fake-github.ts";
import type { PullRequest } from "../../../fake-github/world.ts";
import { type ModelServer, startModelServer } from "../model-server/model-server.ts";
import type { ModelScript, ModelTurn, ScriptedCall } from "../model-server/script.ts";
import { engineNamed } from "../queue-contract/engines.ts";

/** The key for providers, which must not appear anywhere else. */
export const MODEL_KEY = "sk-key-of-the-scene-1234567890abcdef";

type Environment = Readonly<Record<string, string>>;

/** Settings that point each provider to a server; every model is named "scripted". */
const PROVIDERS = {
  openai: (url: string): Environment => ({ OPENAI_API_KEY: MODEL_KEY, OPENAI_BASE_URL: `${url}/v1` }),
  anthropic: (url: string): Environment => ({ ANTHROPIC_API_KEY: MODEL_KEY, ANTHROPIC_BASE_URL: url }),
  claude: (url: string): Environment => ({ ANTHROPIC_API_KEY: MODEL_KEY, ANTHROPIC_BASE_URL: url }),
  google: (url: string): Environment => ({ GEMINI_API_KEY: MODEL_KEY, GOOGLE_BASE_URL: `${url}/v1beta` }),
  compatible: (url: string): Environment => ({
    KODIAI_COMPATIBLE_KEY: MODEL_KEY,
    KODIAI_COMPATIBLE_URL: `${url}/v1`,
  }),
} as const;

export type SceneProvider = keyof typeof PROVIDERS;

/** Settings that make this provider's scripted model review. */
export function modelEnvironment(provider: SceneProvider, url: string): Environment {
  return { KODIAI_MODEL: `${provider}:scripted`, ...PROVIDERS[provider](url) };
}

/** One dollar per million input tokens and two per million output tokens, so that costs are easy to compute. */
export function pricesOf(...models: readonly string[]): string {
  const lines = models.map((model) => `  "${model}": { inputUsd: 1, outputUsd: 2 }\n`);
  return `prices:\n${lines.join("")}`;
}

export type ModelSceneOptions = ScenarioOptions & {
  /** The provider whose model reviews; default OpenAI. */
  readonly provider?: SceneProvider;
  /** Further providers with available models. */
  readonly otherProviders?: readonly SceneProvider[];
  readonly script: ModelScript;
};

export type ModelScene = Scenario & {
  readonly server: ModelServer;
  /** The texts on the pull request. */
  summary(): string;
  /** Inline comments by "path:line". */
  comments(): ReadonlyMap<string, string>;
};

export type OpenModelScene = (options: ModelSceneOptions) => Promise<ModelScene>;

async function openScene(t: TestContext, options: ModelSceneOptions): Promise<ModelScene> {
  const { provider = "openai", otherProviders = [], script } = options;
  const server = await startModelServer();
  server.script(script);
  // Later entries take precedence.
  const environments = [
    ...otherProviders.map((other) => PROVIDERS[other](server.url)),
    modelEnvironment(provider, server.url),
    options.environment ?? {},
  ];
  const environment = Object.fromEntries(environments.flatMap((each) => Object.entries(each)));
  const scenario = await createScenario(t, { ...options, environment });
  // At the end, the scenario's processes stop before the server.
  t.after(() => server.close());
  return {
    ...scenario,
    server,
    summary: () => summaryOn(scenario.fake, scenario.pullRequest),
    comments: () => commentsOn(scenario.fake, scenario.pullRequest),
  };
}

export function summaryOn(fake: FakeGithub, pullRequest: PullRequest): string {
  return fake.commentsOf(pullRequest)[0]?.body ?? "";
}

export function commentsOn(fake: FakeGithub, pullRequest: PullRequest): ReadonlyMap<string, string> {
  return new Map(fake.reviewCommentsOf(pullRequest).map(({ path, line, body }) => [`${path}:${line}`, body]));
}

type Work = (openModelScene: OpenModelScene, t: TestContext) => Promise<void>;

let turns = 0;

/** One process. The databases take turns, because the store and the queue have contract tests of their own; `npm run test:all` runs both. */
export function testModels(title: string, work: Work): void {
  const turn = turns++ % 2;
  if (isAll || turn === 0) test(title, (t) => work((options) => openScene(t, options), t));
  if (!isAll && turn === 0) return;
  const engine = engineNamed("postgres");
  test(`${title} (postgres)`, (t) => work((options) => openScene(t, { engine, ...options }), t));
}

export type ScriptedFinding = {
  readonly path: string;
  readonly quote: string;
  readonly title: string;
  readonly body?: string;
  readonly severity?: string;
  readonly category?: string;
  readonly line?: number;
  readonly suggestion?: string;
  readonly caused_by?: string;
  readonly confidence?: number;
};

/** A call that records a finding; fields that aren't given have neutral values. */
export function recording(finding: ScriptedFinding): ScriptedCall {
  return {
    name: "record_finding",
    args: { body: "It fails.", severity: "major", category: "correctness", confidence: 0.9, ...finding },
  };
}

export const FINISHING: ScriptedCall = { name: "finish_review", args: { summary: "Read." } };

/** A model that makes one call per turn. */
export function oneByOne(calls: readonly ScriptedCall[], turn: ModelTurn = {}): readonly ModelTurn[] {
  return calls.map((call) => ({ ...turn, toolCalls: [call] }));
}
