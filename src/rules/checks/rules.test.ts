/** Every rule file exports one rule of the same name, which is registered and passes its examples. No example is left without a rule. */
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { idsWithExamples, readExamples, readExampleText } from "../../../test/support/rule-examples.ts";
import { runRule } from "../../../test/support/run-rule.ts";
import { titleFault } from "../../../test/support/title-fault.ts";
import { findCertainSecrets, PROVIDER_KINDS } from "../../base/secrets/secret-patterns.ts";
import { DESCRIPTION_PATH } from "../../review/findings/description-path.ts";
import { ANALYSER_RULE_IDS } from "../../linters/analyser-rule-ids.ts";
import { ALL_RULES } from "../all-rules.ts";
import type { FloorRule } from "../rule.ts";

const files = readdirSync(import.meta.dirname).filter((name) => /^[a-z0-9-]+\.ts$/.test(name));

test("every rule file is registered once", () => {
  const registered = ALL_RULES.map(({ id }) => `${id}.ts`);
  assert.deepEqual(registered.toSorted(), files.toSorted());
});

test("every file of examples belongs to a rule, and every rule has one", () => {
  const ids = [...ALL_RULES.map(({ id }) => id), ...ANALYSER_RULE_IDS];
  assert.deepEqual(idsWithExamples().toSorted(), ids.toSorted());
});

test("no file of examples has what a scanner takes for a real secret, or an invisible character", () => {
  for (const id of idsWithExamples()) {
    const text = readExampleText(id);
    const secrets = findCertainSecrets(text).filter(({ kind }) => PROVIDER_KINDS.has(kind));
    assert.deepEqual(secrets, [], id);
    assert.doesNotMatch(text, /[^\P{Cc}\n\t]|\p{Cf}| $/mu, id);
  }
});

for (const name of files) {
  // Each file exports exactly one rule; the assertions below check that.
  const exports: Record<string, unknown> = await import(`./${name}`);
  const rule = Object.values(exports)[0] as FloorRule;
  const { bad, good } = readExamples(rule.id);

  test(`${rule.id}: is the only rule in ${name} and explains itself`, () => {
    assert.equal(`${rule.id}.ts`, name);
    assert.equal(Object.keys(exports).length, 1);
    for (const sentence of [rule.why, rule.fix]) assert.match(sentence, /^[A-Z`].*[.!?)]$/s);
    assert.ok(rule.title.length <= 80, "a title fits one line");
    assert.equal(titleFault(rule.title), null);
    assert.ok(bad.length >= 2 && good.length >= 3, "at least two bad and three good examples");
  });

  bad.forEach((example, index) => {
    test(`${rule.id}: reports bad example ${index + 1}`, () => {
      const found = runRule(rule, example);
      const path = example.files[0]?.path ?? DESCRIPTION_PATH;
      assert.ok(
        found.some((finding) => finding.path === path && (finding.lineHint ?? 0) === example.line),
        `expected a report on ${path}:${example.line}, got ${JSON.stringify(found.map((f) => `${f.path}:${f.lineHint}`))}`,
      );
      for (const { title } of found) assert.equal(titleFault(title), null);
    });
  });

  good.forEach((example, index) => {
    test(`${rule.id}: doesn't report good example ${index + 1}`, () => {
      const found = runRule(rule, example);
      assert.deepEqual(
        found.map((finding) => `${finding.path}:${finding.lineHint} ${finding.title}`),
        [],
      );
    });
  });
}
