import assert from "node:assert/strict";
import { test } from "node:test";
import { boundedLines, type TooLong } from "./bounded-lines.ts";

async function split(texts: readonly string[], maxBytes: number) {
  const refused: TooLong[] = [];
  async function* input() {
    for (const text of texts) yield Buffer.from(text);
  }
  const lines: string[] = [];
  for await (const line of boundedLines(input(), maxBytes, (each) => void refused.push(each)))
    lines.push(line.toString());
  return { lines, refused };
}

test("lines are whole however they come, and one that is too long takes no other with it", async () => {
  const { lines, refused } = await split(
    ["on", "e\ntwo\n", "x".repeat(30), "x\nthr", "ee\n", "never ended"],
    20,
  );
  assert.deepEqual(lines, ["one\n", "two\n", "three\n"]);
  assert.deepEqual(refused, [{ bytes: 32, id: null }]);
});

test("a line that never ends is refused when the input does", async () => {
  const { lines, refused } = await split(["x".repeat(30), "x".repeat(30)], 20);
  assert.deepEqual([lines, refused], [[], [{ bytes: 60, id: null }]]);
});

const LONG = `"params":{"a":"${"x".repeat(3_000)}"}`;

const IDS: readonly (readonly [line: string, id: string | number | null])[] = [
  [`{"jsonrpc":"2.0","id":7,"method":"tools/call",${LONG}}`, 7],
  [`{ "id" : "a-1", ${LONG}, "jsonrpc": "2.0" }`, "a-1"],
  [`{"method":"tools/call",${LONG},"jsonrpc":"2.0","id":8}`, 8],
  [`{${LONG},"id":"b","jsonrpc":"2.0"}\r`, "b"],
  // An id of something inside the message is not that of the message.
  [`{"params":{"id":9,"a":"${"x".repeat(3_000)}"},"method":"x"}`, null],
  [`{"method":"x","params":{"a":"${"x".repeat(3_000)}","id":9}}`, null],
  [`{"method":"x",${LONG}}`, null],
];

test("the id of a request is found at either end of it", async () => {
  for (const [line, id] of IDS) {
    const { refused } = await split([`${line}\n`], 1_000);
    assert.equal(refused[0]?.id, id, line.slice(0, 60));
  }
});
