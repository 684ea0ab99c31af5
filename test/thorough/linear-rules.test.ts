/**
 * Checks that every rule runs in linear time, on its own examples grown into inputs made to be slow. Rules run in a
 * separate process, so a rule that hangs fails its test and doesn't block the suite. A rule that passed is measured again when it
 * changes, or one of the files that it uses; with KODIAI_TEST_LONG=1 every rule is.
 */
import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { after, before, suite, test } from "node:test";
import { isAll, isLong } from "../support/extent.ts";
import { linearKeys, readLinear, writeLinear } from "../support/linear-cache.ts";
import type { MeasureMessage, Measurement } from "../support/measure-rules.ts";
import { ALL_RULES } from "../../src/rules/all-rules.ts";

/** Large enough to expose quadratic time; in the long form, the largest size that is parsed. */
const CHARS = isLong ? 240_000 : 12_000;

/** CPU time. Linear rules need a quarter of it at most, so a busy machine doesn't fail them. */
const MAX_CPU_MS = CHARS / 24;

/** CPU time of the work limit on a slow machine. */
const MAX_STOPPED_CPU_MS = 3_000;

/** A process that is silent this long hangs, even with a tenth of a CPU. */
const MAX_SILENCE_MS = 60_000;

type RuleMeasured = { readonly slowest: Measurement[]; readonly hung: string | null };

const measured = new Map<string, PromiseWithResolvers<RuleMeasured>>(
  ALL_RULES.map(({ id }) => [id, Promise.withResolvers<RuleMeasured>()]),
);

const processes = new Set<ReturnType<typeof fork>>();

const keys = await linearKeys(`${CHARS} ${isAll ? "all" : "few"}`);
const known = isLong ? new Map<string, string>() : readLinear();
const passed = new Map<string, string>();
const isKnown = (id: string): boolean => keys.has(id) && known.get(id) === keys.get(id);

/** Measures the rules in order. After a rule that hangs, the rest continues in a new process. */
function measureFrom(ids: readonly string[]): void {
  if (ids.length === 0) return;
  const script = new URL("../support/measure-rules.ts", import.meta.url);
  const child = fork(script, [String(CHARS), String(MAX_CPU_MS), ...ids]);
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

before(() => measureFrom(ALL_RULES.map(({ id }) => id).filter((id) => !isKnown(id))));
after(() => {
  for (const child of processes) child.kill("SIGKILL");
  if (!isAll) writeLinear(passed);
});

function markPassed(id: string): void {
  const key = keys.get(id);
  if (key !== undefined) passed.set(id, key);
}

void suite("[P16] a rule takes time linear in its input, however that is repeated and nested", () => {
  for (const { id } of ALL_RULES) {
    test(id, async (t) => {
      if (isKnown(id)) {
        t.diagnostic("unchanged since it was measured");
        markPassed(id);
        return;
      }
      const result = await measured.get(id)?.promise;
      assert.ok(result !== undefined);
      assert.equal(result.hung, null, `hung on ${result.hung}`);
      assert.ok(result.slowest.length > 0, "nothing was measured");
      const slow = result.slowest.filter(
        ({ cpuMs, isStopped }) => cpuMs > (isStopped ? MAX_STOPPED_CPU_MS : MAX_CPU_MS),
      );
      assert.deepEqual(slow, []);
      markPassed(id);
    });
  }
});
