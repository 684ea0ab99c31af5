/** Renders issues and pull requests as pages for people, the latter with checks and the diff with its comments. */
import { diffOf } from "../diff.ts";
import { baseOf } from "../present/pull-request.ts";
import { currentPlace } from "../threads.ts";
import {
  type CheckRun,
  findIssue,
  fullName,
  type Issue,
  isPullRequest,
  type PullRequest,
  type Repository,
  type User,
  type World,
} from "../world.ts";
import { escapeHtml, htmlPage } from "./html.ts";
import { renderFile, type ShownComment } from "./render-diff.ts";
import { renderGithubMarkdown } from "./render-markdown.ts";

function addressOf(issue: Issue): string {
  const kind = isPullRequest(issue) ? "pull" : "issues";
  return encodeURI(`/${fullName(issue.repository)}/${kind}/${issue.number}`);
}

function renderList(world: World): string {
  const items = [...world.pullRequests, ...world.issues].map((each) => {
    const name = escapeHtml(`${fullName(each.repository)}#${each.number}`);
    return `<li><a href="${escapeHtml(addressOf(each))}">${name}</a> ${escapeHtml(each.title)} <span class="muted">${each.isOpen ? "open" : "closed"}</span></li>`;
  });
  const none = "<p>There are no pull requests and issues.</p>";
  return htmlPage(
    "The fake GitHub",
    `<h1>The fake GitHub</h1>${items.length === 0 ? none : `<ul>${items.join("")}</ul>`}`,
  );
}

/** Renders texts of this repository. */
type RenderText = (body: string, replaced?: readonly string[]) => string;

function textsOf(world: World, repository: Repository): RenderText {
  return (body, replaced = []) =>
    renderGithubMarkdown(body, {
      replaced,
      addressOf: (number) => {
        const issue = findIssue(world, repository, number);
        return issue === null ? null : addressOf(issue);
      },
    });
}

type Post = {
  /** Fragment of its address, as GitHub writes it. */
  readonly id: string;
  readonly author: User;
  /** "commented". */
  readonly did: string;
  readonly body: string;
};

function renderPost({ id, author, did, body }: Post, render: RenderText): string {
  const isBot = author.type === "Bot";
  const avatar = `<span class="avatar${isBot ? " bot" : ""}">${escapeHtml(author.login.slice(0, 1).toUpperCase())}</span>`;
  const name = `<b>${escapeHtml(author.login.replace(/\[bot\]$/, ""))}</b>${isBot ? ' <span class="label">bot</span>' : ""}`;
  const text = body.trim() === "" ? "*No description provided.*" : body;
  return `<article class="box" id="${escapeHtml(id)}"><header>${avatar}${name} <span class="muted">${escapeHtml(did)}</span></header>${render(text)}</article>`;
}

const ICONS: Readonly<Record<string, readonly [icon: string, look: string]>> = {
  success: ["✓", "success"],
  failure: ["✗", "failure"],
};

function renderCheck({ name, conclusion, status, output }: CheckRun, render: RenderText): string {
  const [icon, look] = ICONS[conclusion ?? ""] ?? ["●", "neutral"];
  const title = output.title === null ? "" : ` — ${output.title}`;
  const head = `<span class="${look}">${icon}</span> <b>${escapeHtml(name)}</b> <span class="muted">${escapeHtml(`${conclusion ?? status}${title}`)}</span>`;
  const summary = output.summary ?? "";
  return summary === ""
    ? `<div class="check">${head}</div>`
    : `<details class="check"><summary>${head}</summary>${render(summary)}</details>`;
}

async function shownComments(world: World, pullRequest: PullRequest): Promise<readonly ShownComment[]> {
  const comments = world.reviewComments.filter((each) => each.pullRequest === pullRequest);
  return Promise.all(
    comments.map(async (comment) => {
      const place = await currentPlace(comment);
      return { comment, line: place?.line ?? null, startLine: place?.startLine ?? null };
    }),
  );
}

/** "commented on lines 3 to 5 (resolved by ada)". */
function describeComment(world: World, { comment, line, startLine }: ShownComment): string {
  const { id, replyTo, review } = comment;
  const resolvedBy = world.resolvedThreads.get(replyTo ?? id);
  const place = startLine === null ? "" : ` on lines ${startLine} to ${line}`;
  const pending = review.state === "PENDING" ? " (pending: only its author sees it)" : "";
  return `commented${place}${resolvedBy === undefined ? pending : ` (resolved by ${resolvedBy.login})`}`;
}

const REVIEWED: Readonly<Record<string, string>> = {
  APPROVED: "approved these changes",
  CHANGES_REQUESTED: "requested changes",
  COMMENTED: "reviewed",
  PENDING: "started a review (pending: only its author sees it)",
};

function listConversation(world: World, issue: Issue): readonly Post[] {
  const reviews = world.reviews.filter((each) => each.pullRequest === issue && each.body !== "");
  const comments = world.issueComments.filter((each) => each.issue === issue);
  const posts = [
    ...reviews.map((review) => ({
      ...review,
      id: `pullrequestreview-${review.id}`,
      did: REVIEWED[review.state] ?? review.state,
    })),
    ...comments.map((comment) => ({ ...comment, id: `issuecomment-${comment.id}`, did: "commented" })),
  ];
  const opening = {
    id: `issue-${issue.id}`,
    author: issue.author,
    did: "opened this",
    body: issue.body ?? "",
  };
  return [opening, ...posts.toSorted((a, b) => a.createdAtMs - b.createdAtMs)];
}

function renderHead(issue: Issue, state: string, more: string): readonly string[] {
  return [
    `<p><a href="/">all pull requests and issues</a></p>`,
    `<h1>${escapeHtml(issue.title)} <small>#${issue.number}</small></h1>`,
    `<p><span class="state ${state}">${state}</span> <span class="muted">${more}</span></p>`,
  ];
}

async function renderPullRequest(world: World, pullRequest: PullRequest): Promise<string> {
  const { repository, head, headRef, number, author, baseRef } = pullRequest;
  const render = textsOf(world, repository);
  const files = await diffOf(repository.directory, await baseOf(pullRequest), head);
  const comments = await shownComments(world, pullRequest);
  const outdated = comments.filter(({ line }) => line === null);
  const checks = world.checkRuns.filter((each) => each.repository === repository && each.head === head);
  const renderComment = (shown: ShownComment, replaced: readonly string[]): string => {
    const { id, author: by, body } = shown.comment;
    const post = { id: `discussion_r${id}`, author: by, did: describeComment(world, shown), body };
    return renderPost(post, (text) => render(text, replaced));
  };
  const state = pullRequest.isOpen ? (pullRequest.isDraft ? "draft" : "open") : "closed";
  const merge = `<b>${escapeHtml(author.login)}</b> wants to merge <code>${escapeHtml(headRef)}</code> (${head.slice(0, 8)}) into <code>${escapeHtml(baseRef)}</code>`;
  const parts = [
    ...renderHead(pullRequest, state, merge),
    ...listConversation(world, pullRequest).map((post) => renderPost(post, render)),
    ...(checks.length === 0
      ? []
      : [
          `<h2>Checks</h2><section class="box">${checks.map((check) => renderCheck(check, render)).join("")}</section>`,
        ]),
    "<h2>Files changed</h2>",
    ...files.map((file) =>
      renderFile(
        file,
        comments.filter(({ comment }) => comment.path === file.path),
        renderComment,
      ),
    ),
    ...(outdated.length === 0 ? [] : ["<h2>Outdated</h2>"]),
    ...outdated.map((shown) => renderComment(shown, [])),
  ];
  return htmlPage(`${pullRequest.title} #${number}`, parts.join("\n"));
}

function renderIssue(world: World, issue: Issue): string {
  const render = textsOf(world, issue.repository);
  const opened = `<b>${escapeHtml(issue.author.login)}</b> opened this issue`;
  const parts = [
    ...renderHead(issue, issue.isOpen ? "open" : "closed", opened),
    ...listConversation(world, issue).map((post) => renderPost(post, render)),
  ];
  return htmlPage(`${issue.title} #${issue.number}`, parts.join("\n"));
}

/** Returns null if there is no such page. */
export async function renderPage(world: World, path: string): Promise<string | null> {
  if (path === "/") return renderList(world);
  const isShown = (each: Issue): boolean => addressOf(each) === path;
  const pullRequest = world.pullRequests.find(isShown);
  if (pullRequest !== undefined) return renderPullRequest(world, pullRequest);
  const issue = world.issues.find(isShown);
  return issue === undefined ? null : renderIssue(world, issue);
}
