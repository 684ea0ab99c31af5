/** The branches of write mode: never the default branch or a protected one, no CI for a fork's code, and a review of every own head. */
import assert from "node:assert/strict";
import { gitText } from "../../fake-github/git.ts";
import type { PullRequest } from "../../fake-github/world.ts";
import { answersOn, isSummary, mention, mentionJobs, mentionsEnded } from "../support/app/mentions.ts";
import type { Scenario } from "../support/app/scenario.ts";
import {
  commitAt,
  EDIT,
  inOrder,
  lastAnswer,
  ownPullRequests,
  WRITE_CONFIG,
  writing,
} from "../support/app/write-mode.ts";
import { FINISHING, testModels } from "../support/model-scenes/model-scene.ts";
import type { ModelScript } from "../support/model-server/script.ts";

const HERE_CONFIG = `${WRITE_CONFIG}  pushToHead: true\n`;

testModels(
  "[P3] here never means the default branch or a protected one: the edits get a branch and a pull request",
  async (openModelScene) => {
    const scene = await openModelScene({ config: HERE_CONFIG, script: inOrder([EDIT], [EDIT], [EDIT]) });
    const { fake, repository, pullRequest } = scene;
    const { directory } = repository;
    await gitText(directory, "branch", "release", "main");
    const files = { "src/users.ts": await gitText(directory, "show", `${pullRequest.head}:src/users.ts`) };
    const ofMain = await fake.openPullRequest(repository, { branch: "main", base: "release", files });
    await scene.start();
    const main = await commitAt(directory, "refs/heads/main");

    await mention(scene, "@kodiai change here: bind the id", { on: ofMain });
    assert.deepEqual(await mentionsEnded(scene, 1), ["done:pull-request"]);
    assert.equal(await commitAt(directory, "refs/heads/main"), main);
    const [first] = ownPullRequests(scene);
    assert.equal(first?.baseRef, "main");
    assert.equal(await commitAt(directory, `${first.head}^`), main);
    assert.match(
      answersOn(scene, ofMain)[0] ?? "",
      /^Opened \[pull request \d+\]\(\S+\) into `main`\.\n\n`main` is the default branch, and Kodiai never pushes to such a branch/,
    );

    // It becomes protected while the model works.
    let protects = true;
    scene.server.onRequest(() => {
      if (protects) repository.protectedBranches.push(pullRequest.headRef);
    });
    await mention(scene, "@kodiai change here: bind the id");
    assert.equal((await mentionsEnded(scene, 2)).at(-1), "done:pull-request");
    const [, second] = ownPullRequests(scene);
    assert.equal(second?.baseRef, pullRequest.headRef);
    assert.match(lastAnswer(scene), /is protected, and Kodiai never pushes to such a branch/);
    assert.ok(fake.world.pushes.every(({ branch }) => branch?.startsWith("kodiai/")));

    protects = false;
    repository.protectedBranches.length = 0;
    await mention(scene, "@kodiai change here: bind the id");
    assert.equal((await mentionsEnded(scene, 3)).at(-1), "done:pushed");
    scene.check({ isSummary, mayPush: true });
  },
);

async function subjectOf({ repository }: Scenario, commit: string): Promise<string> {
  return (await gitText(repository.directory, "log", "-1", "--format=%s", commit)).trim();
}

/** The event of a new title: a person who comments later has seen this head. */
async function reportHead({ fake }: Scenario, pullRequest: PullRequest): Promise<void> {
  await fake.send(await fake.events.pullRequest("edited", pullRequest));
  fake.clock.advance(2_000);
}

testModels(
  "[P3] every push to a branch with a fork's code keeps CI from running it",
  async (openModelScene) => {
    const script = inOrder([EDIT], [writing("src/a.ts")], [writing("src/b.ts")], [writing("src/c.ts")]);
    const scene = await openModelScene({
      config: HERE_CONFIG,
      script,
      pullRequest: { fork: "grace", author: "grace" },
    });
    const { fake, repository } = scene;
    const { directory } = repository;
    await scene.start();
    await mention(scene, "@kodiai change: bind the id");
    assert.deepEqual(await mentionsEnded(scene, 1), ["done:pull-request"]);
    const [own] = ownPullRequests(scene);
    assert.ok(own !== undefined);
    const { head } = own;
    assert.match(await subjectOf(scene, head), /\[skip ci\]$/);

    // On the same branch.
    await mention(scene, "@kodiai change here: add a", { on: own });
    assert.equal((await mentionsEnded(scene, 2)).at(-1), "done:pushed");
    const tip = await commitAt(directory, `refs/heads/${own.headRef}`);
    assert.equal(await commitAt(directory, `${tip}^`), head);
    assert.match(await subjectOf(scene, tip), /\[skip ci\]$/);
    assert.match(answersOn(scene, own).at(-1) ?? "", /`\[skip ci\]`, because it contains commits of a fork/);

    // After a person rewrote the marked commits into one. A comment on Kodiai's own pull request needs no "here".
    const squashed = await gitText(directory, "commit-tree", `${tip}^{tree}`, "-p", "main", "-m", "Squashed");
    await gitText(directory, "update-ref", `refs/heads/${own.headRef}`, squashed.trim());
    await gitText(directory, "update-ref", `refs/pull/${own.number}/head`, squashed.trim());
    Object.assign(own, { head: squashed.trim() });
    await reportHead(scene, own);
    await mention(scene, "@kodiai change: add b", { on: own });
    assert.equal((await mentionsEnded(scene, 3)).at(-1), "done:pushed");
    assert.equal(ownPullRequests(scene).length, 1);
    const next = await commitAt(directory, `refs/heads/${own.headRef}`);
    assert.match(await subjectOf(scene, next), /\[skip ci\]$/);

    // The fork's own path checks are carried along as well.
    await fake.push(own, { "package.json": '{ "scripts": { "preinstall": "node steal.js" } }\n' });
    await reportHead(scene, own);
    await mention(scene, "@kodiai change here: add c", { on: own });
    assert.equal((await mentionsEnded(scene, 4)).at(-1), "refused:fork-denied-path");
    assert.match(
      answersOn(scene, own).at(-1) ?? "",
      /\*\*install-script\*\* `package\.json`: preinstall would run/,
    );
    scene.check({ isSummary, mayPush: true });
  },
);

/** Proposes edits where it can, and finishes reviews without a finding. */
function editing(edits: ReturnType<typeof inOrder>): ModelScript {
  return (request) =>
    request.tools.some((name) => name.endsWith("finish_edits")) ? edits(request) : { toolCalls: [FINISHING] };
}

async function sendOwn(scene: Scenario, action: string, pullRequest: PullRequest): Promise<void> {
  const { fake } = scene;
  const event = await fake.events.pullRequest(action, pullRequest, { sender: fake.world.app.bot });
  assert.equal((await fake.send(event)).statusCode, 202);
}

testModels(
  "Kodiai's own pull requests and pushes are reviewed and get a check, and lead to no further push",
  async (openModelScene) => {
    const swallowing = 'export function load() {\n  try {\n    JSON.parse("");\n  } catch {}\n}\n';
    const script = editing(inOrder([writing("src/load.ts", swallowing)], [EDIT]));
    const scene = await openModelScene({ config: HERE_CONFIG, script });
    const { fake, pullRequest, repository } = scene;
    await scene.start();
    await mention(scene, "@kodiai change: load");
    assert.deepEqual(await mentionsEnded(scene, 1), ["done:pull-request"]);
    const [own] = ownPullRequests(scene);
    assert.ok(own !== undefined);
    await sendOwn(scene, "opened", own);
    const [first] = await scene.settled();
    assert.match(first?.reason ?? "", /^(?!skipped)/);
    const published = scene.published(own);
    assert.deepEqual(published.comments, ["src/load.ts:4"]);
    assert.deepEqual(
      fake.checksOf(own).map(({ head }) => head),
      [own.head],
    );

    await mention(scene, "@kodiai change here: bind the id");
    assert.equal((await mentionsEnded(scene, 2)).at(-1), "done:pushed");
    const tip = await commitAt(repository.directory, `refs/heads/${pullRequest.headRef}`);
    await sendOwn(scene, "synchronize", pullRequest);
    await scene.settled();
    assert.deepEqual(
      fake.checksOf(pullRequest).map(({ head }) => head),
      [tip],
    );

    // Everything that these reviews wrote comes back as an event of our own, and starts nothing.
    const pushes = fake.world.pushes.length;
    const jobs = (await mentionJobs(scene)).length;
    for (const comment of fake.commentsOf(own)) await fake.send(fake.events.comment(comment));
    for (const comment of fake.reviewCommentsOf(own))
      await fake.send(await fake.events.reviewComment(comment));
    await scene.settled();
    assert.equal((await mentionJobs(scene)).length, jobs);
    assert.equal(fake.world.pushes.length, pushes);
    scene.check({ isSummary, mayPush: true });
  },
);

testModels("Kodiai never approves what it wrote itself", async (openModelScene) => {
  const script = editing(inOrder([writing("src/greeting.md", "Hello\n")]));
  const scene = await openModelScene({
    config: WRITE_CONFIG.replace("review:\n", "review:\n  autoApprove: true\n"),
    script,
    pullRequest: { files: { "src/note.md": "One more sentence.\n" } },
  });
  const { fake, pullRequest } = scene;
  await scene.start();
  await mention(scene, "@kodiai change: greet");
  assert.deepEqual(await mentionsEnded(scene, 1), ["done:pull-request"]);
  const [own] = ownPullRequests(scene);
  assert.ok(own !== undefined);
  await sendOwn(scene, "opened", own);
  await scene.send("opened");
  await scene.settled();
  const statesOf = (each: PullRequest) => fake.reviewsOf(each).map(({ state }) => state);
  assert.deepEqual([statesOf(pullRequest), statesOf(own)], [["APPROVED"], []]);
  scene.check({ isSummary, mayPush: true });
});
