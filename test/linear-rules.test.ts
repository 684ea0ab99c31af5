/**
 * Holds every rule to time that is linear in its input, on its own examples grown into inputs made to be slow. Rules run
 * in a process of their own, so that one that hangs is a failed test and not a hung suite.
 */
import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { after, before, suite, test } from "node:test";
import type { MeasureMessage, Measurement } from "./support/measure-rules.ts";
import { ALL_RULES } from "../src/review/floor/rules/all-rules.ts";

/** KODIAI_TEST_LONG measures at the largest size that is parsed. */
const isLong = process.env["KODIAI_TEST_LONG"] === "1";

/** Large enough that quadratic time shows. */
const CHARS = isLong ? 240_000 : 20_000;

/** Processor time. Linear rules take a twentieth of it, so that a busy machine does not fail them. */
const MAX_CPU_MS = CHARS / 24;

/** What the limit of work comes to on a slow machine. */
const MAX_STOPPED_CPU_MS = 3_000;

/** A process that says nothing for so long hangs, even where it gets a tenth of a processor. */
const MAX_SILENCE_MS = 60_000;

type RuleMeasured = { readonly slowest: Measurement[]; readonly hung: string | null };

const measured = new Map<string, PromiseWithResolvers<RuleMeasured>>(
  ALL_RULES.map(({ id }) => [id, Promise.withResolvers<RuleMeasured>()]),
);

const processes = new Set<ReturnType<typeof fork>>();

/** Measures the rules in order; after a rule that hangs, the rest goes on in a new process. */
function measureFrom(ids: readonly string[]): void {
  if (ids.length === 0) return;
  const script = new URL("./support/measure-rules.ts", import.meta.url);
  const child = fork(script, [String(CHARS), ...ids]);
  processes.add(child);
  let current: MeasureMessage | null = null;
  let found: Measurement[] = [];
  let left = ids;
  let watchdog = setTimeout(() => child.kill("SIGKILL"), MAX_SILENCE_MS);
  child.on("message", (message: MeasureMessage) => {
    watchdog = restart(watchdog, () => child.kill("SIGKILL"));
    current = message;
    if (message.measured !== null) found.push(message.measured);
    if (message.input !== null) return;
    measured.get(message.rule)?.resolve({ slowest: found, hung: null });
    [found, left] = [[], left.slice(1)];
  });
  child.on("exit", () => {
    clearTimeout(watchdog);
    processes.delete(child);
    const [id] = left;
    if (id === undefined) return;
    const hung = current?.rule === id ? (current.input ?? "") : "";
    measured.get(id)?.resolve({ slowest: found, hung: `${hung} (or the process failed)` });
    measureFrom(left.slice(1));
  });
}

function restart(timer: NodeJS.Timeout, run: () => void): NodeJS.Timeout {
  clearTimeout(timer);
  return setTimeout(run, MAX_SILENCE_MS);
}

before(() => measureFrom(ALL_RULES.map(({ id }) => id)));
after(() => {
  for (const child of processes) child.kill("SIGKILL");
});

void suite("[P16] a rule takes time linear in its input, however that is repeated and nested", () => {
  for (const { id } of ALL_RULES) {
    test(id, async () => {
      const result = await measured.get(id)?.promise;
      assert.ok(result !== undefined);
      assert.equal(result.hung, null, `hung on ${result.hung}`);
      assert.ok(result.slowest.length > 0, "nothing was measured");
      const slow = result.slowest.filter(
        ({ cpuMs, isStopped }) => cpuMs > (isStopped ? MAX_STOPPED_CPU_MS : MAX_CPU_MS),
      );
      assert.deepEqual(slow, []);
    });
  }
});
