/**
 * A worker process that reads commands for a queue from its input, one per line, and answers each with one line. It notes
 * in a file shared by all processes when it starts and stops holding a job: the file shows the true order.
 */
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { openStore } from "../../../src/store/store.ts";
import { engineNamed } from "./engines.ts";
import { requestOf } from "./sample-queue.ts";
import type { Claim, QueueOptions } from "../../../src/queue/queue.ts";

export type Setup = {
  readonly engine: string;
  readonly url: string;
  readonly options: QueueOptions;
  readonly notes: string;
};

export type Command =
  | { readonly kind: "claim" }
  | { readonly kind: "heartbeat" }
  | { readonly kind: "complete" }
  /** Claims and completes jobs until none is open. */
  | { readonly kind: "drain" }
  | { readonly kind: "enqueue"; readonly keys: readonly string[] }
  /** Makes random calls on keys and groups that other processes use too. Holds no job at the end. */
  | { readonly kind: "churn"; readonly calls: number };

// Short, because a job that ends in another process doesn't wake this one.
const POLL_MS = 5;

// The setup is written by the test that starts this process.
const setup = JSON.parse(process.argv[2] ?? "") as Setup;
const store = await openStore(setup.url);
const queue = await engineNamed(setup.engine).openQueue(store, setup.options, store.now);
let held: Claim | null = null;

function note(what: "start" | "end", { job }: Claim): void {
  const { id, group, serialKey } = job;
  appendFileSync(setup.notes, `${JSON.stringify({ what, pid: process.pid, id, group, serialKey })}\n`);
}

async function claim(): Promise<Claim | null> {
  const claimed = await queue.claim({ worker: String(process.pid), lanes: null });
  if (claimed !== null) note("start", claimed);
  return claimed;
}

async function complete(claimed: Claim): Promise<boolean> {
  note("end", claimed);
  return queue.complete(claimed, { state: "done", reason: "published" });
}

async function drain(): Promise<number> {
  let completed = 0;
  const never = new AbortController();
  for (;;) {
    const claimed = await claim();
    if (claimed !== null) {
      await queue.heartbeat(claimed, "working");
      if (await complete(claimed)) completed++;
      continue;
    }
    const { queued, running } = await queue.stats();
    if (queued + running === 0) return completed;
    await queue.waitForWork(POLL_MS, never.signal);
  }
}

const oneOf = <Value>(values: readonly [Value, ...Value[]]): Value =>
  values[Math.floor(Math.random() * values.length)] ?? values[0];

async function churn(calls: number): Promise<number> {
  for (let call = 0; call < calls; call++) {
    const claimed = Math.random() < 0.5 ? await claim() : null;
    if (claimed === null) await addOrCancel();
    else await endRandomly(claimed);
  }
  return calls;
}

async function addOrCancel(): Promise<void> {
  if (Math.random() < 0.15) {
    const [job] = await queue.list({ states: ["queued", "running"], limit: 1 });
    if (job !== undefined) await queue.cancel(job.id, "by chance");
    return;
  }
  const request = requestOf({
    key: `${process.pid}-${Math.random()}`,
    serialKey: oneOf([null, "x", "y", "z"]),
    group: oneOf(["g", "h", "i"]),
    lane: oneOf(["review", "event"]),
    delayMs: oneOf([0, 0, 5]),
    supersedes: Math.random() < 0.5,
  });
  await store.database.transaction((sql) => queue.enqueue([request], sql));
}

async function endRandomly(claimed: Claim): Promise<void> {
  const ways = [
    () => queue.complete(claimed, { state: "done", reason: "published" }),
    () => queue.retry(claimed, "by chance"),
    () => queue.park(claimed, store.now() + 5, "by chance"),
    () => queue.release(claimed),
  ] as const;
  note("end", claimed);
  await oneOf(ways)();
}

async function execute(command: Command): Promise<unknown> {
  switch (command.kind) {
    case "claim":
      held = await claim();
      return held?.job.id ?? null;
    case "heartbeat":
      return held === null ? "nothing held" : queue.heartbeat(held, "working");
    case "complete":
      return held === null ? "nothing held" : complete(held);
    case "drain":
      return drain();
    case "churn":
      return churn(command.calls);
    case "enqueue": {
      const added: boolean[] = [];
      for (const key of command.keys) {
        const [one] = await store.database.transaction((sql) => queue.enqueue([requestOf({ key })], sql));
        added.push(one?.isNew === true);
      }
      return added;
    }
  }
}

process.stdout.write('"ready"\n');
for await (const line of createInterface({ input: process.stdin })) {
  // Commands are written by the test that started this process.
  const answer = await execute(JSON.parse(line) as Command);
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
await queue.close();
await store.close();
