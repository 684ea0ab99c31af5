/** A worker process that empties the queue with several jobs at a time, through the queue or through its engine alone. */
import { once } from "node:events";
import { PgBoss } from "pg-boss";
import { openPostgres } from "./open-postgres.ts";

export type Drain = {
  readonly subject: "engine" | "queue";
  readonly url: string;
  readonly slots: number;
  /** Queue name for measuring the engine alone. */
  readonly engineQueue: string;
};

// The bench that starts this process writes the setup.
const { subject, url, slots, engineQueue } = JSON.parse(process.argv[2] ?? "") as Drain;

type Subject = { readonly workOne: () => Promise<boolean>; readonly close: () => Promise<void> };

async function openEngine(): Promise<Subject> {
  const engine = new PgBoss({ connectionString: url, supervise: false, schedule: false });
  engine.on("error", console.error);
  await engine.start();
  return {
    async workOne() {
      const [job] = await engine.fetch(engineQueue);
      if (job === undefined) return false;
      await engine.complete(engineQueue, job.id);
      return true;
    },
    close: () => engine.stop({ graceful: false }),
  };
}

async function openQueue(): Promise<Subject> {
  const { queue, close } = await openPostgres(url);
  return {
    async workOne() {
      const claim = await queue.claim({ worker: String(process.pid), lanes: null });
      if (claim === null) {
        const { queued } = await queue.stats();
        return queued > 0;
      }
      if (!(await queue.complete(claim, { state: "done", reason: "published" })))
        throw new Error("a lease was lost");
      return true;
    },
    close,
  };
}

const { workOne, close } = await (subject === "engine" ? openEngine() : openQueue());
process.stdout.write("ready\n");
await once(process.stdin, "data");
await Promise.all(
  Array.from({ length: slots }, async () => {
    while (await workOne());
  }),
);
process.stdout.write("drained\n");
await close();
process.exit(0);
