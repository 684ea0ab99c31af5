/** The oracle's rules about answers: one per mention, in the place where the app was mentioned, and nothing where it wasn't. */
import type { FakeGithub } from "./fake-github.ts";
import type { OracleExpectations } from "./oracle.ts";
import { type Issue, type IssueComment, issueName, type ReviewComment, type World } from "./world.ts";

/** A text that a person wrote to the app. */
type Mention = {
  readonly issue: Issue;
  /** The conversation of an issue or pull request, or a thread on lines. */
  readonly place: string;
  readonly atMs: number;
};

const ANSWER = /<!-- kodiai:answer:v1:\S* -->/;

export function isAnswer(body: string): boolean {
  return ANSWER.test(body);
}

function placeOf(comment: IssueComment | ReviewComment): { readonly issue: Issue; readonly place: string } {
  if ("issue" in comment)
    return { issue: comment.issue, place: `the conversation of ${issueName(comment.issue)}` };
  const issue = comment.pullRequest;
  return { issue, place: `thread ${comment.replyTo ?? comment.id} of ${issueName(issue)}` };
}

/**
 * Including those that were edited or deleted since. A comment counts once for each time that it names the app. A question in a thread that
 * the app started needs no name.
 */
export function mentionsIn(world: World, answeredBots: readonly string[] = []): readonly Mention[] {
  const { slug } = world.app;
  const timesMeant = (body: string): number =>
    body.toLowerCase().split(new RegExp(`[@/]${slug.toLowerCase()}`)).length - 1;
  const isMeant = (body: string): boolean => timesMeant(body) > 0;
  const isInOwnThread = (comment: IssueComment | ReviewComment): boolean =>
    "replyTo" in comment &&
    world.reviewComments.some(({ id, author }) => id === comment.replyTo && author === world.app.bot);
  const comments = [...world.issueComments, ...world.reviewComments, ...world.formerComments].filter(
    (comment) =>
      (comment.author.type === "User" || answeredBots.includes(comment.author.login)) &&
      (isMeant(comment.body) || (comment.body.includes("?") && isInOwnThread(comment))),
  );
  const described = [...world.issues, ...world.pullRequests].filter(({ body }) => isMeant(body ?? ""));
  const reviews = world.reviews.filter(({ author, body }) => author.type === "User" && isMeant(body));
  return [
    ...[...new Map(comments.map((each) => [each.id, each])).values()].flatMap((each) =>
      Array.from({ length: Math.max(1, timesMeant(each.body)) }, () => ({
        ...placeOf(each),
        atMs: each.createdAtMs,
      })),
    ),
    ...described.map((issue) => ({
      issue,
      place: `the conversation of ${issueName(issue)}`,
      atMs: issue.createdAtMs,
    })),
    ...reviews.map(({ pullRequest: issue, createdAtMs: atMs }) => ({
      issue,
      place: `the conversation of ${issueName(issue)}`,
      atMs,
    })),
  ];
}

function countBy(keys: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

/** Without any mention, a test calls the publisher by itself, and answers aren't counted. */
function answerProblems(world: World, answeredBots: readonly string[]): readonly string[] {
  const answers = [...world.issueComments, ...world.reviewComments].filter(
    ({ author, body }) => author === world.app.bot && isAnswer(body),
  );
  const markers = countBy(answers.map(({ body }) => ANSWER.exec(body)?.[0] ?? ""));
  const mentions = countBy(mentionsIn(world, answeredBots).map(({ place }) => place));
  const given = countBy(answers.map((each) => placeOf(each).place));
  const uncounted = mentions.size === 0;
  return [
    ...[...markers].filter(([, count]) => count > 1).map(([marker, count]) => `${count} × answer ${marker}`),
    ...[...given].flatMap(([place, count]) => {
      const asked = mentions.get(place) ?? 0;
      return count > asked && !uncounted ? [`${count} × answer in ${place}, with mentions: ${asked}`] : [];
    }),
  ];
}

/** The app's new pull requests are excepted: they belong to a mention elsewhere in the repository. */
function unaskedProblems(world: World): readonly string[] {
  const mentions = mentionsIn(world);
  return world.writes
    .filter(({ isVisible, issue }) => isVisible && issue !== null)
    .filter(({ issue, repository, atMs }) => {
      const isOwn = issue?.author === world.app.bot;
      return !mentions.some(
        (each) => each.atMs <= atMs && (isOwn ? each.issue.repository === repository : each.issue === issue),
      );
    })
    .map(
      ({ operation, issue }) =>
        `${operation} on ${issue === null ? "" : issueName(issue)}, without a mention`,
    );
}

export function mentionProblems({ world }: FakeGithub, expectations: OracleExpectations): readonly string[] {
  return [
    ...answerProblems(world, expectations.answeredBots ?? []),
    ...(expectations.isMentionRequired === true ? unaskedProblems(world) : []),
  ];
}
