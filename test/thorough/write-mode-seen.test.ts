/** Write mode changes what its requester saw: commits that arrive after a comment never get into the repository with it. */
import assert from "node:assert/strict";
import { listBranches } from "../../fake-github/git.ts";
import { isSummary, mention, mentionsEnded } from "../support/app/mentions.ts";
import type { Scenario } from "../support/app/scenario.ts";
import {
  commitAt,
  EDIT,
  inOrder,
  isSeen,
  lastAnswer,
  ownPullRequests,
  WRITE_CONFIG,
} from "../support/app/write-mode.ts";
import { testModels } from "../support/model-scenes/model-scene.ts";

const UNSEEN = { "src/unseen.ts": "export const unseen = 1;\n" };

const FROM_FORK = { fork: "mallory", author: "mallory" };

async function assertNothingPushed(scene: Scenario): Promise<void> {
  assert.deepEqual(ownPullRequests(scene), []);
  const branches = await listBranches(scene.repository.directory);
  assert.deepEqual(
    branches.filter((name) => name.startsWith("kodiai/")),
    [],
  );
}

for (const isReported of [true, false])
  testModels(
    `[P3] a fork that pushes between the comment and the job gets nothing into the repository${isReported ? "" : ", also if its event is missing"}`,
    async (openModelScene) => {
      const scene = await openModelScene({
        config: WRITE_CONFIG,
        script: inOrder([EDIT]),
        pullRequest: FROM_FORK,
      });
      const { fake, pullRequest } = scene;
      const server = await scene.start(["serve", "--no-worker"]);
      // Without any event before the comment, only the time of the last change shows that something happened since.
      if (isReported) await isSeen(scene);
      await mention(scene, "@kodiai change: bind the id");
      fake.clock.advance(2_000);
      const pushed = await fake.push(pullRequest, UNSEEN);
      if (isReported) await fake.send(await fake.events.pullRequest("labeled", pullRequest));
      await scene.startWorkers();
      assert.deepEqual(await mentionsEnded(scene, 1), ["refused:moved"]);
      assert.match(lastAnswer(scene), new RegExp(`\`${pushed.slice(0, 7)}\` came after your comment`));
      assert.equal(scene.server.requests.length, 0, "nothing is spent");
      await assertNothingPushed(scene);

      // They have looked at it now.
      fake.clock.advance(2_000);
      await mention(scene, "@kodiai change: bind the id");
      assert.deepEqual((await mentionsEnded(scene, 2)).slice(1), ["done:pull-request"]);
      const [opened] = ownPullRequests(scene);
      assert.equal(await commitAt(scene.repository.directory, `${opened?.head}^`), pushed);
      scene.check({ isSummary, mayPush: true });
      await server.stop();
    },
  );

testModels("[P3] a fork that pushes while the model works has nothing pushed", async (openModelScene) => {
  const scene = await openModelScene({
    config: WRITE_CONFIG,
    script: inOrder([EDIT]),
    pullRequest: FROM_FORK,
  });
  const { fake, pullRequest } = scene;
  await scene.start();
  let isPushed = false;
  scene.server.onRequest(() => {
    if (!isPushed) void fake.push(pullRequest, UNSEEN);
    isPushed = true;
  });
  await mention(scene, "@kodiai change: bind the id");
  assert.deepEqual(await mentionsEnded(scene, 1), ["failed:moved"]);
  assert.match(lastAnswer(scene), /nothing was pushed/);
  await assertNothingPushed(scene);
  scene.check({ isSummary });
});

testModels(
  "[P3] a person who loses write access between the edit and the push has nothing pushed",
  async (openModelScene) => {
    const scene = await openModelScene({ config: WRITE_CONFIG, script: inOrder([EDIT]) });
    await scene.start();
    let reads = 0;
    // The head is read by the first job, by the second one twice, and last of all right before the push.
    scene.fake.onRequest("pulls/get", () => {
      reads++;
      if (scene.server.requests.length > 0) scene.repository.roles.set("ada", "read");
    });
    await mention(scene, "@kodiai change: bind the id");
    assert.deepEqual(await mentionsEnded(scene, 1), ["refused:no-write-access"]);
    assert.ok(reads >= 3 && scene.server.requests.length > 0, "the model had answered");
    await assertNothingPushed(scene);
    scene.check({ isSummary });
  },
);
