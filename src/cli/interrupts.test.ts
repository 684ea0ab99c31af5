import assert from "node:assert/strict";
import { test } from "node:test";
import { createInterrupts, SAME_PRESS_MS } from "./interrupts.ts";

function scene() {
  let nowMs = 0;
  const events: string[] = [];
  const interrupts = createInterrupts({ now: () => nowMs, exit: () => void events.push("exited") });
  interrupts.signal.addEventListener("abort", () => void events.push("aborted"));
  return {
    events,
    interrupts,
    listen: () => interrupts.onFirst(() => void events.push("handled")),
    press: (afterMs = SAME_PRESS_MS): void => {
      nowMs += afterMs;
      interrupts.onSignal();
    },
  };
}

test("interrupts: the first signal aborts, the next one exits", () => {
  const { press, events } = scene();
  press();
  assert.deepEqual(events, ["aborted"]);
  press();
  assert.deepEqual(events, ["aborted", "exited"]);
});

test("interrupts: with a listener, the first signal calls it, the second aborts, the third exits", () => {
  const { press, events, listen } = scene();
  listen();
  press();
  assert.deepEqual(events, ["handled"]);
  press();
  assert.deepEqual(events, ["handled", "aborted"]);
  press();
  assert.deepEqual(events, ["handled", "aborted", "exited"]);
});

test("interrupts: after a handled signal, the next one aborts despite a new listener", () => {
  const { press, events, listen } = scene();
  listen();
  press();
  listen();
  press();
  assert.deepEqual(events, ["handled", "aborted"]);
});

test("interrupts: one key press that arrives several times counts once", () => {
  const { press, events, listen } = scene();
  listen();
  press();
  press(0);
  press(SAME_PRESS_MS - 1);
  assert.deepEqual(events, ["handled"]);
  press(1);
  assert.deepEqual(events, ["handled", "aborted"]);
});

test("interrupts: after the command has finished, a signal exits despite a listener", () => {
  const { press, events, listen, interrupts } = scene();
  listen();
  interrupts.abort();
  press();
  assert.deepEqual(events, ["aborted", "exited"]);
});
