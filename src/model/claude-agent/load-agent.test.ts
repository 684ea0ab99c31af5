import assert from "node:assert/strict";
import { test } from "node:test";
import { KodiaiError } from "../../base/errors.ts";
import { type AgentSource, loadAgent } from "./load-agent.ts";

const MODEL = { id: "claude:some-model", name: "some-model" };

const nothing = (): never => {
  throw new Error("Cannot find module");
};

const saysWhatToDo = (error: unknown): boolean => {
  assert.ok(error instanceof KodiaiError);
  assert.equal(error.code, "config");
  assert.match(error.message, /claude:some-model/);
  assert.match(error.hint, /`npm install @anthropic-ai\/claude-agent-sdk`/);
  assert.match(error.hint, /anthropic:some-model/);
  return true;
};

test("without its package the model says what to install and what to choose instead", async () => {
  const source: AgentSource = { importSdk: async () => nothing(), resolve: nothing };
  await assert.rejects(loadAgent(MODEL, source), saysWhatToDo);
});

test("without its native program the model says what to install and what to choose instead", async () => {
  const source: AgentSource = { importSdk: async () => ({ query: nothing }), resolve: nothing };
  await assert.rejects(loadAgent(MODEL, source), saysWhatToDo);
});

test("the program for this machine is found, also one for musl", async () => {
  const found = await loadAgent(MODEL, {
    importSdk: async () => ({ query: nothing }),
    resolve: (file) => (file.includes("musl") ? `/modules/${file}` : nothing()),
  });
  assert.equal(
    found.programPath,
    `/modules/@anthropic-ai/claude-agent-sdk-${process.platform}-${process.arch}-musl/claude`,
  );
});
