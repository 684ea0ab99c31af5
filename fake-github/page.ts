/** Renders issues and pull requests as pages for people, the latter with checks and the diff with its comments. Escapes everything. */
import { diffOf, type DiffLine, type FileDiff } from "./diff.ts";
import { baseOf } from "./present/pull-request.ts";
import { currentPlace } from "./threads.ts";
import {
  fullName,
  type Issue,
  isPullRequest,
  type PullRequest,
  type ReviewComment,
  type World,
} from "./world.ts";

// Frequent enough to watch a review arrive.
const REFRESH_SECONDS = 3;

const STYLE = `
body { font: 15px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; color: #1f2328 }
h1 small { color: #59636e; font-weight: normal }
section { border: 1px solid #d1d9e0; border-radius: 6px; margin: 1rem 0; padding: .6rem 1rem }
section h2 { font-size: 1rem; margin: 0 0 .4rem }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0; font: 13px/1.45 ui-monospace, monospace }
table { border-collapse: collapse; width: 100%; font: 13px/1.45 ui-monospace, monospace }
td { padding: 0 .6rem; white-space: pre-wrap; overflow-wrap: anywhere }
td.number { color: #59636e; text-align: right; width: 3rem; user-select: none }
tr.added { background: #dafbe1 } tr.removed { background: #ffebe9 } tr.hunk { background: #ddf4ff; color: #59636e }
tr.comment td { padding: .5rem }
blockquote { border: 1px solid #d4a72c; border-radius: 6px; background: #fff8c5; margin: 0; padding: .5rem .8rem }
.muted { color: #59636e }
`;

export function escapeHtml(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&#39;",
  };
  return text.replaceAll(/[&<>"']/g, (char) => entities[char] ?? char);
}

/** Removes HTML comments from Markdown, which readers don't see. */
export function readableMarkdown(text: string): string {
  return text.replaceAll(/<!--.*?-->/gs, "").trim();
}

function htmlPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="${REFRESH_SECONDS}">
<title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body>${body}</body></html>`;
}

function text(body: string): string {
  return `<pre>${escapeHtml(readableMarkdown(body))}</pre>`;
}

function section(title: string, body: string): string {
  return `<section><h2>${escapeHtml(title)}</h2>${body}</section>`;
}

function addressOf(issue: Issue): string {
  const kind = isPullRequest(issue) ? "pull" : "issues";
  return `/${fullName(issue.repository)}/${kind}/${issue.number}`;
}

function renderList(world: World): string {
  const items = [...world.pullRequests, ...world.issues].map((each) => {
    const href = escapeHtml(encodeURI(addressOf(each)));
    const name = escapeHtml(`${fullName(each.repository)}#${each.number}`);
    return `<li><a href="${href}">${name}</a> ${escapeHtml(each.title)} <span class="muted">${each.isOpen ? "open" : "closed"}</span></li>`;
  });
  const none = "<p>There are no pull requests and issues.</p>";
  return htmlPage(
    "The fake GitHub",
    `<h1>The fake GitHub</h1>${items.length === 0 ? none : `<ul>${items.join("")}</ul>`}`,
  );
}

/** A comment on lines, as the page shows it. */
type ShownComment = {
  readonly comment: ReviewComment;
  /** At the current head. Null if the comment is outdated. */
  readonly line: number | null;
  readonly resolvedBy: string | null;
};

function renderComment({ comment, resolvedBy }: ShownComment): string {
  const pending = comment.review.state === "PENDING" ? " (pending: only its author sees it)" : "";
  const state = resolvedBy === null ? pending : ` (resolved by ${escapeHtml(resolvedBy)})`;
  const who = `<span class="muted">${escapeHtml(comment.author.login)}${state}</span>`;
  return `<tr class="comment"><td colspan="3"><blockquote>${who}${text(comment.body)}</blockquote></td></tr>`;
}

function isOn(shown: ShownComment, line: DiffLine): boolean {
  return shown.comment.side === "RIGHT"
    ? line.mark !== "-" && line.newLine === shown.line
    : line.mark !== "+" && line.oldLine === shown.line;
}

function renderLine(line: DiffLine): string {
  const kind = line.mark === "+" ? "added" : line.mark === "-" ? "removed" : "";
  const oldNumber = line.mark === "+" ? "" : line.oldLine;
  const newNumber = line.mark === "-" ? "" : line.newLine;
  return `<tr class="${kind}"><td class="number">${oldNumber}</td><td class="number">${newNumber}</td><td>${escapeHtml(line.text)}</td></tr>`;
}

function renderFile(file: FileDiff, comments: readonly ShownComment[]): string {
  const rows = file.hunks.flatMap((hunk) => [
    `<tr class="hunk"><td colspan="3">${escapeHtml(hunk.header)}</td></tr>`,
    ...hunk.lines.flatMap((line) => [
      renderLine(line),
      ...comments.filter((shown) => isOn(shown, line)).map(renderComment),
    ]),
  ]);
  return section(file.path, rows.length === 0 ? "<p>No text.</p>" : `<table>${rows.join("")}</table>`);
}

async function shownComments(world: World, pullRequest: PullRequest): Promise<readonly ShownComment[]> {
  const comments = world.reviewComments.filter((each) => each.pullRequest === pullRequest);
  return Promise.all(
    comments.map(async (comment) => ({
      comment,
      line: (await currentPlace(comment))?.line ?? null,
      resolvedBy: world.resolvedThreads.get(comment.replyTo ?? comment.id)?.login ?? null,
    })),
  );
}

async function renderPullRequest(world: World, pullRequest: PullRequest): Promise<string> {
  const { repository, head, number } = pullRequest;
  const files = await diffOf(repository.directory, await baseOf(pullRequest), head);
  const comments = await shownComments(world, pullRequest);
  const outdated = comments.filter(({ line }) => line === null);
  const checks = world.checkRuns.filter((each) => each.repository === repository && each.head === head);
  const said = [
    ...world.reviews.filter((each) => each.pullRequest === pullRequest && each.body !== ""),
    ...world.issueComments.filter((each) => each.issue === pullRequest),
  ].toSorted((a, b) => a.createdAtMs - b.createdAtMs);
  const state = `${pullRequest.isDraft ? "draft, " : ""}${pullRequest.isOpen ? "open" : "closed"}`;
  const parts = [
    `<p><a href="/">all pull requests and issues</a></p>`,
    `<h1>${escapeHtml(pullRequest.title)} <small>#${number}, ${state}</small></h1>`,
    `<p class="muted">${escapeHtml(`${pullRequest.author.login} wants to merge ${head} into ${pullRequest.baseRef}`)}</p>`,
    section(pullRequest.author.login, text(pullRequest.body ?? "")),
    ...checks.map((check) =>
      section(
        `Check ${check.name}: ${check.conclusion ?? check.status}`,
        text(`${check.output.title ?? ""}\n\n${check.output.summary ?? ""}`),
      ),
    ),
    ...said.map((each) =>
      section(`${each.author.login}${"state" in each ? `, review: ${each.state}` : ""}`, text(each.body)),
    ),
    ...files.map((file) =>
      renderFile(
        file,
        comments.filter(({ comment }) => comment.path === file.path),
      ),
    ),
    ...(outdated.length === 0
      ? []
      : [section("Outdated", `<table>${outdated.map(renderComment).join("")}</table>`)]),
  ];
  return htmlPage(`${pullRequest.title} #${number}`, parts.join("\n"));
}

function renderIssue(world: World, issue: Issue): string {
  const parts = [
    `<p><a href="/">all pull requests and issues</a></p>`,
    `<h1>${escapeHtml(issue.title)} <small>#${issue.number}, ${issue.isOpen ? "open" : "closed"}</small></h1>`,
    section(issue.author.login, text(issue.body ?? "")),
    ...world.issueComments
      .filter((each) => each.issue === issue)
      .map(({ author, body }) => section(author.login, text(body))),
  ];
  return htmlPage(`${issue.title} #${issue.number}`, parts.join("\n"));
}

/** Returns null if there is no such page. */
export async function renderPage(world: World, path: string): Promise<string | null> {
  if (path === "/") return renderList(world);
  const isShown = (each: Issue): boolean => encodeURI(addressOf(each)) === path;
  const pullRequest = world.pullRequests.find(isShown);
  if (pullRequest !== undefined) return renderPullRequest(world, pullRequest);
  const issue = world.issues.find(isShown);
  return issue === undefined ? null : renderIssue(world, issue);
}
