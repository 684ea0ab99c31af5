import assert from "node:assert/strict";
import { test } from "node:test";
import { createInterrupts, SAME_PRESS_MS } from "./interrupts.ts";

function scene() {
  let nowMs = 0;
  const events: string[] = [];
  const stops = createInterrupts({ now: () => nowMs, end: () => void events.push("ended") });
  stops.signal.addEventListener("abort", () => void events.push("aborted"));
  return {
    events,
    stops,
    listen: () => stops.onFirst(() => void events.push("told")),
    press: (afterMs = SAME_PRESS_MS): void => {
      nowMs += afterMs;
      stops.onSignal();
    },
  };
}

test("stops: the first signal aborts, and the next one ends the process", () => {
  const { press, events } = scene();
  press();
  assert.deepEqual(events, ["aborted"]);
  press();
  assert.deepEqual(events, ["aborted", "ended"]);
});

test("stops: whoever listens is told of the first signal; the second one aborts, the third one ends the process", () => {
  const { press, events, listen } = scene();
  listen();
  press();
  assert.deepEqual(events, ["told"]);
  press();
  assert.deepEqual(events, ["told", "aborted"]);
  press();
  assert.deepEqual(events, ["told", "aborted", "ended"]);
});

test("stops: whoever listens after one was told is not told of the next: it aborts", () => {
  const { press, events, listen } = scene();
  listen();
  press();
  listen();
  press();
  assert.deepEqual(events, ["told", "aborted"]);
});

test("stops: one press that comes several times is one", () => {
  const { press, events, listen } = scene();
  listen();
  press();
  press(0);
  press(SAME_PRESS_MS - 1);
  assert.deepEqual(events, ["told"]);
  press(1);
  assert.deepEqual(events, ["told", "aborted"]);
});

test("stops: once all is done a signal ends the process, whoever listens", () => {
  const { press, events, listen, stops } = scene();
  listen();
  stops.abort();
  press();
  assert.deepEqual(events, ["aborted", "ended"]);
});
