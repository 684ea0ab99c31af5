import assert from "node:assert/strict";
import { test } from "node:test";
import type { Recipe } from "../jobs/recipe.ts";
import type { Claim } from "../queue/queue.ts";
import type { JobProcess, JobProcessMessage, StartJobProcess } from "./run-in-process.ts";
import { bench, NOW } from "../../test/support/worker-bench.ts";

/** Only called if the job ran in this process. */
const never: Recipe["run"] = () => assert.fail("it runs in a separate process");

type Script = (
  child: { end: (how: string) => void; say: (message: JobProcessMessage) => void },
  claim: Claim,
) => void | Promise<void>;

/** A fake process that follows the script. It exits at the first signal. */
function scripted(script: Script): { readonly start: StartJobProcess; readonly signals: string[] } {
  const signals: string[] = [];
  const start: StartJobProcess = (claim, say) => {
    const { promise: ended, resolve: end } = Promise.withResolvers<string>();
    queueMicrotask(() => void script({ end, say }, claim));
    const kill: JobProcess["kill"] = (signal) => {
      signals.push(signal);
      end(signal);
    };
    return { pid: 1, kill, ended };
  };
  return { start, signals };
}

const ALIVE = { kind: "alive" } as const;

test("the result reported by the child is the result of the job", async (t) => {
  const { work, queue, reports } = await bench(t);
  const { start } = scripted(async ({ say, end }, claim) => {
    say(ALIVE);
    await queue.complete(claim, { state: "done", reason: "published" });
    say({ kind: "finished", state: "done", reason: "published", keepDays: 7, modelUses: [] });
    end("exit code 0");
  });
  await work(never, { startJobProcess: start });
  const job = await queue.read(1);
  assert.deepEqual([job?.state, job?.deaths], ["done", 0]);
  assert.deepEqual(
    reports.map(({ state, reason, keepDays }) => [state, reason, keepDays]),
    [["done", "published", 7]],
  );
});

test("a child that exits without a result has crashed, and the job is charged", async (t) => {
  const { work, queue, reports } = await bench(t);
  const { start } = scripted(({ say, end }) => {
    say(ALIVE);
    end("SIGABRT");
  });
  await work(never, { startJobProcess: start });
  const job = await queue.read(1);
  assert.deepEqual([job?.state, job?.reason, job?.deaths], ["queued", "waiting:crashed", 1]);
  assert.deepEqual([reports[0]?.state, reports[0]?.reason], ["crashed", "crashed:SIGABRT"]);
});

test("a blocked child is killed before its lease expires, and the job is charged", async (t) => {
  const { work, queue } = await bench(t);
  t.mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
  const { start, signals } = scripted(({ say }) => {
    say(ALIVE);
    void Promise.resolve().then(() => t.mock.timers.tick(45_000));
  });
  await work(never, { startJobProcess: start });
  t.mock.timers.reset();
  assert.deepEqual(signals, ["SIGKILL"]);
  assert.equal((await queue.read(1))?.deaths, 1);
});

test("a child that can't be started isn't charged to the job, which is retried later", async (t) => {
  const { work, queue, reports } = await bench(t);
  const { start } = scripted(({ end }) => end("Error: spawn ENOMEM"));
  await work(never, { startJobProcess: start });
  const job = await queue.read(1);
  assert.deepEqual([job?.state, job?.deaths], ["queued", 0]);
  assert.match(job?.reason ?? "", /^failed:io: .*ENOMEM/);
  assert.ok((job?.runAt ?? 0) > NOW);
  assert.equal(reports[0]?.state, "retrying");
});

test("at shutdown the worker stops the child, and releases the job if the child doesn't", async (t) => {
  const { work, queue } = await bench(t);
  const stopping = new AbortController();
  const { start, signals } = scripted(({ say }) => {
    say(ALIVE);
    stopping.abort();
  });
  await work(never, { startJobProcess: start, releaseRequested: stopping.signal });
  const job = await queue.read(1);
  assert.deepEqual(signals, ["SIGTERM"]);
  assert.deepEqual([job?.state, job?.attempts, job?.deaths], ["queued", 0, 0]);
});
