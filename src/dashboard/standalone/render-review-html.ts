/** A review as one HTML file: findings with their code, the receipt, and a filter by severity that works without a script. */
import { count } from "../../base/count.ts";
import { SEVERITIES } from "../../base/severity.ts";
import type { DependencyReport } from "../../ecosystems/dependency-report.ts";
import type { Publication } from "../../review/publication/publication.ts";
import { type ReviewView, viewReview } from "../../review/publication/review-view.ts";
import { describeCost, describeReviewer } from "../../review/publication/words.ts";
import { receiptPicture } from "../charts/receipt-picture.ts";
import { prose } from "../components/code-frame.ts";
import { dataTable } from "../components/data-table.ts";
import { findingCard } from "../components/finding-card.ts";
import { type Html, html, NO_HTML } from "../components/html.ts";
import { severityMark, stateMark } from "../components/marks.ts";
import { facts, section } from "../components/sections.ts";
import { standaloneDocument } from "./standalone-document.ts";

/** The reader of a file has no other place to look the rest up. */
const ALL = { findings: Infinity, files: Infinity, others: Infinity } as const;

export function renderReviewHtml(publication: Publication): string {
  const view = viewReview(publication, ALL);
  const { change, details, usage, notices, overview, dependencies } = publication;
  const body = html`<p class="verdict">${view.headline}</p>${overview.map(({ text }) => prose(text))}${facts([
    ["Change", change.description],
    ["Reviewed by", describeReviewer(details)],
    ["Configuration", details.configOrigin],
    ...(usage === null ? [] : [["Cost", describeCost(usage.costUsd)] as const]),
    ["Kodiai", publication.version],
  ])}${notices.length === 0 ? NO_HTML : html`<ul>${notices.map((each) => html`<li>${each}</li>`)}</ul>`}${findingList(view)}${earlierOf(view)}${dependencies === null ? NO_HTML : dependencyTable(dependencies)}${section("Receipt", receiptPicture(view))}${troublesOf(view)}${droppedOf(view)}`;
  return standaloneDocument({ title: change.title === "" ? "Review" : change.title, body });
}

function findingList({ findings }: ReviewView): Html {
  if (findings.length === 0) return section("Findings", html`<p class="quiet">No findings.</p>`);
  const present = SEVERITIES.filter((severity) => findings.some((each) => each.severity === severity));
  const lowest = present.at(-1);
  const filter = html`<fieldset class="severities"><legend>Show</legend>${present.map(
    (severity) =>
      html`<label><input type="radio" name="severity" id="show-${severity}"${severity === lowest ? html` checked` : NO_HTML}> ${severity === lowest ? "all" : severity === "critical" ? "critical only" : `${severity} and worse`}</label>`,
  )}</fieldset>`;
  return section(
    count(findings.length, "finding"),
    html`${present.length > 1 ? filter : NO_HTML}${findings.map((each) => findingCard(each))}`,
  );
}

function earlierOf({ earlier }: ReviewView): Html {
  if (earlier.length === 0) return NO_HTML;
  const title = "Findings of earlier reviews";
  return section(
    title,
    dataTable({
      caption: title,
      columns: [{ label: "Finding" }, { label: "State" }, { label: "Because" }, { label: "File" }],
      rows: earlier.map(({ title: text, severity, state, because, path }) => [
        html`${severityMark(severity)} ${text}`,
        stateMark(state),
        because,
        html`<code>${path}</code>`,
      ]),
    }),
  );
}

function dependencyTable({ packages }: DependencyReport): Html {
  return section(
    "Dependencies",
    dataTable({
      caption: "Dependency changes",
      columns: [{ label: "Package" }, { label: "From" }, { label: "To" }, { label: "Merge confidence" }],
      rows: packages.map(({ change: { ecosystem, name, from, to }, confidence }) => [
        html`${name} <span class="quiet">${ecosystem}</span>`,
        from?.version ?? "–",
        to?.version ?? "–",
        html`${stateMark(confidence.level)} <span class="quiet">${confidence.reasons.join(", ")}</span>`,
      ]),
    }),
  );
}

function troublesOf({ degradations, gaps, configProblems }: ReviewView): Html {
  const all = [...degradations.map(({ what, message }) => `${what}: ${message}`), ...gaps, ...configProblems];
  if (all.length === 0) return NO_HTML;
  return section("What this review did without", html`<ul>${all.map((each) => html`<li>${each}</li>`)}</ul>`);
}

function droppedOf({ dropped }: ReviewView): Html {
  if (dropped.length === 0) return NO_HTML;
  return section(
    "Not reported",
    dataTable({
      caption: "Findings that weren't reported",
      columns: [{ label: "Finding" }, { label: "File" }, { label: "Reason" }],
      rows: dropped.map(({ title, path, reason }) => [
        title,
        html`<code>${path}</code>`,
        html`<code>${reason}</code>`,
      ]),
    }),
  );
}
