/** `kodiai jobs`: lists jobs and deliveries with their state and reason. Every delivery that was received is in the list. */
import { age } from "../base/age.ts";
import { printable } from "../base/printable.ts";
import type { Job } from "../queue/queue.ts";
import { type Delivery, listDeliveries } from "../store/repositories/deliveries.ts";
import { listRejections } from "../store/repositories/rejections.ts";
import type { CliDeps, Command, ParsedArguments } from "./command.ts";
import { describeJob } from "../jobs/describe-job.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { readNumber } from "./number-options.ts";

const DEFAULT_LIMIT = 30;
const SHOWN_ID_CHARS = 8;

export const jobs: Command = {
  name: "jobs",
  argumentNames: "",
  positionals: { min: 0, max: 0 },
  description:
    "Lists jobs with their state, reason, age and step, and deliveries that didn't need a job with the reason, newest first.\nReads the database in DATABASE_URL (default: sqlite:./data/kodiai.db). Needs no other settings.",
  options: {
    limit: { type: "string", value: "N", help: `show at most this many (default: ${DEFAULT_LIMIT})` },
    json: { type: "boolean", help: "print JSON" },
  },
  examples: [
    { line: "kodiai jobs", comment: "list the newest jobs and deliveries" },
    { line: "kodiai jobs show 42", comment: "show one job in detail" },
    { line: "kodiai jobs retry 42", comment: "requeue a failed job" },
  ],
  run,
};

type Entry = {
  /** Number of a job, or ID of a delivery without a job. */
  readonly id: string;
  readonly what: string;
  readonly state: string;
  readonly reason: string | null;
  readonly step: string | null;
  readonly at: number;
};

async function run({ options }: ParsedArguments, deps: CliDeps): Promise<ExitCode> {
  const limit = readNumber(jobs, options, "limit") ?? DEFAULT_LIMIT;
  const records = await deps.installation.openRecords();
  try {
    const [queued, deliveries, rejections] = await Promise.all([
      records.queue.list({ states: null, limit }),
      listDeliveries({ limit, withoutJob: true }, records.database),
      listRejections(limit, records.database),
    ]);
    const entries = [...queued.map(entryOfJob), ...deliveries.map(entryOfDelivery)]
      .toSorted((a, b) => b.at - a.at)
      .slice(0, limit);
    if (options["json"] === true) deps.stdout.write(`${JSON.stringify({ entries, rejections }, null, 2)}\n`);
    else deps.stdout.write(render(entries, rejections, deps.wallClock()));
    return EXIT.ok;
  } finally {
    await records.close();
  }
}

function entryOfJob(job: Job): Entry {
  const { id, state, reason, step, createdAt } = job;
  return { id: String(id), what: describeJob(job), state, reason, step, at: createdAt };
}

function entryOfDelivery({
  guid,
  event,
  action,
  repository,
  pullRequest,
  state,
  reason,
  receivedAt,
}: Delivery): Entry {
  const about = repository === null ? "" : ` ${repository}${pullRequest === null ? "" : ` ${pullRequest}`}`;
  const what = `${event}${action === null ? "" : `.${action}`}${about}`;
  return { id: guid, what, state, reason, step: null, at: receivedAt };
}

function render(
  entries: readonly Entry[],
  rejections: readonly { readonly reason: string; readonly count: number; readonly lastAt: number }[],
  now: number,
): string {
  if (entries.length + rejections.length === 0) return "No deliveries yet.\n";
  const rows = entries.map(({ id, what, state, reason, step, at }) => [
    // Enough of a delivery's ID to identify it; `jobs show` accepts it.
    id.slice(0, SHOWN_ID_CHARS),
    state,
    age(now - at),
    what,
    [reason, step === null || state !== "running" ? null : `(${step})`]
      .filter((part) => part !== null)
      .join(" "),
  ]);
  const rejected = rejections.map(
    ({ reason, count, lastAt }) =>
      `rejected deliveries: ${reason}, ${count === 1 ? "once" : `${count} times`}, last ${age(now - lastAt)} ago`,
  );
  return `${[...columns([["ID", "STATE", "AGE", "WHAT", "REASON"], ...rows]), ...rejected].join("\n")}\n`;
}

export function columns(rows: readonly (readonly string[])[]): readonly string[] {
  const safe = rows.map((row) => row.map(printable));
  const widths = (safe[0] ?? []).map((_, column) => Math.max(...safe.map((row) => row[column]?.length ?? 0)));
  return safe.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}
