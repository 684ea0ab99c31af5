/** Logs against two servers on loopback: the API, and the storage that it names. */
import assert from "node:assert/strict";
import type { RequestListener } from "node:http";
import { test, type TestContext } from "node:test";
import { startServer } from "../../../test/support/local-server.ts";
import { createLog } from "../../base/log.ts";
import { createTokenClient } from "./github-client.ts";
import { createJobLogs } from "./job-logs.ts";
import { createRateLimiter } from "./rate-limiter.ts";

const STEP = "2026-03-01T10:00:00.1234567Z ";

type Stage = {
  /** The answer of the storage. */
  readonly storage: RequestListener;
  /** The answer of the API, if it names no log. */
  readonly refusal?: number;
  /** Missing: the API's own, which uses http here. */
  readonly apiUrl?: string;
};

async function stage(t: TestContext, { storage, refusal, apiUrl }: Stage) {
  const files = await startServer(t, storage, { host: "localhost" });
  const location = `http://localhost:${files.port}/log?signature=a-credential`;
  const api = await startServer(t, (_, response) => {
    if (refusal === undefined) response.writeHead(302, { location }).end();
    else
      response.writeHead(refusal, { "content-type": "application/json" }).end('{"message":"Not accessible"}');
  });
  const logged: string[] = [];
  const log = createLog({
    level: "debug",
    format: "json",
    write: (line) => void logged.push(line),
    now: () => 0,
  });
  const url = `http://127.0.0.1:${api.port}`;
  const connection = {
    apiUrl: url,
    userAgent: "kodiai-test",
    now: () => 0,
    sleep: async () => undefined,
    onRateLimit: () => assert.fail("there is no limit"),
    log,
  };
  const token = async () => ({ value: "secret", mintedAtMs: -60_000 });
  const client = createTokenClient(connection, createRateLimiter(connection), token);
  const name = async () => ({ owner: "acme", repo: "shop" });
  const read = createJobLogs({ client, name, apiUrl: apiUrl ?? url, log });
  return { read, api, files, logged };
}

const sending =
  (text: string): RequestListener =>
  (_, response) =>
    void response.writeHead(200, { "content-length": Buffer.byteLength(text) }).end(text);

test("the end of a log: up to the last error, without times, colors and secrets, and without the token", async (t) => {
  const secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
  const lines = [
    ...Array.from({ length: 900 }, (_, at) => `early line ${at}`),
    `\u001b[31mFAIL\u001b[0m src/users.test.ts with ${secret}`,
    "progress 1\rprogress 2",
    "##[error]Process completed with exit code 1.",
    "Post job cleanup.",
  ];
  const text = `\ufeff${lines.map((line) => `${STEP}${line}`).join("\r\n")}\r\n`;
  const { read, api, files, logged } = await stage(t, { storage: sending(text) });
  const log = await read(7);
  const end = "end" in log ? log.end : "";
  assert.match(end, /^early line \d+\n/);
  assert.match(
    end,
    /\nFAIL src\/users\.test\.ts with \S+\nprogress 1\nprogress 2\n##\[error\]Process completed with exit code 1\.$/,
  );
  assert.ok(end.length <= 3_000 && !end.includes(secret) && !end.includes("2026-"));
  assert.deepEqual(await read(7), log);
  assert.deepEqual(
    api.requests.map(({ url, headers }) => [url, headers.authorization]),
    [["/repos/acme/shop/actions/jobs/7/logs", "token secret"]],
  );
  assert.deepEqual(
    files.requests.map(({ url, headers }) => [url, headers.authorization]),
    [["/log?signature=a-credential", undefined]],
  );
  assert.ok(!logged.join("").includes("a-credential"));
});

test("of a large log, only the end is requested, and a key that begins before it isn't shown", async (t) => {
  const body = Array.from({ length: 2_000 }, (_, at) => `KEY${"x".repeat(60)}${at}`);
  const text = [
    "a".repeat(4_100_000),
    "-----BEGIN RSA PRIVATE KEY-----",
    ...body.slice(0, 100),
    "-----END RSA PRIVATE KEY-----",
    ...Array.from({ length: 9_000 }, () => "a line."),
    "##[error]It failed.",
    "b".repeat(12_000),
  ].join("\n");
  const bytes = Buffer.from(text);
  const { read, files } = await stage(t, {
    storage({ headers: { range } }, response) {
      const from = Number(/^bytes=(\d+)-$/.exec(range ?? "")?.[1] ?? 0);
      const sent = bytes.subarray(from);
      response.writeHead(from === 0 ? 200 : 206, { "content-length": sent.length }).end(sent);
    },
  });
  const log = await read(7);
  assert.match("end" in log ? log.end : "", /^a line\.\n[^]*\n##\[error\]It failed\.$/);
  assert.deepEqual(
    files.requests.map(({ headers }) => headers.range),
    [undefined, `bytes=${bytes.length - 96_000}-`],
  );
});

const REFUSALS: readonly [status: number, problem: string, asked: number][] = [
  // Without the permission, the next log isn't requested.
  [403, "no-permission", 1],
  [404, "gone", 2],
  [410, "gone", 2],
];

for (const [refusal, problem, asked] of REFUSALS) {
  test(`GitHub's answer ${refusal} is ${problem}`, async (t) => {
    const { read, api, files } = await stage(t, { storage: sending("never"), refusal });
    assert.deepEqual([await read(7), await read(8)], [{ problem }, { problem }]);
    assert.deepEqual([api.requests.length, files.requests.length], [asked, 0]);
  });
}

test("an address without https, a second redirect, and a refusal aren't followed", async (t) => {
  const plain = await stage(t, { storage: sending("never"), apiUrl: "https://api.github.com" });
  assert.deepEqual(await plain.read(7), { problem: "failed" });
  assert.equal(plain.files.requests.length, 0);
  for (const [status, headers] of [
    [302, { location: "/elsewhere" }],
    [403, {}],
  ] as const) {
    const { read, files } = await stage(t, {
      storage: (_, response) => void response.writeHead(status, headers).end(),
    });
    assert.deepEqual(await read(7), { problem: "failed" });
    assert.equal(files.requests.length, 1);
  }
});

test("a log without a size is read up to the limit", async (t) => {
  const { read } = await stage(t, {
    storage(_, response) {
      response.writeHead(200);
      for (let part = 0; part < 50; part++) response.write("a".repeat(100_000));
      response.end();
    },
  });
  assert.deepEqual(await read(7), { problem: "too-large" });
});
