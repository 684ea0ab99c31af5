/** One defect stays one finding across reviews, and when a model repeats it in other words. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openDesk } from "../support/model-scenes/desk.ts";
import { FINISHING, oneByOne, recording } from "../support/model-scenes/model-scene.ts";
import { MODEL, onLine, openWithRule, QUERY, REPORTED, TITLE } from "../support/one-defect-fixtures.ts";

const RULES_ONLY = ["--model", "floor"] as const;

/** The same defect in other words, which could have been another one: its claim is readable. */
const AGAIN = {
  title: "SQL injection through the id",
  body: "A quote ends the literal, and what follows is executed. Nothing escapes the parameter.",
} as const;

test("a model that repeats a defect in other words: one finding, and both texts in every format", async (t) => {
  const { run } = await openDesk(t, {
    script: oneByOne([
      recording({ ...REPORTED, category: "security" }),
      recording({ ...QUERY, ...AGAIN, severity: "major", confidence: 0.8 }),
      FINISHING,
    ]),
  });
  const shown = async (format: string) => (await run([...MODEL, "--format", format])).stdout;
  const { findings } = JSON.parse(await shown("json"));
  const [found, ...more] = onLine(findings, 4);
  assert.deepEqual(more, []);
  assert.equal(found?.title, TITLE);
  const also = found?.alsoReportedBy?.find(({ title }) => title === AGAIN.title);
  assert.equal(also?.body, AGAIN.body);
  const markdown = await shown("markdown");
  const words = markdown.slice(markdown.indexOf(`Also reported by a model: ${AGAIN.title}`));
  assert.match(words, /^Also .*\n\n<details>\n<summary>In its words<\/summary>\n\nA quote ends the literal/);
  const terminal = (await shown("terminal")).replaceAll(/\s+/g, " ");
  const sarif = await shown("sarif");
  for (const text of [AGAIN.title, AGAIN.body]) {
    assert.ok(terminal.includes(text), text);
    assert.ok(sarif.includes(text), text);
  }
});

test("a rule's finding keeps its number when a model joins it, and when the model is gone again", async (t) => {
  const { runAgain } = await openWithRule(t);
  const review = async (args: readonly string[]) =>
    JSON.parse((await runAgain([...args, "--format", "json"])).stdout);
  const first = await review(RULES_ONLY);
  const [rule] = onLine(first.findings, 4);
  assert.equal(rule?.rule, "sql-from-strings");
  for (const args of [MODEL, RULES_ONLY]) {
    const { findings, stillOpen } = await review(args);
    assert.deepEqual(onLine(findings, 4), [], "nothing new on its line");
    assert.deepEqual(
      onLine(stillOpen, 4).map(({ number, title }) => [number, title]),
      [[rule?.number, TITLE]],
    );
  }
});
