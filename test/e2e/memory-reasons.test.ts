/** An explanation that a maintainer gives once: later reviews show it, and a model reads what no phrase decides. */
import assert from "node:assert/strict";
import { eventually } from "../support/eventually.ts";
import { commentOn, learning } from "../support/feedback-fixtures.ts";
import { commentsOn, type ModelScene, testModels } from "../support/model-scenes/model-scene.ts";
import { explain, openWithFindings, SECOND } from "../support/reason-fixtures.ts";
import { openAndReview, takeBack } from "../support/recall-fixtures.ts";

testModels(
  "a maintainer explains once; the same problem in other words and on another line isn't posted again, and the summary says why",
  async (openModelScene) => {
    const scene = await openWithFindings(openModelScene);
    await explain(scene, "ben", scene.pullRequest);
    const { pullRequest, summary, prompt } = await openAndReview(scene, SECOND);
    const comments = commentsOn(scene.fake, pullRequest);
    assert.deepEqual([...comments.keys()], ["src/start.js:5"], "only the security finding is posted");
    assert.match(summary, /Feedback of this team changed 1 finding/);
    assert.match(
      summary,
      /listed without a comment\. Dismissed by `ben` in \[#1\]\(.*\): "refreshAll reports its own errors/,
    );
    assert.match(
      prompt,
      /ben rejected "The promise of refreshAll is not awaited" in src\/start\.js: "refreshAll reports/,
    );
    assert.doesNotMatch(prompt, /rejected "SQL injection/, "no reason excuses a security finding");
    assert.match(prompt, /dismissed by ben: "refreshAll reports its own errors to Sentry/);

    // The way back.
    await takeBack(scene, { pullRequest, summary });
    const third = await openAndReview(scene, { ...SECOND, title: "The second try, once more" });
    assert.deepEqual(
      [...commentsOn(scene.fake, third.pullRequest).keys()],
      ["src/start.js:4", "src/start.js:5"],
    );
    scene.check();
  },
);

/** No phrase says whether the person agrees. */
const UNCLEAR = "That one has a Sentry handler of its own inside.";

async function replyTo(scene: ModelScene, line: number, author: string, body: string): Promise<void> {
  const comment = commentOn(scene, scene.pullRequest, line);
  const reply = scene.fake.reply(comment, { author, body });
  const event = await scene.fake.events.reviewComment(reply);
  await learning(scene, () => scene.fake.send(event));
  await eventually("the model to read the reply", async () => {
    const jobs = await scene.queue.list({ states: ["queued", "running"], limit: 1_000 });
    return jobs.every(({ kind }) => kind !== "read-reply");
  });
}

testModels(
  "a model reads a reply of the team whose words say nothing clear, once, and the thread says what is remembered",
  async (openModelScene) => {
    const scene = await openWithFindings(openModelScene);
    const asked = () => scene.server.requests.filter(({ tools }) => tools.includes("record_reply"));
    await replyTo(scene, 2, "eve", UNCLEAR);
    await replyTo(scene, 3, "ben", UNCLEAR);
    assert.deepEqual(asked(), [], "neither for a stranger nor about a security finding");

    await replyTo(scene, 2, "ben", UNCLEAR);
    await replyTo(scene, 2, "eve", "Which handler is that?");
    const [request, ...others] = asked();
    assert.deepEqual(others, []);
    assert.match(request?.prompt ?? "", /refreshAll.* is not awaited[^]*That one has a Sentry handler/);
    const said = scene.fake
      .reviewCommentsOf(scene.pullRequest)
      .filter(({ body }) => body.includes("I'll remember"));
    assert.equal(said.length, 1);
    assert.equal(said[0]?.replyTo, commentOn(scene, scene.pullRequest, 2).id);
    assert.match(
      said[0]?.body ?? "",
      /I'll remember: refreshAll handles its own errors, so it isn't awaited\.[^]*`@kodiai forget l\d+`/,
    );

    const { pullRequest, summary, prompt } = await openAndReview(scene, SECOND);
    assert.deepEqual([...commentsOn(scene.fake, pullRequest).keys()], ["src/start.js:5"]);
    assert.match(summary, /Dismissed by `ben` in \[#1\]\(.*\): "That one has a Sentry handler of its own/);
    assert.match(prompt, /ben rejected .* in src\/start\.js: refreshAll handles its own errors/);
    scene.check();
  },
);
