import assert from "node:assert/strict";
import { test } from "node:test";
import { changedFile } from "../../../test/support/analysis-fixtures.ts";
import { decodeMessage, encodeMessage } from "./messages.ts";

test("messages survive encoding on one line: sets, maps, undecodable paths and line feeds", () => {
  const file = changedFile({ path: "caf\udce9\n.ts", lines: ["+\ud83d\ude00 \ud83d \u2028 \0"] });
  for (const message of [
    { kind: "read", value: new Map([[3, "use"]]) },
    { kind: "read", value: null },
    {
      task: "review-change",
      takes: {
        change: { files: [file] },
        facts: [],
        floor: { rules: { "\0set": "off" } },
        repositoryPaths: new Set(["a\ud800", "b"]),
      },
    },
  ]) {
    // Incomplete messages are enough: only the unusual values matter here.
    const line = encodeMessage(message as unknown as Parameters<typeof encodeMessage>[0]);
    assert.equal(line.indexOf("\n"), line.length - 1);
    assert.deepEqual(decodeMessage(Buffer.from(line).toString().trimEnd()), message);
  }
});
