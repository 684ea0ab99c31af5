import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { type CheckName, failure, fine, notChecked, unknown, warning } from "./check.ts";
import { maskSecretsOf } from "./mask-secrets-of.ts";
import { isHealthy, runChecks } from "./run-checks.ts";
import { TROUBLES } from "./trouble.ts";

const { signal } = new AbortController();
const advice = { what: "A sentence.", remedy: "Another one." };
const mask = (text: string): string => text;
const check = (name: CheckName, run: Parameters<typeof runChecks>[0][number]["run"]) => ({ name, run });

test("the worst comes last, and within a state the order of the checks holds", async () => {
  const lines = await runChecks(
    [
      check("node", async () => [failure("node-too-old", advice), fine("Fine.")]),
      check("git", async () => [unknown("git-too-old", advice)]),
      check("settings", async () => [warning("setting-unknown", advice), notChecked("Not checked.")]),
      check("database", async () => [fine("Fine.")]),
    ],
    { signal, mask },
  );
  assert.deepEqual(
    lines.map(({ state, name }) => `${state} ${name}`),
    ["not-checked settings", "ok node", "ok database", "warning settings", "unknown git", "failure node"],
  );
});

test("a check that throws, or never ends, is unknown, and the others are reported", async () => {
  const lines = await runChecks(
    [
      check("git", () => new Promise(() => {})),
      { ...check("database", async () => [fine("Slow, but it has a limit of its own.")]), limitMs: 60_000 },
      check("queue", () => Promise.reject(new TypeError("a bug"))),
      check("node", async () => [fine("Fine.")]),
    ],
    { signal, mask, limitMs: 20 },
  );
  assert.deepEqual(
    lines.map(({ state, name, what }) => `${state} ${name}: ${what}`),
    [
      "ok database: Slow, but it has a limit of its own.",
      "ok node: Fine.",
      "unknown git: The check didn't finish within 0 seconds.",
      "unknown queue: A bug.",
    ],
  );
  assert.equal(isHealthy(lines), false);
});

test("a report is healthy unless a check failed or couldn't run", () => {
  const states = ["not-checked", "ok", "warning"] as const;
  assert.equal(isHealthy(states.map((state) => ({ state }))), true);
  for (const state of ["unknown", "failure"] as const)
    assert.equal(isHealthy([...states, state].map((each) => ({ state: each }))), false, state);
});

test("secrets are masked in sentences and remedies, in every form", async () => {
  const key =
    "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA0123456789\nabcdefghijklmnopqrst\n-----END RSA PRIVATE KEY-----";
  const masked = maskSecretsOf({
    GITHUB_WEBHOOK_SECRET: " hush-hush-hush-hush \n",
    GITHUB_PRIVATE_KEY: key.replaceAll("\n", String.raw`\n`),
    DATABASE_URL: "postgres://kodiai:p%40ss-word@db.example.org/kodiai",
    HTTPS_PROXY: "http://ada:proxy-pass@proxy.example.org:3128",
    KODIAI_MODEL: "openai:gpt-5",
    CACHE_KEY_ENABLED: "true",
  });
  for (const secret of [
    "hush-hush-hush-hush",
    "MIIEowIBAAKCAQEA0123456789",
    "p%40ss-word",
    "p@ss-word",
    "proxy-pass",
  ])
    assert.ok(!masked(`before ${secret} after`).includes(secret), secret);
  const plain = "The database kodiai on db.example.org and openai:gpt-5 are true.";
  assert.equal(masked(plain), plain);
  const [line] = await runChecks(
    [
      check("app", async () => [
        failure("setting-invalid", { what: "hush-hush-hush-hush.", remedy: "p@ss-word" }),
      ]),
    ],
    { signal, mask: masked },
  );
  assert.doesNotMatch(`${line?.what} ${line?.remedy}`, /hush|ss-word/);
});

test("every problem has a section in docs/troubleshooting.md, and every section a problem", () => {
  const text = readFileSync(new URL("../../docs/troubleshooting.md", import.meta.url), "utf8");
  const sections = [...text.matchAll(/^### (.+)$/gm)].map(([, heading = ""]) => heading);
  assert.deepEqual(sections.toSorted(), TROUBLES.toSorted());
});
