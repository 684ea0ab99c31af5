/** Checks that work on a text takes CPU time linear in its length, as a ratio: limits in seconds depend on the machine. */
import assert from "node:assert/strict";
import { cpuMs } from "./cpu-ms.ts";

/** The text is measured whole and this part of it. Linear time grows to 4 times, quadratic time to 16 times. */
const PART = 1 / 4;
const MAX_GROWTH = 9;

/** Less says nothing about growth: it is mostly compilation and garbage collection. */
const MIN_CPU_MS = 80;

/** Other processes disturb a measurement, so one that seems slow is repeated. */
const TRIES = 4;

export function assertLinear(text: string, work: (text: string) => void): void {
  const part = text.slice(0, text.length * PART);
  let growths: readonly number[] = [];
  while (growths.length < TRIES) {
    const partMs = cpuMs(() => work(part));
    const wholeMs = cpuMs(() => work(text));
    if (wholeMs < MIN_CPU_MS || wholeMs < MAX_GROWTH * partMs) return;
    growths = [...growths, wholeMs / partMs];
  }
  assert.fail(
    `${JSON.stringify(text.slice(0, 20))}: 4 times the text takes ${growths.join(", ")} times the time`,
  );
}
