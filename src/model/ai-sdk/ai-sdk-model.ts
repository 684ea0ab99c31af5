/**
 * Models through the AI SDK's providers: OpenAI (Responses), Anthropic, Google, and servers that speak OpenAI's chat protocol such
 * as vLLM and Ollama. Each call to the provider is made here, one at a time.
 */
import type { Model } from "../model.ts";
import { type AiSdkOptions, connectProvider } from "./connect-provider.ts";
import { runTask } from "./run-task.ts";

export async function createAiSdkModel(options: AiSdkOptions): Promise<Model> {
  const connection = await connectProvider(options);
  return {
    id: options.id,
    run: (task, signal) => runTask({ options, connection }, task, signal),
  };
}
