/** One defect is one finding, in every format and across reviews, when a rule and a model report it in their own words. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { type Desk, openDesk } from "../support/model-scenes/desk.ts";
import { FINISHING, oneByOne, recording } from "../support/model-scenes/model-scene.ts";

const MODEL = ["--model", "openai:scripted"] as const;
const RULES_ONLY = ["--model", "floor"] as const;

const TITLE = "An attacker can read every user";

/** The built-in rule reports the query on line 4, and an empty catch on line 10. The model's second finding is on line 9. */
const open = (t: TestContext): Promise<Desk> =>
  openDesk(t, {
    script: oneByOne([
      recording({
        path: "src/users.ts",
        quote: "  return db.query(`select * from users where id = ${id}`);",
        title: TITLE,
        body: "The value of `id` is concatenated into the SQL statement. Use a bound parameter.",
        severity: "medium",
        category: "correctness",
      }),
      recording({ path: "src/users.ts", quote: '    find("1");', title: "The search is not awaited" }),
      FINISHING,
    ]),
  });

type JsonFinding = {
  readonly number: number;
  readonly title: string;
  readonly startLine: number;
  readonly severity: string;
  readonly reportedSeverity: string;
  readonly rule?: string;
  readonly alsoReportedBy?: readonly {
    readonly rule?: string;
    readonly title: string;
    readonly body: string;
  }[];
};

const onLine = (findings: readonly JsonFinding[], line: number) =>
  findings.filter(({ startLine }) => startLine === line);

test("a rule and a model report one defect: one finding in the model's words names the rule, in every format", async (t) => {
  const { run } = await open(t);
  const { stdout } = await run([...MODEL, "--format", "json"]);
  const { findings, dropped } = JSON.parse(stdout);
  const [found, ...more] = onLine(findings, 4);
  assert.deepEqual(more, []);
  assert.equal(found?.title, TITLE);
  assert.equal(found?.rule, undefined);
  assert.deepEqual(
    found?.alsoReportedBy?.map(({ rule }) => rule),
    ["sql-from-strings"],
  );
  // Nothing proves the rule's severity here, so it isn't above the model's.
  assert.deepEqual([found?.reportedSeverity ?? found?.severity, found?.severity], ["medium", "medium"]);
  assert.deepEqual(
    onLine(dropped, 4).map(({ rule }) => rule),
    ["sql-from-strings"],
  );
  // Neighboring lines with other problems stay two findings.
  assert.equal(onLine(findings, 9).length + onLine(findings, 10).length, 2);
  const shown = async (format: string) => (await run([...MODEL, "--format", format])).stdout;
  assert.match(await shown("terminal"), /Also reported by sql-from-strings: /);
  assert.match(await shown("markdown"), /Also reported by \[?`sql-from-strings`\S*: /);
  const sarif = JSON.parse(await shown("sarif"));
  const also = sarif.runs[0].results.flatMap(
    ({ properties }: { properties: { alsoReportedBy?: { ruleId: string }[] } }) =>
      properties.alsoReportedBy ?? [],
  );
  assert.deepEqual(
    also.map(({ ruleId }: { ruleId: string }) => ruleId),
    ["sql-from-strings"],
  );
});

test("a rule's finding keeps its number when a model joins it, and when the model is gone again", async (t) => {
  const { runAgain } = await open(t);
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

/** The same defect in other words, which could have been another one: its claim is readable. */
const AGAIN = {
  title: "SQL injection through the id",
  body: "A quote ends the literal, and what follows is executed. Nothing escapes the parameter.",
} as const;

test("a model that repeats a defect in other words: one finding, and both texts in every format", async (t) => {
  const quote = "  return db.query(`select * from users where id = ${id}`);";
  const { run } = await openDesk(t, {
    script: oneByOne([
      recording({
        path: "src/users.ts",
        quote,
        title: TITLE,
        body: "The value of `id` is concatenated into the SQL statement. Use a bound parameter.",
        severity: "medium",
        category: "security",
      }),
      recording({ path: "src/users.ts", quote, ...AGAIN, severity: "major", confidence: 0.8 }),
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
  for (const text of [AGAIN.title, AGAIN.body]) {
    assert.ok(terminal.includes(text), text);
    assert.ok((await shown("sarif")).includes(text), text);
  }
});
