/** The agent program in every failure: at once, started early in vain, without room, without leave, and with traps in its folders. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { query } from "@anthropic-ai/claude-agent-sdk";
import { BUILT_IN_TOOLS } from "../../src/model/claude-agent/built-in-tools.ts";
import { NO_STRAY_CALLS } from "../support/no-stray-calls.ts";
import { killIfRunning } from "../support/processes.ts";
import { KEY, LIMITS, until } from "../support/model-contract/scene.ts";
import { FINISH, record } from "../support/model-contract/answers.ts";
import { forever } from "../support/model-server/script.ts";
import { isJson } from "../support/model-server/protocol.ts";
import { startModelServer } from "../support/model-server/model-server.ts";
import {
  TEST_OPTIONS,
  createAgentScene,
  temporaryFolder,
  agentPids,
  agentFolders,
  SLOW,
  layTraps,
} from "../support/agent-program-fixtures.ts";

test(
  "an agent program that is killed from outside is a failure, and is cleared away",
  TEST_OPTIONS,
  async (context) => {
    const { server, run } = await createAgentScene(context);
    const before = agentFolders();
    const task = run([record("a"), SLOW]);
    await until(() => server.requests.length > 1);
    for (const pid of agentPids()) killIfRunning(Number(pid));
    const outcome = await task.outcome;
    assert.deepEqual([outcome.kind, outcome.stopReason], ["failed", { kind: "process-exited" }]);
    assert.equal(task.calls.length, 1);
    assert.deepEqual(agentFolders(), before);
  },
);

test("agent programs that run at once share nothing", TEST_OPTIONS, async (context) => {
  const { server, run } = await createAgentScene(context);
  const before = agentFolders();
  const homes = new Set<string>();
  server.onRequest(() => {
    for (const pid of agentPids()) homes.add(readlinkSync(`/proc/${pid}/cwd`));
  });
  const tasks = ["one", "two", "three"].map((title) =>
    run([{ text: "word ".repeat(30), pauseMs: 20, ...record("same") }, FINISH], {
      prompt: { system: "You review changes.", user: `Here is the change ${title}.` },
    }),
  );
  for (const task of tasks) assert.deepEqual((await task.outcome).stopReason, { kind: "finished" });
  assert.equal(homes.size, 3);
  assert.deepEqual(
    tasks.map(({ calls }) => calls.length),
    [2, 2, 2],
  );
  assert.deepEqual(agentFolders(), before);
  // An outcome does not wait until the system has cleared them away.
  await until(() => agentPids().length === 0);
});

test(
  "a model that calls every tool of the agent program gets errors, and nothing happens",
  TEST_OPTIONS,
  async (context) => {
    const folder = temporaryFolder(context);
    const marker = join(folder, "marker");
    const args = {
      command: `touch ${marker}`,
      file_path: marker,
      content: "x",
      prompt: "x",
      url: "http://127.0.0.1:1/",
      path: marker,
    };
    const { server, run } = await createAgentScene(context);
    const calls = [...BUILT_IN_TOOLS, "mcp__other__run"].map((name) => ({ name, args }));
    const task = run([{ toolCalls: calls }, FINISH]);
    assert.deepEqual((await task.outcome).stopReason, { kind: "finished" });
    assert.deepEqual(
      task.calls.map(({ name }) => name),
      ["finish_review"],
    );
    const results = server.requests[1]?.toolResults ?? [];
    assert.equal(results.length, calls.length);
    for (const result of results) assert.match(result, /No such tool available/);
    assert.equal(existsSync(marker), false);
  },
);

test(
  "every tool that the agent program would offer by itself is denied by name",
  TEST_OPTIONS,
  async (context) => {
    const server = await startModelServer();
    context.after(() => server.close());
    const home = temporaryFolder(context);
    const session = query({
      prompt: "x",
      options: {
        tools: { type: "preset", preset: "claude_code" },
        settingSources: [],
        persistSession: false,
        cwd: home,
        env: {
          HOME: home,
          PATH: home,
          ANTHROPIC_API_KEY: KEY,
          ANTHROPIC_BASE_URL: server.url,
          CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        },
      },
    });
    let offered: readonly string[] = [];
    for await (const message of session) {
      if (message.type === "system" && message.subtype === "init") offered = message.tools;
    }
    assert.ok(offered.length > 10);
    assert.deepEqual(
      offered.filter((name) => !BUILT_IN_TOOLS.includes(name)),
      [],
    );
  },
);

test(
  "a tool's answer of 200 KB reaches the model whole, and a path in the prompt is only text",
  TEST_OPTIONS,
  async (context) => {
    const secret = join(temporaryFolder(context), "secret.txt");
    writeFileSync(secret, "the-secret-of-the-machine");
    const { server, model } = await createAgentScene(context);
    server.script([record("a"), { text: "That is all." }]);
    const long = "0123456789".repeat(20_000);
    const outcome = await model.run(
      {
        prompt: {
          system: "You review changes.",
          user: `Look at @${secret} and @"${secret}".\n/init\n!cat ${secret}`,
        },
        strayCalls: NO_STRAY_CALLS,
        tools: [
          {
            name: "record_finding",
            description: "x",
            parameters: { type: "object" },
            call: async () => ({ text: long, isError: false, ends: null }),
          },
        ],
        limits: LIMITS,
        meter: { admit: async ({ outputTokens }) => outputTokens, add: () => {} },
        onEvent: () => {},
      },
      new AbortController().signal,
    );
    assert.equal(outcome.kind, "completed");
    assert.deepEqual(server.requests[1]?.toolResults, [long]);
    assert.ok(!JSON.stringify(server.requests.map(({ body }) => body)).includes("the-secret-of-the-machine"));
  },
);

test("a provider that breaks off and then has no room is overloaded", TEST_OPTIONS, async (context) => {
  const { server, run } = await createAgentScene(context);
  const task = run(
    ({ turn }) => ({
      text: "half of",
      faults: [turn === 0 ? { kind: "error-event" } : { kind: "status", status: 529, times: "always" }],
    }),
    { limits: { overloadMs: 1_200 } },
  );
  const outcome = await task.outcome;
  assert.deepEqual(
    [outcome.kind, outcome.stopReason, outcome.turns],
    ["overloaded", { kind: "http-error", status: 529 }, 1],
  );
  // The meter heard what the partial answer cost, and had to allow the rest.
  assert.deepEqual([task.added.length, task.admissions.length], [1, 2]);
  assert.ok(server.requests.length >= 2);
});

test("the rest of an answer that broke off is not asked for without leave", TEST_OPTIONS, async (context) => {
  const { run } = await createAgentScene(context);
  const task = run(forever({ text: "half of", faults: [{ kind: "reset", times: "always" }] }), {
    admit: (count, outputTokens) => (count < 2 ? outputTokens : 0),
  });
  const outcome = await task.outcome;
  assert.equal(outcome.kind, "stopped-by-budget");
  // The program doesn't wait for leave here: requests may be on their way, and are left at once.
  assert.equal(task.admissions.length, 2);
});

test("a tool ends the run also where arguments are no JSON", TEST_OPTIONS, async (context) => {
  const { server, run } = await createAgentScene(context);
  const task = run(forever({ toolCalls: [{ name: "give_up", args: '{"title": ' }] }));
  const outcome = await task.outcome;
  assert.deepEqual([outcome.kind, outcome.stopReason], ["failed", { kind: "malformed-tool-calls" }]);
  assert.deepEqual(task.calls, [{ name: "give_up", args: '{"title": ' }]);
  assert.equal(server.requests.length, 1);
});

test("where the meter cannot be asked nothing is spent", TEST_OPTIONS, async (context) => {
  const { server, run } = await createAgentScene(context);
  const task = run([record("a"), FINISH], {
    admit: (count, outputTokens) => {
      if (count > 1) throw new Error("the database is gone");
      return outputTokens;
    },
  });
  const outcome = await task.outcome;
  assert.deepEqual([outcome.kind, outcome.stopReason], ["failed", { kind: "budget-unavailable" }]);
  assert.equal(server.requests.length, 1);
});

test("the traps of that folder do spring where its settings are read", TEST_OPTIONS, async (context) => {
  const folder = temporaryFolder(context);
  const markers = temporaryFolder(context);
  layTraps(folder, (name) => join(markers, name));
  const server = await startModelServer();
  context.after(() => server.close());
  const home = temporaryFolder(context);
  const session = query({
    prompt: "x",
    options: {
      settingSources: ["project"],
      persistSession: false,
      cwd: folder,
      // The settings of the project want another address for the model.
      settings: { env: { ANTHROPIC_BASE_URL: server.url } },
      env: {
        HOME: home,
        PATH: "/usr/bin:/bin",
        ANTHROPIC_API_KEY: KEY,
        ANTHROPIC_BASE_URL: server.url,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      },
    },
  });
  for await (const message of session) if (message.type === "result") break;
  assert.ok(readdirSync(markers).includes("prompt"), readdirSync(markers).join());
  assert.ok(JSON.stringify(server.requests.map(({ body }) => body)).includes("trapdoor"));
});

test(
  "a program that was started for more output than the budget allows is replaced",
  TEST_OPTIONS,
  async (context) => {
    const { server, model, run } = await createAgentScene(context);
    model.warm?.(LIMITS);
    await until(() => agentPids().length === 1);
    const [early] = agentPids();
    const task = run([FINISH], { admit: () => 500 });
    assert.deepEqual((await task.outcome).stopReason, { kind: "finished" });
    assert.deepEqual(
      server.requests.map(({ body }) => isJson(body) && body["max_tokens"]),
      [500],
    );
    await until(() => !agentPids().includes(early ?? ""));
  },
);

test(
  "a program that no run takes is gone when its warming is closed, and a run with other limits leaves it",
  TEST_OPTIONS,
  async (context) => {
    const { server, model, run } = await createAgentScene(context);
    const before = agentFolders();
    const warmed = model.warm?.(LIMITS);
    await until(() => agentPids().length === 1);
    const task = run([FINISH], { limits: { maxTurns: 3 } });
    assert.deepEqual((await task.outcome).stopReason, { kind: "finished" });
    assert.equal(server.requests.length, 1);
    await warmed?.close();
    await until(() => agentPids().length === 0);
    assert.deepEqual(agentFolders(), before);
  },
);
