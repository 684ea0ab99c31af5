/** A scene with one provider of the AI SDK, for provider-specific behaviour. */
import type { TestContext } from "node:test";
import type { AnswerStyle } from "../../../src/config/answer-style.ts";
import { createAiSdkModel } from "../../../src/model/ai-sdk/ai-sdk-model.ts";
import type { AiSdkProvider } from "../../../src/model/ai-sdk/connect-provider.ts";
import { startModelServer } from "../model-server/model-server.ts";
import { createScene, KEY, MANNER, type Scene } from "./scene.ts";

export async function aiSdkScene(
  context: TestContext,
  provider: AiSdkProvider,
  name = "test-model",
  style: AnswerStyle = { effort: "medium" },
): Promise<Scene> {
  const server = await startModelServer();
  context.after(() => server.close());
  const baseUrl = provider === "compatible" ? `${server.url}/v1` : server.url;
  const id = `${provider}:${name}`;
  return createScene(
    server,
    await createAiSdkModel({ ...MANNER, ...style, id, provider, name, apiKey: KEY, baseUrl }),
  );
}
