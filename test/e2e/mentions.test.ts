/** People talk to the app: a mention gets one answer in its place, with a model and without. */
import assert from "node:assert/strict";
import {
  answersIn,
  answersOn,
  isSummary,
  mention,
  mentionInThread,
  mentionsEnded,
} from "../support/app/mentions.ts";
import { testAppInOneProcess } from "../support/app/test-app.ts";
import { eventually } from "../support/eventually.ts";
import { testModels } from "../support/model-scenes/model-scene.ts";
import {
  ANSWER,
  answerQuestions,
  CALLS_PER_ANSWER,
  QUESTIONS_CONFIG,
  reviewFirst,
} from "../support/model-scenes/questions.ts";

testModels(
  "a question is answered once where it was asked: in the conversation, in a thread, on an issue",
  async (openModelScene) => {
    const scene = await openModelScene({ config: QUESTIONS_CONFIG, script: answerQuestions });
    const { fake, pullRequest, repository, server } = scene;
    await scene.start();
    const root = await reviewFirst(scene);
    const before = server.requests.length;
    const issue = fake.createIssue(repository, { title: "How are users read?", author: "bob" });
    const asked = [
      await mention(scene, "@kodiai how are users read?"),
      await mentionInThread(scene, root, "@kodiai is this really a problem?"),
      await mention(scene, "/kodiai ask where are users read?", { on: issue }),
    ];
    assert.deepEqual(await mentionsEnded(scene, 3), ["answered:ask", "answered:ask", "answered:ask"]);
    const linked = new RegExp(
      `^It reads users by id, see \\[\`src/users.ts:4\`\\]\\(.*/blob/${pullRequest.head}/src/users.ts#L4\\)\\.$`,
    );
    assert.equal(answersOn(scene, pullRequest).length, 1);
    assert.match(answersOn(scene, pullRequest)[0] ?? "", linked);
    assert.equal(answersIn(scene, root).length, 1);
    assert.match(answersIn(scene, root)[0] ?? "", linked);
    // The default branch has another text there, without that line.
    assert.deepEqual(answersOn(scene, issue), [ANSWER]);
    for (const comment of asked) assert.deepEqual(fake.reactionsOf(comment).toSorted(), ["+1", "eyes"]);
    assert.equal(server.requests.length - before, 3 * CALLS_PER_ANSWER);
    const runs = await scene.database.query<{ status: string; triggers: string }>(
      "select status, triggers from runs where head = ''",
    );
    assert.deepEqual(
      runs.map(({ status, triggers }) => `${status} ${triggers}`),
      Array.from({ length: 3 }, () => "answered mention:ask"),
    );
    const [used] = await eventually("the statistics", async () => {
      const rows = await scene.telemetry.query<{ runs: number; cost: number }>(
        "select count(*) as runs, sum(cost_micro_usd) as cost from model_runs where pass = 'ask' and repository = 'acme/shop'",
      );
      return Number(rows[0]?.runs) === 3 && rows;
    });
    // A thousand tokens in for a dollar per million and ten out for two, twice for each answer.
    assert.equal(Number(used?.cost), 3 * CALLS_PER_ANSWER * 1_020);
    scene.check({ isSummary });
  },
);

testAppInOneProcess(
  "without a model, summary and explain have the facts, and ask says what is missing",
  async (openScenario) => {
    const scenario = await openScenario();
    const { fake, pullRequest } = scenario;
    await scenario.start();
    await scenario.send("opened");
    await scenario.settled();
    await mention(scenario, "/kodiai summary");
    await mention(scenario, "/kodiai explain 1");
    await mention(scenario, "@kodiai how are users read?");
    const outcomes = await mentionsEnded(scenario, 3);
    assert.deepEqual(outcomes.toSorted(), ["answered:explained", "answered:summary", "refused:no-model"]);
    const all = answersOn(scenario, pullRequest);
    assert.equal(all.length, 3);
    assert.ok(
      all.some((each) => /^\*\*2 files, \+\d+ −\d+ lines.*\n\n.*Findings: 2 open/s.test(each)),
      all.join("\n"),
    );
    assert.ok(all.some((each) => /needs a model, and none is set up here/.test(each)));
    assert.equal(fake.reviewsOf(pullRequest).length, 1);
    scenario.check({ isSummary });
  },
);
