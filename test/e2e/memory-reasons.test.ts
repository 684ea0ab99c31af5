/** An explanation that a maintainer gives once: later reviews show it, and a stranger's explanation changes nothing. */
import assert from "node:assert/strict";
import type { PullRequest } from "../../fake-github/world.ts";
import { eventually } from "../support/eventually.ts";
import { commentOn, learning, review } from "../support/feedback-fixtures.ts";
import {
  commentsOn,
  FINISHING,
  type ModelScene,
  oneByOne,
  recording,
  summaryOn,
  testModels,
} from "../support/model-scenes/model-scene.ts";
import type { ModelScript } from "../support/model-server/script.ts";
import { config, openAndReview, openScene, takeBack } from "../support/recall-fixtures.ts";

const CALL = "  void refreshAll();";
const QUERY = "  return db.query(`select * from users where id = ${id}`);";

const codeOf = (before: string): string => `${before}export function start(id) {\n${CALL}\n${QUERY}\n}\n`;

/** Two wordings of one problem, and of a security defect. */
const WORDINGS = [
  {
    call: {
      title: "The promise of `refreshAll` is not awaited",
      body: "Errors of refreshAll are lost, because start never awaits the promise it returns.",
    },
    query: { title: "SQL injection in `start`", body: "The id goes into the query text unescaped." },
  },
  {
    call: {
      title: "Unhandled rejection: `refreshAll()` runs without await",
      body: "When the promise of refreshAll rejects, its error is lost and nothing handles it.",
    },
    query: {
      title: "User input reaches the SQL text",
      body: "An attacker chooses id and injects SQL into the query of start.",
    },
  },
] as const;

/** How the model understands a reply. */
const UNDERSTOOD = {
  verdict: "disagrees",
  reason: "refreshAll handles its own errors, so it isn't awaited.",
  scope: "file",
};

const SCRIPT: ModelScript = ({ prompt, tools, turn }) => {
  if (tools.includes("record_reply")) return { toolCalls: [{ name: "record_reply", args: UNDERSTOOD }] };
  const { call, query } = WORDINGS[prompt.includes("second try") ? 1 : 0];
  const path = "src/start.js";
  const calls = [
    recording({ path, quote: CALL, ...call }),
    recording({ path, quote: QUERY, ...query, category: "security" }),
    FINISHING,
  ];
  return oneByOne(prompt.includes("refreshAll") ? calls : [FINISHING])[turn] ?? {};
};

const REASON = "refreshAll reports its own errors to Sentry, we never await it.";

async function open(openModelScene: Parameters<typeof openScene>[0]): Promise<ModelScene> {
  const scene = await openScene(openModelScene, {
    script: SCRIPT,
    config: config("  enabled: true\n"),
    pullRequest: { title: "Start", files: { "src/start.js": codeOf("") } },
  });
  scene.repository.roles.set("ben", "write");
  await review(scene, scene.pullRequest);
  return scene;
}

/** A thumbs-down and a reply, on the comments of both findings. */
async function explain(scene: ModelScene, by: string, pullRequest: PullRequest): Promise<void> {
  for (const line of [2, 3]) {
    const comment = commentOn(scene, pullRequest, line);
    scene.fake.react(comment, { by, content: "-1" });
    await learning(scene, async () => {
      const reply = scene.fake.reply(comment, { author: by, body: REASON });
      await scene.fake.send(await scene.fake.events.reviewComment(reply));
    });
  }
}

const SECOND = {
  title: "The second try: await the promise of refreshAll, so that its errors aren't lost",
  body: "The promise that refreshAll returns is not awaited.",
  files: { "src/start.js": codeOf("// second try\n\n") },
};

testModels(
  "a maintainer explains once; the same problem in other words and on another line isn't posted again, and the summary says why",
  async (openModelScene) => {
    const scene = await open(openModelScene);
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

testModels("a stranger's explanation changes nothing and is shown to no one", async (openModelScene) => {
  const scene = await open(openModelScene);
  await explain(scene, "eve", scene.pullRequest);
  const { pullRequest, summary, prompt } = await openAndReview(scene, SECOND);
  assert.deepEqual([...commentsOn(scene.fake, pullRequest).keys()], ["src/start.js:4", "src/start.js:5"]);
  assert.doesNotMatch(`${prompt}${summary}`, /Sentry/);
  assert.doesNotMatch(prompt, /Similar findings of the past/);
  assert.deepEqual(await scene.database.query("select id from learnings where source = 'feedback'"), []);
  scene.check();
});

testModels("an author who may write gets a note, and the comment stays", async (openModelScene) => {
  const scene = await open(openModelScene);
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
    const scene = await open(openModelScene);
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
