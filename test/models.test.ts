/** Every adapter of a model, over its real SDK, against the contract. */
import { describe } from "node:test";
import { createAiSdkModel } from "../src/model/ai-sdk/ai-sdk-model.ts";
import type { AiSdkProvider } from "../src/model/ai-sdk/connect-provider.ts";
import { claudeAgent } from "./support/model-contract/claude-agent.ts";
import { type MakeModel, modelContract } from "./support/model-contract/model-contract.ts";
import { KEY, MANNER } from "./support/model-contract/scene.ts";

function aiSdk(provider: AiSdkProvider, path: string): MakeModel {
  return ({ url }) =>
    createAiSdkModel({
      ...MANNER,
      id: `${provider}:test-model`,
      provider,
      name: "test-model",
      apiKey: KEY,
      baseUrl: `${url}${path}`,
    });
}

// They wait far more than they work.
const concurrency = 6;

void describe("models", { concurrency: 3 }, () => {
  modelContract("claude-agent", claudeAgent, {
    // Each starts a native program, so test/thorough has the rest.
    part: "answers",
    concurrency: 3,
  });

  modelContract("ai-sdk, OpenAI Responses", aiSdk("openai", "/v1"), {
    concurrency,
    except: {
      "a refusal after a call keeps what was recorded":
        "a refusal is a text here, and a call next to it means that the model goes on",
    },
  });

  modelContract("ai-sdk, Anthropic Messages", aiSdk("anthropic", ""), { concurrency });

  modelContract("ai-sdk, Chat Completions", aiSdk("compatible", "/v1"), { concurrency, extent: "main" });

  modelContract("ai-sdk, Google", aiSdk("google", ""), {
    concurrency,
    extent: "main",
    except: {
      "an account without credit is a failure of its own name, at once":
        "Google says the same words with the same status when too much was asked within a minute",
    },
  });
});
