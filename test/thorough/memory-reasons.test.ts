/** A later review names each change that feedback made, with a way back; a reason is about one problem, and who gives it decides what it changes. */
import assert from "node:assert/strict";
import type { PullRequest } from "../../fake-github/world.ts";
import { commentOn, learning, mention } from "../support/feedback-fixtures.ts";
import {
  commentsOn,
  FINISHING,
  type ModelScene,
  oneByOne,
  recording,
  summaryOn,
  testModels,
} from "../support/model-scenes/model-scene.ts";
import { explain, openWithFindings, SECOND } from "../support/reason-fixtures.ts";
import { config, openAndReview, openScene, QUOTE, review, takeBack } from "../support/recall-fixtures.ts";

const again = (name: string) => ({
  title: `Load users: ${name}`,
  files: { "src/users.ts": `export function ${name}() {\n${QUOTE}\n}\n` },
});

async function reject(scene: ModelScene, pullRequest: PullRequest, people: readonly string[]): Promise<void> {
  const comment = commentOn(scene, pullRequest, 2);
  for (const by of people) scene.fake.react(comment, { by, content: "-1" });
  await learning(scene, () => mention(scene, comment));
}

testModels(
  "votes of several people lower a finding; the summary links the last one, and forgetting the learning undoes it",
  async (openModelScene) => {
    const scene = await openScene(openModelScene);
    for (const login of ["ben", "cem"]) scene.repository.roles.set(login, "write");
    await review(scene, scene.pullRequest);
    await reject(scene, scene.pullRequest, ["ben", "cem", "eve"]);
    const second = await openAndReview(scene, again("second"));
    assert.doesNotMatch(second.summary, /Feedback of this team/, "two votes are too few");
    await reject(scene, second.pullRequest, ["cem"]);

    const third = await openAndReview(scene, again("third"));
    assert.match(
      third.summary,
      /one level less severe\. Dismissed by `cem` in \[#2\]\(http[^)]+\)\. To undo: `kodiai memory forget l\d+`/,
    );
    assert.match(commentsOn(scene.fake, third.pullRequest).get("src/users.ts:2") ?? "", /medium/i);

    await takeBack(scene, third);
    await reject(scene, third.pullRequest, ["ben"]);
    const fourth = await openAndReview(scene, again("fourth"));
    assert.doesNotMatch(fourth.summary, /Feedback of this team/);
    assert.match(commentsOn(scene.fake, fourth.pullRequest).get("src/users.ts:2") ?? "", /major/i);
    scene.check();
  },
);

const CALLS = ["  return parse(order);", "  return charge(card);"] as const;
const TITLES = ["The result of `parse` isn't checked", "The result of `charge` isn't checked"] as const;

testModels("a reason about one function moves no comment about another one", async (openModelScene) => {
  const scene = await openScene(openModelScene, {
    script: ({ prompt, turn }) => {
      const at = prompt.includes(CALLS[1]) ? 1 : 0;
      const found = recording({ path: `src/pay${at}.js`, quote: CALLS[at], title: TITLES[at] });
      return oneByOne([found, FINISHING])[turn] ?? {};
    },
    config: config("  enabled: true\n"),
    pullRequest: { title: "Pay", files: { "src/pay0.js": `export function pay(order) {\n${CALLS[0]}\n}\n` } },
  });
  scene.repository.roles.set("ben", "write");
  await review(scene, scene.pullRequest);
  const comment = commentOn(scene, scene.pullRequest, 2);
  scene.fake.react(comment, { by: "ben", content: "-1" });
  await learning(scene, async () => {
    const reply = scene.fake.reply(comment, {
      author: "ben",
      body: "The schema rejects empty orders before.",
    });
    await scene.fake.send(await scene.fake.events.reviewComment(reply));
  });
  const files = { "src/pay1.js": `export function charge2(card) {\n${CALLS[1]}\n}\n` };
  const { pullRequest, summary } = await openAndReview(scene, { title: "Charge", files });
  const posted = commentsOn(scene.fake, pullRequest).get("src/pay1.js:2") ?? "";
  assert.match(posted, /charge/, "it is posted");
  assert.match(posted, /Note: dismissed by ben in #.{0,10}1: "The schema rejects/);
  assert.match(summary, /posted with a note/);
  scene.check();
});

testModels("a stranger's explanation changes nothing and is shown to no one", async (openModelScene) => {
  const scene = await openWithFindings(openModelScene);
  await explain(scene, "eve", scene.pullRequest);
  const { pullRequest, summary, prompt } = await openAndReview(scene, SECOND);
  assert.deepEqual([...commentsOn(scene.fake, pullRequest).keys()], ["src/start.js:4", "src/start.js:5"]);
  assert.doesNotMatch(`${prompt}${summary}`, /Sentry/);
  assert.doesNotMatch(prompt, /Similar findings of the past/);
  assert.deepEqual(await scene.database.query("select id from learnings where source = 'feedback'"), []);
  scene.check();
});

testModels("an author who may write gets a note, and the comment stays", async (openModelScene) => {
  const scene = await openWithFindings(openModelScene);
  scene.repository.roles.set("ada", "write");
  await explain(scene, "ada", scene.pullRequest);
  const { pullRequest } = await openAndReview(scene, SECOND);
  const comments = commentsOn(scene.fake, pullRequest);
  assert.deepEqual([...comments.keys()], ["src/start.js:4", "src/start.js:5"]);
  assert.match(
    comments.get("src/start.js:4") ?? "",
    /Note: dismissed by ada in #.{0,10}1: "refreshAll reports/,
  );
  assert.match(summaryOn(scene.fake, pullRequest), /posted with a note/);
  scene.check();
});
