/** People who talk to Kodiai on a fake GitHub: comments with commands, and what became of them. */
import type { Issue, IssueComment, ReviewComment } from "../../../fake-github/world.ts";
import type { Job } from "../../../src/queue/queue.ts";
import { eventually } from "../eventually.ts";
import type { Scenario } from "./scenario.ts";

type Talk = Pick<Scenario, "fake" | "queue" | "database" | "pullRequest">;

export type Mentioning = {
  /** Ada has write access. */
  readonly author?: string;
  readonly association?: string;
  /** The pull request by default. */
  readonly on?: Issue;
};

/** Comments in the conversation, and sends the event as GitHub would. */
export async function mention(
  { fake, pullRequest }: Talk,
  body: string,
  { author = "ada", association = "MEMBER", on = pullRequest }: Mentioning = {},
): Promise<IssueComment> {
  const comment = fake.comment(on, { author, association, body });
  await fake.send(fake.events.comment(comment));
  return comment;
}

/** Replies in a thread on lines, and sends the event. */
export async function mentionInThread(
  { fake }: Talk,
  root: ReviewComment,
  body: string,
  author = "ada",
): Promise<ReviewComment> {
  const reply = fake.reply(root, { author, body });
  await fake.send(await fake.events.reviewComment(reply));
  return reply;
}

/** Waits until that many mentions have ended and none of their jobs is open. Their outcomes, in the order of the comments. */
export async function mentionsEnded({ queue, database }: Talk, count: number): Promise<readonly string[]> {
  return eventually(`${count} mentions to end`, async () => {
    const rows = await database.query<{ outcome: string | null }>("select outcome from mentions order by at");
    const outcomes = rows.flatMap(({ outcome }) => outcome ?? []);
    const open = (await mentionJobs({ queue })).filter(
      ({ state }) => state === "queued" || state === "running",
    );
    return outcomes.length === count && rows.length === count && open.length === 0 && outcomes;
  });
}

/** Both jobs of mentions, oldest first. */
export async function mentionJobs({ queue }: Pick<Talk, "queue">): Promise<readonly Job[]> {
  const all = await queue.list({ states: null, limit: 1_000 });
  return all.filter(({ kind }) => kind === "mention" || kind === "converse").toReversed();
}

type Posted = Pick<IssueComment | ReviewComment, "author" | "body">;

const isAnswer = ({ body, author }: Posted): boolean =>
  author.login.endsWith("[bot]") && body.includes("kodiai:answer");

/** Without the signed marker. */
const textOf = ({ body }: Posted): string => body.replace(/\n*<!--[^]*$/, "");

/** Answers in the conversation, oldest first. */
export function answersOn({ fake }: Talk, issue: Issue): readonly string[] {
  return fake.commentsOf(issue).filter(isAnswer).map(textOf);
}

/** Answers in a thread on lines. */
export function answersIn({ fake }: Talk, root: ReviewComment): readonly string[] {
  return fake.repliesOf(root).filter(isAnswer).map(textOf);
}

export const isSummary = (body: string): boolean => body.includes("kodiai:summary");
