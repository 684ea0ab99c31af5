/** Readers that misbehave in every way, and waits of every kind. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { cpuMsOf } from "../../src/base/task-process/cpu-ms-of.ts";
import { createTaskProcess } from "../../src/base/task-process/task-process.ts";
import type { ReaderTasks } from "../../src/reading/reader.ts";
import { MISBEHAVING, never, PATIENT_MS, readingOf, openedFor } from "../support/reader-fixtures.ts";

const LIMITS: readonly (readonly [path: string, maxMs: number, expected: unknown])[] = [
  ["spins.ts", 200, { kind: "over-limit", limit: "time" }],
  ["grows.ts", PATIENT_MS, { kind: "over-limit", limit: "memory" }],
  ["grows-outside.ts", PATIENT_MS, { kind: "over-limit", limit: "memory" }],
  ["crashes.ts", PATIENT_MS, { kind: "failed", message: "the process that reads files crashed (SIGSEGV)" }],
  ["exits.ts", PATIENT_MS, { kind: "failed", message: "the process that reads files crashed (exit code 7)" }],
  ["throws.ts", PATIENT_MS, { kind: "failed", message: "a defect of this rule" }],
];

for (const [path, maxMs, expected] of LIMITS) {
  test(`reader: a rule that ${path.replace(".ts", "")} affects only its own file`, async (t) => {
    const reader = openedFor(t, MISBEHAVING);
    const ask = (name: string, ms: number) => reader.ask("review-file", readingOf(name, "code"), ms);
    const [before, itself, ...after] = await Promise.all([
      ask("before.ts", PATIENT_MS),
      ask(path, maxMs),
      ...Array.from({ length: 10 }, (_, index) => ask(`after-${index}.ts`, PATIENT_MS)),
    ]);
    assert.deepEqual(itself, expected);
    for (const reading of [before, ...after]) assert.equal(reading.kind, "read");
  });
}

/** A path at which nothing is yet. */
function emptyPath(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "kodiai-reader-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "go");
}

test(
  "reader: a task that waits isn't stopped by its limit of CPU time",
  { skip: cpuMsOf === null },
  async (t) => {
    const reader = openedFor(t, MISBEHAVING);
    const go = emptyPath(t);
    await reader.ask("review-file", readingOf("before.ts", "code"), PATIENT_MS);
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const limitMs = 5_000;
    const asked = reader.ask("review-file", readingOf("waits.ts", go), limitMs);
    const laterMs = performance.now() + 100 * limitMs;
    t.mock.method(performance, "now", () => laterMs);
    t.mock.timers.tick(100 * limitMs);
    t.mock.reset();
    writeFileSync(go, "");
    assert.equal((await asked).kind, "read");
  },
);

/** A reader process whose CPU times are these, one after the other, from its last message on. */
function starvedReader(t: TestContext, cpuMs: readonly (number | null)[]) {
  const looks = cpuMs.values();
  let count = 0;
  const reader = createTaskProcess<ReaderTasks>(
    {
      entry: MISBEHAVING,
      purpose: "reads files",
      readCpuMs() {
        count++;
        const { value, done } = looks.next();
        return done === true ? Number.MAX_SAFE_INTEGER : value;
      },
    },
    never,
  );
  t.after(() => reader.close());
  return { reader, looks: () => count };
}

test("reader: a busy machine takes nothing from a task's limit, and an unreadable time neither", async (t) => {
  const { reader, looks } = starvedReader(t, [0, 0, null, 0]);
  const asked = reader.ask("review-file", readingOf("spins.ts", "code"), 60);
  assert.deepEqual(await asked, { kind: "over-limit", limit: "time" });
  assert.equal(looks(), 5);
});

test("reader: where CPU times are unknown, the clock limits a task", async (t) => {
  const reader = createTaskProcess<ReaderTasks>(
    { entry: MISBEHAVING, purpose: "reads files", readCpuMs: null },
    never,
  );
  t.after(() => reader.close());
  const asked = reader.ask("review-file", readingOf("waits.ts", emptyPath(t)), 100);
  assert.deepEqual(await asked, { kind: "over-limit", limit: "time" });
});

test("reader: a task that waits forever is stopped by the limit on the clock", async (t) => {
  const reader = createTaskProcess<ReaderTasks>(
    { entry: MISBEHAVING, purpose: "reads files", maxWallMs: 100 },
    never,
  );
  t.after(() => reader.close());
  const asked = reader.ask("review-file", readingOf("waits.ts", emptyPath(t)), PATIENT_MS);
  assert.deepEqual(await asked, { kind: "over-limit", limit: "time" });
});
