/** One defect is one finding, in every format, when a rule and a model report it in their own words. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { MODEL, onLine, openWithRule, TITLE } from "../support/one-defect-fixtures.ts";

test("a rule and a model report one defect: one finding in the model's words names the rule, in every format", async (t) => {
  const { run } = await openWithRule(t);
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
