/** The adapter of the Claude Agent SDK, connected to the scripted provider. */
import { createClaudeAgentModel } from "../../../src/model/claude-agent/claude-agent-model.ts";
import type { MakeModel } from "./model-contract.ts";
import { KEY, MANNER } from "./scene.ts";

export const claudeAgent: MakeModel = ({ url }) =>
  createClaudeAgentModel({
    ...MANNER,
    id: "claude:test-model",
    name: "test-model",
    apiKey: KEY,
    oauthToken: null,
    baseUrl: url,
  });
