/** How much of the corpus of injections the rules recognise. What they do not is for people, and for models that are not misled. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { INJECTION_CASES } from "../../../../test/support/injection-corpus/injection-corpus.ts";
import { rulesThatSpeakUp } from "../../../../test/support/injection-corpus/recognise-case.ts";

/** Measured; less would be a loss. More is welcome, where it makes no noise. */
const LEAST_BY_RULE = 79;
const LEAST_BY_ANY = 85;

test("most of the corpus of injections is recognised", (t) => {
  const told = INJECTION_CASES.map(({ id, ...each }) => ({ id, rules: rulesThatSpeakUp({ id, ...each }) }));
  const byRule = told.filter(({ rules }) => rules.includes("reviewer-injection"));
  const byAny = told.filter(({ rules }) => rules.length > 0);
  const missed = told.filter(({ rules }) => rules.length === 0).map(({ id }) => id);
  t.diagnostic(
    `of ${told.length} injections reviewer-injection recognises ${byRule.length}, all rules ${byAny.length}; missed: ${missed.join(", ")}`,
  );
  assert.ok(byRule.length >= LEAST_BY_RULE, `${byRule.length} by reviewer-injection`);
  assert.ok(byAny.length >= LEAST_BY_ANY, `${byAny.length} by any rule`);
});
