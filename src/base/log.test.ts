import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { test } from "node:test";
import { createLog, LOG_LEVELS, type LogFields, type LogLevel } from "./log.ts";
import { maskCredentials } from "./secrets/mask-credentials.ts";

type Format = "json" | "text";

function recorder(format: Format, level: LogLevel = "debug") {
  const lines: string[] = [];
  const now = () => Date.UTC(2026, 0, 2, 3, 4, 5, 678);
  return { lines, log: createLog({ level, format, write: (line) => lines.push(line), now }) };
}

/** The line that is written for a message with fields. */
function lineOf(format: Format, message: string, fields: LogFields = {}): string {
  const { lines, log } = recorder(format);
  log.info(message, fields);
  assert.equal(lines.length, 1);
  return lines[0] ?? "";
}

test("a JSON line contains the time, the level, the message and the unchanged fields", () => {
  const line = lineOf("json", "job done", {
    job: 7,
    isNew: true,
    step: null,
    gone: undefined,
    path: 'a "b"\n',
  });
  assert.ok(line.endsWith("\n"));
  assert.equal(line.indexOf("\n"), line.length - 1);
  assert.deepEqual(JSON.parse(line), {
    time: "2026-01-02T03:04:05.678Z",
    level: "info",
    message: "job done",
    job: 7,
    isNew: true,
    step: null,
    path: 'a "b"\n',
  });
});

test("a text line contains the time of day, the level, the message and the fields", () => {
  const line = lineOf("text", "job done", {
    job: 7,
    isNew: true,
    step: null,
    gone: undefined,
    path: 'a "b"\n',
  });
  assert.equal(line, '03:04:05.678 info  job done job=7 isNew=true step=null path="a \\"b\\"\\n"\n');
});

for (const [index, least] of LOG_LEVELS.entries()) {
  test(`at level ${least}, less important messages aren't written`, () => {
    const { lines, log } = recorder("json", least);
    for (const level of LOG_LEVELS) log[level](level);
    const written = lines.map((line) => JSON.parse(line).level);
    assert.deepEqual(written, LOG_LEVELS.slice(index));
  });
}

test("fields of with() are in every line of that log and of logs derived from it, and in no other", () => {
  const { lines, log } = recorder("json");
  const job = log.with({ job: 7, step: "clone" });
  job.with({ step: "review" }).warn("slow", { ms: 12 });
  job.info("going on", { step: "publish" });
  log.info("alone");
  const fields = lines.map((line) => {
    const { time: _time, level: _level, ...rest } = JSON.parse(line);
    return rest;
  });
  assert.deepEqual(fields, [
    { message: "slow", job: 7, step: "review", ms: 12 },
    { message: "going on", job: 7, step: "publish" },
    { message: "alone" },
  ]);
});

/** Assembled here so that secret scanners don't flag them. */
const TOKEN = ["ghs", "16C7e42F292c6912E7710c838347Ae178B4a"].join("_");
const JWT = [
  Buffer.from('{"alg":"RS256","typ":"JWT"}').toString("base64url"),
  Buffer.from('{"iat":1700000000,"iss":"12345"}').toString("base64url"),
  "c2lnbmF0dXJlLXNpZ25hdHVyZS1zaWduYXR1cmU",
].join(".");
const PEM = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs1", format: "pem" },
}).privateKey;
const [, PEM_LINE = ""] = PEM.split("\n");

/** A place of a credential, and the part that must never be written. */
const CREDENTIALS: readonly (readonly [where: string, text: string, secret: string])[] = [
  ["a token alone", TOKEN, TOKEN],
  ["a token after a line break", `fatal:\n${TOKEN}`, TOKEN],
  ["a token after a tab", `fatal:\t${TOKEN}`, TOKEN],
  ["a token in an address", `https://x-access-token:${TOKEN}@github.com/octo/cat`, TOKEN],
  ["a token in an encoded address", `https%3A%2F%2Fx-access-token%3A${TOKEN}%40github.com`, TOKEN],
  ["a token in quotes", `{"token":"${TOKEN}"}`, TOKEN],
  ["a token that carries its own claims", `${TOKEN.slice(0, 12)}_${JWT}`, JWT.split(".")[2] ?? ""],
  ["a person's token", `token is ${["ghp", "a".repeat(36)].join("_")}`, "a".repeat(36)],
  ["a user's token of an app", ["ghu", "b".repeat(36)].join("_"), "b".repeat(36)],
  ["a refresh token", ["ghr", "c".repeat(76)].join("_"), "c".repeat(76)],
  ["a fine-grained token", ["github_pat", `11ABC_${"d".repeat(59)}`].join("_"), "d".repeat(59)],
  ["an old token of an installation", `v1.${"0123456789".repeat(4)}`, "0123456789"],
  ["a bearer header", "authorization: Bearer abcdefghijklmnop.qrst", "abcdefghijklmnop"],
  ["a token header", "Authorization: token abcdefabcdefabcdef01", "abcdefabcdefabcdef01"],
  ["a basic header", "AUTHORIZATION: basic eC1hY2Nlc3MtdG9rZW46cGFzcw==", "eC1hY2Nlc3MtdG9rZW46cGFzcw"],
  ["a signed claim of an app", `sent ${JWT} to the host`, JWT.split(".")[2] ?? ""],
  ["a private key", `the key is ${PEM}`, PEM_LINE],
  ["a private key on one line", PEM.replaceAll("\n", String.raw`\n`), PEM_LINE],
  ["a private key that was cut", PEM.slice(0, 400), PEM_LINE],
];

for (const [where, text, secret] of CREDENTIALS) {
  test(`masked: ${where}`, () => {
    assert.ok(secret.length >= 10 && text.includes(secret), "the case holds a secret");
    for (const format of ["json", "text"] as const) {
      for (const line of [
        lineOf(format, `failed: ${text}`, { after: "kept" }),
        lineOf(format, "failed", { error: text, after: "kept" }),
        lineOf(format, "failed", { error: `${text} and ${text}`, after: "kept" }),
      ]) {
        assert.ok(!line.includes(secret), line);
        assert.ok(line.includes("[masked]"), line);
        assert.match(line, /after.{1,3}"kept"/, "what follows is still there");
        if (format === "json") JSON.parse(line);
      }
    }
    assert.ok(!maskCredentials(text).includes(secret));
  });
}

test("masked: a credential in the fields of with()", () => {
  for (const format of ["json", "text"] as const) {
    const { lines, log } = recorder(format);
    log.with({ url: `https://x-access-token:${TOKEN}@github.com` }).error("failed");
    assert.ok(!lines.join("").includes(TOKEN));
    assert.ok(lines.join("").includes("[masked]"));
  }
});

test("the text around a credential is kept", () => {
  const masked = maskCredentials(`push to https://x-access-token:${TOKEN}@github.com/octo/cat failed`);
  assert.equal(masked, "push to https://x-access-token:[masked]@github.com/octo/cat failed");
  assert.equal(maskCredentials(`before ${PEM.trim()} after`), "before [masked] after");
});

test("ordinary words aren't masked", () => {
  for (const text of [
    "the token is bad",
    "a basic rule",
    "bearer of news",
    "commit 0123456789abcdef0123456789abcdef01234567",
    "see github.com/octo/cat",
    "-----BEGIN CERTIFICATE-----",
    "v1.2.3",
    "right_hand_sides are as wide as light_sensitivity",
  ])
    assert.equal(maskCredentials(text), text);
});

test("a long value is cut, and a key at the cut is masked", () => {
  const long = JSON.parse(lineOf("json", "failed", { error: "x".repeat(10_000), after: 1 }));
  assert.ok(long.error.length < 2_100);
  assert.ok(long.error.endsWith("…"));
  assert.equal(long.after, 1);
  const cut = JSON.parse(lineOf("json", "failed", { error: `${"x ".repeat(900)}${PEM}`, after: 1 }));
  assert.ok(!JSON.stringify(cut).includes(PEM_LINE));
  assert.equal(cut.after, 1);
});

test("text from a repository can't move the terminal's cursor or forge a log line", () => {
  const hostile = "\u001b[2J\u009b31m\u202e\u2028\r\n03:04:05.678 error forged";
  for (const line of [lineOf("text", hostile), lineOf("text", "failed", { error: hostile })]) {
    assert.doesNotMatch(line.slice(0, -1), /[\u0000-\u001f\u007f-\u009f\u202e\u2028]/);
    assert.ok(line.endsWith("\n"));
    assert.ok(line.includes("forged"));
  }
});
