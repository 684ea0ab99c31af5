/** How often each class of people can request a model's review, and who pays: counted by the provider's requests. */
import assert from "node:assert/strict";
import { eventually } from "../support/eventually.ts";
import { AFTER } from "../support/app/scenario.ts";
import {
  FINISHING,
  type ModelScene,
  oneByOne,
  pricesOf,
  testModels,
} from "../support/model-scenes/model-scene.ts";
import type { ModelTurn, ScriptedRequest } from "../support/model-server/script.ts";

const READ = { name: "show_diff", args: {} };

/** Two calls for a review, as in the attack that this is about. */
const TURNS = oneByOne([READ, FINISHING], { usage: { input: 1_000, output: 10 } });

const script = ({ turn }: ScriptedRequest): ModelTurn => TURNS[turn] ?? {};

const CALLS_PER_REVIEW = TURNS.length;

const CONFIG = `review:\n  debounceSeconds: 0\n${pricesOf("openai:scripted")}`;

async function comment({ fake, pullRequest }: ModelScene, author: string, association: string) {
  const asking = fake.comment(pullRequest, { author, association, body: "/kodiai full review" });
  await fake.send(fake.events.comment(asking));
  return asking;
}

async function reasons(scene: ModelScene, count: number): Promise<readonly (string | null)[]> {
  const jobs = await eventually("the jobs", async () => {
    const all = await scene.settled();
    return all.length === count && all;
  });
  return jobs.map(({ reason }) => reason);
}

const count = (all: readonly unknown[], wanted: unknown): number =>
  all.filter((each) => each === wanted).length;

const answersOf = ({ fake, pullRequest }: ModelScene): readonly string[] =>
  fake
    .commentsOf(pullRequest)
    .filter(({ isViaApp, body }) => isViaApp && body.includes("kodiai:answer"))
    .map(({ body }) => body);

const isSummary = (body: string): boolean => body.includes("kodiai:summary");

async function bookedOn({ database }: ModelScene): Promise<readonly string[]> {
  const rows = await database.query<{ author: string }>(
    "select distinct author from spendings order by author",
  );
  return rows.map(({ author }) => author);
}

testModels(
  "[P11] a stranger's comments get two model reviews an hour and one line of answer, booked on the stranger",
  async (openModelScene) => {
    // Requested reviews count as answers, and there are twelve.
    const scene = await openModelScene({ config: `${CONFIG}mentions: { maxTurns: 50 }\n`, script });
    let app = await scene.start();
    // The process crashes during the first review: it restarts, and counts once.
    scene.server.onRequest(() => {
      if (scene.server.requests.length === 1) app.kill("SIGKILL");
    });
    await comment(scene, "mallory", "NONE");
    assert.equal(await app.ended, "SIGKILL");
    app = await scene.start();
    await scene.settled();
    const asked = scene.server.requests.length;
    assert.equal(asked, CALLS_PER_REVIEW + 1);
    // Two accounts are no more than one: strangers share what strangers get.
    for (let index = 1; index < 12; index++)
      await comment(scene, index % 2 === 0 ? "mallory" : "eve", "NONE");
    const ended = await reasons(scene, 12);
    assert.deepEqual([count(ended, "published"), count(ended, "skipped:request-limit")], [2, 10]);
    assert.equal(scene.server.requests.length - asked, CALLS_PER_REVIEW);
    assert.equal(answersOf(scene).length, 1);
    assert.match(answersOf(scene)[0] ?? "", /^Kodiai didn't start this review: .* 2 an hour .*UTC.*\n/);
    assert.deepEqual(await bookedOn(scene), ["eve", "mallory"]);
    // A person with write access isn't limited by that, and pays for their own.
    await comment(scene, "ada", "MEMBER");
    assert.equal((await reasons(scene, 13)).at(-1), "published");
    assert.equal(scene.server.requests.length - asked, 2 * CALLS_PER_REVIEW);
    assert.deepEqual(await bookedOn(scene), ["ada", "eve", "mallory"]);
    scene.check({ isSummary, reviewsPerHead: 4 });
  },
);

testModels("[P11] comments of strangers do not stop a review that runs", async (openModelScene) => {
  const scene = await openModelScene({ config: CONFIG, script });
  await scene.start();
  let isRunning = false;
  scene.server.onRequest(() => {
    isRunning = true;
  });
  await scene.send("opened");
  await eventually("the model to be asked", () => isRunning);
  await Promise.all(Array.from({ length: 4 }, () => comment(scene, "mallory", "NONE")));
  const ended = await reasons(scene, 5);
  assert.equal(ended[0], "published");
  assert.deepEqual([count(ended, "published"), count(ended, "skipped:request-limit")], [3, 2]);
  assert.equal(scene.server.requests.length, 3 * CALLS_PER_REVIEW);
  scene.check({ isSummary, reviewsPerHead: 3 });
});

testModels(
  "[P11] pushes of a stranger are reviewed by a model twice an hour, then by the rules, and the review says so",
  async (openModelScene) => {
    const scene = await openModelScene({
      config: CONFIG.replace("review:\n", "review:\n  autoApprove: true\n"),
      pullRequest: { fork: "mallory", association: "FIRST_TIME_CONTRIBUTOR" },
      script,
    });
    const { fake, pullRequest, server } = scene;
    await scene.start();
    await scene.send("opened");
    await reasons(scene, 1);
    for (let index = 1; index <= 4; index++) {
      await fake.push(pullRequest, { ...AFTER, "src/users.test.ts": `// ${index}\n` });
      await scene.send("synchronize");
      await reasons(scene, index + 1);
    }
    assert.deepEqual(new Set(await reasons(scene, 5)), new Set(["published"]));
    assert.equal(server.requests.length, 2 * CALLS_PER_REVIEW);
    assert.match(
      scene.summary(),
      /Incomplete review: .*hourly limit for model reviews reached.* not reviewed by a model/,
    );
    assert.match(scene.summary(), /Model: not used: the hourly limit on model reviews/);
    assert.deepEqual(scene.published().conclusions, ["neutral"]);
    assert.deepEqual(answersOf(scene), []);
    await comment(scene, "mallory", "NONE");
    assert.equal((await reasons(scene, 6)).at(-1), "skipped:request-limit");
    assert.equal(answersOf(scene).length, 1);
    // A maintainer's request is not the stranger's.
    await comment(scene, "ada", "MEMBER");
    await reasons(scene, 7);
    assert.equal(server.requests.length, 3 * CALLS_PER_REVIEW);
    assert.deepEqual(await bookedOn(scene), ["ada", "mallory"]);
    scene.check({ isSummary, reviewsPerHead: 2, commentsPerLine: 5 });
  },
);

testModels(
  "[P11] a contributor gets more than a stranger, and the base and the operator can lower it",
  async (openModelScene) => {
    const scene = await openModelScene({
      config: `${CONFIG}limits: { strangersPerHour: 3, contributorsPerHour: 3 }\n`,
      environment: { KODIAI_LIMIT_STRANGERS_HOUR: "0" },
      script,
    });
    const { fake, repository } = scene;
    const merged = await fake.openPullRequest(repository, { files: { "a.md": "a\n" }, author: "grace" });
    await fake.closePullRequest(merged, { isMerged: true });
    await scene.start();
    for (let index = 0; index < 5; index++) await comment(scene, "grace", "CONTRIBUTOR");
    await comment(scene, "mallory", "NONE");
    const ended = await reasons(scene, 6);
    assert.deepEqual([count(ended, "published"), count(ended, "skipped:request-limit")], [3, 3]);
    assert.equal(scene.server.requests.length, 3 * CALLS_PER_REVIEW);
    assert.equal(answersOf(scene).length, 1);
    scene.check({ isSummary, reviewsPerHead: 3 });
  },
);
