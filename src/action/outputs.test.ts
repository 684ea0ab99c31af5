import assert from "node:assert/strict";
import { test } from "node:test";
import { parseOutputs } from "../../test/support/action/run-action.ts";
import {
  againPublication,
  samplePublication,
  SAMPLE_PUBLICATIONS,
} from "../../test/support/sample-publication.ts";
import { composeOutputs, OUTPUT_NAMES, renderOutputs } from "./outputs.ts";

test("outputs: counts are of new and open findings, and the verdict is the worst one", () => {
  const one = composeOutputs([againPublication()], { sarif: "/a", json: "/b" });
  assert.deepEqual(
    [one.findings, one.critical, one.major, one.minor, one["sarif-file"]],
    ["4", "2", "1", "1", "/a"],
  );
  const both = composeOutputs([againPublication(), samplePublication()], null);
  assert.deepEqual([both.findings, both["sarif-file"]], ["10", ""]);
});

test("outputs: without a review, nothing was counted", () => {
  const { verdict, ...others } = composeOutputs([], null);
  assert.equal(verdict, "skipped");
  assert.deepEqual([...new Set(Object.values(others))], [""]);
});

for (const [name, compose] of Object.entries(SAMPLE_PUBLICATIONS))
  test(`outputs: ${name} is read back by a runner`, () => {
    const outputs = composeOutputs([compose()], null);
    assert.deepEqual(parseOutputs(renderOutputs(outputs, "x-1")), { ...outputs });
    assert.match(outputs.coverage, /^(?:\d|[1-9]\d|100)$/);
    assert.deepEqual(Object.keys(outputs), [...OUTPUT_NAMES]);
  });

test("outputs: no value ends itself", () => {
  const outputs = composeOutputs([], { sarif: "/a\nEND\nverdict<<X", json: "" });
  assert.equal(parseOutputs(renderOutputs(outputs, "random"))["verdict"], "skipped");
  assert.throws(() => renderOutputs(outputs, "END"), TypeError);
});
