import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { toolBench } from "../../test/support/tool-bench.ts";
import type { ReportedBefore } from "../review/context/context.ts";
import { answersIn, createMemoryNotebook } from "./notebook.ts";
import { createToolbox } from "./toolbox.ts";
import { REVIEW_TOOLS } from "./tools.ts";

function asked(number: number, path = "src/a.ts"): ReportedBefore {
  return { number, path, line: 2, severity: "major", title: "Tax is added twice", body: "" };
}

async function bench(t: TestContext, toCheckAgain: readonly ReportedBefore[] = [asked(3)]) {
  const made = await toolBench(t, {
    before: {
      "src/a.ts": "export function total(price: number) {\n  return price * 1.2;\n}\n",
      "src/gone.ts": "export const gone = 1;\n",
    },
    after: {
      "src/a.ts": "export function total(price: number) {\n  return price;\n}\n",
      "src/b.ts": "export const b = 1;\n",
      "src/gone.ts": null,
    },
    context: { toCheckAgain },
  });
  const answers = () =>
    [...answersIn(made.context.notebook)].map(([number, { verdict }]) => `${number} ${verdict}`);
  return { ...made, answers };
}

const FIX = "  return price;";

test("confirm_finding: a fix counts with the line of the diff that shows it", async (t) => {
  const { ask, answers, context } = await bench(t);
  const args = { number: 3, verdict: "fixed", quote: FIX };
  assert.equal(await ask("confirm_finding", args), "(3) is recorded as fixed.");
  assert.deepEqual(answers(), ["3 fixed"]);
  assert.deepEqual(context.notebook.entries(), [
    { number: 1, pass: "review", kind: "checked", finding: 3, verdict: "fixed", quote: FIX },
  ]);
});

test("confirm_finding: a fix counts with the removed line that had the problem", async (t) => {
  const { ask, answers } = await bench(t, [asked(3), asked(4, "src/gone.ts")]);
  await ask("confirm_finding", { number: 3, verdict: "fixed", quote: "  return price * 1.2;" });
  await ask("confirm_finding", { number: 4, verdict: "fixed", quote: "export const gone = 1;" });
  assert.deepEqual(answers(), ["3 fixed", "4 fixed"]);
});

for (const [what, quote] of [
  ["a line that isn't in the diff", "  return withTax(price);"],
  ["a line of another file", "export const b = 1;"],
  ["nothing", ""],
] as const) {
  test(`confirm_finding: a fix that quotes ${what} doesn't count`, async (t) => {
    const { askWrongly, answers } = await bench(t);
    const text = await askWrongly("confirm_finding", { number: 3, verdict: "fixed", quote });
    assert.match(text, /^\(3\) stays open: the quote isn't in the diff of its file\./);
    assert.deepEqual(answers(), []);
  });
}

test("confirm_finding: a finding that is still there needs no quote", async (t) => {
  const { ask, answers } = await bench(t);
  const text = await ask("confirm_finding", { number: 3, verdict: "still-there", quote: "" });
  assert.equal(text, "(3) is recorded as still there.");
  assert.deepEqual(answers(), ["3 still-there"]);
});

test("confirm_finding: only for findings in the list, in files of the pass", async (t) => {
  const { askWrongly, answers } = await bench(t, [asked(3), asked(8, "src/elsewhere.ts")]);
  for (const number of [4, 8])
    assert.equal(
      await askWrongly("confirm_finding", { number, verdict: "fixed", quote: FIX }),
      `(${number}) isn't in your list of findings to check again.`,
    );
  assert.deepEqual(answers(), []);
});

test("confirm_finding: a finding that was called fixed and still there is still there", async (t) => {
  for (const order of [
    ["fixed", "still-there"],
    ["still-there", "fixed"],
  ]) {
    const { ask, answers } = await bench(t);
    for (const verdict of order) await ask("confirm_finding", { number: 3, verdict, quote: FIX });
    assert.deepEqual(answers(), ["3 still-there"]);
  }
});

test("confirm_finding: a model may correct itself, within limits", async (t) => {
  const { ask, askWrongly, context } = await bench(t);
  const answer = (verdict: string) => ({ number: 3, verdict, quote: FIX });
  for (const verdict of ["fixed", "still-there", "fixed"]) await ask("confirm_finding", answer(verdict));
  const text = await askWrongly("confirm_finding", answer("still-there"));
  assert.equal(text, "(3) was answered 3 times.");
  assert.equal(context.notebook.entries().length, 3);
});

test("confirm_finding is offered only when there is something to check again", async (t) => {
  const { context } = await bench(t);
  const isOffered = (toCheckAgain: readonly ReportedBefore[]) =>
    createToolbox(REVIEW_TOOLS, { ...context, toCheckAgain }, { now: () => 0, windDownAtMs: 1 }).tools.some(
      ({ name }) => name === "confirm_finding",
    );
  assert.deepEqual([isOffered([asked(3)]), isOffered([])], [true, false]);
});

test("finish_review: asks once about findings without an answer, then ends", async (t) => {
  const { ask, askWrongly, context } = await bench(t, [asked(3), asked(4), asked(8, "src/elsewhere.ts")]);
  for (const path of context.pass.paths) await ask("show_diff", { path });
  await ask("confirm_finding", { number: 3, verdict: "still-there", quote: "" });
  const first = await askWrongly("finish_review", { summary: "It adds no tax." });
  assert.match(
    first,
    /you haven't answered with confirm_finding for \(4\)\. Findings without an answer stay open\./,
  );
  assert.equal(await ask("finish_review", { summary: "It adds no tax." }), "The review is finished.");
});

test("answers of an earlier attempt count", () => {
  const entry = { pass: "review", kind: "checked", finding: 3, verdict: "fixed", quote: FIX } as const;
  const notebook = createMemoryNotebook([{ ...entry, number: 1 }]);
  assert.deepEqual([...answersIn(notebook)], [[3, { verdict: "fixed" }]]);
});
