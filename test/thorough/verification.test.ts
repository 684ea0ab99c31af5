/** A second reading under every setting, with a budget and a limit of claims, by verifiers that behave well and badly. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openDesk } from "../support/model-scenes/desk.ts";
import { FINISHING, oneByOne, recording } from "../support/model-scenes/model-scene.ts";
import type { ModelTurn } from "../support/model-server/script.ts";
import { claimsIn, verdictOn } from "../support/model-server/verifier-script.ts";
import {
  assertVerdict,
  type Behaviour,
  finding,
  FOUND,
  LOOP,
  openShop,
  type Output,
  review,
  writeConfig,
} from "../support/verification-fixtures.ts";

/** The verifier's turns, and what remains of the first claim. */
const BEHAVIOURS: readonly Behaviour[] = [
  {
    name: "with a verdict that doesn't exist",
    script: (claim) => () => ({ toolCalls: [verdictOn(claim, { verdict: "probably" })] }),
    verdict: "failed",
  },
  {
    name: "that names a line it hasn't read",
    script: (claim) => () => ({
      toolCalls: [verdictOn(claim, { verdict: "refuted", evidence: "src/rates.ts:1" })],
    }),
    verdict: "unsure",
  },
  {
    name: "that names a line outside of the repository",
    script: (claim) => () => ({
      toolCalls: [verdictOn(claim, { verdict: "refuted", evidence: "../../etc/passwd:1" })],
    }),
    verdict: "unsure",
  },
  {
    name: "that reads the line first",
    script:
      (claim) =>
      ({ turn }) =>
        turn === 0
          ? { toolCalls: [{ name: "read_file", args: { path: "src/rates.ts" } }] }
          : { toolCalls: [verdictOn(claim, { verdict: "refuted", evidence: "src/rates.ts:1" })] },
    verdict: "refuted",
  },
  {
    name: "that records findings",
    script: () => () => ({ toolCalls: [finding("Something else", LOOP, {})] }),
    verdict: "failed",
  },
  { name: "that only talks", script: () => () => ({ text: "It looks fine to me." }), verdict: "failed" },
  {
    name: "that is gone",
    script: () => () => ({ faults: [{ kind: "status", status: 404, times: "always" }] }),
    verdict: "failed",
  },
  {
    name: "that gives thousands of verdicts",
    script: (claim) => () => ({
      toolCalls: Array.from({ length: 2_000 }, () =>
        verdictOn(claim, { verdict: "confirmed", severity: "critical" }),
      ),
    }),
    verdict: "confirmed",
  },
];

for (const behaviour of BEHAVIOURS)
  test(`a verifier ${behaviour.name}: ${behaviour.verdict}, and nothing is lost`, (t) =>
    assertVerdict(t, behaviour));

const SETTINGS: readonly { readonly config: string; readonly asked: number; readonly what: string }[] = [
  { config: "review: { verify: all }\n", asked: 5, what: "all asks about every finding" },
  {
    config: "review: { verifyBelow: 0.65 }\n",
    asked: 2,
    what: "verifyBelow is the limit for a model's confidence",
  },
];

for (const { config, asked, what } of SETTINGS)
  test(`review.verify: ${what}`, async (t) => {
    const desk = await openShop(t);
    const output = await review(desk, ["--config", writeConfig(desk, config)]);
    assert.equal(output.verification?.asked ?? 0, asked);
    const claims = desk.server.readings.flatMap((request) => claimsIn(request));
    assert.equal(claims.length, asked);
  });

test("a verifier model of its own checks; one that doesn't exist is a problem that is named, and the reviewing model checks", async (t) => {
  const desk = await openShop(t);
  const own = await review(desk, [
    "--config",
    writeConfig(desk, 'review: { verifierModel: "openai:second" }\n'),
  ]);
  assert.deepEqual([...new Set(desk.server.readings.map(({ model }) => model))], ["second"]);
  assert.equal(own.verification?.confirmed, 4);
  const wrong = await review(desk, [
    "--config",
    writeConfig(desk, 'review: { verifierModel: "unknown:second" }\n'),
  ]);
  assert.equal(wrong.verification?.confirmed, 4);
  assert.match(JSON.stringify(wrong.degradations), /review\.verifierModel: the model \\"unknown:second\\"/);
});

test("the limit of claims: the gravest are checked, and the others are shown as found and counted", async (t) => {
  const lines = Array.from(
    { length: 15 },
    (_, at) => `export const value${at} = Math.max(${at}, ${at + 1});`,
  );
  const files = Object.fromEntries(lines.map((line, at) => [`src/v${at}.ts`, `${line}\n`]));
  const script = oneByOne([
    ...lines.map((quote, at) =>
      recording({
        path: `src/v${at}.ts`,
        quote,
        title: `Value ${at} is wrong because of ${at}`,
        severity: at < 3 ? "medium" : "must-fix",
        confidence: 0.5,
      }),
    ),
    FINISHING,
  ]);
  const desk = await openDesk(t, { script, after: files });
  const output = await review(desk);
  assert.deepEqual(output.verification, {
    asked: 12,
    confirmed: 12,
    refuted: 0,
    unsure: 0,
    failed: 0,
    leftOut: 3,
  });
  const unasked = output.findings.filter(({ verification }) => verification === null);
  assert.deepEqual(
    unasked.map(({ severity }) => severity),
    ["medium", "medium", "medium"],
  );
  assert.match(
    JSON.stringify(output.degradations),
    /3 findings beyond the limit of 12 for one review: shown as found/,
  );
});

const COSTLY: ModelTurn = { usage: { input: 40_000, output: 2_000 } };

test("a part of the budget is kept for the second reading; without enough of it, findings are shown as found", async (t) => {
  const script = oneByOne([...FOUND, FINISHING], COSTLY);
  const desk = await openShop(t, script);
  const rich = await review(desk, ["--budget-usd", "5"]);
  assert.equal(rich.verification?.confirmed, 4);
  const poor = await review(desk, ["--budget-usd", "0.1"]);
  assert.equal(poor.verification?.failed ?? 0, poor.verification?.asked ?? 0);
});

test("without a model nothing is checked and nothing is said about it", async (t) => {
  const desk = await openShop(t);
  const { stdout } = await desk.run(["--format", "json"], { OPENAI_API_KEY: "" });
  const output = JSON.parse(stdout) as Output;
  assert.equal(output.verification, null);
  assert.equal(desk.server.readings.length, 0);
});

test("review.verify: off asks about none", async (t) => {
  const desk = await openShop(t);
  const output = await review(desk, ["--config", writeConfig(desk, "review: { verify: off }\n")]);
  assert.equal(output.verification, null);
  assert.equal(desk.server.readings.length, 0);
});
