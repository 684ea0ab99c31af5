/** One repository: the configuration that its last review used, with its problems, and its rules with what people thought of them. */
import { count, grouped } from "../../base/count.ts";
import { DAY_MS } from "../../base/day-ms.ts";
import { dataTable } from "../components/data-table.ts";
import { type Html, html } from "../components/html.ts";
import { outcomeTables } from "../components/outcome-tables.ts";
import { percent, stateMark, timeAgo } from "../components/marks.ts";
import { emptyState, facts, section } from "../components/sections.ts";
import type { DashboardPage } from "../page.ts";
import { parseId, withQuery } from "../read/read-query.ts";
import {
  readSettingsAdvice,
  readUsedSettings,
  type SettingsAdvice,
  type UsedSettings,
} from "../read/read-settings.ts";
import { listReviews } from "../../store/repositories/listed-reviews.ts";
import { countRuleOutcomes, type RuleOutcome } from "../../store/repositories/report.ts";

const DAYS = 30;

/** The last reviews among which one with a view is looked for. */
const MAX_LOOKED_AT = 10;

export const repositoryPage: DashboardPage = {
  path: "/repositories/:repositoryId",
  needs: "repository",
  async answer({ params, viewer }, { database, now }) {
    const repositoryId = parseId(params["repositoryId"]);
    if (repositoryId === null) return { kind: "not-found" };
    const filter = {
      readable: viewer.repositories,
      repositoryId,
      pullRequest: null,
      status: null,
      sinceMs: null,
    };
    const runs = await listReviews({ ...filter, after: null, limit: MAX_LOOKED_AT }, database);
    const [latest] = runs;
    if (latest === undefined) return { kind: "not-found" };
    const used = await readUsedSettings(runs, { database });
    // Whole days, which totals have.
    const range = { repositoryId, sinceMs: (Math.floor(now() / DAY_MS) - DAYS + 1) * DAY_MS };
    const outcomes = await countRuleOutcomes(range, database);
    const advice = await readSettingsAdvice(range, { database });
    const body = html`${facts([
      [
        "Last review",
        html`<a href="/reviews/${latest.id}">#${latest.pullRequest}</a>, ${stateMark(latest.status)}, ${timeAgo(latest.startedAt, now())}`,
      ],
      [
        "Reviews",
        html`<a href="${withQuery("/reviews", { repository: String(repositoryId) })}">All reviews</a>`,
      ],
      ["Memory", html`<a href="/repositories/${repositoryId}/memory">Learnings and suppressed patterns</a>`],
      [
        "Dependencies",
        html`<a href="${withQuery("/dependencies", { repository: String(repositoryId) })}">Bumps</a>`,
      ],
    ])}${configurationOf(used, now())}${rulesOf(outcomes)}${outcomeTables(advice.figures)}${adviceOf(advice)}`;
    return { kind: "page", title: latest.repository, body };
  },
};

function configurationOf(used: UsedSettings | null, now: number): Html {
  const title = "Configuration";
  if (used === null)
    return section(
      title,
      emptyState("Not known yet.", "The next published review shows which configuration it used."),
    );
  const { run, view, defaults } = used;
  const { configOrigin, configProblems, settings } = view;
  return section(
    title,
    html`<p>${configOrigin}, as the review of <a href="/reviews/${run.id}">#${run.pullRequest}</a> used it ${timeAgo(run.startedAt, now)}.</p>${
      configProblems.length === 0
        ? html`<p class="quiet">It has no problems.</p>`
        : html`<h3>${count(configProblems.length, "problem")}</h3><ul class="problems">${configProblems.map((each) => html`<li><code>${each}</code></li>`)}</ul>`
    }${
      settings === undefined
        ? html`<p class="quiet">The next published review also stores each value with its file.</p>`
        : settings.length === 0
          ? html`<p class="quiet">No file sets a value; all values are defaults.</p>`
          : dataTable({
              caption: "Values that files set",
              columns: [{ label: "Key" }, { label: "Value" }, { label: "Set in" }],
              rows: settings.map(({ key, value, origin }) => [
                html`<code>${key}</code>`,
                html`<code>${value}</code>`,
                html`<code>${origin}</code>`,
              ]),
            })
    }${
      defaults.length === 0
        ? null
        : html`<details><summary>${count(defaults.length, "default")}</summary>${dataTable({
            caption: "Values that no file sets",
            columns: [{ label: "Key" }, { label: "Default" }],
            rows: defaults.map(({ key, value }) => [html`<code>${key}</code>`, html`<code>${value}</code>`]),
          })}</details>`
    }<p class="note">These are the values at the root of the repository. In a clone, <code>kodiai config explain PATH</code> shows those of one file.</p>`,
  );
}

function adviceOf({ settings, findings }: SettingsAdvice): Html {
  const title = "Settings that would have changed these reviews";
  const looked = `${count(findings, "finding")} of the last ${DAYS} days ${findings === 1 ? "was" : "were"} looked at.`;
  if (settings.length === 0)
    return section(
      title,
      html`<p class="quiet">No setting would have hidden mostly dismissed findings. ${looked}</p>`,
    );
  return section(
    title,
    dataTable({
      caption: title,
      columns: [
        { label: "Setting" },
        { label: "Dismissed findings hidden", isNumber: true },
        { label: "Accepted findings hidden", isNumber: true },
      ],
      rows: settings.map(({ setting, dismissed, accepted }) => [
        html`<code>${setting}</code>`,
        grouped(dismissed),
        grouped(accepted),
      ]),
    }),
    `Each of them would have hidden at least five dismissed findings for each accepted one. ${looked}`,
  );
}

function rulesOf(outcomes: readonly RuleOutcome[]): Html {
  const rules = [...Map.groupBy(outcomes, ({ rule }) => rule)].map(([rule, rows]) => {
    const of = (outcome: string): number => rows.find((row) => row.outcome === outcome)?.findings ?? 0;
    const [accepted, dismissed] = [of("accepted"), of("dismissed")];
    return {
      rule,
      hits: rows.reduce((sum, { findings }) => sum + findings, 0),
      accepted,
      dismissed,
      ignored: of("ignored"),
      acceptance: accepted + dismissed === 0 ? null : accepted / (accepted + dismissed),
    };
  });
  const title = "Rules and what people thought of them";
  if (rules.length === 0)
    return section(title, html`<p class="quiet">No finding in the last ${DAYS} days.</p>`);
  return section(
    title,
    dataTable({
      caption: title,
      columns: [
        { label: "Rule" },
        ...["Findings", "Accepted", "Dismissed", "Ignored", "Acceptance"].map((label) => ({
          label,
          isNumber: true as const,
        })),
      ],
      rows: rules
        .toSorted((a, b) => b.hits - a.hits)
        .map(({ rule, hits, accepted, dismissed, ignored, acceptance }) => [
          html`<code>${rule}</code>`,
          grouped(hits),
          grouped(accepted),
          grouped(dismissed),
          grouped(ignored),
          percent(acceptance),
        ]),
    }),
    `Findings of the last ${DAYS} days. Acceptance counts those that were accepted or dismissed.`,
  );
}
