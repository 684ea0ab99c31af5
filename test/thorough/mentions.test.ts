/** People talk to the app: every mention gets one answer in its place, through crashes, and the model is paid once. */
import assert from "node:assert/strict";
import { suite } from "node:test";
import { QUEUE_DEFAULTS } from "../../src/queue/queue.ts";
import { eventually } from "../support/eventually.ts";
import {
  answersIn,
  answersOn,
  isSummary,
  mention,
  mentionInThread,
  mentionJobs,
  mentionsEnded,
} from "../support/app/mentions.ts";
import { AFTER } from "../support/app/scenario.ts";
import { testModels } from "../support/model-scenes/model-scene.ts";
import {
  CALLS_PER_ANSWER,
  QUESTIONS_CONFIG,
  answerQuestions,
  isQuestion,
  reviewFirst,
} from "../support/model-scenes/questions.ts";

/** As many as an installation may have at a time. */
const SLOTS = QUEUE_DEFAULTS.groupLimit;

/** Each point, and how often the model is asked if the process is killed there. */
const KILLED: readonly (readonly [point: string, answers: number])[] = [
  ["after-claim", 1],
  ["after-reply", 1],
  ["before-answer", 1],
  ["after-answer", 1],
];

void suite("the process is killed", { concurrency: 2 }, () => {
  for (const [point, answers] of KILLED) {
    testModels(`[P14] ${point}: one answer, and the model is paid once`, async (openModelScene) => {
      const scene = await openModelScene({ config: QUESTIONS_CONFIG, script: answerQuestions });
      const doomed = await scene.start(["serve"], { KODIAI_FAULT_POINT: point });
      const comment = await mention(scene, "@kodiai how are users read?");
      assert.equal(await doomed.ended, "SIGKILL", doomed.output());
      await scene.start();
      assert.deepEqual(await mentionsEnded(scene, 1), ["answered:ask"]);
      assert.equal(answersOn(scene, scene.pullRequest).length, 1);
      assert.deepEqual(scene.fake.reactionsOf(comment).toSorted(), ["+1", "eyes"]);
      assert.equal(scene.server.requests.length, answers * CALLS_PER_ANSWER);
      scene.check({ isSummary });
    });
  }

  for (const point of ["after-hand-over", "before-answer"]) {
    testModels(`${point}: the next command of the comment still comes after it`, async (openModelScene) => {
      const scene = await openModelScene({ config: QUESTIONS_CONFIG, script: answerQuestions });
      const doomed = await scene.start(["serve"], { KODIAI_FAULT_POINT: point });
      await mention(scene, "@kodiai how are users read?\n@kodiai pause");
      assert.equal(await doomed.ended, "SIGKILL", doomed.output());
      assert.deepEqual(await scene.database.query("select * from pauses"), []);
      await scene.start();
      assert.equal((await mentionsEnded(scene, 2))[0], "answered:ask");
      const ended = await scene.database.query<{ command: string }>(
        "select command from mentions order by finished_at",
      );
      assert.deepEqual(
        ended.map(({ command }) => command),
        ["ask", "pause"],
      );
      assert.equal(answersOn(scene, scene.pullRequest).length, 2);
      scene.check({ isSummary });
    });
  }

  testModels("at the same step three times: one line says so, and only one", async (openModelScene) => {
    const scene = await openModelScene({ config: QUESTIONS_CONFIG, script: answerQuestions });
    const { fake, pullRequest } = scene;
    await fake.send(await fake.events.pullRequest("closed", pullRequest));
    let isFirst = true;
    scene.server.onRequest(() => {
      if (!isFirst) return;
      isFirst = false;
      doomed.kill("SIGKILL");
    });
    const doomed = await scene.start(["serve"]);
    const comment = await mention(scene, "@kodiai how are users read?");
    assert.equal(await doomed.ended, "SIGKILL");
    await scene.start(["serve"], { KODIAI_FAULT_POINT: "after-claim" });
    const [outcome] = await mentionsEnded(scene, 1);
    assert.equal(outcome, "failed:poison");
    assert.equal(answersOn(scene, pullRequest).length, 1);
    assert.match(answersOn(scene, pullRequest)[0] ?? "", /^Kodiai couldn't answer \(`failed:poison`\)\./);
    assert.deepEqual(fake.reactionsOf(comment).toSorted(), ["confused", "eyes"]);
  });
});

testModels("a redelivery and an edited comment lead to no second answer", async (openModelScene) => {
  const scene = await openModelScene({ config: QUESTIONS_CONFIG, script: answerQuestions });
  const { fake, pullRequest } = scene;
  await scene.start();
  const comment = await mention(scene, "@kodiai how are users read?");
  await mentionsEnded(scene, 1);
  const asked = scene.server.requests.length;
  await fake.send(fake.events.comment(comment));
  const before = fake.editComment(comment, "@kodiai how are users read? Please.");
  await fake.send(fake.events.comment(comment, { action: "edited", from: before }));
  // A later mention is handled after them.
  await mention(scene, "/kodiai help");
  assert.equal((await mentionsEnded(scene, 2)).length, 2);
  assert.equal(answersOn(scene, pullRequest).length, 2);
  assert.equal(scene.server.requests.length, asked);
});

testModels("GitHub posts the answer and loses the response: one answer", async (openModelScene) => {
  const scene = await openModelScene({ config: QUESTIONS_CONFIG, script: answerQuestions });
  const { fake, pullRequest } = scene;
  await scene.start();
  fake.faults.add({ operation: "issues/create-comment", fault: { kind: "lost", by: "reset" } });
  const comment = await mention(scene, "@kodiai how are users read?");
  await eventually("the answer", () => answersOn(scene, pullRequest).length > 0);
  await eventually("the end", async () => {
    await scene.passTime(60_000);
    const [row] = await scene.database.query<{ outcome: string | null }>("select outcome from mentions");
    return row?.outcome === "answered:ask";
  });
  assert.equal(answersOn(scene, pullRequest).length, 1);
  assert.deepEqual(fake.reactionsOf(comment).toSorted(), ["+1", "eyes"]);
  assert.equal(scene.server.requests.length, CALLS_PER_ANSWER);
});

testModels(
  "[P11] a pull request gets so many answers, then one line, and reviews aren't affected",
  async (openModelScene) => {
    const scene = await openModelScene({
      config: `mentions:\n  maxTurns: 3\n${QUESTIONS_CONFIG}`,
      script: answerQuestions,
    });
    const { pullRequest } = scene;
    await scene.start();
    for (let index = 0; index < 5; index++) await mention(scene, `@kodiai question ${index}?`);
    const outcomes = await mentionsEnded(scene, 5);
    assert.deepEqual(
      [
        outcomes.filter((each) => each === "answered:ask").length,
        outcomes.filter((each) => each === "refused:max-turns").length,
      ],
      [3, 2],
    );
    assert.equal(scene.server.requests.length, 3 * CALLS_PER_ANSWER);
    const refusals = answersOn(scene, pullRequest).filter((each) => /3 answers here/.test(each));
    assert.equal(refusals.length, 2);
    await reviewFirst(scene);
    assert.deepEqual(scene.published().comments, ["src/users.ts:4", "src/users.ts:10"]);
    scene.check({ isSummary });
  },
);

testModels(
  "[P11] strangers get two answers an hour, one line, and then a reaction only, booked on them",
  async (openModelScene) => {
    const scene = await openModelScene({ config: QUESTIONS_CONFIG, script: answerQuestions });
    const { fake, pullRequest } = scene;
    await scene.start();
    const stranger = { author: "mallory", association: "NONE" };
    const comments = [];
    for (let index = 0; index < 5; index++)
      comments.push(await mention(scene, `@kodiai question ${index}?`, stranger));
    const outcomes = await mentionsEnded(scene, 5);
    assert.equal(outcomes.filter((each) => each === "refused:request-limit").length, 3);
    assert.equal(scene.server.requests.length, 2 * CALLS_PER_ANSWER);
    const lines = answersOn(scene, pullRequest).filter((each) =>
      /2 times an hour.*Try again after \d\d:\d\d UTC/.test(each),
    );
    assert.equal(lines.length, 1);
    assert.equal(answersOn(scene, pullRequest).length, 3);
    const reactions = comments.map((comment) => fake.reactionsOf(comment).toSorted().join(" "));
    assert.deepEqual(reactions.toSorted(), [
      "+1 eyes",
      "+1 eyes",
      "confused eyes",
      "confused eyes",
      "confused eyes",
    ]);
    const booked = await scene.database.query<{ author: string }>("select distinct author from spendings");
    assert.deepEqual(
      booked.map(({ author }) => author),
      ["mallory"],
    );
    // Their limit is not that of people with write access.
    await mention(scene, "@kodiai and now?");
    assert.equal((await mentionsEnded(scene, 6)).at(-1), "answered:ask");
  },
);

testModels("[P11] a used-up budget is named, and nothing is spent", async (openModelScene) => {
  const config = `budget:\n  perPullRequestUsd: 0.000001\n${QUESTIONS_CONFIG}`;
  const scene = await openModelScene({ config, script: answerQuestions });
  await scene.start();
  const comment = await mention(scene, "@kodiai how are users read?");
  assert.deepEqual(await mentionsEnded(scene, 1), ["failed:over-budget"]);
  const [answer = ""] = answersOn(scene, scene.pullRequest);
  assert.match(answer, /^The model gave no answer: the budget is used up\./);
  assert.deepEqual(scene.fake.reactionsOf(comment).toSorted(), ["confused", "eyes"]);
  assert.equal(scene.server.requests.length, 0);
});

testModels("a model that fails is named with its reason in one line", async (openModelScene) => {
  const failing = { faults: [{ kind: "status", status: 401, times: "always" }] } as const;
  const scene = await openModelScene({ config: QUESTIONS_CONFIG, script: () => failing });
  await scene.start();
  const comment = await mention(scene, "@kodiai how are users read?");
  assert.deepEqual(await mentionsEnded(scene, 1), ["failed:http-401"]);
  assert.deepEqual(answersOn(scene, scene.pullRequest), [
    "The model gave no answer: HTTP 401: authentication failed. Comment again to retry.",
  ]);
  assert.deepEqual(scene.fake.reactionsOf(comment).toSorted(), ["confused", "eyes"]);
});

testModels("explain has a model's answer above the facts; so has a summary", async (openModelScene) => {
  const scene = await openModelScene({ config: QUESTIONS_CONFIG, script: answerQuestions });
  const { pullRequest } = scene;
  await scene.start();
  const root = await reviewFirst(scene);
  await mentionInThread(scene, root, "@kodiai explain why?");
  await mention(scene, "/kodiai summary");
  await mention(scene, "/kodiai plan: bind the id");
  assert.deepEqual((await mentionsEnded(scene, 3)).toSorted(), [
    "answered:explain",
    "answered:plan",
    "answered:summary",
  ]);
  const [explained = ""] = answersIn(scene, root);
  assert.match(explained, /^It reads users by id.*\n\n---\n\n\*\*.*\(1\)/);
  assert.match(explained, /`sql-from-strings`/);
  assert.match(explained, /return db\.query\(`select \* from users where id = \$\{id\}`\);/);
  assert.match(explained, /reported at/);
  assert.equal(answersOn(scene, pullRequest).length, 2);
  scene.check({ isSummary });
});

testModels(
  "a closed pull request is still explained, and a deleted comment gets nothing",
  async (openModelScene) => {
    const scene = await openModelScene({ config: QUESTIONS_CONFIG, script: answerQuestions });
    const { fake, pullRequest } = scene;
    await scene.start();
    await fake.closePullRequest(pullRequest);
    await mention(scene, "@kodiai how are users read?");
    assert.deepEqual(await mentionsEnded(scene, 1), ["answered:ask"]);
    assert.match(answersOn(scene, pullRequest)[0] ?? "", /^It reads users by id, see \[/);
    // The comment disappears while the first job hands over.
    const stop = fake.onResponse("reactions/create-for-issue-comment", () => {
      stop();
      fake.deleteComment(comment);
    });
    const comment = fake.comment(pullRequest, { author: "ada", association: "MEMBER", body: "@kodiai why?" });
    await fake.send(fake.events.comment(comment));
    assert.equal((await mentionsEnded(scene, 2)).at(-1), "skipped:comment-deleted");
    assert.equal(answersOn(scene, pullRequest).length, 1);
  },
);

testModels("a conversation that is locked meanwhile is recorded, without a loop", async (openModelScene) => {
  const scene = await openModelScene({ config: QUESTIONS_CONFIG, script: answerQuestions });
  const { pullRequest } = scene;
  await scene.start();
  scene.server.onRequest(() => void (pullRequest.isLocked = true));
  await mention(scene, "@kodiai how are users read?");
  assert.deepEqual(await mentionsEnded(scene, 1), ["failed:unanswered"]);
  assert.deepEqual(answersOn(scene, pullRequest), []);
  assert.deepEqual(
    (await mentionJobs(scene)).map(({ state }) => state),
    ["done", "done"],
  );
});

testModels("a question is answered while every slot is busy with a review", async (openModelScene) => {
  const scene = await openModelScene({
    config: QUESTIONS_CONFIG,
    script: (request) =>
      isQuestion(request) ? answerQuestions(request) : { faults: [{ kind: "silence", times: "always" }] },
  });
  const { fake, pullRequest, repository, server } = scene;
  const app = await scene.start(["serve", "--concurrency", String(SLOTS)]);
  await scene.send("opened");
  for (let index = 1; index <= SLOTS; index++) {
    const other = await fake.openPullRequest(repository, { files: AFTER, branch: `other-${index}` });
    await fake.send(await fake.events.pullRequest("opened", other));
  }
  await eventually("every slot to wait for the model", () => server.requests.length === SLOTS);
  await mention(scene, "@kodiai how are users read?");
  await eventually("the answer", () => answersOn(scene, pullRequest).length === 1);
  const reviews = await scene.jobs();
  assert.deepEqual(
    reviews.map(({ state }) => state).toSorted(),
    ["queued", ...Array.from({ length: SLOTS }, () => "running")],
    "all slots are still busy, and the limit of the installation holds",
  );
  app.kill("SIGKILL");
  await app.ended;
});
