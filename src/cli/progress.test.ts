import assert from "node:assert/strict";
import { test } from "node:test";
import { createProgress } from "./progress.ts";

function progressOn(given: { isTerminal: boolean; isCi: boolean }) {
  let time = 0;
  let written = "";
  const settings = {
    noColor: false,
    forceColor: false,
    isCi: given.isCi,
    hasDisplay: false,
    sshServer: null,
    githubActions: false,
    namesModel: false,
    gitEnvironment: {},
    namesProxy: false,
  };
  const stderr = {
    isTerminal: given.isTerminal,
    columns: 80,
    write: (text: string) => void (written += text),
  };
  const progress = createProgress({ stderr, settings, now: () => time });
  return { progress, at: (ms: number) => (time = ms), written: () => written };
}

test("work over a second shows a line and clears it at the end", (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const { progress, at, written } = progressOn({ isTerminal: true, isCi: false });
  progress.update("reading the change");
  at(500);
  t.mock.timers.tick(200);
  assert.equal(written(), "", "short work shows nothing");
  at(2_400);
  t.mock.timers.tick(200);
  assert.equal(written(), "\r\u001b[Kreading the change, 2 s");
  progress.clear();
  assert.ok(written().endsWith("\r\u001b[K"));
  t.mock.timers.tick(1_000);
  assert.ok(written().endsWith("2 s\r\u001b[K"), "nothing is drawn after the end");
});

test("nothing is shown without a terminal, or in CI", (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  for (const given of [
    { isTerminal: false, isCi: false },
    { isTerminal: true, isCi: true },
  ]) {
    const { progress, at, written } = progressOn(given);
    progress.update("reading the change");
    at(5_000);
    t.mock.timers.tick(1_000);
    progress.clear();
    assert.equal(written(), "");
  }
});
