/** People without write access get answers, but neither the money, nor GitHub's limits, nor the time of others. */
import assert from "node:assert/strict";
import { answersOn, isSummary, mention, mentionsEnded } from "../support/app/mentions.ts";
import { testModels } from "../support/model-scenes/model-scene.ts";
import { answerQuestions, QUESTIONS_CONFIG } from "../support/model-scenes/questions.ts";

const STRANGER = { author: "mallory", association: "NONE" };

testModels(
  "[P11] people without write access can spend a fifth of the day's budget, and the team has the rest",
  async (openModelScene) => {
    // An answer costs about two thousandths of a dollar, and a call reserves a few hundredths.
    const config = `budget:\n  perOutsidersDayUsd: 0.000001\n${QUESTIONS_CONFIG}`;
    const scene = await openModelScene({ config, script: answerQuestions });
    await scene.start();
    await mention(scene, "@kodiai how are users read?", STRANGER);
    assert.deepEqual(await mentionsEnded(scene, 1), ["failed:over-budget"]);
    assert.match(answersOn(scene, scene.pullRequest)[0] ?? "", /the budget is used up/);
    assert.equal(scene.server.requests.length, 0);
    await mention(scene, "@kodiai how are users read?");
    assert.deepEqual((await mentionsEnded(scene, 2)).slice(1), ["answered:ask"]);
    scene.check({ isSummary });
  },
);
