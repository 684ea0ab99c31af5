/** A process that embeds the memories of one repository and crashes at a fault point. */
import { armFaultPoint, EMBEDDING_FAULT_POINTS } from "../../../src/base/fault-point.ts";
import { createLog } from "../../../src/base/log.ts";
import { openMemorySource } from "../../../src/compose/memory.ts";
import { planEmbed } from "../../../src/jobs/memory/embed-job.ts";
import { createEmbedRecipe } from "../../../src/jobs/memory/embed-memories.ts";
import type { Job } from "../../../src/queue/queue.ts";
import { openStore } from "../../../src/store/store.ts";
import { accessTo, REPOSITORY } from "./embed-bench.ts";

const [, , url = "", serverUrl = "", wanted = ""] = process.argv;
const point = EMBEDDING_FAULT_POINTS.find((each) => each === wanted);
if (point !== undefined) armFaultPoint(point);
const store = await openStore(url);
const memory = await openMemorySource(accessTo({ url: serverUrl }), store.database);
const { signal } = new AbortController();
const outcome = await createEmbedRecipe({ database: store.database, memory, now: store.now }).run({
  // The recipe reads only the payload.
  job: { payload: planEmbed(REPOSITORY, "test").payload } as Job,
  signal,
  log: createLog({ level: "error", format: "json", write: () => undefined, now: store.now }),
  step: async () => undefined,
  lease: async () => "held",
  keepStatistics: () => undefined,
  countModelUse: () => undefined,
});
await store.close();
process.stdout.write(outcome.state);
