/** How a model's review ends, as a person sees it: without finishing, in circles, at the default ceilings, with too many findings. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openDesk, PRICED } from "../support/model-scenes/desk.ts";
import {
  FINISHING,
  oneByOne,
  recording,
  type SceneProvider,
  testModels,
} from "../support/model-scenes/model-scene.ts";
import {
  forever,
  type ModelScript,
  type ModelTurn,
  type ScriptedCall,
} from "../support/model-server/script.ts";

const LISTING: ScriptedCall = { name: "list_files", args: {} };

/** Looks at the names of the files, says that all is good, and again when it is reminded. */
const ALL_GOOD: ModelScript = [...oneByOne([LISTING]), { text: "All good." }, { text: "All good." }];

/** Nothing that a rule has a word about. */
const CLEAN = {
  before: { "src/sum.ts": "export const one = 1;\n" },
  after: { "src/sum.ts": "export const one = 1;\nexport const two = 2;\n", "src/sum.test.ts": "// sums\n" },
};

/** How many words of a terminal are on which line depends on its width. */
const flat = (text: string): string => text.replace(/\s+/g, " ");

for (const provider of ["openai", "anthropic", "claude"] satisfies SceneProvider[])
  test(`${provider}: a model that lists files and says "All good." is reminded once and has read nothing`, async (t) => {
    const { run, server } = await openDesk(t, { ...CLEAN, provider, script: ALL_GOOD });
    const { code, stdout } = await run(["--model", `${provider}:scripted`]);
    assert.equal(code, 3, stdout);
    assert.match(
      flat(stdout),
      /^Incomplete review: 2 lines in 2 files \(the model failed\) not reviewed by a model\. No findings from built-in rules /,
    );
    assert.match(
      flat(stdout),
      new RegExp(`${provider}:scripted failed \\(didn't finish the review, even after a reminder\\)`),
    );
    assert.doesNotMatch(stdout, /lines? read by/);
    const reminded = server.requests.map(({ body }) =>
      JSON.stringify(body).includes("not finished: you stopped"),
    );
    assert.deepEqual(reminded, [false, false, true]);
  });

test("a model that finishes after the reminder has read what it was shown", async (t) => {
  const script: ModelScript = [...oneByOne([LISTING]), { text: "All good." }, ...oneByOne([FINISHING])];
  const { run, server } = await openDesk(t, { ...CLEAN, script });
  const { code, stdout } = await run(["--model", PRICED]);
  assert.equal(code, 0, stdout);
  assert.match(flat(stdout), /^No findings in 2 files \(2 added lines reviewed by openai:gpt-5 /);
  assert.equal(server.requests.length, 3);
});

test("findings and marks from before the stop are kept; other files are not read", async (t) => {
  const found = recording({
    path: "src/sum.ts",
    quote: "export const two = 2;",
    title: "Two is one too many",
  });
  const marked: ScriptedCall = { name: "mark_reviewed", args: { paths: ["src/sum.ts"] } };
  const script: ModelScript = [...oneByOne([found, marked]), { text: "Done." }, { text: "Done." }];
  const { run } = await openDesk(t, { ...CLEAN, script });
  const { code, stdout } = await run(["--model", PRICED, "-f", "json"]);
  assert.equal(code, 3, stdout);
  // The documented form of the JSON.
  const output = JSON.parse(stdout) as {
    findings: readonly { title: string }[];
    receipt: { files: readonly { path: string; status: string; reason?: string }[] };
  };
  assert.deepEqual(
    output.findings.map(({ title }) => title),
    ["Two is one too many"],
  );
  assert.deepEqual(
    output.receipt.files.map(({ path, status, reason = "" }) => `${path} ${status} ${reason}`).toSorted(),
    ["src/sum.test.ts omitted failed:model", "src/sum.ts reviewed "],
  );
});

test("a diff that was asked for in the answer that finishes has not been read", async (t) => {
  // More than the prompt has room for; each fits into one answer of show_diff.
  const text = Array.from({ length: 1_000 }, (_, at) => `export const value${at} = ${at + 1} * 1000;\n`).join(
    "",
  );
  const after = Object.fromEntries(Array.from({ length: 14 }, (_, at) => [`src/large${at}.ts`, text]));
  const showing = Object.keys(after).map((path) => ({ name: "show_diff", args: { path } }));
  const script: ModelScript = [{ toolCalls: [...showing, FINISHING, FINISHING] }];
  const { run, server } = await openDesk(t, { ...CLEAN, after, script });
  const { code, stdout } = await run(["--model", PRICED]);
  assert.equal(server.requests.length, 1);
  assert.equal(code, 3, stdout);
  assert.match(flat(stdout), /Incomplete review: \d+,000 lines in \d+ files .* not reviewed by a model/);
});

for (const [model, script, state] of [
  ["finishes", oneByOne([FINISHING]), ["APPROVED"]],
  ['says "All good."', ALL_GOOD, []],
] as const)
  testModels(
    `autoApprove: a model that ${model} leads to ${state.length} approvals`,
    async (openModelScene) => {
      const scene = await openModelScene({
        config: "review: { autoApprove: true }\n",
        script,
        pullRequest: {
          files: {
            "src/users.ts": "export function find(id: string) {\n  return `${id}!`;\n}\n",
            "src/users.test.ts": "// two\n",
          },
        },
      });
      await scene.start();
      await scene.send("opened");
      await scene.settled();
      assert.deepEqual(
        scene.fake.reviewsOf(scene.pullRequest).map((review) => review.state),
        state,
      );
      assert.deepEqual(scene.published().conclusions, [state.length === 1 ? "success" : "neutral"]);
      scene.check();
    },
  );

/** 190 KB in 3,800 lines; the model reads it again and again. */
const BIG = Array.from(
  { length: 3_800 },
  (_, at) => `${`const value${at} = compute(${at});`.padEnd(49)}\n`,
).join("");

const HUNGRY = {
  before: { ...CLEAN.before, "src/big.ts": BIG },
  after: { "src/sum.ts": CLEAN.after["src/sum.ts"] },
};

/** As the receipt says it. */
function costOf(stdout: string): number {
  return Number(/input token.*?, USD (\d+\.\d+)/.exec(flat(stdout))?.[1] ?? assert.fail(stdout));
}

test("[P11] a model that reads one file in circles is stopped at the third call and costs cents", async (t) => {
  const reading: ScriptedCall = { name: "read_file", args: { path: "src/big.ts" } };
  const { run, server } = await openDesk(t, {
    ...HUNGRY,
    script: forever({ toolCalls: [reading], usage: "none" }),
  });
  const { code, stdout } = await run(["--model", "openai:gpt-6-sol"]);
  assert.equal(code, 3, stdout);
  assert.match(flat(stdout), /failed \(made the same tool call three times in a row\)/);
  assert.equal(server.requests.length, 3);
  assert.match(
    server.requests[1]?.toolResults[0] ?? "",
    /lines 1–400 of 3800\. To continue, call again with from: 401\./,
  );
  assert.match(
    server.requests[2]?.toolResults[1] ?? "",
    /^src\/big\.ts .* lines 1–400 of 3800, were already shown in turn 1\./,
  );
  assert.ok(costOf(stdout) < 0.1, `${costOf(stdout)} dollars`);
});

test("[P11] without a configured budget a review costs at most 2 dollars, and the operator can lift that", async (t) => {
  const reading = (turn: number): ModelTurn => ({
    toolCalls: [{ name: "read_file", args: { path: "src/big.ts", from: turn + 1, to: turn + 400 } }],
    usage: "none",
  });
  const { run, server } = await openDesk(t, { ...HUNGRY, script: ({ turn }) => reading(turn) });
  const held = await run(["--model", "openai:gpt-6-sol"]);
  assert.equal(held.code, 3, held.stdout);
  assert.match(
    flat(held.stdout),
    /was stopped by the budget \(the next call needs about USD \d\.\d\d; budget\.perReviewUsd is USD 2\.00, /,
  );
  assert.match(flat(held.stdout), /Raise KODIAI_BUDGET_REVIEW_USD where Kodiai runs \(USD 2 if unset\)/);
  assert.ok(costOf(held.stdout) > 1 && costOf(held.stdout) <= 2, `${costOf(held.stdout)} dollars`);
  const asked = server.requests.length;
  const raised = await run(["--model", "openai:gpt-6-sol", "--budget-usd", "4"]);
  assert.ok(costOf(raised.stdout) > 2 && costOf(raised.stdout) <= 4, `${costOf(raised.stdout)} dollars`);
  server.script(({ turn }) => (turn <= asked + 5 ? reading(turn) : { toolCalls: [FINISHING] }));
  const lifted = await run(["--model", "openai:gpt-6-sol"], {
    KODIAI_BUDGET_REVIEW_USD: "none",
    KODIAI_BUDGET_REPOSITORY_DAY_USD: "none",
  });
  assert.equal(lifted.code, 0, lifted.stdout);
  assert.ok(costOf(lifted.stdout) > 2, `${costOf(lifted.stdout)} dollars`);
});

test("a model without a known price reviews under the default limits, which is shown, but not under a budget", async (t) => {
  const { run, server } = await openDesk(t, {
    ...CLEAN,
    provider: "compatible",
    script: oneByOne([FINISHING]),
  });
  const free = await run(["--model", "compatible:local"]);
  assert.equal(free.code, 0, free.stdout);
  assert.match(
    flat(free.stdout),
    /1 turn, 100 input tokens, 10 output tokens, price unknown, so US dollar budgets don't apply/,
  );
  const asked = server.requests.length;
  const held = await run(["--model", "compatible:local"], { KODIAI_BUDGET_REVIEW_USD: "2" });
  assert.equal(held.code, 3, held.stdout);
  assert.match(flat(held.stdout), /wasn't called because of the budget \(its price is unknown\)/);
  assert.equal(server.requests.length, asked);
});

test("where a budget has no room for the longest answer, the call is made with a shorter one", async (t) => {
  const { run, server } = await openDesk(t, { ...CLEAN, script: oneByOne([FINISHING]) });
  const { code, stdout } = await run(["--model", PRICED, "--budget-usd", "0.08"]);
  assert.equal(code, 0, stdout);
  const room = Number(server.requests[0]?.body["max_output_tokens"]);
  assert.ok(room >= 4_000 && room < 8_000, `${room} tokens`);
});

test("of too many findings the gravest are reported, also when they came last, and the others are counted", async (t) => {
  const lines = Array.from({ length: 60 }, (_, at) => `export const value${at} = ${at};`);
  const finding = (at: number, severity: string): ScriptedCall =>
    recording({ path: "src/many.ts", quote: lines[at] ?? "", title: `Value ${at} is odd`, severity });
  const minor = lines.slice(0, 59).map((_, at) => finding(at, "minor"));
  const script: ModelScript = [{ toolCalls: minor }, ...oneByOne([finding(59, "critical"), FINISHING])];
  const { run } = await openDesk(t, { ...CLEAN, after: { "src/many.ts": `${lines.join("\n")}\n` }, script });
  const { code, stdout } = await run(["--model", PRICED, "-f", "json"]);
  assert.equal(code, 0, stdout);
  // The documented form of the JSON.
  const output = JSON.parse(stdout) as {
    findings: readonly { title: string; severity: string; source: string }[];
    dropped: readonly { reason: string }[];
  };
  const published = output.findings.filter(({ source }) => source === "model");
  assert.equal(published.length, 50);
  assert.deepEqual([published[0]?.title, published[0]?.severity], ["Value 59 is odd", "critical"]);
  assert.equal(output.dropped.filter(({ reason }) => reason === "dropped:too-many").length, 10);
  const text = await run(["--model", PRICED, "-f", "markdown"]);
  assert.match(text.stdout, /Not shown: 10 findings \(10 beyond the model's 50 most severe\)/);
});
