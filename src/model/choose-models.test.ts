import assert from "node:assert/strict";
import { test } from "node:test";
import { KodiaiError } from "../base/errors.ts";
import type { ModelSettings } from "../config/model-settings.ts";
import { chooseModels, type WantedModels } from "./choose-models.ts";
import { DEFAULT_MODELS } from "./default-models.ts";

const KEY = { key: "k", baseUrl: null };
const NO_SETTINGS: ModelSettings = {
  model: null,
  access: {},
  claudeToken: null,
  budgets: {},
  limits: {},
  prices: {},
  concurrency: 12,
  recordsRuns: false,
};
const NOTHING: WantedModels = { asked: null, configured: null, fallbacks: [] };
const ofAnthropic = DEFAULT_MODELS.find(({ provider }) => provider === "anthropic");

type Case = {
  readonly what: string;
  readonly wanted?: Partial<WantedModels>;
  readonly settings?: Partial<ModelSettings>;
  readonly ids: readonly string[];
  readonly problems?: readonly RegExp[];
};

const CASES: readonly Case[] = [
  { what: "nothing is set: the floor", ids: [] },
  {
    what: "a key alone: the default of its provider",
    settings: { access: { anthropic: KEY } },
    ids: [`anthropic:${ofAnthropic?.name}`],
  },
  {
    what: "two keys: the default of the preferred provider",
    wanted: { preferred: "openai" },
    settings: { access: { anthropic: KEY, openai: KEY } },
    ids: [`openai:${DEFAULT_MODELS.find(({ provider }) => provider === "openai")?.name}`],
  },
  {
    what: "the preferred provider has no key: the first in the table",
    wanted: { preferred: "openai" },
    settings: { access: { anthropic: KEY, google: KEY } },
    ids: [`anthropic:${ofAnthropic?.name}`],
  },
  {
    what: "the machine's model",
    settings: { model: "openai:big", access: { anthropic: KEY, openai: KEY } },
    ids: ["openai:big"],
  },
  {
    what: "the repository's model before the machine's",
    wanted: { configured: "anthropic:small" },
    settings: { model: "openai:big", access: { anthropic: KEY, openai: KEY } },
    ids: ["anthropic:small"],
  },
  {
    what: "by hand before all",
    wanted: { asked: "google:mid", configured: "anthropic:small", fallbacks: ["openai:big"] },
    settings: { access: { anthropic: KEY, openai: KEY, google: KEY } },
    ids: ["google:mid"],
  },
  {
    what: "fallbacks in order, each once",
    wanted: { configured: "anthropic:a", fallbacks: ["openai:b", "anthropic:a", "openai:c"] },
    settings: { access: { anthropic: KEY, openai: KEY } },
    ids: ["anthropic:a", "openai:b", "openai:c"],
  },
  {
    what: "the repository's model has no key: the machine's model, and the problem is reported",
    wanted: { configured: "google:mid" },
    settings: { model: "openai:big", access: { openai: KEY } },
    ids: ["openai:big"],
    problems: [/^google:mid: GEMINI_API_KEY is not set$/],
  },
  {
    what: "switched off by the repository although there is a key",
    wanted: { configured: "floor" },
    settings: { access: { anthropic: KEY } },
    ids: [],
  },
  { what: "switched off by the machine", settings: { model: "floor", access: { openai: KEY } }, ids: [] },
  {
    what: "the repository may not switch on what the machine has switched off and has no key for",
    wanted: { configured: "openai:big" },
    settings: { model: "floor" },
    ids: [],
    problems: [/OPENAI_API_KEY is not set/],
  },
  {
    what: "a server of one's own",
    settings: {
      model: "compatible:qwen3-coder:30b",
      access: { compatible: { key: null, baseUrl: "http://x" } },
    },
    ids: ["compatible:qwen3-coder:30b"],
  },
  {
    what: "no name of a model",
    wanted: { configured: "llama" },
    ids: [],
    problems: [/"llama" must have the form provider:name; known providers are claude, anthropic/],
  },
  ...(
    [
      ["gpt-5", "openai:gpt-5"],
      ["o3", "openai:o3"],
      ["o4-mini", "openai:o4-mini"],
      ["claude-sonnet-4-5", "anthropic:claude-sonnet-4-5"],
      ["gemini-2.5-pro", "google:gemini-2.5-pro"],
      ["antropic:claude-sonnet-4-5", "anthropic:claude-sonnet-4-5"],
      ["openai/gpt-5", "openai:gpt-5"],
    ] as const
  ).map(([name, meant]) => ({
    what: `the name of ${name} tells whose it is`,
    settings: { model: name, access: { openai: KEY, anthropic: KEY, google: KEY } },
    ids: [],
    problems: [new RegExp(`^the model "${name}" has no known provider before its name: write ${meant}$`)],
  })),
  {
    what: "the name tells whose it is, and there is no key for it",
    settings: { model: "gpt-5" },
    ids: [],
    problems: [/: write openai:gpt-5 and set OPENAI_API_KEY$/],
  },
];

for (const { what, wanted, settings, ids, problems = [] } of CASES) {
  test(`choice of models: ${what}`, () => {
    const chosen = chooseModels({ ...NOTHING, ...wanted }, { ...NO_SETTINGS, ...settings });
    assert.deepEqual(
      chosen.models.map(({ id }) => id),
      ids,
    );
    assert.equal(chosen.noModel === null, ids.length > 0);
    assert.equal(chosen.problems.length, problems.length);
    problems.forEach((pattern, index) => assert.match(chosen.problems[index] ?? "", pattern));
  });
}

test("choice of models: an unusable model of the command line is an error with a hint", () => {
  const choose = (): unknown => chooseModels({ ...NOTHING, asked: "openai:big" }, NO_SETTINGS);
  assert.throws(choose, (error: unknown) => {
    assert.ok(error instanceof KodiaiError && error.code === "config");
    assert.match(
      `${error.message} ${error.hint}`,
      /openai:big: OPENAI_API_KEY is not set Fix that, choose another model/,
    );
    return true;
  });
});

test("choice of models: without a model there is a reason", () => {
  assert.equal(chooseModels(NOTHING, NO_SETTINGS).noModel, "not-configured");
  const misnamed = chooseModels(NOTHING, { ...NO_SETTINGS, model: "gpt-5" });
  assert.deepEqual([misnamed.noModel, misnamed.problems.length], ["unavailable", 1]);
  const settings = { ...NO_SETTINGS, access: { anthropic: KEY } };
  const reasonFor = (asked: string) => chooseModels({ ...NOTHING, asked }, settings).noModel;
  assert.equal(reasonFor("--offline"), "offline-option");
  assert.equal(reasonFor("floor"), "floor-option");
  assert.equal(chooseModels({ ...NOTHING, configured: "floor" }, settings).noModel, "switched-off");
});
