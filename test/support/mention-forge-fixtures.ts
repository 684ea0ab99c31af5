/** A person who mentions the app on the fake GitHub. */
import assert from "node:assert/strict";
import type { AnswerRequest, CommentPlace, Discussion, ForgeSession } from "../../src/forge/forge.ts";
import type { OracleExpectations } from "../../fake-github/oracle.ts";
import type { Issue, ReviewComment } from "../../fake-github/world.ts";
import { repositoryRefOf, type Scenario } from "./publish-scenario.ts";

/** The texts here don't mention the app as jobs require it, so that the oracle doesn't compare mentions and answers. */
export const ORACLE: OracleExpectations = {
  isSummary: (body) => body.includes("kodiai:summary"),
  tokensRevoked: true,
};

export function countOf({ fake }: Scenario, operation: string): number {
  return fake.calls.filter((call) => call.operation === operation).length;
}

/** A thread of a person on a line of the change. */
export async function startThread(scenario: Scenario, author = "ada", body = "Kodiai, ask why?") {
  const comments = [{ path: "new.ts", line: 5, body }];
  const { comments: written } = await scenario.fake.review(scenario.pullRequest, {
    author,
    body: "",
    comments,
  });
  const [root] = written;
  assert.ok(root !== undefined);
  later(scenario);
  return root;
}

/** GitHub's times are whole seconds. */
export function later({ fake }: Scenario): void {
  fake.clock.advance(2_000);
}

export function answerTo(scenario: Scenario, threadRoot: number | null, more: Partial<AnswerRequest> = {}) {
  const { repository, pullRequest, journal } = scenario;
  const request: AnswerRequest = {
    repositoryRef: repositoryRefOf(repository),
    number: pullRequest.number,
    threadRoot,
    request: "comment:1",
    body: "Because of line 3.",
    journal,
    isLost: async () => false,
    ...more,
  };
  return (session: ForgeSession) => session.comments.answer(request);
}

const firstLine = ({ body }: { readonly body: string }): string => body.split("\n")[0] ?? "";

export function repliesTo({ fake }: Scenario, root: ReviewComment): readonly string[] {
  return fake.repliesOf(root).map(firstLine);
}

export function conversationOf(
  { fake, pullRequest }: Scenario,
  issue: Issue = pullRequest,
): readonly string[] {
  return fake.commentsOf(issue).map(firstLine);
}

export function readDiscussionAt(scenario: Scenario, place: Omit<CommentPlace, "number">, maxComments = 20) {
  const { number } = scenario.pullRequest;
  return scenario.inSession((session) => session.comments.readDiscussion({ number, ...place }, maxComments));
}

export function onLines({ id, replyTo }: ReviewComment): Omit<CommentPlace, "number"> {
  return { target: { kind: "review-comment", id }, threadRoot: replyTo ?? id };
}

export function inConversation({ id }: { readonly id: number }): Omit<CommentPlace, "number"> {
  return { target: { kind: "issue-comment", id }, threadRoot: null };
}

export function said(discussion: Discussion | null): readonly string[] {
  assert.ok(discussion !== null);
  return discussion.comments.map((comment) => `${comment.author.login}: ${firstLine(comment)}`);
}

export function propose(scenario: Scenario, more: object = {}) {
  const { pullRequest, journal } = scenario;
  const request = {
    title: "Fix it",
    body: "Requested in #1.",
    branch: "kodiai/fix-1",
    baseBranch: "main",
    request: "comment:1",
    number: pullRequest.number,
    journal,
    isLost: async () => false,
    ...more,
  };
  return (session: ForgeSession) => session.pullRequests.open(request);
}

export async function pushBranch({ fake, repository }: Scenario, branch = "kodiai/fix-1"): Promise<void> {
  await fake.commit(repository, { "fixed.ts": "export {};\n" }, branch);
}

export const CREATE = "pulls/create";
