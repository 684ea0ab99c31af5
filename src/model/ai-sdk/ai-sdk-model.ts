/**
 * Models through the AI SDK: OpenAI (Responses API), Anthropic, Google, and servers with an OpenAI-compatible chat API such as vLLM and
 * Ollama. Calls are made one at a time.
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
