/**
 * The API calls that publishing makes on one repository, with plain values: no octokit type leaves this file. Reads use the
 * read token. Writes use the write token, which the first write creates. Resolving a thread needs its own token, and so does
 * the conversation of an issue.
 */
import type { CheckAnnotation, InlineComment } from "../../review/publication/pull-request-publication.ts";
import type { Reaction, CommentTarget } from "../forge.ts";
import type { TokenPurpose } from "./app-requirements.ts";
import type { ConversationAccess } from "./conversation-access.ts";
import type { GithubClient } from "./github-client.ts";
import { unlessGone } from "./github-error.ts";
import {
  CHECK_NAME,
  isOwnAccount,
  isOwnCheck,
  isOwnComment,
  isOwnText,
  type OwnAccount,
} from "./own-account.ts";
import type { RepositoryName } from "./session-tokens.ts";
import { fitBody, fitCheckSummary, fitCheckTitle } from "./text-limits.ts";

/** A review by the app itself, recognized by its author. Its marker is checked elsewhere. */
export type OwnReview = { readonly id: number; readonly isPending: boolean; readonly body: string };

export type OwnComment = { readonly id: number; readonly body: string };

export type OwnCheck = { readonly id: number; readonly externalId: string };

export type NewReview = {
  readonly head: string;
  readonly body: string;
  readonly comments: readonly InlineComment[];
};

export type ProposedPullRequest = { readonly number: number; readonly url: string };

type ProposalText = { readonly title: string; readonly body: string };

export type NewProposal = {
  readonly title: string;
  readonly body: string;
  readonly branch: string;
  readonly baseBranch: string;
};

export type CheckState = {
  readonly externalId: string;
  /** Null while the review is in progress. */
  readonly conclusion: "success" | "neutral" | "failure" | "cancelled" | null;
  readonly title: string;
  readonly summary: string;
};

export type RepositoryCallsDeps = {
  readonly read: GithubClient;
  readonly write: GithubClient;
  readonly resolve: GithubClient;
  readonly conversation: ConversationAccess;
  readonly name: (purpose: TokenPurpose) => Promise<RepositoryName>;
  readonly own: () => Promise<OwnAccount>;
};

/** GitHub's largest page, so that lists take the fewest calls. */
export const PAGE_SIZE = 100;

/** GitHub's limit. */
export const MAX_ANNOTATIONS_PER_REQUEST = 50;

export type RepositoryCalls = ReturnType<typeof createRepositoryCalls>;

export function createRepositoryCalls(deps: RepositoryCallsDeps) {
  return {
    ...reviewCalls(deps),
    ...commentCalls(deps),
    ...replyCalls(deps),
    ...proposalCalls(deps),
    ...checkCalls(deps),
    resolveThread: changeThreadCall("resolve", deps),
    reopenThread: changeThreadCall("unresolve", deps),
    react: reactCall(deps),
  };
}

function reviewCalls({ read, write, name, own }: RepositoryCallsDeps) {
  return {
    /** Reads all pages, oldest first. Includes pending reviews, which GitHub shows only to their author. */
    async listOwnReviews(number: number): Promise<readonly OwnReview[]> {
      const reviews = await read.paginate("GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews", {
        ...(await name("read")),
        pull_number: number,
        per_page: PAGE_SIZE,
      });
      const account = await own();
      return reviews.filter((review) => isOwnText(review, account)).map(toOwnReview);
    },
    /** Whether the account has a pending review that isn't Kodiai's: a person's draft, or another workflow's. */
    async hasForeignPending(number: number): Promise<boolean> {
      const reviews = await read.paginate("GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews", {
        ...(await name("read")),
        pull_number: number,
        per_page: PAGE_SIZE,
      });
      const account = await own();
      return reviews.some(
        (review) =>
          review.state === "PENDING" && isOwnAccount(review.user, account) && !isOwnText(review, account),
      );
    },
    /** Null if it no longer exists. */
    async readReview(number: number, id: number): Promise<OwnReview | null> {
      const parameters = { ...(await name("read")), pull_number: number, review_id: id };
      return unlessGone(async () => {
        const { data } = await read.request(
          "GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}",
          parameters,
        );
        return toOwnReview(data);
      });
    },
    /** Creates the review without an event, so that it stays pending. */
    async createReview(number: number, review: NewReview): Promise<number> {
      const { data } = await write.request("POST /repos/{owner}/{repo}/pulls/{pull_number}/reviews", {
        ...(await name("write")),
        pull_number: number,
        commit_id: review.head,
        body: review.body,
        comments: review.comments.map(toReviewComment),
      });
      return Number(data.id);
    },
    async deletePendingReview(number: number, id: number): Promise<void> {
      const parameters = { ...(await name("write")), pull_number: number, review_id: id };
      await unlessGone(async () =>
        write.request("DELETE /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}", parameters),
      );
    },
    async submitReview(number: number, id: number, event: "COMMENT" | "APPROVE"): Promise<void> {
      await write.request("POST /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}/events", {
        ...(await name("write")),
        pull_number: number,
        review_id: id,
        event,
      });
    },
  };
}

function commentCalls({ conversation, name, own }: RepositoryCallsDeps) {
  return {
    /** Reads all pages, oldest first. */
    async listOwnComments(number: number): Promise<readonly OwnComment[]> {
      const parameters = { ...(await name("read")), issue_number: number, per_page: PAGE_SIZE };
      const comments = await conversation.call("read", async (client) =>
        client.paginate("GET /repos/{owner}/{repo}/issues/{issue_number}/comments", parameters),
      );
      const account = await own();
      return comments
        .filter((comment) => isOwnComment(comment, account))
        .map(({ id, body }) => ({ id: Number(id), body: body ?? "" }));
    },
    async createComment(number: number, body: string): Promise<number> {
      const parameters = { ...(await name("write")), issue_number: number, body };
      const { data } = await conversation.call("write", async (client) =>
        client.request("POST /repos/{owner}/{repo}/issues/{issue_number}/comments", parameters),
      );
      return Number(data.id);
    },
    /** False if it no longer exists. */
    async updateComment(id: number, body: string): Promise<boolean> {
      const parameters = { ...(await name("write")), comment_id: id, body };
      const answer = await unlessGone(async () =>
        conversation.call("write", async (client) =>
          client.request("PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}", parameters),
        ),
      );
      return answer !== null;
    },
    async deleteComment(id: number): Promise<void> {
      const parameters = { ...(await name("write")), comment_id: id };
      await unlessGone(async () =>
        conversation.call("write", async (client) =>
          client.request("DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}", parameters),
        ),
      );
    },
  };
}

function replyCalls({ read, write, name, own }: RepositoryCallsDeps) {
  return {
    /** Returns the app's own comments on lines that are newer than the given comment, newest first. Reads all pages of those. */
    async listOwnReplies(number: number, root: number): Promise<readonly OwnComment[]> {
      const pages = read.paginate.iterator("GET /repos/{owner}/{repo}/pulls/{pull_number}/comments", {
        ...(await name("read")),
        pull_number: number,
        sort: "created",
        direction: "desc",
        per_page: PAGE_SIZE,
      });
      const account = await own();
      const replies: OwnComment[] = [];
      for await (const { data } of pages) {
        const written = data.filter((comment) => isOwnText(comment, account));
        replies.push(...written.map(({ id, body }) => ({ id: Number(id), body })));
        if (Number(data.at(-1)?.id ?? 0) < root) break;
      }
      return replies.filter(({ id }) => id > root);
    },
    /** Replies in the thread whose first comment is `root`. */
    async createReply(number: number, root: number, body: string): Promise<number> {
      const { data } = await write.request(
        "POST /repos/{owner}/{repo}/pulls/{pull_number}/comments/{comment_id}/replies",
        { ...(await name("write")), pull_number: number, comment_id: root, body },
      );
      return Number(data.id);
    },
  };
}

/**
 * Pull requests of the app's own. The write token may open one: GitHub requires write access to pull requests for it, and
 * none to contents. A session that opens one also answers, so that a token of its own would only be another one to lose.
 */
function proposalCalls({ read, write, name }: RepositoryCallsDeps) {
  return {
    /** Finds the pull request of a branch of this repository, open or closed. Null if none is listed. */
    async findProposal(branch: string): Promise<ProposedPullRequest | null> {
      const repository = await name("read");
      const { data } = await read.request("GET /repos/{owner}/{repo}/pulls", {
        ...repository,
        head: `${repository.owner}:${branch}`,
        state: "all",
        sort: "created",
        direction: "asc",
        per_page: PAGE_SIZE,
      });
      // Checked again, because GitHub ignores a filter that it doesn't understand.
      const found = data.find(({ head, base }) => head.ref === branch && head.repo?.id === base.repo.id);
      return found === undefined ? null : { number: found.number, url: found.html_url };
    },
    async readProposal(number: number): Promise<ProposedPullRequest> {
      const { data } = await read.request("GET /repos/{owner}/{repo}/pulls/{pull_number}", {
        ...(await name("read")),
        pull_number: number,
      });
      return { number, url: data.html_url };
    },
    async readProposalText(number: number): Promise<ProposalText> {
      const { data } = await read.request("GET /repos/{owner}/{repo}/pulls/{pull_number}", {
        ...(await name("read")),
        pull_number: number,
      });
      return { title: data.title, body: data.body ?? "" };
    },
    async updateProposalText(number: number, { title, body }: ProposalText): Promise<void> {
      await write.request("PATCH /repos/{owner}/{repo}/pulls/{pull_number}", {
        ...(await name("write")),
        pull_number: number,
        title,
        body,
      });
    },
    async createProposal({ title, body, branch, baseBranch }: NewProposal): Promise<ProposedPullRequest> {
      const { data } = await write.request("POST /repos/{owner}/{repo}/pulls", {
        ...(await name("write")),
        title,
        body: fitBody(body),
        head: branch,
        base: baseBranch,
      });
      return { number: data.number, url: data.html_url };
    },
  };
}

function checkCalls({ write, name, own }: RepositoryCallsDeps) {
  return {
    /** Uses the write token, because only it has access to checks. They are listed only before one is written. */
    async listOwnChecks(head: string): Promise<readonly OwnCheck[]> {
      const account = await own();
      const checks = await write.paginate("GET /repos/{owner}/{repo}/commits/{ref}/check-runs", {
        ...(await name("write")),
        ref: head,
        check_name: CHECK_NAME,
        ...(account.appId === null ? {} : { app_id: account.appId }),
        filter: "all",
        per_page: PAGE_SIZE,
      });
      return checks
        .filter((check) => isOwnCheck(check, account))
        .map(({ id, external_id: externalId }) => ({ id: Number(id), externalId: externalId ?? "" }));
    },
    async createCheck(head: string, check: CheckState): Promise<number> {
      const { data } = await write.request("POST /repos/{owner}/{repo}/check-runs", {
        ...(await name("write")),
        name: CHECK_NAME,
        head_sha: head,
        external_id: check.externalId,
        ...checkFields(check),
      });
      return Number(data.id);
    },
    /**
     * Appends at most MAX_ANNOTATIONS_PER_REQUEST annotations, so a call with some is never retried automatically. False if
     * the check no longer exists.
     */
    async updateCheck(
      id: number,
      check: CheckState,
      annotations: readonly CheckAnnotation[] = [],
    ): Promise<boolean> {
      const fields = checkFields(check);
      const parameters = {
        ...(await name("write")),
        check_run_id: id,
        ...fields,
        ...(annotations.length === 0
          ? {}
          : {
              output: { ...fields.output, annotations: annotations.map(toApiAnnotation) },
              request: { isAppending: true },
            }),
      };
      const answer = await unlessGone(async () =>
        write.request("PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}", parameters),
      );
      return answer !== null;
    },
    /** Reads all pages. Empty if the check no longer exists. */
    async listAnnotations(id: number): Promise<readonly CheckAnnotation[]> {
      const parameters = { ...(await name("write")), check_run_id: id, per_page: PAGE_SIZE };
      const found = await unlessGone(async () =>
        write.paginate("GET /repos/{owner}/{repo}/check-runs/{check_run_id}/annotations", parameters),
      );
      return (found ?? []).map(toAnnotation);
    },
  };
}

type ThreadAnswer = Readonly<
  Record<string, { readonly thread: { readonly isResolved: boolean } | null } | null>
>;

/** Idempotent. True also if the thread no longer exists. */
function changeThreadCall(verb: "resolve" | "unresolve", { resolve }: RepositoryCallsDeps) {
  const field = `${verb}ReviewThread`;
  const mutation = `
mutation ($threadId: ID!) {
  ${field}(input: { threadId: $threadId }) { thread { isResolved } }
}`;
  return async (threadId: string): Promise<boolean> => {
    const request = { graphql: "mutation" };
    const answer = await unlessGone(async () =>
      resolve.graphql<ThreadAnswer>(mutation, { threadId, request }),
    );
    return answer === null || answer[field]?.thread?.isResolved === (verb === "resolve");
  };
}

function reactCall({ write, conversation, name }: RepositoryCallsDeps) {
  return async (target: CommentTarget, content: Reaction): Promise<void> => {
    const repository = await name("write");
    if (target.kind === "issue-comment") {
      await conversation.call("write", async (client) =>
        client.request("POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions", {
          ...repository,
          comment_id: target.id,
          content,
        }),
      );
    } else if (target.kind === "review-comment") {
      await write.request("POST /repos/{owner}/{repo}/pulls/comments/{comment_id}/reactions", {
        ...repository,
        comment_id: target.id,
        content,
      });
    } else {
      // An issue, or a pull request.
      await conversation.call("write", async (client) =>
        client.request("POST /repos/{owner}/{repo}/issues/{issue_number}/reactions", {
          ...repository,
          issue_number: target.id,
          content,
        }),
      );
    }
  };
}

function toOwnReview({ id, state, body }: { id: number | bigint; state: string; body: string }): OwnReview {
  // GitHub's ids are far below the limit of exact numbers.
  return { id: Number(id), isPending: state === "PENDING", body };
}

function toReviewComment(comment: InlineComment) {
  const side = comment.side === "new" ? "RIGHT" : "LEFT";
  const isRange = comment.startLine < comment.endLine;
  return {
    path: comment.path,
    body: comment.body,
    line: comment.endLine,
    side,
    ...(isRange ? { start_line: comment.startLine, start_side: side } : {}),
  };
}

function toApiAnnotation({ path, startLine, endLine, level, title, message }: CheckAnnotation) {
  return {
    path,
    start_line: startLine,
    end_line: endLine,
    annotation_level: level,
    title,
    message,
  };
}

type ApiAnnotation = {
  readonly path: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly annotation_level: string | null;
  readonly title: string | null;
  readonly message: string | null;
};

function toAnnotation({ path, title, message, ...place }: ApiAnnotation): CheckAnnotation {
  const { start_line: startLine, end_line: endLine, annotation_level: named } = place;
  const level = named === "failure" || named === "warning" ? named : "notice";
  return { path, startLine, endLine, level, title: title ?? "", message: message ?? "" };
}

function checkFields({ conclusion, title, summary }: CheckState) {
  const output = { title: fitCheckTitle(title), summary: fitCheckSummary(summary) };
  return conclusion === null
    ? ({ status: "in_progress", output } as const)
    : ({ status: "completed", conclusion, output } as const);
}
