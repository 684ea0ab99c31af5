import assert from "node:assert/strict";
import { test } from "node:test";
import { createLog } from "../base/log.ts";
import { QUEUE_DEFAULTS } from "../queue/queue.ts";
import { bench, NOW, REQUEST } from "../../test/support/worker-bench.ts";
import { createWorker } from "./worker.ts";

test("each group of short lanes has its own slot, so that a mention waits neither for reviews nor for upkeep", async (t) => {
  const { queue, add } = await bench(t);
  const [held, mentioned] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const started: string[] = [];
  const busy = Promise.withResolvers<void>();
  for (const lane of ["review", "upkeep"]) await add({ ...REQUEST, key: lane, serialKey: lane, lane });
  const worker = createWorker(
    { name: "test", concurrency: 1, lanes: ["review"], shortLanes: [["event", "upkeep"], ["mention"]] },
    {
      queue,
      recipes: {
        work: {
          async run({ job }) {
            started.push(job.lane);
            if (started.length === 2) busy.resolve();
            if (job.lane === "mention") mentioned.resolve();
            else await held.promise;
            return { state: "done", reason: "published" };
          },
          giveUp: async () => {},
        },
      },
      log: createLog({ level: "error", format: "text", write: () => {}, now: () => NOW }),
      now: () => NOW,
      queueOptions: QUEUE_DEFAULTS,
      onReport: () => {},
      startJobProcess: () => assert.fail("no job is suspect"),
    },
  );
  await busy.promise;
  await add({ ...REQUEST, key: "mention", serialKey: "mention", lane: "mention" });
  queue.wake();
  await mentioned.promise;
  assert.deepEqual(started.toSorted(), ["mention", "review", "upkeep"]);
  held.resolve();
  await worker.stop();
});
