import assert from "node:assert/strict";
import { test } from "node:test";
import { cpuMsOf, parsePsTime } from "./cpu-ms-of.ts";

const PRINTED: readonly (readonly [printed: string, ms: number | null])[] = [
  ["   0:01.25\n", 1_250],
  ["  12:34.56\n", 754_560],
  [" 123:00.00\n", 7_380_000],
  ["00:00:01\n", 1_000],
  ["1-02:03:04\n", 93_784_000],
  ["", null],
  ["error: process ID out of range", null],
];

for (const [printed, ms] of PRINTED) {
  test(`CPU time as ps prints it: ${JSON.stringify(printed)}`, () => assert.equal(parsePsTime(printed), ms));
}

test("the CPU time of this process is about what it says itself", { skip: cpuMsOf === null }, () => {
  const before = process.cpuUsage();
  const read = cpuMsOf?.(process.pid) ?? -1;
  const after = process.cpuUsage();
  // Systems count in steps of up to a second.
  assert.ok(read >= (before.user + before.system) / 1_000 - 1_000, `${read}`);
  assert.ok(read <= (after.user + after.system) / 1_000 + 1_000, `${read}`);
});
