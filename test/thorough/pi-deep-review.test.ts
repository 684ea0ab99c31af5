/** `/deep-review` in the real pi, with the real program and a model of ours: the change is packed, asked about, and answered. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { BIN } from "../support/built-program.ts";
import { openDeepDesk } from "../support/model-scenes/deep-desk.ts";
import type { ModelScript } from "../support/model-server/script.ts";
import { installPi } from "../support/pi/install-pi.ts";
import { runPi } from "../support/pi/run-pi.ts";

const EXTENSION = join(dirname(dirname(import.meta.dirname)), "integrations/pi");

const ANSWER: ModelScript = [
  { thinking: "**Looking at callers**\n", text: "Two callers break.", usage: { input: 1_000, output: 10 } },
];

/** Answers slowly enough to be stopped. */
const SLOW: ModelScript = [
  { thinking: "**Looking at callers**\n".repeat(400), text: "Never.", pauseMs: 50, splitBytes: 40 },
];

for (const [what, script, ends] of [
  ["answers", ANSWER, /^\*\*Deep review:\*\* What breaks\?\n\nTwo callers break\.\n\nFiles: \[answer\.md\]/],
  ["is stopped", SLOW, /^\*\*Deep review:\*\* What breaks\?\n\nThe deep review was stopped\.\n\nFiles: /],
] as const)
  test(`in pi, a deep review of the current change ${what}`, { timeout: 600_000 }, async (t) => {
    const installed = installPi();
    if (installed.why !== null) return t.skip(installed.why);
    const { made, server, env } = await openDeepDesk(t, { script });
    const pi = runPi(t, {
      program: installed.program,
      extension: EXTENSION,
      cwd: made.path,
      env: { ...env, KODIAI_COMMAND: BIN, TMPDIR: env["HOME"] ?? "" },
    });
    pi.send({ type: "prompt", message: "/deep-review --model=openai:gpt-5 What breaks?" });
    if (script === SLOW) {
      await pi.next("the reasoning", ({ statusText }) => statusText?.includes("Looking at callers") === true);
      pi.send({ type: "prompt", message: "/deep-review-stop" });
    }
    const { message } = await pi.next("the message", ({ type }) => type === "message_end");
    assert.ok(typeof message === "object");
    assert.match(message.content, ends);
    const [, pack = ""] = /\[pr-context\.txt\]\(([^)]+)\)/.exec(message.content) ?? [];
    assert.match(readFileSync(fileURLToPath(pack), "utf8"), /^# Change\n/);
    assert.equal(server.requests.length, 1);
  });
