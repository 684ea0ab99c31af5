/**
 * Turns a publication into the texts for a pull request. Each finding is explained once: in a comment on its line if it has
 * one, otherwise in the summary. The summary and the check list all of them.
 */
import type { Severity } from "../../../base/severity.ts";
import type { MovedFinding, PullRequestPublication } from "../pull-request-publication.ts";
import type { Publication, PublishedFinding } from "../publication.ts";
import type { Links } from "../render/links.ts";
import { renderInlineComment } from "../render/render-inline-comment.ts";
import { renderFooter, renderSummary } from "../render/render-summary.ts";
import { neutraliseInline } from "../render/safe-markdown.ts";
import { count } from "../../../base/count.ts";
import { annotatedOf, composeCheck } from "./compose-check.ts";
import { forContributors } from "./for-contributors.ts";
import { type SummaryPolicy, wantsSummary } from "./wants-summary.ts";

export type PullRequestPolicy = {
  readonly failOn: Severity | "none";
  readonly autoApprove: boolean;
  /** The page of the pull request. Omitted: places aren't links. */
  readonly url?: string;
  /** Kept in the signed marker of the summary. Omitted: nothing. */
  readonly state?: string;
  readonly summary: SummaryPolicy;
  /** All findings are explained in the summary, which then exists if there are any. Missing: no. */
  readonly isSummaryOnly?: boolean;
  /** How people address Kodiai, such as "@kodiai". */
  readonly mention: string;
};

/** `threads`: the addresses of the comments on lines, by the id of the finding, as far as they are known. */
export function composePullRequest(
  complete: Publication,
  policy: PullRequestPolicy,
  moved: readonly MovedFinding[],
  threads: ReadonlyMap<string, string> = new Map(),
): PullRequestPublication {
  const publication = forContributors(complete);
  const movedReasons = new Map(moved.map(({ findingId, reason }) => [findingId, reason]));
  // A skipped review has no comments on lines: a later review of this head may still write them.
  const isSkipped = publication.verdict.outcome === "skipped";
  const isSummaryOnly = policy.isSummaryOnly === true;
  const isInline = (finding: PublishedFinding): boolean =>
    !isSkipped && !isSummaryOnly && isOnLines(finding) && !movedReasons.has(finding.id);
  const links = linksOf(publication, policy);
  const { state = "", mention, failOn } = policy;
  const annotated = annotatedOf(publication, isInline);
  const isAnnotated = (finding: PublishedFinding): boolean => annotated.includes(finding);
  const summary = { isInline, movedReasons, isAnnotated, threads, links, mention, stateChars: state.length };
  const hasSummary = wantsSummary(
    publication,
    isSummaryOnly && policy.summary === "off" ? "findings" : policy.summary,
  );
  return {
    head: publication.change.head ?? "",
    review: composeReview(
      publication,
      { ...policy, links },
      { inline: publication.findings.filter(isInline), hasSummary },
    ),
    summary: renderSummary(publication, summary),
    isSummaryWanted: hasSummary,
    state,
    check: composeCheck(publication, { failOn, annotated, summary, hasSummary }),
  };
}

/** The address comes from the host, and is used only if it can't break out of a link. */
const PULL_REQUEST_URL = /^(?<repository>https?:\/\/[\w.:/-]{1,500})\/pull\/\d{1,12}$/;

export function repositoryUrlOf(pullRequestUrl: string): string | null {
  return PULL_REQUEST_URL.exec(pullRequestUrl)?.groups?.["repository"] ?? null;
}

function linksOf({ change: { base, head }, rulesUrl }: Publication, { url = "" }: PullRequestPolicy): Links {
  return { repositoryUrl: repositoryUrlOf(url), base, head, rulesUrl };
}

/** The host can't accept a path that isn't valid Unicode. */
function isOnLines({ anchor, finding, placement }: PublishedFinding): boolean {
  return placement === "inline" && anchor !== null && finding.path.isWellFormed();
}

function composeReview(
  publication: Publication,
  policy: PullRequestPolicy & { readonly links: Links },
  { inline, hasSummary }: { readonly inline: readonly PublishedFinding[]; readonly hasSummary: boolean },
): PullRequestPublication["review"] {
  const comments = inline.flatMap((published) => {
    const { anchor, finding, id, others = [] } = published;
    if (anchor === null) return [];
    const { side, startLine, endLine } = anchor;
    const body = renderInlineComment(published, policy.links);
    // The host names both sides of a renamed file by its new path.
    const comment = { findingId: id, path: finding.path, side, startLine, endLine, body };
    return [others.length === 0 ? comment : { ...comment, otherIds: others.map((other) => other.id) }];
  });
  if (comments.length > 0) {
    const body = `${count(comments.length, "new comment")}. ${neutraliseInline(publication.verdict.headline)}.`;
    // Otherwise the summary has the footer.
    return {
      event: "comment",
      body: hasSummary ? body : `${body}\n\n${renderFooter(policy).trim()}`,
      comments,
    };
  }
  if (!mayApprove(publication, policy)) return null;
  return { event: "approve", body: `${neutraliseInline(publication.verdict.headline)}.`, comments: [] };
}

/**
 * Everything was read, even files that policy may exclude; nothing was found, and nothing was held back. A review that
 * the author asked to say less never approves.
 */
function mayApprove(publication: Publication, { autoApprove }: PullRequestPolicy): boolean {
  const { verdict, dropped, findings, degradations, receipt, details, answered, hidden } = publication;
  const isRelaxed =
    (details.mode.origin === "keyword" && details.mode.mode !== "strict") || details.intent.ignore.length > 0;
  const isRead =
    receipt.gaps.length === 0 &&
    receipt.entries.every(({ status, isSkimmed }) => status === "reviewed" && isSkimmed !== true);
  const isSilent =
    findings.length + dropped.length + answered.length + hidden.length + degradations.length === 0;
  return autoApprove && !isRelaxed && verdict.outcome === "clean" && isRead && isSilent;
}
