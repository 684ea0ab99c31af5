/** A model takes back a finding and disputes one of a rule, through the command line. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openDesk } from "../support/model-scenes/desk.ts";
import { FINISHING, oneByOne } from "../support/model-scenes/model-scene.ts";

type Output = {
  readonly findings: readonly {
    readonly title: string;
    readonly rule?: string;
    readonly severity: string;
    readonly notes: readonly string[];
    readonly disputed?: unknown;
  }[];
  readonly dropped: readonly { readonly title: string; readonly reason: string; readonly detail: string }[];
};

const recorded = (title: string, more: object = {}) => ({
  name: "record_finding",
  args: {
    path: "src/a.ts",
    quote: "  if (ready = true) return total;",
    title,
    body: "It goes wrong.",
    severity: "major",
    category: "correctness",
    confidence: 0.9,
    ...more,
  },
});

test("a withdrawn finding is listed with its reason, a disputed rule's finding stays and carries the dispute", async (t) => {
  const { run, server } = await openDesk(t, {
    before: { "src/a.ts": "export function pay(total: number, ready: boolean) {\n  return total;\n}\n" },
    after: {
      "src/a.ts":
        "export function pay(total: number, ready: boolean) {\n  if (ready = true) return total;\n  return 0;\n}\n",
    },
    script: oneByOne([
      recorded("A customer is charged twice"),
      { name: "withdraw_finding", args: { number: 1, because: "The caller charges once." } },
      recorded("Zero is returned to old callers", { quote: "  return 0;", was_there_before: true }),
      {
        name: "dispute_rule",
        args: { finding: "r1", because: "The assignment is meant.", path: "src/a.ts", line: 2 },
      },
      FINISHING,
    ]),
  });
  const { stdout, stderr } = await run(["--model", "openai:scripted", "--format", "json"]);
  assert.equal(stderr, "");
  assert.match(
    server.requests[0]?.prompt ?? "",
    /- \(r1\) src\/a\.ts:2 \[must-fix, oxlint\/no-cond-assign\]/,
  );
  assert.deepEqual(
    server.requests.at(-1)?.toolResults.map((answer) => answer.split(/[.:]/)[0]),
    ["Recorded (1)", "Withdrawn", "Recorded (3)", "r1 is disputed"],
  );
  const { findings, dropped } = JSON.parse(stdout) as Output;
  assert.deepEqual(
    dropped
      .filter(({ reason }) => reason === "dropped:withdrawn")
      .map(({ title, detail }) => [title, detail]),
    [["A customer is charged twice", "The caller charges once."]],
  );
  const ofRule = findings.find(({ rule }) => rule === "oxlint/no-cond-assign");
  assert.equal(ofRule?.severity, "medium");
  assert.deepEqual(ofRule.disputed, {
    because: "The assignment is meant.",
    evidence: { path: "src/a.ts", line: 2 },
  });
  const old = findings.find(({ title }) => title.startsWith("Zero"));
  assert.deepEqual(old?.notes, ["the problem was there before this change"]);
});
