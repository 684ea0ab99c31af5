/** The scripted provider itself, asked over plain HTTP: what it sends, how it fails, what it remembers. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { test, type TestContext } from "node:test";
import { type ModelServer, startModelServer } from "./support/model-server/model-server.ts";
import { isJson } from "./support/model-server/protocol.ts";
import { forever } from "./support/model-server/script.ts";

async function start(context: TestContext): Promise<ModelServer> {
  const server = await startModelServer();
  context.after(() => server.close());
  return server;
}

function post(server: ModelServer, path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  return fetch(`${server.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": "the-key" },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });
}

const TOOLS = [{ name: "mcp__kodiai__record_finding", input_schema: { type: "object" } }];

function messages(prompt: string, history: readonly unknown[] = []): unknown {
  return {
    model: "claude-test",
    stream: true,
    system: "Be brief.",
    tools: TOOLS,
    messages: [{ role: "user", content: prompt }, ...history],
  };
}

function eventsOf(text: string): Record<string, unknown>[] {
  const lines = text.split("\n").filter((line) => line.startsWith("data: {"));
  return lines.map((line) => JSON.parse(line.slice("data: ".length)));
}

test("a list of turns is played by the history of each conversation, and every request is kept", async (context) => {
  const server = await start(context);
  server.script([{ toolCalls: [{ name: "record_finding", args: { title: "x" } }] }, { text: "bye" }]);
  const first = await (await post(server, "/v1/messages", messages("hello"))).text();
  const [block] = eventsOf(first).flatMap(({ content_block: begun }) => (isJson(begun) ? [begun] : []));
  const { id, name } = block ?? {};
  assert.equal(name, "mcp__kodiai__record_finding");
  const history = [
    { role: "assistant", content: [{ type: "tool_use", id, name, input: {} }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: "recorded" }] },
  ];
  const second = await (await post(server, "/v1/messages", messages("hello", history))).text();
  assert.match(second, /bye/);
  assert.match(second, /end_turn/);
  assert.deepEqual(
    server.requests.map(({ turn, conversation, key, toolResults }) => ({
      turn,
      conversation,
      key,
      toolResults,
    })),
    [
      { turn: 0, conversation: 1, key: "the-key", toolResults: [] },
      { turn: 1, conversation: 1, key: "the-key", toolResults: ["recorded"] },
    ],
  );
  assert.equal(server.requests[0]?.system, "Be brief.");
  assert.equal(server.requests[0]?.end(), "answered");
});

test("scripts are chosen by conversation", async (context) => {
  const server = await start(context);
  server.script([{ text: "otherwise" }]);
  server.onConversation(({ prompt }) => prompt.includes("security"), [{ text: "locked" }]);
  server.onConversation(({ conversation }) => conversation === 3, [{ text: "third" }]);
  const said: string[] = [];
  for (const prompt of ["security", "style", "security"])
    said.push(await (await post(server, "/v1/messages", messages(prompt))).text());
  assert.deepEqual(
    said.map((text) => /locked|otherwise|third/.exec(text)?.[0]),
    ["locked", "otherwise", "third"],
  );
});

test("faults are met attempt by attempt, then the turn succeeds", async (context) => {
  const server = await start(context);
  server.script([
    {
      text: "at last",
      faults: [
        { kind: "status", status: 429, retryAfterSeconds: 7 },
        { kind: "status", status: 529 },
      ],
    },
  ]);
  const limited = await post(server, "/v1/messages", messages("hello"));
  assert.equal(limited.status, 429);
  assert.equal(limited.headers.get("retry-after"), "7");
  assert.match(await limited.text(), /rate_limit_error/);
  const overloaded = await post(server, "/v1/messages", messages("hello"));
  assert.equal(overloaded.status, 529);
  assert.match(await overloaded.text(), /overloaded_error/);
  assert.match(await (await post(server, "/v1/messages", messages("hello"))).text(), /at last/);
  assert.deepEqual(
    server.requests.map(({ attempt, conversation }) => [attempt, conversation]),
    [
      [0, 1],
      [1, 1],
      [2, 1],
    ],
  );
});

test("an answer can stall, be reset, be cut, or end in an error event", async (context) => {
  const server = await start(context);
  server.script([
    {
      text: "half",
      faults: [
        { kind: "stall" },
        { kind: "reset" },
        { kind: "cut" },
        { kind: "error-event", isOverloaded: true },
      ],
    },
  ]);
  const leaving = new AbortController();
  const stalled = await post(server, "/v1/messages", messages("hello"), leaving.signal);
  leaving.abort();
  await assert.rejects(stalled.text(), /abort/i);
  await assert.rejects(
    async () => (await post(server, "/v1/messages", messages("hello"))).text(),
    /terminated|fetch/,
  );
  const cut = await (await post(server, "/v1/messages", messages("hello"))).text();
  assert.match(cut, /half/);
  assert.doesNotMatch(cut, /message_stop/);
  assert.match(await (await post(server, "/v1/messages", messages("hello"))).text(), /overloaded_error/);
  assert.deepEqual(
    server.requests.map(({ end }) => end()),
    ["left", "faulted", "faulted", "faulted"],
  );
});

test("every protocol says the same turn in its own words", async (context) => {
  const server = await start(context);
  server.script(forever({ text: "Grüße 🦊", toolCalls: [{ name: "read_file", args: { path: "a" } }] }));
  const user = { role: "user", content: "hello" };
  const asked: readonly (readonly [string, unknown])[] = [
    ["/v1/messages", { model: "m", stream: true, messages: [user] }],
    ["/v1/messages", { model: "m", messages: [user] }],
    ["/v1/responses", { model: "m", stream: true, input: [user] }],
    ["/v1/chat/completions", { model: "m", stream: true, messages: [user] }],
    [
      "/v1beta/models/m:streamGenerateContent?alt=sse",
      { contents: [{ role: "user", parts: [{ text: "hello" }] }], tools: [] },
    ],
  ];
  for (const [path, body] of asked) {
    const text = await (await post(server, path, body)).text();
    assert.match(text, /Grüße 🦊/, path);
    assert.match(text, /read_file/, path);
  }
  assert.deepEqual(
    server.requests.map(({ protocol, prompt, model }) => [protocol, prompt, model]),
    ["anthropic", "anthropic", "openai-responses", "openai-chat", "google"].map((name) => [
      name,
      "hello",
      "m",
    ]),
  );
});

test("characters are cut in two when the script says so", async (context) => {
  const server = await start(context);
  server.script([{ text: "🦊🦊🦊", splitBytes: 3 }]);
  const { port } = new URL(server.url);
  const socket = connect({ host: "127.0.0.1", port: Number(port) });
  context.after(() => socket.destroy());
  const body = JSON.stringify(messages("hello"));
  socket.write(
    `POST /v1/messages HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  const pieces: Buffer[] = [];
  socket.on("data", (piece) => pieces.push(piece));
  await once(socket, "close");
  const isTorn = (piece: Buffer): boolean => piece.toString("utf8").includes("\ufffd");
  assert.ok(pieces.some(isTorn), "no piece ended within a character");
});

test("other calls are answered or not found, and kept", async (context) => {
  const server = await start(context);
  const counted = await post(server, "/v1/messages/count_tokens", messages("hello"));
  const { input_tokens: tokens } = (await counted.json()) as { input_tokens: number };
  assert.ok(tokens > 10);
  assert.equal((await fetch(`${server.url}/api/unknown`)).status, 404);
  assert.deepEqual(server.otherCalls, [
    { method: "POST", path: "/v1/messages/count_tokens", status: 200 },
    { method: "GET", path: "/api/unknown", status: 404 },
  ]);
});
