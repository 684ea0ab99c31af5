/** One review opened up: its verdict, findings with their code and life, receipt, models, and what failed. */
import { grouped } from "../../base/count.ts";
import { passBars } from "../charts/pass-bars.ts";
import { receiptPicture } from "../charts/receipt-picture.ts";
import { dataTable } from "../components/data-table.ts";
import { findingCard } from "../components/finding-card.ts";
import { externalLink } from "../components/external-link.ts";
import { type Html, html, type HtmlValue } from "../components/html.ts";
import { lifeTable } from "../components/life-table.ts";
import { amount, commit, duration, severityMark, stateMark, timeAgo, usd } from "../components/marks.ts";
import { emptyState, type Fact, facts, section } from "../components/sections.ts";
import type { DashboardPage, PageDeps, PageRequest } from "../page.ts";
import { type OpenedReview, readReviewPage } from "../read/read-review-page.ts";
import { parseId } from "../read/read-query.ts";

export const reviewPage: DashboardPage = {
  path: "/reviews/:id",
  needs: "anyone-signed-in",
  async answer({ params, viewer }, deps) {
    const id = parseId(params["id"]);
    const review = id === null ? null : await readReviewPage(id, viewer.repositories, deps);
    if (review === null) return { kind: "not-found" };
    const { run } = review;
    const body = html`${head(review, { viewer, deps })}${findingsOf(review)}${livesOf(review)}${receiptOf(review)}${modelsOf(review)}${sectionsOf(review)}${failuresOf(review)}`;
    return { kind: "page", title: `${run.repository} #${run.pullRequest}`, body };
  },
};

type Shown = { readonly viewer: PageRequest["viewer"]; readonly deps: PageDeps };

function head({ run, view, costMicroUsd, isRecorded }: OpenedReview, { viewer, deps }: Shown): Html {
  const {
    id,
    repository,
    repositoryId,
    pullRequest,
    head: commitId,
    status,
    reason,
    startedAt,
    finishedAt,
    jobId,
  } = run;
  const { links } = deps;
  const rows: readonly Fact[] = [
    ["Outcome", html`${stateMark(status)}${reason === null ? null : html` <code>${reason}</code>`}`],
    [
      "Pull request",
      html`<a href="${links.pullRequest(repository, pullRequest)}">#${pullRequest} on ${links.name}</a>`,
    ],
    ["Head", html`<a href="${links.commit(repository, commitId)}">${commit(commitId)}</a>`],
    ["Repository", html`<a href="/repositories/${repositoryId}">${repository}</a>`],
    ["Started", timeAgo(startedAt, deps.now())],
    ["Took", finishedAt === null ? "still running" : duration(finishedAt - startedAt)],
    ["Triggered by", run.triggers.replaceAll(",", ", ")],
    ["Findings", `${grouped(run.findingsReported ?? 0)} reported of ${grouped(run.findingsTotal ?? 0)}`],
    ["Cost", costMicroUsd === null ? "no model" : usd(costMicroUsd)],
    ...(view === null ? [] : [["Configuration", view.configOrigin] as const]),
    ...(viewer.isAdmin ? [["Job", html`<a href="/queue/${jobId}">${jobId}</a>`] as const] : []),
    ...(viewer.isAdmin && isRecorded
      ? [
          [
            "Recording",
            html`<a href="/reviews/${id}/recording">Download for <code>kodiai replay</code></a>`,
          ] as const,
        ]
      : []),
  ];
  return html`${
    view === null
      ? null
      : html`<p class="verdict">${view.headline}</p>
          <p class="quiet">${view.title}</p>`
  }${facts(rows)}`;
}

function findingsOf({ view, findings, run }: OpenedReview): Html {
  const ledger = new Map(findings.map((each) => [each.identity, each]));
  if (view === null) {
    const isOpen = run.finishedAt === null;
    const why = isOpen
      ? "The review is still running."
      : "Nothing was published, or the review is older than details are kept.";
    return section(
      "Findings",
      findings.length === 0
        ? emptyState("No findings are stored.", why)
        : html`<p class="note">${why} These are the findings of the pull request, without their code.</p>
            <ul>
              ${findings.map(
                (each) =>
                  html`<li>${severityMark(each.severity)} ${each.title} <code>${each.path}</code></li>`,
              )}
            </ul>`,
    );
  }
  const cards = view.findings.map((finding) => {
    const stored = ledger.get(finding.id);
    return findingCard(finding, stored === undefined ? null : state(stored));
  });
  return section(
    "Findings",
    cards.length === 0 ? html`<p class="quiet">No findings.</p>` : cards,
    view.moreFindings === 0 ? null : `And ${grouped(view.moreFindings)} more, which the pull request shows.`,
  );
}

function state({ state: name, url }: OpenedReview["findings"][number]): HtmlValue {
  return html` ${stateMark(name)}${url === null ? null : html` ${externalLink(url, "Comment")}`}`;
}

function livesOf({ findings, events, pushes }: OpenedReview): Html | null {
  if (findings.length === 0 || pushes.length === 0) return null;
  return section(
    "Life of the findings",
    lifeTable({ findings, events, pushes }),
    "A column for each published review. A dot means that nothing changed.",
  );
}

function receiptOf({ view }: OpenedReview): Html | null {
  return view === null ? null : section("Receipt", receiptPicture(view));
}

function modelsOf({ figures: { modelRuns }, passStarts, costMicroUsd }: OpenedReview): Html {
  if (modelRuns.length > 0)
    return section(
      "Models",
      passBars(modelRuns, passStarts),
      passStarts === null
        ? "Bars show how long each pass took, not when it started."
        : "Bars show when each pass ran.",
    );
  const why =
    costMicroUsd === null
      ? "No model took part."
      : "Statistics of this review aren't kept: they are too old, or the repository turned them off.";
  return section("Models", html`<p class="quiet">${why}</p>`);
}

function sectionsOf({ figures: { sections } }: OpenedReview): Html | null {
  if (sections.length === 0) return null;
  return section(
    "Prompt",
    dataTable({
      caption: "Sections of the prompt",
      columns: [
        { label: "Section" },
        { label: "Pass" },
        { label: "Characters", isNumber: true },
        { label: "Left out", isNumber: true },
      ],
      rows: sections.map((each) => [
        each.section,
        each.pass,
        amount(each.chars),
        each.cut_chars === 0 ? "–" : amount(each.cut_chars),
      ]),
    }),
  );
}

/** A finding that feedback hides has a way back, for those who may take it. */
function reasonOf(reason: string, repositoryId: number): Html {
  const name = html`<code>${reason}</code>`;
  return reason === "suppressed:feedback"
    ? html`${name} <a href="/repositories/${repositoryId}/memory">Suppressed patterns</a>`
    : name;
}

function failuresOf({ view, run }: OpenedReview): Html | null {
  if (view === null) return null;
  const { degradations, gaps, configProblems, dropped } = view;
  const list = (items: readonly HtmlValue[]): Html =>
    html`<ul>
      ${items.map((each) => html`<li>${each}</li>`)}
    </ul>`;
  return html`${
    degradations.length + gaps.length === 0
      ? null
      : section(
          "What this review did without",
          list([
            ...degradations.map(
              ({ what, message, count }) =>
                html`<strong>${what}</strong>${count === 1 ? null : ` (${count} times)`}: ${message}`,
            ),
            ...gaps,
          ]),
        )
  }${configProblems.length === 0 ? null : section("Problems of the configuration", list(configProblems))}${
    dropped.length === 0
      ? null
      : section(
          "Not reported",
          dataTable({
            caption: "Findings that weren't reported",
            columns: [{ label: "Finding" }, { label: "File" }, { label: "Reason" }],
            rows: dropped.map(({ title, path, reason }) => [
              title,
              html`<code>${path}</code>`,
              reasonOf(reason, run.repositoryId),
            ]),
          }),
        )
  }`;
}
