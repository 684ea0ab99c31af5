/** One job: its state and reason, its runs, and the deliveries that led to it. */
import { describeJob } from "../../jobs/describe-job.ts";
import { readRunRecords } from "../../jobs/run/run-record.ts";
import { dataTable } from "../components/data-table.ts";
import { html } from "../components/html.ts";
import { commit, stateMark, timeAgo } from "../components/marks.ts";
import { type Fact, facts, section } from "../components/sections.ts";
import type { DashboardPage } from "../page.ts";
import { parseId } from "../read/read-query.ts";
import { deliveriesOfJob } from "../../store/repositories/deliveries.ts";
import { jobActions } from "./queue.ts";

export const jobPage: DashboardPage = {
  path: "/queue/:id",
  needs: "admin",
  async answer({ params, viewer }, { queue, database, now }) {
    const id = parseId(params["id"]);
    const job = id === null ? null : await queue.read(id);
    if (job === null) return { kind: "not-found" };
    const runs = await readRunRecords(job.id, { database, now });
    const deliveries = await deliveriesOfJob(job.id, database);
    const rows: readonly Fact[] = [
      [
        "State",
        html`${stateMark(job.state)}${job.reason === null ? null : html` <code>${job.reason}</code>`}`,
      ],
      ["About", describeJob(job)],
      ["Step", job.step ?? "–"],
      ["Attempts", `${job.attempts}, ${job.deaths} of them crashed`],
      ["Queued", timeAgo(job.createdAt, now())],
      [
        "Started",
        job.startedAt === null ? "–" : html`${timeAgo(job.startedAt, now())} by ${job.worker ?? "unknown"}`,
      ],
      ["Finished", job.finishedAt === null ? "–" : timeAgo(job.finishedAt, now())],
      ["Action", jobActions(job, viewer)],
    ];
    const body = html`${facts(rows)}${section(
      "Runs",
      runs.length === 0
        ? html`<p class="quiet">None yet.</p>`
        : dataTable({
            caption: "Runs",
            columns: [{ label: "Run" }, { label: "Outcome" }, { label: "Reason" }],
            rows: runs.map((run) => [
              run.head === ""
                ? "Answer to a mention"
                : html`<a href="/reviews/${run.id}">Review of ${commit(run.head)}</a>`,
              stateMark(run.status),
              run.reason === null ? "–" : html`<code>${run.reason}</code>`,
            ]),
          }),
    )}${section(
      "Deliveries",
      deliveries.length === 0
        ? html`<p class="quiet">None is stored.</p>`
        : dataTable({
            caption: "Deliveries",
            columns: [{ label: "Delivery" }, { label: "Event" }, { label: "By" }, { label: "Received" }],
            rows: deliveries.map(({ guid, event, action, sender, receivedAt }) => [
              html`<code>${guid}</code>`,
              `${event}${action === null ? "" : `.${action}`}`,
              sender ?? "unknown",
              timeAgo(receivedAt, now()),
            ]),
          }),
    )}`;
    return { kind: "page", title: `Job ${job.id}`, body };
  },
};
