import assert from "node:assert/strict";
import { test } from "node:test";
import { composeExplainUsage, composeExplanation, type ExplanationInput } from "./compose-explanation.ts";

const finding: ExplanationInput["finding"] = {
  number: 3,
  title: "Empty catch block",
  severity: "major",
  category: "correctness",
  source: "floor",
  rule: "empty-catch",
  path: "src/pay.ts",
  side: "new",
  startLine: 2,
  endLine: 3,
  state: "contested",
  head: "0123456789abcdef0123456789abcdef01234567",
  suggestion: null,
  url: "https://github.com/acme/shop/pull/7#discussion_r1",
};

const input: ExplanationInput = {
  finding,
  reasoning: "The error is lost, and `pay` returns as if it had worked. @ada",
  rule: { title: "Empty catch block", why: "The error is lost.", fix: "Handle it." },
  fileText: "try {\n} catch {\n}\nnext();\n",
  events: [
    { state: "open", reason: "reported", actor: "kodiai", head: finding.head, at: Date.UTC(2026, 0, 31) },
    { state: "contested", reason: "@ada <b>wants</b> it", actor: "bob", head: "", at: Date.UTC(2026, 1, 1) },
  ],
  answer: null,
  mayFix: true,
  mention: "@kodiai",
  repositoryUrl: "https://github.com/acme/shop",
  rulesUrl: "https://kodiai.example/rules",
};

test("an explanation has the rule, the code, the life and what to do", () => {
  assert.equal(
    composeExplanation(input),
    [
      "**[(3)](https://github.com/acme/shop/pull/7#discussion_r1) Major: Empty catch block**",
      "[`src/pay.ts:2`](https://github.com/acme/shop/blob/0123456789abcdef0123456789abcdef01234567/src/pay.ts#L2-L3) · correctness · reported by built-in rule [`empty-catch`](https://kodiai.example/rules#empty-catch)",
      "**The rule:** Empty catch block. The error is lost. Handle it.",
      "**The code** at `0123456789ab`:",
      "```\n} catch {\n}\n```",
      "**State:** dismissed\n- 2026-01-31: reported at `0123456789ab`\n- 2026-02-01: dismissed by `bob`: @&#8203;ada &lt;b&gt;wants&lt;/b&gt; it",
      "`@kodiai fix 3` lets a model fix it. If it's wrong, `@kodiai dismiss 3 REASON` dismisses it. If it's right but acceptable, `@kodiai waive 3 REASON` accepts it.",
    ].join("\n\n"),
  );
});

test("a model's answer goes above the facts", () => {
  const text = composeExplanation({ ...input, answer: "Because it hides failed payments.\n" });
  assert.ok(text.startsWith("Because it hides failed payments.\n\n---\n\n**[(3)]"));
});

test("a finding without a rule is explained by its own reasoning", () => {
  const text = composeExplanation({ ...input, rule: null });
  assert.match(text, /\n\nThe error is lost, and `pay` returns as if it had worked\. @&#8203;ada\n\n/);
  assert.doesNotMatch(composeExplanation({ ...input, rule: null, answer: "Because." }), /had worked/);
});

test("an explanation never repeats a secret", () => {
  const secret = ["AKIA", "Q5ZGLXW2MPKD6TVR"].join("");
  const fileText = `const token = "${secret}";\n`;
  const place = { startLine: 1, endLine: 1 };
  for (const rule of ["secret-in-code", "empty-catch"]) {
    const text = composeExplanation({ ...input, fileText, finding: { ...finding, ...place, rule } });
    assert.ok(!text.includes(secret), rule);
  }
});

test("the suggestion is offered where fix works, and otherwise where it is", () => {
  const suggested = { ...input, finding: { ...finding, suggestion: "} catch (error) {" } };
  assert.match(composeExplanation(suggested), /`@kodiai fix 3` commits its verified suggestion/);
  assert.match(composeExplanation({ ...suggested, mayFix: false }), /comment has a verified suggestion/);
  assert.doesNotMatch(composeExplanation({ ...input, mayFix: false }), /kodiai fix/);
});

test("long evidence and long lives are cut, and a file that is gone is named", () => {
  const fileText = Array.from({ length: 90 }, (_, index) => `line ${index + 1}`).join("\n");
  const long = composeExplanation({ ...input, fileText, finding: { ...finding, startLine: 1, endLine: 90 } });
  assert.match(long, /line 20\n… 70 more lines\n/);
  const events = Array.from({ length: 15 }, () => input.events)
    .flat()
    .slice(0, 15);
  assert.match(composeExplanation({ ...input, events }), /- … 3 earlier events\n/);
  assert.match(composeExplanation({ ...input, fileText: null }), /can't be read any more/);
});

test("a settled finding needs nothing", () => {
  const text = composeExplanation({ ...input, finding: { ...finding, state: "verified" } });
  assert.match(text, /Nothing to do/);
  assert.doesNotMatch(text, /kodiai dismiss/);
});

test("without a finding, the answer says how to name one", () => {
  assert.match(composeExplainUsage([2, 5], "@kodiai"), /`@kodiai explain 2`.*findings 2, 5\.$/);
  assert.match(composeExplainUsage([], "@kodiai"), /`@kodiai explain 1`\.$/);
});
