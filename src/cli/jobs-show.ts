/** `kodiai jobs show ID`: shows everything recorded about a job or a delivery. */
import { count } from "../base/count.ts";
import { KodiaiError } from "../base/errors.ts";
import { printable } from "../base/printable.ts";
import type { Job } from "../queue/queue.ts";
import { deliveriesOfJob, type Delivery, readDelivery } from "../store/repositories/deliveries.ts";
import { recordedRuns } from "../store/repositories/recordings.ts";
import type { Run } from "../store/repositories/to-run.ts";
import { readRunRecords } from "../jobs/run/run-record.ts";
import type { Records } from "./app.ts";
import type { CliDeps, Command, ParsedArguments } from "./command.ts";
import { describeJob } from "../jobs/describe-job.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { age } from "../base/age.ts";

export const jobsShow: Command = {
  name: "jobs show",
  argumentNames: "ID",
  positionals: { min: 1, max: 1 },
  description:
    "Shows the state, reason, runs and times of a job or a delivery. ID is the number of a job, or the ID of a delivery or its\nfirst characters.",
  options: { json: { type: "boolean", help: "print JSON" } },
  examples: [{ line: "kodiai jobs show 42", comment: "find out why there is no review" }],
  run,
};

async function run({ options, positionals: [id = ""] }: ParsedArguments, deps: CliDeps): Promise<ExitCode> {
  const records = await deps.installation.openRecords();
  try {
    const found = await find(id, records);
    if (found === null) throw unknownJob(id);
    const text = options["json"] === true ? JSON.stringify(found, null, 2) : render(found, deps.wallClock());
    deps.stdout.write(`${text}\n`);
    return EXIT.ok;
  } finally {
    await records.close();
  }
}

export function unknownJob(id: string): KodiaiError {
  return new KodiaiError("usage", `no job or delivery "${printable(id)}"`, {
    hint: "Run `kodiai jobs` for a list.",
  });
}

type Found = {
  readonly job: Job | null;
  readonly runs: readonly (Run & { readonly isRecorded: boolean })[];
  readonly deliveries: readonly Delivery[];
};

async function find(id: string, records: Records): Promise<Found | null> {
  const { queue, database } = records;
  if (/^\d{1,15}$/.test(id)) {
    const job = await queue.read(Number(id));
    if (job !== null) return collect(job, records);
  }
  const delivery = await readDelivery(id, database);
  if (delivery === null) return null;
  const job = delivery.jobId === null ? null : await queue.read(delivery.jobId);
  return job === null ? { job, runs: [], deliveries: [delivery] } : collect(job, records);
}

async function collect(job: Job, { database, now }: Records): Promise<Found> {
  const [runs, deliveries] = await Promise.all([
    readRunRecords(job.id, { database, now }),
    deliveriesOfJob(job.id, database),
  ]);
  const recorded = await recordedRuns(
    runs.map(({ id }) => id),
    database,
  );
  return { job, runs: runs.map((run) => ({ ...run, isRecorded: recorded.has(run.id) })), deliveries };
}

function render({ job, runs, deliveries }: Found, now: number): string {
  const lines = [
    ...(job === null ? [] : renderJob(job, now)),
    ...runs.map(renderRun),
    ...deliveries.map(
      ({ guid, event, action, state, reason, receivedAt, sender }) =>
        `delivery  ${guid} ${event}${action === null ? "" : `.${action}`} by ${sender ?? "unknown"}, ${age(now - receivedAt)} ago: ${state}${reason === null ? "" : ` (${reason})`}`,
    ),
  ];
  return lines.map(printable).join("\n");
}

function renderRun({ id, head, status, reason, ...run }: Found["runs"][number]): string {
  const end = `${status}${reason === null ? "" : ` (${reason})`}`;
  // An answer to a mention has no head and no findings.
  if (head === "") return `run       ${id}: ${end}`;
  const findings = `${run.findingsReported ?? 0} of ${count(run.findingsTotal ?? 0, "finding")} reported`;
  return `run       ${id}: ${head.slice(0, 10)} ${end}, ${findings}${run.isRecorded ? `; recorded: kodiai replay ${id}` : ""}`;
}

function renderJob(job: Job, now: number): readonly string[] {
  const { startedAt, finishedAt } = job;
  const finished = finishedAt === null ? [] : [`finished  ${age(now - finishedAt)} ago`];
  const waits = job.state === "queued" && job.runAt > now ? [`starts    in ${age(job.runAt - now)}`] : [];
  return [
    `job       ${job.id}: ${describeJob(job)}`,
    `state     ${job.state}${job.reason === null ? "" : ` (${job.reason})`}`,
    ...(job.step === null ? [] : [`step      ${job.step}`]),
    `attempts  ${job.attempts}, ${count(job.deaths, "crash", "crashes")} charged to it${job.isSuspect ? "; runs in a separate process" : ""}`,
    `queued    ${age(now - job.createdAt)} ago`,
    ...waits,
    ...(startedAt === null ? [] : [`started   ${age(now - startedAt)} ago by ${job.worker ?? "unknown"}`]),
    ...finished,
  ];
}
