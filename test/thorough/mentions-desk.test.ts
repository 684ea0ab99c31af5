/** Commands in comments that Kodiai answers at once, on the whole app: who may, what they change, and one answer through crashes. */
import assert from "node:assert/strict";
import type { Issue, IssueComment, PullRequest, ReviewComment } from "../../fake-github/world.ts";
import { pushAndReview, reasonOf } from "../support/app/pushes.ts";
import { AFTER, type Scenario } from "../support/app/scenario.ts";
import { testAppInOneProcess as test } from "../support/app/test-app.ts";
import { eventually } from "../support/eventually.ts";

const CONFIG = "review:\n  debounceSeconds: 0\n";

async function begin(scenario: Scenario): Promise<void> {
  scenario.repository.roles.set("ben", "write");
  await scenario.start();
  assert.equal(await reasonOf(scenario, () => scenario.send("opened")), "published");
}

/** The app's comment on that line. */
function commentOn({ fake, pullRequest }: Scenario, line: number): ReviewComment {
  const found = fake.reviewCommentsOf(pullRequest).find((each) => each.line === line);
  assert.ok(found !== undefined, `line ${line} has a comment`);
  return found;
}

type Answered = { readonly texts: readonly string[]; readonly reactions: readonly string[] };

/** Comments in the conversation, and returns the app's new comments there and its reactions. */
async function say(scenario: Scenario, author: string, body: string, on?: Issue): Promise<Answered> {
  const { fake, pullRequest } = scenario;
  const comment = fake.comment(on ?? pullRequest, { author, body });
  return answerTo(scenario, comment, on ?? pullRequest);
}

async function answerTo(scenario: Scenario, comment: IssueComment, on: Issue): Promise<Answered> {
  const { fake } = scenario;
  await fake.send(fake.events.comment(comment));
  await idle(scenario);
  const after = fake.commentsOf(on).slice(fake.commentsOf(on).indexOf(comment) + 1);
  return { texts: after.map(({ body }) => withoutMarker(body)), reactions: fake.reactionsOf(comment) };
}

/** Replies in a thread, and returns the app's new replies and its reactions. */
async function replyIn(
  scenario: Scenario,
  root: ReviewComment,
  author: string,
  body: string,
): Promise<Answered> {
  const { fake } = scenario;
  const reply = fake.reply(root, { author, body });
  await fake.send(await fake.events.reviewComment(reply));
  await idle(scenario);
  const replies = fake.repliesOf(root);
  const after = replies.slice(replies.indexOf(reply) + 1);
  return { texts: after.map((each) => withoutMarker(each.body)), reactions: fake.reactionsOf(reply) };
}

function withoutMarker(body: string): string {
  return body.replace(/\s*<!--[\s\S]*$/, "");
}

/** Waits until every job has ended. */
async function idle({ queue }: Scenario): Promise<void> {
  await eventually("all jobs to end", async () => {
    const open = await queue.list({ states: ["queued", "running"], limit: 100 });
    return open.every(({ kind }) => kind === "reconcile" || kind.startsWith("embed"));
  });
}

function summaryOf({ fake }: Scenario, pullRequest: PullRequest): string {
  return fake.commentsOf(pullRequest).find(({ body }) => body.includes("kodiai:summary"))?.body ?? "";
}

async function outcomes({ database }: Scenario): Promise<readonly string[]> {
  const rows = await database.query("select login, command, outcome from mentions order by at, request");
  return rows.map((row) => Object.values(row).join(" "));
}

test("a dismissed and a waived finding stay so, with the person's reason, and teach", async (openScenario) => {
  const scenario = await openScenario({ config: CONFIG });
  const { fake, pullRequest, database } = scenario;
  await begin(scenario);
  const dismissed = await replyIn(
    scenario,
    commentOn(scenario, 10),
    "ben",
    "@kodiai dismiss @ada knows <b>it</b>",
  );
  assert.match(
    dismissed.texts.join("\n--\n"),
    /^Finding 2 \(.*\) is dismissed by `ben`: @&#8203;ada knows &lt;b&gt;it/,
  );
  assert.equal(dismissed.texts.length, 1);
  assert.deepEqual(dismissed.reactions, ["eyes", "+1"]);

  // A stranger changes nothing, and learns why.
  const refused = await say(scenario, "eve", "/kodiai waive 1 looks fine");
  assert.deepEqual(refused, {
    texts: ["`waive` needs write access to this repository."],
    reactions: ["eyes", "confused"],
  });
  const waived = await say(scenario, "ben", "/kodiai waive 1 internal tool");
  assert.match(waived.texts.join(), /^Finding 1 \(.*\) is accepted by `ben`: internal tool/);
  const unknown = await say(scenario, "ben", "/kodiai dismiss 9 why");
  assert.deepEqual(unknown.texts, ["There is no finding 9: this pull request has findings up to 2."]);

  assert.equal(await pushAndReview(scenario, { "src/users.test.ts": "// three\n" }), "published");
  assert.equal(
    fake.reviewCommentsOf(pullRequest).filter(({ author }) => author.login === `${fake.slug}[bot]`).length,
    3,
  );
  const summary = summaryOf(scenario, pullRequest);
  assert.match(summary, /### Dismissed or accepted \(2\)/);
  assert.match(summary, /: accepted by `ben`: internal tool/);
  assert.match(summary, /: dismissed by `ben`: @&#8203;ada knows/);
  assert.doesNotMatch(summary, /still open/i);
  const feedback = await database.query("select signal, person, teaches from feedback order by 1");
  assert.deepEqual(
    feedback.map((row) => Object.values(row)),
    [
      ["dismissed", "ben", 1],
      ["waived", "ben", 1],
    ],
  );
  // The opposite command replaces it.
  assert.match((await say(scenario, "ben", "/kodiai waive 2 after all")).texts.join(), /is accepted by/);
  const states = await database.query("select number, verdict, verdict_reason from findings order by number");
  assert.deepEqual(
    states.map((row) => Object.values(row)),
    [
      [1, "waived", "internal tool"],
      [2, "waived", "after all"],
    ],
  );
  assert.deepEqual(await outcomes(scenario), [
    "ben dismiss done:contested",
    "eve waive refused:no-write-access",
    "ben waive done:waived",
    "ben dismiss refused:unknown-finding",
    "ben waive done:waived",
  ]);
  scenario.check();
});

test("a finding that is dismissed while a review runs isn't open again afterwards", async (openScenario) => {
  const scenario = await openScenario({ config: CONFIG });
  const { fake, pullRequest } = scenario;
  await begin(scenario);
  let answer: Answered | null = null;
  const off = fake.onRequest("checks/list-for-ref", async () => {
    off();
    const reply = fake.reply(commentOn(scenario, 10), { author: "ben", body: "/kodiai dismiss wanted" });
    await fake.send(await fake.events.reviewComment(reply));
    await eventually("the answer", () => fake.reactionsOf(reply).includes("+1"));
    answer = { texts: [], reactions: fake.reactionsOf(reply) };
  });
  const more = AFTER["src/users.ts"].replace(
    "  } catch {}\n}\n",
    '  } catch {}\n}\n\nexport function save() {\n  try {\n    find("2");\n  } catch {}\n}\n',
  );
  assert.equal(await pushAndReview(scenario, { "src/users.ts": more }), "published");
  assert.notEqual(answer, null);
  assert.equal(await pushAndReview(scenario, { "src/users.test.ts": "// four\n" }), "published");
  assert.match(summaryOf(scenario, pullRequest), /: dismissed by `ben`: wanted/);
  scenario.check();
});

test("a pause survives a restart, and resume reviews what was pushed", async (openScenario) => {
  const scenario = await openScenario({ config: CONFIG });
  const { fake, pullRequest } = scenario;
  scenario.repository.roles.set("ben", "write");
  const app = await scenario.start();
  assert.equal(await reasonOf(scenario, () => scenario.send("opened")), "published");
  for (const command of ["pause", "resume", "resolve"])
    assert.deepEqual((await say(scenario, "eve", `@kodiai ${command}`)).texts, [
      `\`${command}\` needs write access to this repository.`,
    ]);
  assert.match((await say(scenario, "ben", "@kodiai pause")).texts.join(), /are paused\. .*`@kodiai resume`/);
  await app.stop();
  await scenario.start();
  assert.equal(await pushAndReview(scenario, { "src/users.test.ts": "// three\n" }), "skipped:paused");
  const paused = fake.checksOf(pullRequest).at(-1);
  assert.match(paused?.output?.title ?? "", /ben paused reviews/);
  assert.match(paused?.output?.summary ?? "", /comment `@kodiai resume`/);
  assert.equal(await reasonOf(scenario, () => say(scenario, "mia", "@kodiai review")), "published");
  assert.equal(await pushAndReview(scenario, { "src/users.test.ts": "// four\n" }), "skipped:paused");
  assert.equal(await reasonOf(scenario, () => say(scenario, "ben", "@kodiai resume")), "published");
  assert.equal(await pushAndReview(scenario, { "src/users.test.ts": "// five\n" }), "published");
  scenario.check();
});

test("resolve, learn, configuration, help and words that are no command", async (openScenario) => {
  const scenario = await openScenario({
    config: `${CONFIG}mentions:\n  maxTurns: 4\nfloor:\n  rules:\n    no-such-rule: "off"\n`,
  });
  const { fake, pullRequest, database, repository } = scenario;
  await begin(scenario);
  const { comments } = await fake.review(pullRequest, {
    author: "cem",
    body: "",
    comments: [{ path: "src/users.ts", line: 7, body: "Why?" }],
  });
  const [others] = comments;
  assert.ok(others !== undefined);
  const foreign = await replyIn(scenario, others, "ben", "/kodiai resolve");
  assert.match(foreign.texts.join(), /isn't about a finding of Kodiai/);
  assert.deepEqual((await say(scenario, "ben", "/kodiai resolve 2")).texts, ["1 thread resolved."]);
  assert.deepEqual((await say(scenario, "ben", "/kodiai resolve")).texts, ["1 thread resolved."]);
  assert.deepEqual((await say(scenario, "ben", "/kodiai resolve")).texts, ["None of these threads is open."]);
  const threads = await fake.threadsOf(pullRequest);
  assert.deepEqual(
    threads.map(({ resolvedBy }) => resolvedBy !== null),
    [true, true, false],
  );

  const issue = fake.createIssue(repository);
  for (let times = 0; times < 2; times++)
    assert.match(
      (await say(scenario, "ben", "/kodiai learn: Errors are returned,\nnever thrown.", issue)).texts.join(),
      /\(l1\): Errors are returned, never thrown\./,
    );
  const learnings = await database.query(
    "select text, source, created_by, provenance from learnings where source = 'person'",
  );
  assert.deepEqual(
    learnings.map((row) => [row["text"], row["source"], row["created_by"]]),
    [["Errors are returned, never thrown.", "person", "ben"]],
  );
  assert.match(String(learnings[0]?.["provenance"]), /\/issues\/\d+$/);

  const shown = (await say(scenario, "ben", "/kodiai configuration")).texts.join();
  assert.match(
    shown,
    /^\*\*Configuration:\*\* .kodiai.yml on main; no organization defaults [^\n]*\n\n- `review.debounceSeconds`: `0` \(`.kodiai.yml`\)/,
  );
  assert.match(shown, /unknown rule/);
  assert.match(shown, /<summary>Defaults \(\d+\)<\/summary>/);
  const help = (await say(scenario, "ben", "/kodiai help")).texts.join();
  assert.match(help, /^\*\*Reviews\*\*\n- `@kodiai review \[full\]`/);
  assert.match(help, /`@kodiai fix.*off here: `write.enabled`/);
  assert.match(help, /`@kodiai ask.*off here: no model is set up/);
  assert.match(
    (await say(scenario, "ben", "/kodiai reveiw")).texts.join(),
    /^Did you mean `@kodiai review`\?/,
  );
  assert.match(
    (await say(scenario, "ben", "/kodiai review", issue)).texts.join(),
    /works on pull requests only/,
  );
  assert.match(
    (await say(scenario, "ben", "/kodiai ask: why is it so?")).texts.join(),
    /needs a model, and none is set up here/,
  );
  assert.match(
    (await say(scenario, "ben", "/kodiai change: all of it")).texts.join(),
    /`write.enabled: true`/,
  );
  assert.match(
    (await say(scenario, "ben", "/kodiai explain 1")).texts.join(),
    /^\*\*\(1\) Medium[\s\S]*\*\*The rule:\*\*[\s\S]*\*\*The code\*\*[\s\S]*select \* from/,
  );

  // A stranger gets as many answers as there may be turns, then a reaction only.
  for (let turn = 0; turn < 4; turn++)
    assert.equal((await say(scenario, "eve", `/kodiai help`)).texts.length, 1);
  assert.deepEqual(await say(scenario, "eve", "/kodiai help"), {
    texts: [],
    reactions: ["eyes", "confused"],
  });
  assert.equal((await say(scenario, "ben", "/kodiai help")).texts.length, 1);
  scenario.check();
});

test("mentions that are off get neither a reaction nor an answer", async (openScenario) => {
  const scenario = await openScenario({ config: "mentions:\n  enabled: false\n" });
  await scenario.start();
  assert.deepEqual(await say(scenario, "ada", "/kodiai help"), { texts: [], reactions: [] });
  assert.deepEqual(await outcomes(scenario), ["ada help skipped:mentions-off"]);
});

for (const [point, body, reason] of [
  ["after-acknowledgement", "/kodiai pause", null],
  ["after-hand-over", "/kodiai review", "published"],
] as const)
  test(`${point}: after a crash there is one answer or one review`, async (openScenario) => {
    const scenario = await openScenario();
    const { fake, pullRequest } = scenario;
    scenario.repository.roles.set("ben", "write");
    const doomed = await scenario.start(["serve"], { KODIAI_FAULT_POINT: point });
    const comment = fake.comment(pullRequest, { author: "ben", body });
    await fake.send(fake.events.comment(comment));
    assert.equal(await doomed.ended, "SIGKILL", doomed.output());
    await scenario.start();
    // The same comment once more, as GitHub sends it when it got no answer in time.
    await fake.send(fake.events.comment(comment));
    await eventually("the mention to end", async () =>
      (await outcomes(scenario)).every((each) => /done:/.test(each)),
    );
    await idle(scenario);
    assert.deepEqual(fake.reactionsOf(comment), ["eyes", "+1"]);
    const jobs = await scenario.jobs();
    assert.deepEqual(
      jobs.map((job) => job.reason),
      reason === null ? [] : [reason],
    );
    assert.equal(fake.commentsOf(pullRequest).length, 2);
    scenario.check();
  });
