/** Floods of questions and comments by people without write access. */
import assert from "node:assert/strict";
import { answersOn, isSummary, mention, mentionJobs, mentionsEnded } from "../support/app/mentions.ts";
import { ONE_REVIEW } from "../support/app/scenario.ts";
import { testAppInOneProcess } from "../support/app/test-app.ts";
import { eventually } from "../support/eventually.ts";
import { testModels } from "../support/model-scenes/model-scene.ts";
import { answerQuestions, CALLS_PER_ANSWER, QUESTIONS_CONFIG } from "../support/model-scenes/questions.ts";

const STRANGER = { author: "mallory", association: "NONE" };

testModels(
  "[P11] a stranger who asks on twenty issues gets six answers, some refusals, and then nothing at all",
  async (openModelScene) => {
    const scene = await openModelScene({ config: QUESTIONS_CONFIG, script: answerQuestions });
    const { fake, repository, server } = scene;
    await scene.start();
    const comments = [];
    for (let index = 0; index < 20; index++) {
      const on = fake.createIssue(repository, { title: `Issue ${index}`, author: "bob" });
      comments.push(await mention(scene, "@kodiai how are users read?", { ...STRANGER, on }));
    }
    const outcomes = await mentionsEnded(scene, 20);
    const countOf = (outcome: string): number => outcomes.filter((each) => each === outcome).length;
    assert.equal(countOf("answered:ask"), 6);
    assert.equal(server.requests.length, 6 * CALLS_PER_ANSWER);
    assert.equal(countOf("refused:request-limit") + countOf("refused:muted"), 14);
    assert.ok(countOf("refused:request-limit") >= 3 && countOf("refused:muted") > 0, outcomes.join(" "));
    const untouched = comments.filter((comment) => fake.reactionsOf(comment).length === 0);
    assert.equal(untouched.length, countOf("refused:muted"));
    // Another person has their own, and so has the team.
    const on = fake.createIssue(repository, { title: "Another", author: "bob" });
    await mention(scene, "@kodiai how are users read?", { author: "eve", association: "NONE", on });
    await mention(scene, "@kodiai how are users read?");
    assert.deepEqual((await mentionsEnded(scene, 22)).slice(20), ["answered:ask", "answered:ask"]);
    scene.check({ isSummary });
  },
);

testAppInOneProcess(
  "a stranger's flood of comments gets few answers, and neither a review nor a maintainer waits for it",
  async (openScenario) => {
    const scenario = await openScenario({
      config: "review:\n  debounceSeconds: 0\nmentions:\n  maxTurns: 5\n",
    });
    const { fake, pullRequest } = scenario;
    await scenario.start(["serve", "--no-worker"]);
    // Until then, comments wait for a job that knows the name.
    await eventually("the server to know its name", async () => {
      await mention(scenario, "Looks good.");
      const rows = await scenario.database.query<{ reason: string | null }>("select reason from deliveries");
      return rows.some(({ reason }) => reason === "skipped:no-command");
    });
    const flood = [];
    for (let index = 0; index < 60; index++) flood.push(await mention(scenario, "@kodiai help", STRANGER));
    await scenario.send("opened");
    const asked = await mention(scenario, "@kodiai help");
    await scenario.startWorkers();
    const outcomes = await mentionsEnded(scenario, 61);
    await scenario.settled();
    const summaries = scenario.published();
    assert.deepEqual([summaries.reviews, summaries.comments], [ONE_REVIEW.reviews, ONE_REVIEW.comments]);
    assert.deepEqual(fake.reactionsOf(asked).toSorted(), ["+1", "eyes"]);
    assert.equal(answersOn(scenario, pullRequest).length, 5 + 1);
    assert.equal(outcomes.filter((each) => each === "refused:max-turns").length, 3);
    assert.equal(outcomes.filter((each) => each === "refused:muted").length, 52);
    const silent = flood.filter((comment) => fake.reactionsOf(comment).length === 0);
    assert.equal(silent.length, 52, "not even a reaction");
    // By the order in which the jobs began: both were queued last, and neither waited for the flood.
    const startOf = (job: { readonly startedAt: number | null } | undefined): number => job?.startedAt ?? 0;
    const all = await mentionJobs(scenario);
    const last = startOf(all.findLast(({ lane }) => lane.startsWith("separate-")));
    const [review] = await scenario.jobs();
    assert.ok(startOf(review) < last && startOf(all.at(-1)) < last);
    scenario.check({ isSummary });
  },
);
