/** A stranger, a contributor and a maintainer each give every command, in the conversation and in a thread: only the allowed ones work. */
import assert from "node:assert/strict";
import type { IssueComment, PullRequest, ReviewComment } from "../../fake-github/world.ts";
import { answersIn, answersOn, isSummary, mention, mentionInThread } from "../support/app/mentions.ts";
import { AFTER, BEFORE, type Scenario } from "../support/app/scenario.ts";
import { testAppInOneProcess as test } from "../support/app/test-app.ts";
import { eventually as waitFor } from "../support/eventually.ts";

/** A stage that fails ends the others: what they wait for no longer comes. */
const stopped = { by: null as Error | null };

const eventually: typeof waitFor = (what, poll) =>
  waitFor(what, () => {
    if (stopped.by !== null) throw stopped.by;
    return poll();
  });

async function orStopAll(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    stopped.by ??= error instanceof Error ? error : new Error(String(error));
  }
}

/** The claims of the events are wrong on purpose: GitHub is asked instead. */
const PEOPLE = {
  stranger: { author: "mallory", association: "OWNER" },
  contributor: { author: "grace", association: "MEMBER" },
  maintainer: { author: "ada", association: "NONE" },
} as const;

type Who = keyof typeof PEOPLE;
type Where = "conversation" | "thread";

const LAST = "full review";
const NO_ACCESS = "refused:no-write-access";

/**
 * The outcome for people without write access, and for those with it. In a thread, "#1" is left out: the thread's finding is meant.
 * The order matters: a pause is ended by `resume`, and `dismiss` resolves the thread before `resolve` is asked to.
 */
const COMMANDS: readonly (readonly [words: string, others: string, maintainer: string])[] = [
  ["help", "answered:help", "answered:help"],
  ["configuration", "answered:configuration", "answered:configuration"],
  ["dance", "refused:unknown-command", "refused:unknown-command"],
  ["please apply the patch", "refused:unknown-command", "refused:unknown-command"],
  ["how are users read?", "refused:no-model", "refused:no-model"],
  ["plan: bind the id", "refused:no-model", "refused:no-model"],
  ["summary", "answered:summary", "answered:summary"],
  ["explain #1", "answered:explained", "answered:explained"],
  ["dismiss #1 it's a test", NO_ACCESS, "done:contested"],
  ["waive #1 until May", NO_ACCESS, "done:waived"],
  ["learn: ids are numbers", NO_ACCESS, "done:learned"],
  ["fix all", NO_ACCESS, "refused:write-off"],
  ["change here: bind the id", NO_ACCESS, "refused:write-off"],
  ["apply: bind the id", NO_ACCESS, "refused:write-off"],
  ["pause", NO_ACCESS, "done:paused"],
  ["resume", NO_ACCESS, "done:resumed"],
  ["resolve #1", NO_ACCESS, "answered:nothing-open"],
  [LAST, "done:review-requested", "done:review-requested"],
];

/** Answers to people without write access take at most a third of the writes of a minute: three for each of eight commands. */
const PER_STAGE = { stranger: 6, contributor: 6, maintainer: COMMANDS.length } as const;

/** Each person and place has repositories of their own installations, because an installation may write only so much in a minute. */
type Stage = {
  readonly commands: typeof COMMANDS;
  readonly who: Who;
  readonly where: Where;
  readonly pullRequest: PullRequest;
};

async function openStage(
  { fake }: Scenario,
  { who, where, part }: Pick<Stage, "who" | "where"> & { readonly part: number },
): Promise<Stage> {
  const owner = `${who}-${where}-${part}`;
  const commands = COMMANDS.slice(part * PER_STAGE[who], (part + 1) * PER_STAGE[who]);
  const installation = fake.createInstallation(owner);
  // Younger than the pull request, so that no sweep finds it.
  Object.assign(installation, { createdAtMs: fake.clock.now() + 3_600_000 });
  const config = `review: { debounceSeconds: 0 }\nmentions: { maxTurns: 50 }\nwrite: { enabled: ${who !== "maintainer"} }\n`;
  const files = { ...BEFORE, "README.md": owner, ".kodiai.yml": config };
  const repository = await fake.createRepository({ owner, files, installation });
  if (who === "contributor") {
    const { author } = PEOPLE.contributor;
    const merged = await fake.openPullRequest(repository, { files: { "a.md": "a\n" }, author, branch: "a" });
    await fake.closePullRequest(merged, { isMerged: true });
  }
  const pullRequest = await fake.openPullRequest(repository, { title: "Find users", files: AFTER });
  await fake.send(await fake.events.pullRequest("opened", pullRequest));
  return { who, where, commands, pullRequest };
}

async function threadOn(scenario: Scenario, pullRequest: PullRequest): Promise<ReviewComment> {
  return eventually("the review", () => {
    const isReviewed = scenario.fake.checksOf(pullRequest).some(({ status }) => status === "completed");
    return isReviewed && scenario.fake.reviewCommentsOf(pullRequest).find(({ line }) => line === 4);
  });
}

type Comment = IssueComment | ReviewComment;
type Given = { readonly words: string; readonly comment: Comment };

async function outcomeOf({ database }: Scenario, comment: Comment): Promise<string | null> {
  const request = `${"issue" in comment ? "comment" : "review-comment"}:${comment.id}`;
  const rows = await database.query<{ outcome: string | null }>(
    "select outcome from mentions where request = $1",
    [request],
  );
  return rows[0]?.outcome ?? null;
}

const ended = (scenario: Scenario, comment: Comment): Promise<string> =>
  eventually(`the end of ${comment.body}`, () => outcomeOf(scenario, comment));

/** The commands of one conversation are handled in order, so none waits for the one before. */
async function giveAll(
  scenario: Scenario,
  { who, where, commands, pullRequest: on }: Stage,
  root: ReviewComment,
): Promise<readonly Given[]> {
  const given: Given[] = [];
  for (const [words] of commands) {
    // A review that is requested later would replace the one that `resume` requested.
    if (words === LAST) for (const { comment } of given) await reacted(scenario, comment);
    const comment =
      where === "thread"
        ? await mentionInThread(scenario, root, `@kodiai ${words.replace(" #1", "")}`, PEOPLE[who].author)
        : await mention(scenario, `/kodiai ${words}`, { ...PEOPLE[who], on });
    given.push({ words, comment });
    // Three refusals within an hour mute a person, so each command is the first of its hour.
    if (who !== "maintainer") {
      await reacted(scenario, comment);
      await scenario.database.query("update mentions set at = at - 3600000 where outcome is not null");
    }
  }
  return given;
}

/** Waits for the reactions that belong to the outcome. */
async function reacted(scenario: Scenario, comment: Comment): Promise<void> {
  const outcome = await ended(scenario, comment);
  const wanted = /^(?:answered|done):/.test(outcome) ? "+1 eyes" : "confused eyes";
  await eventually(
    `${wanted} on ${comment.body}`,
    () => scenario.fake.reactionsOf(comment).toSorted().join(" ") === wanted,
  );
}

async function assertAllowed(scenario: Scenario, stage: Stage): Promise<void> {
  const { who, where, commands, pullRequest } = stage;
  const name = `${who}, ${where}`;
  const root = await threadOn(scenario, pullRequest);
  const given = await giveAll(scenario, stage, root);
  for (const { comment } of given) await reacted(scenario, comment);
  const outcomes = await Promise.all(
    given.map(async ({ words, comment }) => [words, await outcomeOf(scenario, comment)]),
  );
  const wanted = commands.map(([words, others, maintainer]) => [
    words,
    who === "maintainer" ? maintainer : others,
  ]);
  assert.deepEqual(outcomes, wanted, name);
  // A review is its own answer. Every other command has one, where it was given.
  const answers = wanted.filter(
    ([, outcome]) => outcome !== "done:review-requested" && outcome !== "done:resumed",
  ).length;
  const [inConversation, inThread] = [answersOn(scenario, pullRequest), answersIn(scenario, root)];
  const suggested = [...inConversation, ...inThread].flatMap(
    (answer) => /^Did you mean (.*)\?/.exec(answer)?.[1] ?? [],
  );
  const isAsked = commands.some(([words]) => words === "please apply the patch");
  assert.deepEqual(suggested, isAsked ? ["`@kodiai apply:`"] : [], name);
  const counts = [inConversation.length, inThread.length];
  assert.deepEqual(counts, where === "thread" ? [0, answers] : [answers, 0], name);
  const kept = who === "maintainer" ? 1 : 0;
  assert.deepEqual(await leftBy(scenario, pullRequest), { verdicts: kept, learnings: kept, pauses: 0 }, name);
  const resolved = (await scenario.fake.threadsOf(pullRequest)).filter(
    ({ resolvedBy }) => resolvedBy !== null,
  );
  assert.equal(resolved.length, kept, name);
}

/** Counts what commands have left behind in the repository. */
async function leftBy({ database }: Scenario, { repository }: PullRequest) {
  const count = async (from: string): Promise<number> => {
    const [row] = await database.query<{ count: number }>(
      `select count(*) as count from ${from} and repository_id = $1`,
      [repository.id],
    );
    return Number(row?.count);
  };
  return {
    verdicts: await count("findings where verdict is not null"),
    learnings: await count("learnings where 1 = 1"),
    pauses: await count("pauses where 1 = 1"),
  };
}

test("each command works for exactly the people who may give it, wherever it is given", async (openScenario) => {
  const scenario = await openScenario();
  await scenario.start();
  const stages = (["stranger", "contributor", "maintainer"] as const).flatMap((who) =>
    (["conversation", "thread"] as const).flatMap((where) =>
      Array.from({ length: COMMANDS.length / PER_STAGE[who] }, (_, part) => ({ who, where, part })),
    ),
  );
  const work = async (stage: (typeof stages)[number]): Promise<void> =>
    assertAllowed(scenario, await openStage(scenario, stage));
  await Promise.all(stages.map((stage) => orStopAll(work(stage))));
  const failure = stopped.by;
  stopped.by = null;
  if (failure !== null) throw failure;
  await scenario.settled();
  scenario.check({ isSummary, reviewsPerHead: 3 });
});

test("a redelivered, edited, deleted or automatic comment gives no command", async (openScenario) => {
  const scenario = await openScenario();
  const { fake, pullRequest } = scenario;
  await scenario.start();
  const { comments } = await fake.review(pullRequest, {
    author: "bob",
    body: "",
    comments: [{ path: "src/users.ts", line: 4, body: "Why?" }],
  });
  const root = comments[0];
  assert.ok(root !== undefined);
  const help = await mention(scenario, "/kodiai help");
  // From then on the app knows its name, and handles comments in order.
  await reacted(scenario, help);
  const pause = await mention(scenario, "/kodiai pause");
  const resume = await mention(scenario, "/kodiai resume");
  for (const comment of [pause, resume]) await reacted(scenario, comment);

  // Redelivered, edited to a command, and by apps.
  await fake.send(fake.events.comment(pause));
  const before = fake.editComment(help, "/kodiai pause");
  await fake.send(fake.events.comment(help, { action: "edited", from: before }));
  await mention(scenario, "/kodiai pause", { author: "renovate[bot]" });
  await fake.send(
    await fake.events.reviewComment(fake.reply(root, { author: "kodiai[bot]", body: "/kodiai pause" })),
  );
  // Deleted before the event arrived.
  const deleted = [
    fake.comment(pullRequest, { author: "ada", body: "/kodiai pause" }),
    fake.reply(root, { author: "ada", body: "/kodiai pause" }),
  ];
  for (const comment of deleted) {
    const event =
      "issue" in comment ? fake.events.comment(comment) : await fake.events.reviewComment(comment);
    fake.deleteComment(comment);
    await fake.send(event);
  }
  const last = await mentionInThread(scenario, root, "/kodiai help");
  await reacted(scenario, last);
  for (const comment of deleted) assert.equal(await ended(scenario, comment), "skipped:comment-deleted");
  assert.equal((await leftBy(scenario, pullRequest)).pauses, 0);
  assert.equal(answersOn(scenario, pullRequest).length, 2);
  assert.equal(answersIn(scenario, root).length, 1);
  const rows = await scenario.database.query<{ request: string }>("select request from mentions");
  assert.equal(rows.length, 7, "the bot's is recorded, and skipped");
  await scenario.settled();
  scenario.check({ isSummary });
});
