/** The queue of the installation: jobs by state with the reason of each, and deliveries that led to none. */
import { age } from "../../base/age.ts";
import { grouped } from "../../base/count.ts";
import { describeJob } from "../../jobs/describe-job.ts";
import { actionForm } from "../components/action-form.ts";
import { dataTable } from "../components/data-table.ts";
import { type Html, html, NO_HTML } from "../components/html.ts";
import { stateMark, timeAgo } from "../components/marks.ts";
import { choices, emptyState, section, tiles } from "../components/sections.ts";
import type { DashboardPage, PageDeps, Viewer } from "../page.ts";
import { readChoice, withQuery } from "../read/read-query.ts";
import { listDeliveries } from "../../store/repositories/deliveries.ts";
import { listRejections } from "../../store/repositories/rejections.ts";
import type { Job, JobState } from "../../queue/queue.ts";

const STATES = ["queued", "running", "failed", "skipped", "cancelled", "superseded", "done"] as const;

/** Older ones are in `kodiai jobs --limit`. */
const MAX_SHOWN = 50;

const CANCELLABLE: ReadonlySet<JobState> = new Set(["queued", "running"]);
const RETRIABLE: ReadonlySet<JobState> = new Set(["failed", "cancelled", "skipped"]);

export const queuePage: DashboardPage = {
  path: "/queue",
  needs: "admin",
  async answer({ query, viewer }, deps) {
    const state = readChoice(query, "state", STATES);
    const { queue, database, now } = deps;
    const stats = await queue.stats();
    const jobs = await queue.list({ states: state === null ? null : [state], limit: MAX_SHOWN });
    const oldest = stats.oldestReadyMs;
    const body = html`${tiles([
      { label: "Running", value: grouped(stats.running) },
      { label: "Waiting", value: grouped(stats.queued) },
      { label: "Oldest job that could run", value: oldest === null ? "none" : age(oldest) },
    ])}${section("Jobs", html`${stateChoices(state)}${jobTable(jobs, { viewer, now: now() })}`)}${await deliveriesOf(deps)}${section(
      "Rejected deliveries",
      rejectionTable(await listRejections(MAX_SHOWN, database), now()),
      "Requests to the webhook that weren't accepted, by reason and day.",
    )}`;
    return { kind: "page", title: "Queue", body };
  },
};

function stateChoices(state: JobState | null): Html {
  return choices("State", [
    { label: "all", href: "/queue", isChosen: state === null },
    ...STATES.map((each) => ({
      label: each,
      href: withQuery("/queue", { state: each }),
      isChosen: each === state,
    })),
  ]);
}

function jobTable(
  jobs: readonly Job[],
  { viewer, now }: { readonly viewer: Viewer; readonly now: number },
): Html {
  if (jobs.length === 0)
    return emptyState(
      "No such job.",
      "A webhook from GitHub queues a job. If deliveries don't arrive, Health says why.",
    );
  return dataTable({
    caption: "Jobs, newest first",
    columns: [
      { label: "Job" },
      { label: "State" },
      { label: "Reason" },
      { label: "Attempts", isNumber: true },
      { label: "Queued" },
      { label: "Action" },
    ],
    rows: jobs.map((job) => [
      html`<a href="/queue/${job.id}">${job.id}</a> ${describeJob(job)}`,
      html`${stateMark(job.state)}${job.state === "running" && job.step !== null ? html` <span class="quiet">${job.step}</span>` : NO_HTML}`,
      job.reason === null ? "–" : html`<code>${job.reason}</code>`,
      job.attempts,
      timeAgo(job.createdAt, now),
      jobActions(job, viewer),
    ]),
  });
}

export function jobActions({ id, state }: Pick<Job, "id" | "state">, { csrf }: Viewer): Html {
  const form = { csrf, fields: { job: String(id) }, about: `job ${id}` };
  if (RETRIABLE.has(state)) return actionForm({ ...form, name: "retry-job", label: "Retry" });
  if (CANCELLABLE.has(state))
    return actionForm({ ...form, name: "cancel-job", label: "Cancel", isGrave: true });
  return NO_HTML;
}

async function deliveriesOf({ database, now }: PageDeps): Promise<Html> {
  const deliveries = await listDeliveries({ limit: MAX_SHOWN, withoutJob: true }, database);
  const title = "Deliveries without a job";
  if (deliveries.length === 0) return section(title, html`<p class="quiet">None.</p>`);
  return section(
    title,
    dataTable({
      caption: title,
      columns: [{ label: "Event" }, { label: "About" }, { label: "Reason" }, { label: "Received" }],
      rows: deliveries.map(({ event, action, repository, pullRequest, state, reason, receivedAt }) => [
        `${event}${action === null ? "" : `.${action}`}`,
        `${repository ?? "–"}${pullRequest === null ? "" : ` #${pullRequest}`}`,
        html`<code>${reason ?? state}</code>`,
        timeAgo(receivedAt, now()),
      ]),
    }),
  );
}

function rejectionTable(rejections: Awaited<ReturnType<typeof listRejections>>, now: number): Html {
  if (rejections.length === 0) return html`<p class="quiet">None.</p>`;
  return dataTable({
    caption: "Rejected deliveries",
    columns: [{ label: "Reason" }, { label: "Day" }, { label: "Times", isNumber: true }, { label: "Last" }],
    rows: rejections.map(({ reason, day, count, lastAt }) => [
      html`<code>${reason}</code>`,
      day,
      grouped(count),
      timeAgo(lastAt, now),
    ]),
  });
}
