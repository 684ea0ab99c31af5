/** A process that reserves as much money as it can, a cent at a time, prints the total, and exits without settling. */
import { createSpending } from "../../src/jobs/spending/create-spending.ts";
import { NO_BUDGETS } from "./no-budgets.ts";
import { openStore } from "../../src/store/store.ts";

const [url = "", name = "", limit = "", attempts = ""] = process.argv.slice(2);
const { database, now } = await openStore(url, { connections: 4 });
const scope = {
  installationId: 1,
  runId: Number(name),
  repositoryId: Number(name),
  pullRequest: 1,
  author: name,
  isOutsider: false,
};
const budgets = { ...NO_BUDGETS, perInstallationMonthUsd: Number(limit) };
const spending = createSpending({ scope, budgets, database, now });

process.stdout.write("ready\n");
await new Promise((resolve) => process.stdin.once("data", resolve));

/** Half of the attempts create a reservation; the others extend one. */
async function take(count: number): Promise<number> {
  let cents = 0;
  for (let attempt = 0; attempt < count; attempt += 2) {
    const reservation = await spending.reserve(0.01, "openai:gpt-5");
    if (reservation.kind === "refused") continue;
    cents++;
    if ((await reservation.extend(0.01)) === null) cents++;
  }
  return cents;
}

const each = Number(attempts) / 2;
const [first, second] = await Promise.all([take(each), take(each)]);
process.stdout.write(`${first + second}\n`, () => process.kill(process.pid, "SIGKILL"));
