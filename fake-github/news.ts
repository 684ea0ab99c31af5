/** Prints what was written to the fake since the last time, for a person at a terminal. */
import { printable } from "../src/base/printable.ts";
import type { FakeGithub } from "./fake-github.ts";

const WRITES = [
  "pulls/submit-review",
  "pulls/create-review",
  "pulls/create-reply-for-review-comment",
  "issues/create-comment",
  "issues/update-comment",
  "checks/create",
  "checks/update",
  "reactions/create-for-issue",
  "reactions/create-for-issue-comment",
  "reactions/create-for-pull-request-review-comment",
  "graphql/resolveReviewThread",
  "graphql/unresolveReviewThread",
  "git/receive-pack",
  "pulls/create",
] as const;

/** Without HTML comments, which readers don't see. */
function readableMarkdown(text: string): string {
  return text.replaceAll(/<!--.*?-->/gs, "").trim();
}

function block(title: string, body: string): string {
  const lines = readableMarkdown(body)
    .split("\n")
    .map((line) => `    ${printable(line)}`);
  return [printable(title), ...lines].join("\n");
}

/** Everything visible, with a key that changes when the text changes. */
function visibleThings({ world }: FakeGithub): ReadonlyMap<string, string> {
  const things = new Map<string, string>();
  const add = (key: string, title: string, body: string): void => {
    const shown = block(title, body);
    things.set(`${key} ${shown}`, shown);
  };
  for (const review of world.reviews) {
    if (review.state === "PENDING") continue;
    const title = `${review.author.login} reviewed #${review.pullRequest.number}: ${review.state}`;
    add(`review ${review.id}`, title, review.body);
    for (const comment of world.reviewComments.filter((each) => each.review === review))
      add(`comment ${comment.id}`, `  on ${comment.path}:${comment.line}`, comment.body);
  }
  for (const comment of world.issueComments)
    add(
      `issue comment ${comment.id}`,
      `${comment.author.login} commented on #${comment.issue.number}`,
      comment.body,
    );
  for (const run of world.checkRuns)
    add(
      `check ${run.id}`,
      `check ${run.name} on ${run.head.slice(0, 8)}: ${run.conclusion ?? run.status}`,
      run.output.title ?? "",
    );
  for (const reaction of world.reactions)
    add(`reaction ${reaction.id}`, `${reaction.user.login} reacted with ${reaction.content}`, "");
  for (const comment of world.reviewComments) {
    const by = world.resolvedThreads.get(comment.id);
    if (by !== undefined)
      add(`thread ${comment.id}`, `${by.login} resolved ${comment.path}:${comment.line}`, "");
  }
  for (const { branch, after } of world.writes.flatMap(({ push }) => push ?? []))
    add(
      `push ${branch} ${after}`,
      `${world.app.slug} pushed ${after?.slice(0, 8) ?? "nothing"} to ${branch}`,
      "",
    );
  for (const { id, number, title, author, body } of world.pullRequests)
    if (author === world.app.bot)
      add(`pull request ${id}`, `${author.login} opened #${number}: ${title}`, body ?? "");
  return things;
}

/** Prints new texts after every write. */
export function printNews(fake: FakeGithub, print: (text: string) => void): void {
  const printed = new Set<string>();
  for (const operation of WRITES) {
    fake.onResponse(operation, () => {
      for (const [key, shown] of visibleThings(fake)) {
        if (printed.has(key)) continue;
        printed.add(key);
        print(shown);
      }
    });
  }
}
