/** `kodiai jobs`: what the server did, is doing, and why. Every event that came in is in the list. */
import { printable } from "../base/printable.ts";
import type { Job } from "../queue/queue.ts";
import { type Delivery, listDeliveries } from "../store/repositories/deliveries.ts";
import { listRejections } from "../store/repositories/rejections.ts";
import type { CliDeps, Command, ParsedArguments } from "./command.ts";
import { describeJob } from "./describe-job.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { readNumber } from "./numbers.ts";

const DEFAULT_LIMIT = 30;
const SHOWN_ID_CHARS = 8;

export const jobs: Command = {
  name: "jobs",
  takes: "",
  positionals: { min: 0, max: 0 },
  description:
    "Lists what came in, newest first: jobs with their state, reason, age and step, and events that asked for nothing with the\nreason. Reads the database that DATABASE_URL names (default sqlite:./data/kodiai.db); needs no other setting.",
  options: {
    limit: { type: "string", value: "N", help: `show this many (default: ${DEFAULT_LIMIT})` },
    json: { type: "boolean", help: "as JSON, for programs" },
  },
  examples: [
    { line: "kodiai jobs", says: "the newest" },
    { line: "kodiai jobs show 42", says: "all that is known about one" },
    { line: "kodiai jobs retry 42", says: "queue one again that failed" },
  ],
  run,
};

type Entry = {
  /** Number of a job, or id of a delivery that made none. */
  readonly id: string;
  readonly what: string;
  readonly state: string;
  readonly reason: string | null;
  readonly step: string | null;
  readonly at: number;
};

async function run({ options }: ParsedArguments, deps: CliDeps): Promise<ExitCode> {
  const limit = readNumber(jobs, options, "limit") ?? DEFAULT_LIMIT;
  const records = await deps.openRecords();
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
  const place = repository === null ? "" : ` ${repository}${pullRequest === null ? "" : ` ${pullRequest}`}`;
  const what = `${event}${action === null ? "" : `.${action}`}${place}`;
  return { id: guid, what, state, reason, step: null, at: receivedAt };
}

function render(
  entries: readonly Entry[],
  rejections: readonly { readonly reason: string; readonly count: number; readonly lastAt: number }[],
  now: number,
): string {
  if (entries.length + rejections.length === 0) return "Nothing has come in yet.\n";
  const rows = entries.map(({ id, what, state, reason, step, at }) => [
    // As much of a delivery's id as tells it from others; `jobs show` takes it.
    id.slice(0, SHOWN_ID_CHARS),
    state,
    age(now - at),
    what,
    [reason, step === null || state !== "running" ? null : `(${step})`]
      .filter((part) => part !== null)
      .join(" "),
  ]);
  const refused = rejections.map(
    ({ reason, count, lastAt }) =>
      `refused at the door: ${reason}, ${count === 1 ? "once" : `${count} times`}, last ${age(now - lastAt)} ago`,
  );
  return `${[...columns([["ID", "STATE", "AGE", "WHAT", "REASON"], ...rows]), ...refused].join("\n")}\n`;
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

/** "12 s", "5 min", "3 h", "2 d". */
export function age(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 100) return `${seconds} s`;
  if (seconds < 100 * 60) return `${Math.round(seconds / 60)} min`;
  if (seconds < 48 * 3_600) return `${Math.round(seconds / 3_600)} h`;
  return `${Math.round(seconds / 86_400)} d`;
}
