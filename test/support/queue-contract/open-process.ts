/** A process that opens a store and its queue on a signal, then writes some deliveries, one transaction each. */
import { once } from "node:events";
import { QUEUE_DEFAULTS } from "../../../src/queue/queue.ts";
import { openStore } from "../../../src/store/store.ts";
import { engineNamed } from "./engines.ts";

/** Stages the process prints, one per line. */
export type OpenStage = "loaded" | "opened";

const report = (stage: OpenStage): void => void process.stdout.write(`${stage}\n`);

report("loaded");
await once(process.stdin, "data");
const [, , engine = "", url = ""] = process.argv;
const store = await openStore(url);
const queue = await engineNamed(engine).openQueue(store, QUEUE_DEFAULTS, store.now);
for (let index = 0; index < 50; index++) {
  await store.database.query(
    "insert into deliveries (guid, event, bytes, received_at, state) values ($1, 'ping', 0, 0, 'skipped')",
    [`${process.pid}-${index}`],
  );
}
await queue.close();
await store.close();
report("opened");
