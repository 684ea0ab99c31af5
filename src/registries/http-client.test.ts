/** The client against hostile servers on loopback. A server's name is made up: only the injected resolver knows its address. */
import assert from "node:assert/strict";
import type { RequestListener, ServerResponse } from "node:http";
import { test, type TestContext } from "node:test";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { type LocalServer, startServer } from "../../test/support/local-server.ts";
import { selfSigned } from "../../test/support/self-signed.ts";
import {
  createHttpClient,
  type HttpClientSettings,
  type HttpOptions,
  MAX_TEXT_BYTES,
} from "./http-client.ts";

/** Far beyond what a loaded machine needs for a request to itself. */
const PATIENT: HttpOptions = { signal: new AbortController().signal, timeoutMs: 60_000 };

/** For servers that never finish: the test ends when this time has passed. */
const IMPATIENT: HttpOptions = { ...PATIENT, timeoutMs: 300 };

const toLoopback = async () => [{ address: "127.0.0.1", family: 4 }];

const clientFor = (server: LocalServer, more: Partial<HttpClientSettings> = {}) =>
  createHttpClient({
    origins: [{ origin: `http://registry.test:${server.port}`, mayBePrivate: true }],
    isOffline: false,
    userAgent: "kodiai/0.0.0",
    resolveHost: toLoopback,
    ...more,
  });

const urlOn = (server: LocalServer, path = "/"): string => `http://registry.test:${server.port}${path}`;

async function serving(t: TestContext, answer: RequestListener, more: Partial<HttpClientSettings> = {}) {
  const server = await startServer(t, answer);
  return { server, client: clientFor(server, more), url: urlOn(server) };
}

const failed = (reason: string) => ({ kind: "failed", reason });

test("a request has only the headers that it needs, and the answer its validators", async (t) => {
  const { server, client, url } = await serving(t, (_, response) => {
    response.writeHead(200, { etag: '"1"', "last-modified": "yesterday", "set-cookie": "a=b" }).end("text");
  });
  const answer = await client.get(url, { ...PATIENT, accept: "application/json" });
  assert.deepEqual(answer, {
    kind: "found",
    body: Buffer.from("text"),
    validators: { etag: '"1"', lastModified: "yesterday" },
  });
  await client.get(url, PATIENT);
  const [first, second] = server.requests.map(({ headers }) => headers);
  assert.deepEqual(first, {
    host: `registry.test:${server.port}`,
    "user-agent": "kodiai/0.0.0",
    accept: "application/json",
    "accept-encoding": "gzip, deflate, br",
    connection: "keep-alive",
  });
  assert.equal(second?.cookie, undefined);
});

const STATUSES: readonly [status: number, headers: Record<string, string>, expected: object][] = [
  [404, {}, { kind: "absent" }],
  [410, {}, { kind: "absent" }],
  [429, {}, failed("rate-limited")],
  [403, { "x-ratelimit-remaining": "0" }, failed("rate-limited")],
  [403, { "retry-after": "60" }, failed("rate-limited")],
  [403, {}, failed("network")],
  [401, {}, failed("network")],
  [500, {}, failed("network")],
  [503, {}, failed("network")],
  [206, {}, failed("network")],
  [302, {}, failed("network")],
  [304, {}, failed("network")],
];

test("each status has its meaning, and only a missing package is absent", async (t) => {
  for (const [status, headers, expected] of STATUSES) {
    const { client, url } = await serving(
      t,
      (_, response) => void response.writeHead(status, headers).end("no"),
    );
    assert.deepEqual(await client.get(url, PATIENT), expected, String(status));
  }
});

test("an answer that the caller has isn't sent again", async (t) => {
  const { client, server, url } = await serving(t, ({ headers }, response) => {
    response.writeHead(headers["if-none-match"] === '"1"' ? 304 : 200).end();
  });
  const validators = { etag: '"1"', lastModified: "then" };
  assert.deepEqual(await client.get(url, { ...PATIENT, validators }), { kind: "unchanged" });
  assert.equal(server.requests[0]?.headers["if-modified-since"], "then");
});

test("a reset or a restart is tried once more, not twice", async (t) => {
  for (const fail of [
    (response: ServerResponse) => void response.socket?.resetAndDestroy(),
    (response: ServerResponse) => void response.writeHead(503).end(),
  ]) {
    const flaky = await serving(t, (_, response) => {
      if (flaky.server.requests.length === 1) fail(response);
      else response.end("text");
    });
    assert.equal((await flaky.client.get(flaky.url, PATIENT)).kind, "found");
    const down = await serving(t, (_, response) => fail(response));
    assert.deepEqual(await down.client.get(down.url, PATIENT), failed("network"));
    assert.equal(down.server.requests.length, 2);
  }
});

/** Sends a byte every few milliseconds, forever. */
function trickle(response: ServerResponse): void {
  const timer = setInterval(() => response.write("x"), 10);
  response.on("close", () => clearInterval(timer));
}

const SLOW: Readonly<Record<string, RequestListener>> = {
  "no headers": () => undefined,
  "a body that trickles": (_, response) => trickle(response.writeHead(200)),
  "a body that stops": (_, response) => void response.writeHead(200, { "content-length": "9" }).write("x"),
  "endless early answers": (_, response) => {
    const timer = setInterval(() => response.writeProcessing(), 10);
    response.on("close", () => clearInterval(timer));
  },
};

for (const [what, answer] of Object.entries(SLOW)) {
  test(`a slow server is left: ${what}`, async (t) => {
    const { client, url } = await serving(t, answer);
    assert.deepEqual(await client.get(url, IMPATIENT), failed("time"));
  });
}

test("the caller's signal ends a request, also while it waits for its turn", async (t) => {
  const { client, url, server } = await serving(t, () => undefined);
  const controller = new AbortController();
  const answers = Array.from({ length: 40 }, () =>
    client.get(url, { ...PATIENT, signal: controller.signal }),
  );
  while (server.requests.length < 16) await new Promise((resolve) => void setTimeout(resolve, 5));
  controller.abort();
  assert.deepEqual(
    new Set((await Promise.all(answers)).map((answer) => JSON.stringify(answer))),
    new Set(['{"kind":"failed","reason":"time"}']),
  );
  assert.equal(server.requests.length, 16, "no more than 16 at once");
});

test("a host whose name is never resolved doesn't hang", async (t) => {
  const { client, url } = await serving(t, () => undefined, {
    resolveHost: () => new Promise(() => undefined),
  });
  assert.deepEqual(await client.get(url, IMPATIENT), failed("time"));
});

const MANY = Buffer.alloc(MAX_TEXT_BYTES + 1, "a");
const pack = (encoding: string, body: Buffer): RequestListener => {
  return (_, response) => void response.writeHead(200, { "content-encoding": encoding }).end(body);
};

const TOO_LARGE: Readonly<Record<string, RequestListener>> = {
  "a huge body": (_, response) => void response.end(MANY),
  "a huge body in chunks": (_, response) => {
    response.write(MANY.subarray(1));
    response.end("ab");
  },
  "a body that says it is huge": (_, response) =>
    void response.writeHead(200, { "content-length": "9999999" }).write("a"),
  "a gzip bomb": pack("gzip", gzipSync(Buffer.alloc(20 * MAX_TEXT_BYTES))),
  "a brotli bomb": pack("br", brotliCompressSync(MANY)),
  "a deflate bomb": pack("deflate", deflateSync(MANY)),
  "a gzip file of empty blocks": pack("gzip", Buffer.alloc(2 * MAX_TEXT_BYTES, gzipSync(""))),
  "huge headers": (_, response) => void response.writeHead(200, { "x-large": "a".repeat(64 * 1024) }).end(),
};

for (const [what, answer] of Object.entries(TOO_LARGE)) {
  test(`is too large: ${what}`, async (t) => {
    const { client, url } = await serving(t, answer);
    assert.deepEqual(await client.get(url, PATIENT), failed("too-large"));
  });
}

test("a packed text of the allowed size is unpacked", async (t) => {
  for (const [encoding, packed] of [
    ["gzip", gzipSync(MANY.subarray(1))],
    ["br", brotliCompressSync(MANY.subarray(1))],
    ["deflate", deflateSync(MANY.subarray(1))],
  ] as const) {
    const { client, url } = await serving(t, pack(encoding, packed));
    const answer = await client.get(url, PATIENT);
    assert.equal(answer.kind === "found" && answer.body.length, MAX_TEXT_BYTES);
  }
});

const MALFORMED: Readonly<Record<string, RequestListener>> = {
  "a truncated gzip file": pack("gzip", gzipSync("some text".repeat(99)).subarray(0, 30)),
  "something else than gzip": pack("gzip", Buffer.from("some text")),
  "something else than brotli": pack("br", Buffer.from("some text")),
  "an unknown encoding": pack("zstd", Buffer.from("some text")),
  "two encodings": pack("gzip, gzip", gzipSync(gzipSync("some text"))),
  "no HTTP": (_, response) => void response.socket?.end("no HTTP at all\r\n\r\n"),
};

for (const [what, answer] of Object.entries(MALFORMED)) {
  test(`is malformed: ${what}`, async (t) => {
    const { client, url } = await serving(t, answer);
    assert.deepEqual(await client.get(url, PATIENT), failed("malformed"));
  });
}

test("a connection that breaks in the middle of a body isn't taken for the end of the body", async (t) => {
  const { client, url } = await serving(t, (_, response) => {
    response.writeHead(200, { "content-length": "100" });
    response.write("half", () => response.socket?.end());
  });
  assert.deepEqual(await client.get(url, PATIENT), failed("network"));
});

test("[P8] hosts, ports and protocols that aren't on the list are refused without a request", async (t) => {
  const other = await startServer(t, (_, response) => void response.end("secret"));
  const { client, server } = await serving(t, (_, response) => void response.end("text"), {
    resolveHost: async () => assert.fail("nothing is resolved"),
  });
  for (const url of [
    `http://127.0.0.1:${server.port}/`,
    `http://registry.test:${other.port}/`,
    `https://registry.test:${server.port}/`,
    `http://registry.test.:${server.port}/`,
    `http://other.test:${server.port}/`,
    "http://169.254.169.254/latest/meta-data",
    "file:///etc/passwd",
    "data:text/plain,x",
    "registry.test",
    "",
    `http://registry.test:${server.port}/${"a".repeat(3_000)}`,
    `http://user:pass@registry.test:${server.port}/`,
  ])
    assert.deepEqual(await client.get(url, PATIENT), failed("refused"), url);
  assert.deepEqual([...server.requests, ...other.requests], []);
});

test("[P8] redirects stay on the list", async (t) => {
  const other = await startServer(t, (_, response) => void response.end("secret"));
  for (const target of [
    `http://127.0.0.1:${other.port}/`,
    `http://localhost:${other.port}/`,
    `http://[::1]:${other.port}/`,
    `http://2130706433:${other.port}/`,
    `//inside.test:${other.port}/`,
    "http://169.254.169.254/latest/meta-data/",
    "file:///etc/passwd",
    "ftp://registry.test/",
    "http://",
    `http://user:pass@registry.test:${other.port}/`,
  ]) {
    const { client, url } = await serving(
      t,
      (_, response) => void response.writeHead(302, { location: target }).end(),
    );
    assert.deepEqual(await client.get(url, PATIENT), failed("refused"), target);
  }
  assert.deepEqual(other.requests, []);
});

test("[P8] a redirect to another host of the list is followed without the token", async (t) => {
  const files = await startServer(t, (_, response) => void response.end("archive"));
  const server = await startServer(t, (_, response) => {
    response.writeHead(302, { location: `http://files.test:${files.port}/a.tgz` }).end();
  });
  const [api, storage] = [`http://api.test:${server.port}`, `http://files.test:${files.port}`];
  const client = clientFor(server, {
    origins: [api, storage].map((origin) => ({ origin, mayBePrivate: true })),
    tokens: new Map([
      [api, "t1"],
      [storage, "t2"],
    ]),
  });
  const answer = await client.get(`${api}/a`, PATIENT);
  assert.equal(answer.kind === "found" && answer.body.toString(), "archive");
  assert.equal(server.requests[0]?.headers.authorization, "Bearer t1");
  assert.equal(files.requests[0]?.headers.authorization, undefined);
});

test("[P8] a circle of redirects ends", async (t) => {
  const { client, server, url } = await serving(
    t,
    (_, response) => void response.writeHead(301, { location: "/" }).end(),
  );
  assert.deepEqual(await client.get(url, PATIENT), failed("refused"));
  assert.equal(server.requests.length, 4);
});

test("[P8] a public host with a private address is refused, even if another address is public", async (t) => {
  const server = await startServer(t, (_, response) => void response.end("secret"));
  const origins = [{ origin: `http://registry.test:${server.port}`, mayBePrivate: false }];
  for (const addresses of [
    [{ address: "127.0.0.1", family: 4 }],
    [
      { address: "1.1.1.1", family: 4 },
      { address: "127.0.0.1", family: 4 },
    ],
    [{ address: "::ffff:127.0.0.1", family: 6 }],
  ]) {
    const client = clientFor(server, { origins, resolveHost: async () => addresses });
    assert.deepEqual(await client.get(urlOn(server), PATIENT), failed("refused"));
  }
  assert.deepEqual(server.requests, []);
});

test("[P8] metadata addresses are refused even for a host that may be private", async (t) => {
  const { client, url } = await serving(t, () => undefined, {
    resolveHost: async () => [{ address: "169.254.169.254", family: 4 }],
  });
  assert.deepEqual(await client.get(url, PATIENT), failed("refused"));
});

test("[P8] a name that resolves elsewhere later has no effect on the connection", async (t) => {
  const server = await startServer(t, (_, response) => void response.end("text"), { host: "127.0.0.2" });
  const inside = await startServer(t, (_, response) => void response.end("secret"), { port: server.port });
  let asked = 0;
  const client = clientFor(server, {
    resolveHost: async () => {
      asked += 1;
      return [{ address: asked === 1 ? "127.0.0.2" : "127.0.0.1", family: 4 }];
    },
  });
  const answer = await client.get(urlOn(server), PATIENT);
  assert.equal(answer.kind === "found" && answer.body.toString(), "text");
  assert.deepEqual([asked, inside.requests.length], [1, 0]);
});

test("[P8] the second attempt checks the addresses again", async (t) => {
  let asked = 0;
  const { client, server, url } = await serving(t, (_, response) => void response.socket?.resetAndDestroy(), {
    resolveHost: async () => {
      asked += 1;
      return [{ address: asked === 1 ? "127.0.0.1" : "169.254.169.254", family: 4 }];
    },
  });
  assert.deepEqual(await client.get(url, PATIENT), failed("refused"));
  assert.deepEqual([asked, server.requests.length], [2, 1]);
});

test("a name without an address is a failure of the network", async (t) => {
  for (const resolveHost of [async () => [], async () => Promise.reject(new Error("ENOTFOUND"))]) {
    const { client, url } = await serving(t, () => undefined, { resolveHost });
    assert.deepEqual(await client.get(url, PATIENT), failed("network"));
  }
});

test("[P8] the certificate must be valid for the name, whatever address was checked", async (t) => {
  const tls = selfSigned("registry.test");
  setDefaultCACertificates([...getCACertificates("default"), tls.cert]);
  const server = await startServer(t, (_, response) => void response.end("text"), { tls });
  const origins = ["registry", "other"].map((name) => ({
    origin: `https://${name}.test:${server.port}`,
    mayBePrivate: true,
  }));
  const client = clientFor(server, { origins });
  assert.equal((await client.get(`https://registry.test:${server.port}/`, PATIENT)).kind, "found");
  assert.deepEqual(await client.get(`https://other.test:${server.port}/`, PATIENT), failed("network"));
  const unknown = await startServer(t, (_, response) => void response.end("text"), {
    tls: selfSigned("registry.test"),
  });
  const second = clientFor(unknown, {
    origins: [{ origin: `https://registry.test:${unknown.port}`, mayBePrivate: true }],
  });
  assert.deepEqual(await second.get(`https://registry.test:${unknown.port}/`, PATIENT), failed("network"));
});

test("a HEAD request follows redirects and says where they led", async (t) => {
  const { client, server, url } = await serving(t, (request, response) => {
    const path = request.url ?? "";
    if (path === "/old") response.writeHead(301, { location: "/new" }).end();
    else
      response.writeHead(path === "/new" ? 200 : Number(path.slice(1)), { "content-encoding": "gzip" }).end();
  });
  assert.deepEqual(await client.head(`${url}old`, PATIENT), { kind: "found", url: `${url}new` });
  assert.deepEqual(await client.head(`${url}404`, PATIENT), { kind: "absent" });
  assert.deepEqual(await client.head(`${url}429`, PATIENT), failed("rate-limited"));
  assert.deepEqual(await client.head("http://elsewhere.test/", PATIENT), failed("refused"));
  assert.ok(server.requests.every(({ method }) => method === "HEAD"));
});

test("a query is posted as JSON and isn't redirected", async (t) => {
  const bodies: string[] = [];
  const { client, server, url } = await serving(t, (request, response) => {
    request.on("data", (chunk: Buffer) => void bodies.push(chunk.toString()));
    request.on(
      "end",
      () => void response.writeHead(request.url === "/" ? 200 : 307, { location: "/" }).end("{}"),
    );
  });
  assert.equal((await client.post(url, { queries: [1] }, PATIENT)).kind, "found");
  assert.deepEqual(await client.post(`${url}moved`, {}, PATIENT), failed("refused"));
  assert.deepEqual(bodies, ['{"queries":[1]}', "{}"]);
  assert.deepEqual(
    server.requests.map(({ method, headers }) => [method, headers["content-type"]]),
    [
      ["POST", "application/json"],
      ["POST", "application/json"],
    ],
  );
});

test("offline, nothing is sent or resolved", async (t) => {
  const { client, server, url } = await serving(t, (_, response) => void response.end(), {
    isOffline: true,
    resolveHost: async () => assert.fail("nothing is resolved"),
  });
  assert.deepEqual(await client.get(url, PATIENT), failed("offline"));
  assert.deepEqual(server.requests, []);
});
