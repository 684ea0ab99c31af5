/** People write as they do: the app understands where it is addressed, and what is a question or a thank you. */
import assert from "node:assert/strict";
import {
  answersIn,
  answersOn,
  isSummary,
  mention,
  mentionInThread,
  mentionsEnded,
} from "../support/app/mentions.ts";
import { isAll } from "../support/extent.ts";
import { testModels } from "../support/model-scenes/model-scene.ts";
import { answerQuestions, QUESTIONS_CONFIG, reviewFirst } from "../support/model-scenes/questions.ts";

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
    const questions = isAll ? QUESTIONS : QUESTIONS.slice(0, 2);
    for (const [index, question] of questions.entries()) {
      await mention(scene, question);
      await mentionsEnded(scene, index + 1);
    }
    assert.equal(answersOn(scene, pullRequest).length, questions.length);
    for (const each of answersOn(scene, pullRequest)) assert.match(each, /^It reads users by id/);
    await mentionInThread(scene, root, "Is this really a problem?");
    await mentionInThread(scene, root, "Can anyone answer me?", "mallory");
    await mentionInThread(scene, root, "I see.");
    const outcomes = await mentionsEnded(scene, questions.length + 2);
    assert.deepEqual(outcomes.slice(-2).toSorted(), ["answered:ask", "skipped:not-mentioned"]);
    assert.equal(answersIn(scene, root).length, 1);
    const thanked = await mention(scene, "Great, thanks @kodiai!");
    assert.equal((await mentionsEnded(scene, questions.length + 3)).at(-1), "answered:thanks");
    assert.deepEqual(fake.reactionsOf(thanked).toSorted(), ["+1", "eyes"]);
    assert.equal(answersOn(scene, pullRequest).length, questions.length, "a thank you gets no words");
    scene.check({ isSummary });
  },
);
