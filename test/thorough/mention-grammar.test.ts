/** Questions and commands as people write them, in every place and in their order: each is understood, and a command has a way back. */
import assert from "node:assert/strict";
import {
  answersIn,
  answersOn,
  isSummary,
  mention,
  mentionInThread,
  mentionsEnded,
} from "../support/app/mentions.ts";
import { AFTER } from "../support/app/scenario.ts";
import { testAppInOneProcess } from "../support/app/test-app.ts";
import { eventually } from "../support/eventually.ts";
import { testModels } from "../support/model-scenes/model-scene.ts";
import { answerQuestions, QUESTIONS_CONFIG, reviewFirst } from "../support/model-scenes/questions.ts";

const ASKING = "Reads users by id.\n\n@kodiai how are users read?";

testAppInOneProcess(
  "several commands are carried out in order, an edit may add one, and each has a way back",
  async (openScenario) => {
    const scene = await openScenario({
      config: "review:\n  debounceSeconds: 0\nbots:\n  allow: ['renovate[bot]']\n",
    });
    const { fake, pullRequest, repository } = scene;
    await scene.start();
    await scene.send("opened");
    await scene.settled();
    const last = (): string => answersOn(scene, pullRequest).at(-1) ?? "";

    await mention(scene, "@kodiai false positive\n\n@kodiai 2 is not a bug, the caller checks.");
    assert.deepEqual(await mentionsEnded(scene, 2), ["refused:no-finding", "done:contested"]);
    assert.match(last(), /^Finding 2 .*is dismissed by `ada`: 2 is not a bug, the caller checks/);
    assert.match(last(), /`@kodiai reopen 2` takes this back/);

    const edited = fake.comment(pullRequest, { author: "ada", association: "MEMBER", body: "Looks good." });
    await fake.send(fake.events.comment(edited));
    const from = fake.editComment(edited, "Looks good. @kodiai learn: we log with pino");
    for (let times = 0; times < 2; times++)
      await fake.send(fake.events.comment(edited, { action: "edited", from }));
    assert.equal((await mentionsEnded(scene, 3)).at(-1), "done:learned");
    const [, id = ""] = /`@kodiai forget (l\d+)` takes this back/.exec(last()) ?? [];
    await mention(scene, `@kodiai forget ${id}`);
    assert.equal((await mentionsEnded(scene, 4)).at(-1), "done:forgotten");
    assert.match(
      last(),
      /^Reviews don't take this into account any more .*we log with pino\n\n`@kodiai learn: TEXT`/,
    );
    await mention(scene, `@kodiai forget ${id}`);
    assert.equal((await mentionsEnded(scene, 5)).at(-1), "refused:unknown-learning");

    await mention(scene, "Nothing is new. @kodiai please re-review");
    assert.equal((await mentionsEnded(scene, 6)).at(-1), "answered:unchanged");
    assert.match(
      last(),
      /^Nothing has changed since the review of `[0-9a-f]{7}`\. `@kodiai review full` reads everything again\.$/,
    );
    const reviews = async () => (await scene.database.query("select id from runs where head <> ''")).length;
    assert.equal(await reviews(), 1);
    await mention(scene, "@kodiai review full");
    assert.equal((await mentionsEnded(scene, 7)).at(-1), "done:review-requested");
    await eventually("the second review", async () => (await reviews()) === 2);
    await scene.settled();

    await mention(scene, "@kodiai pause");
    await mention(scene, "@kodiai unpause");
    assert.deepEqual((await mentionsEnded(scene, 9)).slice(-2), ["done:paused", "done:resumed"]);
    await scene.settled();

    await mention(scene, "@kodiai help", { author: "renovate[bot]", association: "NONE" });
    await mention(scene, "@kodiai help", { author: "dependabot[bot]", association: "NONE" });
    assert.deepEqual((await mentionsEnded(scene, 11)).slice(-2).toSorted(), ["answered:help", "skipped:bot"]);

    const issue = fake.createIssue(repository, {
      author: "ada",
      association: "MEMBER",
      body: "It fails.\n\n@kodiai help",
    });
    await fake.send(fake.events.issue(issue, { action: "opened" }));
    assert.equal((await mentionsEnded(scene, 12)).at(-1), "answered:help");
    assert.equal(answersOn(scene, issue).length, 1);
    assert.deepEqual(fake.reactionsOf(issue).toSorted(), ["+1", "eyes"]);
    scene.check({ isSummary, answeredBots: ["renovate[bot]"] });
  },
);

testModels(
  "a mention counts in descriptions, in a review, and when an edit adds it within ten minutes",
  async (openModelScene) => {
    const scene = await openModelScene({ config: QUESTIONS_CONFIG, script: answerQuestions });
    const { fake, pullRequest, repository } = scene;
    await scene.start();
    const described = await fake.openPullRequest(repository, {
      files: AFTER,
      branch: "described",
      body: ASKING,
    });
    const opened = await fake.events.pullRequest("opened", described);
    await fake.send(opened);
    await mentionsEnded(scene, 1);
    assert.match(answersOn(scene, described)[0] ?? "", /^It reads users by id/);
    await fake.send(opened);

    const issue = fake.createIssue(repository, { author: "ada", association: "MEMBER", body: ASKING });
    await fake.send(fake.events.issue(issue, { action: "opened" }));
    await mentionsEnded(scene, 2);
    assert.match(answersOn(scene, issue)[0] ?? "", /^It reads users by id/);

    const { review } = await fake.review(pullRequest, {
      author: "ada",
      body: `I have a question before I approve.\n\n${ASKING}`,
    });
    await fake.send(await fake.events.review(review));
    await mentionsEnded(scene, 3);
    assert.match(answersOn(scene, pullRequest)[0] ?? "", /^It reads users by id/);

    const [soon, late] = ["Hm.", "Well."].map((body) => fake.comment(pullRequest, { author: "ada", body }));
    assert.ok(soon !== undefined && late !== undefined);
    const edit = async (comment: typeof soon): Promise<void> => {
      const from = fake.editComment(comment, ASKING);
      await fake.send(fake.events.comment(comment, { action: "edited", from }));
    };
    await scene.passTime(9 * 60_000);
    await edit(soon);
    await mentionsEnded(scene, 4);
    assert.equal(answersOn(scene, pullRequest).length, 2);
    assert.deepEqual(fake.reactionsOf(soon).toSorted(), ["+1", "eyes"]);

    await scene.passTime(2 * 60_000);
    await edit(late);
    // A later mention is handled after it.
    await mention(scene, "/kodiai help");
    assert.equal((await mentionsEnded(scene, 5)).at(-1), "answered:help");
    assert.deepEqual(fake.reactionsOf(late), []);
    assert.equal(answersOn(scene, described).length, 1);
    assert.equal(answersOn(scene, issue).length, 1);
    scene.check({ isSummary });
  },
);

testModels(
  "commands of one comment are carried out in their order, a quick one after a slow one",
  async (openModelScene) => {
    const scene = await openModelScene({ config: QUESTIONS_CONFIG, script: answerQuestions });
    const { database, fake, pullRequest, queue } = scene;
    const outcomeOf = async (command: string): Promise<string | null> => {
      const [row] = await database.query<{ outcome: string | null }>(
        "select outcome from mentions where command = $1",
        [command],
      );
      return row?.outcome ?? null;
    };
    let pausesMeanwhile: number | null = null;
    // The first command is slow: it fetches the code.
    const stop = fake.onRequest("git/upload-pack", async () => {
      stop();
      await eventually("the second command to wait for the first", async () =>
        (await queue.list({ states: ["queued"], limit: 10 })).some(
          ({ reason }) => reason === "waiting:earlier-command",
        ),
      );
      await mention(scene, "/kodiai configuration");
      await eventually("the next comment not to wait", async () => await outcomeOf("configuration"));
      pausesMeanwhile = (await database.query("select * from pauses")).length;
    });
    await scene.start();
    const comment = await mention(scene, "@kodiai how are users read?\n\n@kodiai pause\n@kodiai help");
    await mentionsEnded(scene, 4);
    assert.equal(pausesMeanwhile, 0, "the pause came after the answer");
    const ended = await database.query<{ command: string }>(
      "select command from mentions order by finished_at",
    );
    assert.deepEqual(
      ended.map(({ command }) => command),
      ["configuration", "ask", "pause", "help"],
    );
    assert.equal((await database.query("select * from pauses")).length, 1);
    assert.deepEqual(fake.reactionsOf(comment).toSorted(), ["+1", "eyes"]);
    assert.equal(answersOn(scene, pullRequest).length, 4);
    scene.check({ isSummary });
  },
);

testAppInOneProcess("what asks is no order: nothing is written, paused or settled", async (openScenario) => {
  const scene = await openScenario({ config: "review:\n  debounceSeconds: 0\n" });
  const { pullRequest } = scene;
  await scene.start();
  await scene.send("opened");
  await scene.settled();
  const said = [
    "@kodiai is 1 a false positive?",
    "Should we have @kodiai pause?",
    "I'd rather not let @kodiai dismiss 1",
    "The docs say: @kodiai waive 1 later",
    "@kodiai can you resolve all threads?",
    "@kodiai you could fix 1",
  ];
  await mention(scene, said.slice(0, 3).join("\n\n"));
  for (const body of said) await mention(scene, body);
  const outcomes = await mentionsEnded(scene, said.length + 1);
  // Without a model, a question is refused, and an order would have been carried out.
  assert.deepEqual([...new Set(outcomes)], ["refused:no-model"]);
  assert.deepEqual(await scene.database.query("select * from pauses"), []);
  assert.deepEqual(await scene.database.query("select * from finding_events where actor <> 'kodiai'"), []);
  assert.equal(answersOn(scene, pullRequest).length, said.length + 1);
});

const QUESTIONS = [
  "I wonder how users are read here, @kodiai?",
  "- Where do they come from?\n- **@kodiai** where are users read",
  "@bob @kodiai como são lidos os usuários",
  "> It reads users.\n\nThat's new to me. @kodiai is that so",
  "@kodiai explain this function",
];

testModels(
  "a sentence is a question wherever it names the app, and in its threads without the name",
  async (openModelScene) => {
    const scene = await openModelScene({
      config: `${QUESTIONS_CONFIG}mentions:\n  threads: true\n`,
      script: answerQuestions,
    });
    const { fake, pullRequest } = scene;
    await scene.start();
    const root = await reviewFirst(scene);
    for (const [index, question] of QUESTIONS.entries()) {
      await mention(scene, question);
      await mentionsEnded(scene, index + 1);
    }
    assert.equal(answersOn(scene, pullRequest).length, QUESTIONS.length);
    for (const each of answersOn(scene, pullRequest)) assert.match(each, /^It reads users by id/);
    await mentionInThread(scene, root, "Is this really a problem?");
    await mentionInThread(scene, root, "Can anyone answer me?", "mallory");
    await mentionInThread(scene, root, "I see.");
    const outcomes = await mentionsEnded(scene, QUESTIONS.length + 2);
    assert.deepEqual(outcomes.slice(-2).toSorted(), ["answered:ask", "skipped:not-mentioned"]);
    assert.equal(answersIn(scene, root).length, 1);
    const thanked = await mention(scene, "Great, thanks @kodiai!");
    assert.equal((await mentionsEnded(scene, QUESTIONS.length + 3)).at(-1), "answered:thanks");
    assert.deepEqual(fake.reactionsOf(thanked).toSorted(), ["+1", "eyes"]);
    assert.equal(answersOn(scene, pullRequest).length, QUESTIONS.length, "a thank you gets no words");
    scene.check({ isSummary });
  },
);
