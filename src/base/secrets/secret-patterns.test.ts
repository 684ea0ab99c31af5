import assert from "node:assert/strict";
import { test } from "node:test";
import { findSecrets } from "./find-secrets.ts";
import { maskSecrets } from "./mask-secrets.ts";
import { createSameLengthMask } from "./same-length-mask.ts";
import { findCertainSecrets, PROVIDER_KINDS } from "./secret-patterns.ts";
import { checksumOf } from "./token-checksum.ts";

/** Random characters that no issuer gave out; each token is put together here so that no scanner takes it for one. */
const RANDOM = "k3vR9tW2xL7mQ4zN8dH5jYcF1gT6pXsEbA0uKwZrM5yPqJ7nVf3GhD9cLt2RxB8mQ4zW6kNvT1sYpE5jHgA7dFuC0";

const part = (length: number, from = 0): string => RANDOM.slice(from, from + length);

const HEX = "9f3a7c1e5b8d2046e1c7a39b5d8f60247ac1e93b5d7f8206c4a1e7b93d5f8062";

const BASE32 = "Q5ZGLXW2MPKD6TVR";

const EXAMPLE_ID = "IOSFODNN7EXAMPLE";

const KEY_NAME = "PRIVATE KEY";

const TOKENS: readonly (readonly [string, string])[] = [
  ["aws-access-key-id", `AKIA${BASE32}`],
  ["github-token", `ghp_${part(30)}${checksumOf(part(30))}`],
  ["github-fine-grained-token", `github_pat_${part(22)}_${part(59, 22)}`],
  ["npm-token", `npm_${part(30, 5)}${checksumOf(part(30, 5))}`],
  ["gitlab-token", `glpat-${part(20)}`],
  ["slack-token", `xoxb-204918273645-918273645102-${part(24)}`],
  ["stripe-key", `sk_live_${part(24)}`],
  ["google-api-key", `AIza${part(35)}`],
  ["pypi-token", `pypi-AgEIcHlwaS5vcmc${part(70)}`],
  ["sendgrid-key", `SG.${part(22)}.${part(43, 22)}`],
  ["openai-key", `sk-${part(20)}T3BlbkFJ${part(20, 20)}`],
  ["anthropic-key", `sk-ant-api03-${part(84)}`],
  ["telegram-bot-token", `491827365:AA${part(33)}`],
  ["discord-bot-token", `MTA0OTE4MjczNjQ1OTE4Mjcz.${part(6)}.${part(38, 6)}`],
  ["digitalocean-token", `dop_v1_${HEX}`],
  ["shopify-token", `shpat_${HEX.slice(0, 32)}`],
  ["linear-key", `lin_api_${part(40)}`],
  ["slack-app-token", `xapp-1-A0${BASE32.slice(0, 9)}-204918273645-${HEX}`],
  ["groq-key", `gsk_${part(52)}`],
  ["openrouter-key", `sk-or-v1-${HEX}`],
  ["atlassian-token", `ATATT3xFfGF0${part(80)}${part(80, 7)}=${HEX.slice(0, 8).toUpperCase()}`],
  ["notion-token", `ntn_${part(46)}`],
  ["age-key", `AGE-SECRET-KEY-1${"QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L".repeat(2).slice(3, 61)}`],
];

for (const [kind, token] of TOKENS) {
  test(`${kind} is found where it stands and masked`, () => {
    const text = `use "${token}" here`;
    const span = { kind, start: 5, end: 5 + token.length };
    assert.deepEqual(findCertainSecrets(text), [span]);
    assert.deepEqual(findSecrets(text), [span]);
    assert.equal(maskSecrets(text), `use "[masked]" here`);
    assert.equal(createSameLengthMask()(text), `use "${"*".repeat(token.length)}" here`);
    assert.ok(PROVIDER_KINDS.has(kind));
  });
}

const NAMED: readonly (readonly [string, string, string])[] = [
  ["named-secret", 'apiKey: "', part(32)],
  ["named-secret", "const clientSecret = '", part(40)],
  ["named-secret", 'SESSION_SECRET => "', HEX.slice(0, 40)],
  ["named-secret", "  API_TOKEN=", part(30)],
  ["basic-auth-url", "https://deploy:", part(14)],
  ["environment-setting", "ENV DB_PASSWORD=", "kR7vT2mQ9x"],
  ["environment-setting", "+ENV DB_PASSWORD ", "kR7vT2mQ9x"],
  ["registry-token", "//registry.example.org/:_authToken=", part(36)],
  ["aws-secret-access-key", 'aws_secret_access_key = "', part(40)],
];

for (const [kind, before, value] of NAMED) {
  test(`${kind} after ${JSON.stringify(before)} is found without what names it`, () => {
    const after = kind === "basic-auth-url" ? "@git.acme.dev/x" : (/["']$/.exec(before)?.[0] ?? "");
    const text = `${before}${value}${after}`;
    const span = { kind, start: before.length, end: before.length + value.length };
    assert.deepEqual(findCertainSecrets(text), [span]);
    assert.deepEqual(
      findSecrets(text).map(({ start, end }) => [start, end]),
      [[span.start, span.end]],
    );
  });
}

const NOT_SECRETS: readonly string[] = [
  `AKIA${EXAMPLE_ID}`,
  `ghp_${"x".repeat(36)}`,
  `ghp_${part(36)}`,
  `sk_test_${part(24)}`,
  'password: "correct-horse-battery-staple"',
  'token = "my_service_account_token_name"',
  'secret: "0123456789abcdef0123456789abcdef"',
  'apiKey = "550e8400-e29b-41d4-a716-446655440000"',
  "postgres://user:password@db.acme.dev/x",
  "https://acme.dev:8080/path@2x.png",
  "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA\n",
  "API_TOKEN=${TOKEN} DB_PASSWORD=changeme1 MAX_TOKEN=settings.limit_2",
  'integrity: "sha512-abc"',
];

for (const text of NOT_SECRETS) {
  test(`nothing is reported in ${JSON.stringify(text.slice(0, 40))}`, () =>
    assert.deepEqual(findCertainSecrets(text), []));
}

test("the body of a private key is masked and a diff stays a diff", () => {
  const text = `+-----BEGIN ${KEY_NAME}-----\n+${part(64)}\n+${part(64, 20)}\n+${part(12)}==\n+-----END ${KEY_NAME}-----\n+next`;
  const borders = [`+-----BEGIN ${KEY_NAME}-----`, `+-----END ${KEY_NAME}-----`, "+next"];
  const withBody = (lines: readonly string[]): string =>
    [...borders.slice(0, 1), ...lines.map((line) => `+${line}`), ...borders.slice(1)].join("\n");
  assert.equal(maskSecrets(text), withBody(["[masked]", "[masked]", "[masked]"]));
  assert.equal(createSameLengthMask()(text), withBody([64, 64, 14].map((length) => "*".repeat(length))));
});

test("the end of a private key is masked where its beginning is not shown", () => {
  const masked = maskSecrets(`${part(64)}\n${part(64, 20)}\n-----END ${KEY_NAME}-----\nconst next = 1;`);
  assert.ok(!masked.includes(part(10, 10)) && !masked.includes(part(10, 40)), masked);
  assert.ok(masked.endsWith(`-----END ${KEY_NAME}-----\nconst next = 1;`));
});

test("a private key in base64 is found, on one line and on several; a certificate is none", () => {
  const encoded = (name: string): string => {
    const pem = `-----BEGIN ${name}-----\n${part(64)}\n${part(64, 20)}\n-----END ${name}-----\n`;
    return Buffer.from(pem).toString("base64");
  };
  for (const name of ["RSA ", "EC ", "DSA ", "OPENSSH ", ""].map((each) => `${each}${KEY_NAME}`)) {
    const value = encoded(name);
    const wrapped = value.replace(/(.{76})/g, "$1\n");
    for (const each of [value, wrapped])
      assert.deepEqual(
        findSecrets(`client-key-data: ${each}`).map(({ kind, start }) => [kind, start]),
        [["private-key", 17]],
        name,
      );
    assert.ok(!maskSecrets(`key: ${value}`).includes(value.slice(60, 80)));
  }
  assert.deepEqual(findSecrets(`client-certificate-data: ${encoded("CERTIFICATE")}`), []);
});

test("text without secrets is returned as it is", () => {
  const text = "const a = 1;\n// token: see the vault\n";
  assert.equal(maskSecrets(text), text);
});
