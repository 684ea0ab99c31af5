/** Feedback on the whole app: who teaches, what it changes in later reviews, and that every signal is stored. */
import assert from "node:assert/strict";
import type { PullRequest, ReviewComment } from "../../fake-github/world.ts";
import { readSuppressions, undoSuppression } from "../../src/store/repositories/suppressions.ts";
import { pushAndReview, reasonOf } from "../support/app/pushes.ts";
import { AFTER, type Scenario } from "../support/app/scenario.ts";
import { testAppInOneProcess as test } from "../support/app/test-app.ts";
import { eventually } from "../support/eventually.ts";

const CONFIG = "review:\n  debounceSeconds: 0\n";
const SUPPRESSING = `${CONFIG}feedback:\n  autoSuppress:\n    enabled: true\n`;

/** The empty catch is on line 10; the critical one, with pasted SQL, on line 4. */
const [SQL, CATCH] = ["src/users.ts:4", "src/users.ts:10"];

/** Ada, who opens the pull requests, may write too. */
const WRITERS = ["ben", "cem", "dan"];

async function begin(scenario: Scenario): Promise<void> {
  for (const login of WRITERS) scenario.repository.roles.set(login, "write");
  await scenario.start();
  await review(scenario, scenario.pullRequest);
}

function review(scenario: Scenario, pullRequest: PullRequest): Promise<void> {
  const { fake } = scenario;
  return reasonOf(scenario, async () => fake.send(await fake.events.pullRequest("opened", pullRequest))).then(
    (reason) => assert.equal(reason, "published"),
  );
}

/** Opens another pull request with the same findings, and waits for its review. */
async function openAnother(scenario: Scenario, branch: string): Promise<PullRequest> {
  const files = { ...AFTER, "src/users.test.ts": `// ${branch}\n` };
  const request = { title: "Find users again", files, branch };
  const pullRequest = await scenario.fake.openPullRequest(scenario.repository, request);
  await review(scenario, pullRequest);
  return pullRequest;
}

/** The app's comment on that line. */
function commentOn({ fake }: Scenario, pullRequest: PullRequest, line: number): ReviewComment {
  const found = fake.reviewCommentsOf(pullRequest).find((each) => each.line === line);
  assert.ok(found !== undefined, `line ${line} has a comment`);
  return found;
}

/** Waits for the job that `act` starts to read reactions. */
async function learning(scenario: Scenario, act: () => Promise<unknown>): Promise<void> {
  const learned = async () => {
    const jobs = await scenario.queue.list({ states: null, limit: 1_000 });
    return jobs.filter(({ kind }) => kind === "learn");
  };
  const before = (await learned()).length;
  await act();
  await eventually("reactions to be read", async () => {
    const jobs = await learned();
    const isOver = jobs.every(({ state }) => state === "done" || state === "superseded");
    return isOver && jobs.length > before;
  });
}

/** A comment without a verdict in a thread: GitHub sends an event for it, and none for reactions. */
function mention({ fake }: Scenario, comment: ReviewComment): Promise<unknown> {
  const reply = fake.reply(comment, { author: "eve", body: "Which query is it?" });
  return fake.events.reviewComment(reply).then((event) => fake.send(event));
}

async function rows({ database }: Scenario): Promise<readonly string[]> {
  const all = await database.query(
    "select pull_request, pattern, signal, person, teaches, reason from feedback order by 1, 2, 3, 4",
  );
  return all.map((row) => Object.values(row).join(" "));
}

function summaryOf({ fake }: Scenario, pullRequest: PullRequest): string {
  return fake.commentsOf(pullRequest).find(({ body }) => body.includes("kodiai:summary"))?.body ?? "";
}

test("three people on two pull requests suppress the third occurrence, never a critical one, until it is undone", async (openScenario) => {
  const scenario = await openScenario({ config: SUPPRESSING });
  const { fake, pullRequest: first, database, repository } = scenario;
  await begin(scenario);
  const second = await openAnother(scenario, "second");
  const react = (pullRequest: PullRequest, by: string): void => {
    for (const line of [4, 10]) fake.react(commentOn(scenario, pullRequest, line), { by, content: "-1" });
  };
  // The author's own, a bot's and a stranger's do nothing.
  for (const by of ["ada", "lint[bot]", "eve", "ben", "cem"]) react(first, by);
  for (const by of ["ada", "lint[bot]", "eve"]) react(second, by);
  await learning(scenario, () => mention(scenario, commentOn(scenario, first, 10)));
  await learning(scenario, () => mention(scenario, commentOn(scenario, second, 10)));
  const third = await openAnother(scenario, "third");
  assert.deepEqual(scenario.published(third).comments, [SQL, CATCH]);

  react(second, "dan");
  await learning(scenario, () => mention(scenario, commentOn(scenario, second, 10)));
  const taught = (await rows(scenario)).filter((row) => row.includes(" 1 ") && row.includes("empty-catch"));
  assert.deepEqual(taught, [
    `${first.number} rule:empty-catch thumbs-down ben 1 write-access`,
    `${first.number} rule:empty-catch thumbs-down cem 1 write-access`,
    `${second.number} rule:empty-catch thumbs-down dan 1 write-access`,
  ]);
  const fourth = await openAnother(scenario, "fourth");
  assert.deepEqual(scenario.published(fourth).comments, [SQL]);
  assert.match(summaryOf(scenario, fourth), /suppressed by feedback/i);

  // One person takes the reaction back.
  const taken = { by: "dan", content: "-1" };
  fake.takeBackReaction(commentOn(scenario, second, 10), taken);
  await learning(scenario, () => mention(scenario, commentOn(scenario, second, 10)));
  const fifth = await openAnother(scenario, "fifth");
  assert.deepEqual(scenario.published(fifth).comments, [SQL, CATCH]);
  const events = await database.query(
    "select reason, actor from finding_events where reason like 'feedback:%-removed'",
  );
  assert.deepEqual(
    events.map((row) => Object.values(row)),
    [["feedback:thumbs-down-removed", "dan"]],
  );

  // Given again, it suppresses again, until a person undoes that.
  fake.react(commentOn(scenario, second, 10), taken);
  await learning(scenario, () => mention(scenario, commentOn(scenario, second, 10)));
  const sixth = await openAnother(scenario, "sixth");
  assert.deepEqual(scenario.published(sixth).comments, [SQL]);
  for (const { id } of await readSuppressions(repository.id, database))
    await undoSuppression(id, "ben", Date.now() + 1_000, database);
  const seventh = await openAnother(scenario, "seventh");
  assert.deepEqual(scenario.published(seventh).comments, [SQL, CATCH]);
  scenario.check();
});

const THROWING = [
  "class Loader {",
  "  void Load() {",
  "    try {",
  "      Find();",
  "    } catch (Exception ex) {",
  "      Log(ex);",
  "      throw ex;",
  "    }",
  "  }",
  "}",
  "",
].join("\n");

test("every signal is stored with its person and reason, and what is taken back is removed", async (openScenario) => {
  const files = { ...AFTER, "src/Loader.cs": THROWING };
  const scenario = await openScenario({ config: CONFIG, pullRequest: { files } });
  const { fake, pullRequest } = scenario;
  await begin(scenario);
  const [sql, empty] = [commentOn(scenario, pullRequest, 4), commentOn(scenario, pullRequest, 10)];
  fake.react(sql, { by: "ben", content: "+1" });
  fake.react(empty, { by: "cem", content: "-1" });
  fake.react(empty, { by: "eve", content: "-1" });
  fake.react(empty, { by: "ada", content: "-1" });
  fake.reply(sql, { author: "ben", body: "Good catch, you're right." });
  fake.reply(empty, { author: "dan", body: "This is a false positive." });
  await learning(scenario, async () => {
    await fake.resolveThread(empty, "dan");
    await fake.send(await fake.events.thread("resolved", empty, "dan"));
  });
  const own = (rule: string, text: string): string => `${pullRequest.number} rule:${rule} ${text}`;
  const atFirst = [
    own("empty-catch", "disagrees dan 1 write-access"),
    own("empty-catch", "resolved dan 1 write-access"),
    own("empty-catch", "thumbs-down ada 0 author"),
    own("empty-catch", "thumbs-down cem 1 write-access"),
    own("empty-catch", "thumbs-down eve 0 no-write-access"),
    own("sql-from-strings", "agrees ben 1 write-access"),
    own("sql-from-strings", "thumbs-up ben 1 write-access"),
  ];
  assert.deepEqual(await rows(scenario), atFirst);
  await learning(scenario, async () => {
    await fake.unresolveThread(empty, "dan");
    await fake.send(await fake.events.thread("unresolved", empty, "dan"));
  });
  assert.deepEqual(
    await rows(scenario),
    atFirst.filter((row) => !row.includes("resolved")),
  );

  // The suggestion is committed, and the empty catch is fixed by hand.
  await fake.commitSuggestion(commentOn(scenario, pullRequest, 7), "ada");
  const fixed = AFTER["src/users.ts"].replace(
    "} catch {}",
    "} catch (error) {\n    console.error(error);\n  }",
  );
  await learning(scenario, async () => {
    assert.equal(await pushAndReview(scenario, { "src/users.ts": fixed }), "published");
  });
  await learning(scenario, async () => {
    await reasonOf(scenario, () =>
      fake.closePullRequest(pullRequest, { isMerged: true, by: "ben" }).then(() => scenario.send("closed")),
    );
    // The closing itself has read everything.
    await mention(scenario, sql);
  });
  assert.deepEqual(
    (await rows(scenario)).filter((row) => !atFirst.includes(row)),
    [
      own("csharp-throw-ex", "suggestion-committed ada 1 write-access"),
      own("empty-catch", "code-changed ada 1 write-access"),
      own("sql-from-strings", "merged-untouched ben 1 write-access"),
    ],
  );
  const outcomes = await scenario.database.query("select rule, outcome from memories order by rule");
  assert.deepEqual(
    outcomes.map((row) => Object.values(row)),
    [
      ["csharp-throw-ex", "accepted"],
      ["empty-catch", "dismissed"],
      ["sql-from-strings", "accepted"],
    ],
  );
  assert.deepEqual(await readSuppressions(scenario.repository.id, scenario.database), []);
  scenario.check();
});
