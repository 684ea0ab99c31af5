/** The reviews that are running now, and how much waits. A page shows it, and the script replaces it with a newer one. */
import { age } from "../../base/age.ts";
import { count, grouped } from "../../base/count.ts";
import type { QueueStats } from "../../queue/queue.ts";
import type { RunningReview } from "../read/read-running.ts";
import { type Html, html, NO_HTML } from "./html.ts";
import { stateMark } from "./marks.ts";

/** `stats`: of the whole installation; null for a viewer who isn't an administrator. */
export function runningList(
  running: readonly RunningReview[],
  { stats, now }: { readonly stats: QueueStats | null; readonly now: number },
): Html {
  return html`<div id="live" aria-live="polite">
    ${
      running.length === 0
        ? html`<p class="quiet">No review is running.</p>`
        : html`<ul class="running">
            ${running.map((each) => item(each, now))}
          </ul>`
    }
    ${stats === null ? NO_HTML : html`<p class="note"><a href="/queue">${waiting(stats)}</a></p>`}
  </div>`;
}

function item({ id, repository, pullRequest, step, startedAt }: RunningReview, now: number): Html {
  return html`<li>
    ${stateMark("running")} <a href="/reviews/${id}">${repository} #${pullRequest}</a>
    <span class="quiet">${step ?? "starting"}, ${age(now - startedAt)}</span>
  </li>`;
}

function waiting({ queued, running, oldestReadyMs }: QueueStats): string {
  const oldest = oldestReadyMs === null ? "" : `, the oldest for ${age(oldestReadyMs)}`;
  return `${count(running, "job")} running, ${grouped(queued)} waiting${oldest}`;
}
