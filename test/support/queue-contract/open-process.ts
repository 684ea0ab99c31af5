/** A process that opens a store when it is told to, and writes some deliveries into it, each in its own transaction. */
import { once } from "node:events";
import { openStore } from "../../../src/store/store.ts";

/** What it says, a line each. */
export type OpenStage = "loaded" | "opened";

const say = (stage: OpenStage): void => void process.stdout.write(`${stage}\n`);

say("loaded");
await once(process.stdin, "data");
const store = await openStore(process.argv[2] ?? "");
for (let index = 0; index < 50; index++) {
  await store.database.query(
    "insert into deliveries (guid, event, bytes, received_at, state) values ($1, 'ping', 0, 0, 'skipped')",
    [`${process.pid}-${index}`],
  );
}
await store.close();
say("opened");
