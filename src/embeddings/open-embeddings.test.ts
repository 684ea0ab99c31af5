import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { test, type TestContext } from "node:test";
import { gzipSync } from "node:zlib";
import { createLexicalEmbeddings } from "../../bench/support/lexical-embeddings.ts";
import { testEmbeddings } from "../../test/support/embeddings-contract.ts";
import {
  answerJson,
  embedByWords,
  type EmbeddingsServer,
  type Misbehaviour,
  startEmbeddingsServer,
} from "../../test/support/embeddings-server.ts";
import { type ErrorCode, KodiaiError } from "../base/errors.ts";
import type { EmbeddingSettings } from "../config/embedding-settings.ts";
import { MAX_DIMENSIONS } from "../store/vectors/vectors.ts";
import { type Embeddings, MAX_TEXTS } from "./embeddings.ts";
import { openEmbeddings } from "./open-embeddings.ts";
import { MAX_VECTOR_DIMENSIONS } from "./read-vectors.ts";

const KEY = "secret-key-0123456789";
const TEXT = "text of a private repository";
const VOYAGE = "voyage:voyage-code-3";
const COMPATIBLE = "openai-compatible:nomic-embed-text";

function settingsFor({ url }: Pick<EmbeddingsServer, "url">): EmbeddingSettings {
  const access = { key: KEY, baseUrl: url };
  return { embeddings: null, access: { voyage: access, "openai-compatible": access } };
}

async function start(t: TestContext, id: string) {
  const server = await startEmbeddingsServer(t);
  if (id === VOYAGE) server.dimensions = 1_024;
  return { server, embeddings: await openProvider(id, settingsFor(server)) };
}

async function openProvider(...given: Parameters<typeof openEmbeddings>): Promise<Embeddings> {
  const embeddings = await openEmbeddings(...given);
  assert.ok(embeddings !== null);
  return embeddings;
}

for (const id of [VOYAGE, COMPATIBLE]) testEmbeddings(id, async (t) => (await start(t, id)).embeddings);

testEmbeddings("a table in the program", async () => createLexicalEmbeddings());

test("local means no embeddings", async () => {
  assert.equal(await openEmbeddings("local", { embeddings: null, access: {} }), null);
});

test("the store accepts all dimensions that are read", () => {
  assert.equal(MAX_VECTOR_DIMENSIONS, MAX_DIMENSIONS);
});

const { signal } = new AbortController();

test("a request to Voyage", async (t) => {
  const { server, embeddings } = await start(t, VOYAGE);
  await embeddings.embed(["a", "b"], "query", signal);
  await embeddings.embed(["c"], "document", signal);
  const common = { model: "voyage-code-3", truncation: true, output_dimension: 1_024 };
  assert.deepEqual(
    server.calls.map(({ body }) => body),
    [
      { ...common, input_type: "query", input: ["a", "b"] },
      { ...common, input_type: "document", input: ["c"] },
    ],
  );
  const [call] = server.calls;
  assert.equal(call?.path, "/v1/embeddings");
  assert.equal(call?.headers.authorization, `Bearer ${KEY}`);
});

test("a Voyage model without a choice of dimensions isn't asked for some", async (t) => {
  const { server } = await start(t, VOYAGE);
  const embeddings = await openProvider("voyage:voyage-law-2", settingsFor(server));
  await embeddings.embed(["a"], "query", signal);
  assert.deepEqual(server.calls[0]?.body, {
    model: "voyage-law-2",
    truncation: true,
    input_type: "query",
    input: ["a"],
  });
});

test("a request to a compatible server, with and without a key", async (t) => {
  const { server, embeddings } = await start(t, COMPATIBLE);
  await embeddings.embed(["a"], "document", signal);
  const { url: baseUrl } = server;
  const open = await openProvider(COMPATIBLE, {
    embeddings: null,
    access: { "openai-compatible": { key: null, baseUrl } },
  });
  await open.embed(["b"], "query", signal);
  const common = { model: "nomic-embed-text", encoding_format: "float" };
  assert.deepEqual(
    server.calls.map(({ body }) => body),
    [
      { ...common, input: ["a"] },
      { ...common, input: ["b"] },
    ],
  );
  assert.deepEqual(
    server.calls.map(({ headers }) => headers.authorization),
    [`Bearer ${KEY}`, undefined],
  );
});

test("a full request stays below the limits of all providers", async (t) => {
  const { server, embeddings } = await start(t, COMPATIBLE);
  await embeddings.embed(
    Array.from({ length: MAX_TEXTS }, () => "x".repeat(10_000)),
    "document",
    signal,
  );
  const characters = server.calls[0]?.texts.reduce((sum, { length }) => sum + length, 0) ?? 0;
  assert.ok(characters > 0 && characters < 120_000);
});

async function failureOf(embeddings: Embeddings, texts: readonly string[] = [TEXT]): Promise<KodiaiError> {
  try {
    await embeddings.embed(texts, "document", signal);
  } catch (error) {
    assert.ok(error instanceof KodiaiError, String(error));
    const shown = [error.message, error.hint, error.stack, JSON.stringify(error.cause)].join(" ");
    for (const secret of [KEY, TEXT, "SERVER-SAID"]) assert.ok(!shown.includes(secret), shown);
    assert.notEqual(error.hint, "");
    return error;
  }
  return assert.fail("it was accepted");
}

const status =
  (code: number, headers: Readonly<Record<string, string>> = {}): Misbehaviour =>
  (response) =>
    void response.writeHead(code, headers).end(`SERVER-SAID ${KEY} ${TEXT}`);

const STATUSES: readonly (readonly [number, ErrorCode, isRetryable: boolean, hint: RegExp])[] = [
  [400, "bad-payload", false, /model's name/],
  [401, "forbidden", false, /KODIAI_EMBEDDINGS_KEY/],
  [403, "forbidden", false, /KODIAI_EMBEDDINGS_KEY/],
  [404, "not-found", false, /KODIAI_EMBEDDINGS_URL/],
  [408, "network", true, /Wait/],
  [413, "bad-payload", false, /model's name/],
  [422, "bad-payload", false, /model's name/],
  [429, "rate-limited", true, /limit/],
  [500, "network", true, /Wait/],
  [503, "network", true, /Wait/],
];

for (const [code, expected, isRetryable, hint] of STATUSES)
  test(`status ${code} is ${expected}, sent once`, async (t) => {
    const { server, embeddings } = await start(t, COMPATIBLE);
    server.misbehaves = status(code);
    const error = await failureOf(embeddings);
    assert.equal(error.code, expected);
    assert.equal(error.retryable, isRetryable);
    assert.match(error.hint, hint);
    assert.equal(server.calls.length, 1);
  });

test("a limit says when to come back, at most in an hour", async (t) => {
  const { server, embeddings } = await start(t, COMPATIBLE);
  for (const [said, waitMs] of [
    ["7", 7_000],
    ["999999", 3_600_000],
  ] as const) {
    server.misbehaves = status(429, { "retry-after": said });
    const askedAt = Date.now();
    const retryAtMs = (await failureOf(embeddings)).retryAtMs ?? 0;
    assert.ok(retryAtMs >= askedAt + waitMs && retryAtMs <= Date.now() + waitMs, String(retryAtMs - askedAt));
  }
});

test("a redirect is refused: neither key nor text goes elsewhere", async (t) => {
  const { server, embeddings } = await start(t, COMPATIBLE);
  const elsewhere = await startEmbeddingsServer(t);
  for (const code of [301, 302, 303, 307, 308]) {
    server.misbehaves = status(code, { location: `${elsewhere.url}/embeddings` });
    const error = await failureOf(embeddings);
    assert.equal(error.code, "bad-payload");
    assert.match(error.message, /redirects/);
  }
  assert.equal(elsewhere.calls.length, 0);
});

const DIMENSIONS = 3;
const entry = (index: unknown, embedding: unknown) => ({ index, embedding });
const good = (index: number) => entry(index, embedByWords(TEXT, DIMENSIONS));
const json = (value: unknown) => (response: ServerResponse) => answerJson(response, value);
const raw = (body: string | Buffer) => (response: ServerResponse) => void response.writeHead(200).end(body);

/** Answers to two texts. */
const NONSENSE: readonly (readonly [what: string, Misbehaviour])[] = [
  ["nothing", raw("")],
  ["HTML", raw("<!doctype html><title>SERVER-SAID</title>")],
  ["half of the JSON", raw('{"data":[{"index":0,"embedding":[0.1')],
  ["null", json(null)],
  ["a text", json("SERVER-SAID")],
  ["a list", json([good(0), good(1)])],
  ["an error with status 200", json({ error: { message: "SERVER-SAID" } })],
  ["data that isn't a list", json({ data: { 0: good(0), 1: good(1) } })],
  ["no vectors", json({ data: [] })],
  ["one vector", json({ data: [good(0)] })],
  ["three vectors", json({ data: [good(0), good(1), good(2)] })],
  ["the same index twice", json({ data: [good(0), good(0)] })],
  ["no index", json({ data: [good(0), entry(undefined, [1, 2, 3])] })],
  ["an index out of range", json({ data: [good(0), entry(2, [1, 2, 3])] })],
  ["a negative index", json({ data: [good(0), entry(-1, [1, 2, 3])] })],
  ["an index that isn't whole", json({ data: [good(0), entry(0.5, [1, 2, 3])] })],
  ["an index as text", json({ data: [good(0), entry("1", [1, 2, 3])] })],
  ["entries that are null", json({ data: [null, null] })],
  ["vectors in base64", json({ data: [entry(0, "AACAPw=="), entry(1, "AACAPw==")] })],
  ["vectors of texts", json({ data: [good(0), entry(1, ["1", "2", "3"])] })],
  ["NaN, which JSON writes as null", json({ data: [good(0), entry(1, [Number.NaN, 1, 2])] })],
  ["NaN as a word", raw('{"data":[{"index":0,"embedding":[NaN]},{"index":1,"embedding":[1]}]}')],
  ["infinity", raw('{"data":[{"index":0,"embedding":[1e999]},{"index":1,"embedding":[1]}]}')],
  ["a number over 32 bits", json({ data: [good(0), entry(1, [1e39, 1, 2])] })],
  ["zeros", json({ data: [good(0), entry(1, [0, 0, 0])] })],
  ["numbers that are zero in 32 bits", json({ data: [good(0), entry(1, [1e-60, -1e-60, 0])] })],
  ["empty vectors", json({ data: [entry(0, []), entry(1, [])] })],
  ["different dimensions", json({ data: [good(0), entry(1, [1, 2])] })],
  ["nested vectors", json({ data: [entry(0, [[1, 2, 3]]), entry(1, [[1, 2, 3]])] })],
  [
    "too many dimensions",
    json({ data: [0, 1].map((index) => entry(index, embedByWords("a", MAX_DIMENSIONS + 1))) }),
  ],
  ["10 MB", raw(" ".repeat(10_000_000))],
  [
    "10 MB in a few packed bytes",
    (response) =>
      void response
        .writeHead(200, { "content-encoding": "gzip" })
        .end(gzipSync(Buffer.alloc(10_000_000, 32))),
  ],
  ["50,000 levels", raw("[".repeat(50_000) + "]".repeat(50_000))],
];

for (const [what, misbehaves] of NONSENSE)
  test(`an answer that is unusable: ${what}`, async (t) => {
    const { server, embeddings } = await start(t, COMPATIBLE);
    server.misbehaves = misbehaves;
    const error = await failureOf(embeddings, [TEXT, TEXT]);
    assert.equal(error.code, "bad-payload");
    assert.equal(error.retryable, false);
    assert.equal(server.calls.length, 1);
  });

test("other dimensions than Voyage was asked for are refused", async (t) => {
  const { server, embeddings } = await start(t, VOYAGE);
  server.dimensions = 512;
  assert.match((await failureOf(embeddings)).message, /1024 dimensions/);
});

test("a server that can't be reached, hangs up, or sends no HTTP", async (t) => {
  const { server, embeddings } = await start(t, COMPATIBLE);
  const away = await openProvider(COMPATIBLE, settingsFor({ url: "http://127.0.0.1:1/v1" }));
  for (const each of [
    await failureOf(away),
    ...(await failuresWith([
      (response) => response.destroy(),
      (response) => void response.socket?.end("SERVER-SAID\n\n"),
      (response) => {
        response.writeHead(200, { "content-length": "1000" }).write("{");
        response.socket?.end();
      },
    ])),
  ]) {
    assert.equal(each.code, "network");
    assert.equal(each.retryable, true);
  }
  async function failuresWith(cases: readonly Misbehaviour[]): Promise<readonly KodiaiError[]> {
    const failures: KodiaiError[] = [];
    for (const misbehaves of cases) {
      server.misbehaves = misbehaves;
      failures.push(await failureOf(embeddings));
    }
    return failures;
  }
});

test("a server that never answers, or never ends its answer, is late for the caller's limit", async (t) => {
  const { server, embeddings } = await start(t, COMPATIBLE);
  for (const misbehaves of [
    () => undefined,
    (response: ServerResponse) => void response.writeHead(200).write('{"data":['),
  ]) {
    server.misbehaves = misbehaves;
    await assert.rejects(embeddings.embed([TEXT], "query", AbortSignal.timeout(50)), (error) => {
      assert.ok(error instanceof KodiaiError);
      return error.code === "network" && /in time/.test(error.message);
    });
  }
});

test("a caller that stops gets its own reason", async (t) => {
  const { server, embeddings } = await start(t, COMPATIBLE);
  const stop = new AbortController();
  const reason = new Error("the job was cancelled");
  server.misbehaves = () => stop.abort(reason);
  await assert.rejects(embeddings.embed([TEXT], "query", stop.signal), reason);
});

test("an unusable name is refused with what to do", async () => {
  for (const [id, expected] of [
    ["voyage:voyage-code-3", /VOYAGE_API_KEY/],
    ["openai-compatible:x", /KODIAI_EMBEDDINGS_URL/],
    ["voyage", /voyage:voyage-code-3/],
    ["openai:x", /voyage:MODEL/],
    ["", /voyage:MODEL/],
    ["local:x", /voyage:MODEL/],
  ] as const)
    await assert.rejects(openEmbeddings(id, { embeddings: null, access: {} }), (error) => {
      assert.ok(error instanceof KodiaiError);
      assert.match(error.message, expected);
      return error.code === "config" && error.hint !== "";
    });
});
