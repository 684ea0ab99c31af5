/** Behavior of this adapter beyond the contract, seen from the provider: history, caching, keys and redirects. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { suite, test, type TestContext } from "node:test";
import { KodiaiError } from "../../base/errors.ts";
import { aiSdkScene } from "../../../test/support/model-contract/ai-sdk-scene.ts";
import { createScene, KEY, MANNER, SILENCE_MS } from "../../../test/support/model-contract/scene.ts";
import { startModelServer } from "../../../test/support/model-server/model-server.ts";
import { type ModelTurn, SIGNATURE } from "../../../test/support/model-server/script.ts";
import type { Model } from "../model.ts";
import { createAiSdkModel } from "./ai-sdk-model.ts";
import type { AiSdkProvider } from "./connect-provider.ts";

const FINISH: ModelTurn = { toolCalls: [{ name: "finish_review", args: { title: "b" } }] };

const RECORD: ModelTurn = { toolCalls: [{ name: "record_finding", args: { title: "a" } }] };

test("OpenAI is asked to keep nothing", async (context) => {
  const { server, run } = await aiSdkScene(context, "openai");
  await run([FINISH]).outcome;
  assert.equal(server.requests[0]?.body["store"], false);
  assert.equal(server.requests[0]?.body["max_output_tokens"], 1_000);
  assert.equal(server.requests[0]?.body["prompt_cache_key"], MANNER.cacheKey);
});

test("Anthropic's cache is asked to keep the beginning, and the conversation up to its end", async (context) => {
  const { server, run } = await aiSdkScene(context, "anthropic");
  const usage = { input: 900, cachedInput: 100, cacheWriteInput: 700, output: 10 };
  const task = run([{ ...RECORD, usage }, RECORD, FINISH]);
  const { tokens } = await task.outcome;
  assert.deepEqual(task.added[0], usage);
  assert.deepEqual(tokens, { input: 1_100, cachedInput: 100, cacheWriteInput: 700, output: 30 });
  const { system, messages } = server.requests[2]?.body ?? {};
  const isMarked = (part: unknown): boolean =>
    JSON.stringify(part).includes('"cache_control":{"type":"ephemeral"}');
  assert.ok(isMarked(system));
  assert.ok(Array.isArray(messages));
  // The user, the first call and its result, the second call and its result.
  assert.deepEqual(messages.map(isMarked), [true, false, false, false, true]);
});

const THINKERS: readonly (readonly [AiSdkProvider, string])[] = [
  ["anthropic", "claude-sonnet-4-5"],
  ["openai", "gpt-5"],
  ["google", "gemini-3-pro-preview"],
];

for (const [provider, name] of THINKERS)
  test(`${provider} gets its model's thoughts back as it signed them`, async (context) => {
    const { server, run } = await aiSdkScene(context, provider, name);
    const task = run([{ thinking: "Hm, let me see.", text: "I look.", ...RECORD }, FINISH]);
    assert.deepEqual((await task.outcome).stopReason, { kind: "finished" });
    assert.match(JSON.stringify(server.requests[1]?.body), new RegExp(SIGNATURE));
  });

void suite("answers that never end", { concurrency: true }, () => {
  const limits = { stallMs: SILENCE_MS };
  for (const provider of ["anthropic", "openai"] as const)
    test(`a call that is complete counts, although the answer of ${provider} never ends`, async (context) => {
      const { run } = await aiSdkScene(context, provider);
      const task = run([{ ...RECORD, faults: [{ kind: "stall" }] }], { limits });
      const outcome = await task.outcome;
      assert.deepEqual(outcome.stopReason, { kind: "stalled" });
      assert.deepEqual(task.calls, [{ name: "record_finding", args: { title: "a" } }]);
    });

  test("a finished review stays finished, although the answer never ends", async (context) => {
    const { run } = await aiSdkScene(context, "openai");
    const task = run([{ ...FINISH, faults: [{ kind: "stall" }] }], { limits });
    assert.deepEqual((await task.outcome).stopReason, { kind: "finished" });
  });
});

for (const [provider, name] of THINKERS)
  test(`${provider} hears of the calls of an answer that broke off, and of nothing after them`, async (context) => {
    const { server, run } = await aiSdkScene(context, provider, name);
    const broken: ModelTurn = {
      thinking: "Hm, let me see.",
      text: "I record two.",
      ...RECORD,
      halfCall: { name: "record_finding", args: { title: "never came in whole" } },
      faults: [{ kind: "error-event", isOverloaded: true, times: "always" }],
    };
    const task = run(({ turn }) => (turn < 2 ? broken : FINISH));
    assert.deepEqual((await task.outcome).stopReason, { kind: "finished" });
    assert.equal(server.requests.length, 3);
    assert.equal(task.calls.length, 3);
    const { body, toolResults } = server.requests[2] ?? {};
    assert.deepEqual(toolResults, ["recorded", "recorded"]);
    assert.equal(JSON.stringify(body).match(new RegExp(SIGNATURE, "g"))?.length, 2);
    assert.doesNotMatch(JSON.stringify(body), /never came in whole/);
  });

test("a call of which only the name has come is not made", async (context) => {
  const { server, run } = await aiSdkScene(context, "compatible");
  // Half of so short a call is its name.
  const broken: ModelTurn = {
    ...RECORD,
    halfCall: { name: "finish_review", args: {} },
    faults: [{ kind: "cut" }],
  };
  const task = run([broken, FINISH]);
  assert.deepEqual((await task.outcome).stopReason, { kind: "finished" });
  assert.deepEqual(
    task.calls.map(({ args }) => args),
    [{ title: "a" }, { title: "b" }],
  );
  assert.deepEqual(server.requests[1]?.toolResults, ["recorded"]);
});

test("calls that Google could not parse are requested again, three times", async (context) => {
  const { server, run } = await aiSdkScene(context, "google");
  const bad: ModelTurn = { toolCalls: [{ name: "record_finding", args: '{"title": "a' }] };
  // Unreadable calls aren't part of the history: the turn stays the same, only the number of requests grows.
  const script = (): ModelTurn => (server.requests.length < 3 ? bad : FINISH);
  assert.deepEqual((await run(script).outcome).stopReason, { kind: "finished" });
  assert.match(JSON.stringify(server.requests[1]?.body), /There is no tool/);
  const outcome = await run(() => bad, { prompt: { system: "s", user: "another one" } }).outcome;
  assert.equal(outcome.kind, "failed");
  assert.deepEqual(outcome.stopReason, { kind: "malformed-tool-calls" });
});

test("arguments that are nested without end are the model's mistake, not the end of the program", async (context) => {
  for (const provider of ["anthropic", "openai", "compatible"] as const) {
    const { run } = await aiSdkScene(context, provider);
    const args = `{"title": ${"[".repeat(20_000)}${"]".repeat(20_000)}}`;
    const task = run([{ toolCalls: [{ name: "record_finding", args }] }, FINISH]);
    assert.deepEqual((await task.outcome).stopReason, { kind: "finished" }, provider);
    assert.deepEqual(task.calls[0], { name: "record_finding", args });
  }
});

test("usage that cannot be is not believed", async (context) => {
  const { run } = await aiSdkScene(context, "compatible");
  const usage = { input: 1e300, cachedInput: -7, output: -500 };
  const { tokens } = await run([{ ...FINISH, usage }]).outcome;
  assert.ok(tokens.input > 0 && tokens.input < 10_000, JSON.stringify(tokens));
  assert.ok(tokens.cachedInput === 0 && tokens.output > 0 && tokens.output < 1_000, JSON.stringify(tokens));
});

/** A model whose provider is this server. */
async function modelAt(server: Server, context: TestContext): Promise<Model> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  // A server that listens on a port has an address of this kind.
  const { port } = server.address() as AddressInfo;
  const baseUrl = `http://127.0.0.1:${port}`;
  return createAiSdkModel({
    ...MANNER,
    id: "anthropic:m",
    provider: "anthropic",
    name: "m",
    apiKey: KEY,
    baseUrl,
  });
}

test("a provider that refuses and asks for no wait is not asked without a pause", async (context) => {
  let asked = 0;
  const refusing = createServer((_request, response) => {
    asked++;
    response.writeHead(429, { "retry-after": "0" }).end("{}");
  });
  const model = await modelAt(refusing, context);
  const server = await startModelServer();
  context.after(() => server.close());
  const { run } = createScene(server, model);
  const outcome = await run([FINISH], { limits: { overloadMs: 5_000 } }).outcome;
  assert.equal(outcome.kind, "overloaded");
  // A pause is half a second.
  assert.ok(asked >= 2 && asked <= 12, String(asked));
});

for (const provider of ["anthropic", "openai", "google"] as const)
  test(`${provider}: a model that ends with nothing is reminded too`, async (context) => {
    const { run, server } = await aiSdkScene(context, provider);
    // An empty answer does not become part of the history, by which the server counts turns.
    const turns = [RECORD, { text: "" }, FINISH];
    const task = run(() => turns.shift() ?? FINISH, { remind: () => "You have not finished." });
    assert.deepEqual((await task.outcome).stopReason, { kind: "finished" });
    assert.match(JSON.stringify(server.requests[2]?.body), /You have not finished\./);
  });

test("a meter that fails is no outcome of the model", async (context) => {
  const { run } = await aiSdkScene(context, "openai");
  const failure = new Error("the store is gone");
  const admit = (): never => {
    throw failure;
  };
  await assert.rejects(run([FINISH], { admit }).outcome, (error) => error === failure);
});

test("a redirect is not followed: it would take the key along", async (context) => {
  const elsewhere = await startModelServer();
  context.after(() => elsewhere.close());
  const redirecting = createServer((_request, response) => {
    response.writeHead(307, { location: `${elsewhere.url}/v1/messages` }).end();
  });
  const model = await modelAt(redirecting, context);
  const { run } = createScene(elsewhere, model);
  assert.equal((await run([FINISH]).outcome).kind, "failed");
  assert.equal(elsewhere.requests.length, 0);
});

test("a server that wants no key is not sent one", async (context) => {
  const server = await startModelServer();
  context.after(() => server.close());
  const baseUrl = `${server.url}/v1`;
  const model = await createAiSdkModel({
    ...MANNER,
    id: "compatible:m",
    provider: "compatible",
    name: "m",
    apiKey: null,
    baseUrl,
  });
  assert.deepEqual((await createScene(server, model).run([FINISH]).outcome).stopReason, {
    kind: "finished",
  });
  assert.equal(server.requests[0]?.key, null);
});

test("without a key or an address there is a hint, not a model", async () => {
  const none = { ...MANNER, id: "x:m", name: "m", apiKey: null, baseUrl: null };
  for (const provider of ["openai", "anthropic", "google", "compatible"] as const)
    await assert.rejects(
      createAiSdkModel({ ...none, provider }),
      (error) => error instanceof KodiaiError && error.code === "config" && error.hint !== "",
    );
});
