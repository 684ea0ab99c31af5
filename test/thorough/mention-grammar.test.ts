/** Commands as people write them, one after the other on one pull request: each is carried out, and has a way back. */
import assert from "node:assert/strict";
import { answersOn, isSummary, mention, mentionsEnded } from "../support/app/mentions.ts";
import { testAppInOneProcess } from "../support/app/test-app.ts";
import { eventually } from "../support/eventually.ts";

testAppInOneProcess(
  "several commands are carried out in order, an edit may add one, and each has a way back",
  async (openScenario) => {
    const scene = await openScenario({
      config: "review:\n  debounceSeconds: 0\nbots:\n  allow: ['renovate[bot]']\n",
    });
    const { fake, pullRequest, repository } = scene;
    await scene.start();
    await scene.send("opened");
    await scene.settled();
    const last = (): string => answersOn(scene, pullRequest).at(-1) ?? "";

    await mention(scene, "@kodiai false positive\n\n@kodiai 2 is not a bug, the caller checks.");
    assert.deepEqual(await mentionsEnded(scene, 2), ["refused:no-finding", "done:contested"]);
    assert.match(last(), /^Finding 2 .*is dismissed by `ada`: 2 is not a bug, the caller checks/);
    assert.match(last(), /`@kodiai reopen 2` takes this back/);

    const edited = fake.comment(pullRequest, { author: "ada", association: "MEMBER", body: "Looks good." });
    await fake.send(fake.events.comment(edited));
    const from = fake.editComment(edited, "Looks good. @kodiai learn: we log with pino");
    for (let times = 0; times < 2; times++)
      await fake.send(fake.events.comment(edited, { action: "edited", from }));
    assert.equal((await mentionsEnded(scene, 3)).at(-1), "done:learned");
    const [, id = ""] = /`@kodiai forget (l\d+)` takes this back/.exec(last()) ?? [];
    await mention(scene, `@kodiai forget ${id}`);
    assert.equal((await mentionsEnded(scene, 4)).at(-1), "done:forgotten");
    assert.match(
      last(),
      /^Reviews don't take this into account any more .*we log with pino\n\n`@kodiai learn: TEXT`/,
    );
    await mention(scene, `@kodiai forget ${id}`);
    assert.equal((await mentionsEnded(scene, 5)).at(-1), "refused:unknown-learning");

    await mention(scene, "Nothing is new. @kodiai please re-review");
    assert.equal((await mentionsEnded(scene, 6)).at(-1), "answered:unchanged");
    assert.match(
      last(),
      /^Nothing has changed since the review of `[0-9a-f]{7}`\. `@kodiai review full` reads everything again\.$/,
    );
    const reviews = async () => (await scene.database.query("select id from runs where head <> ''")).length;
    assert.equal(await reviews(), 1);
    await mention(scene, "@kodiai review full");
    assert.equal((await mentionsEnded(scene, 7)).at(-1), "done:review-requested");
    await eventually("the second review", async () => (await reviews()) === 2);
    await scene.settled();

    await mention(scene, "@kodiai pause");
    await mention(scene, "@kodiai unpause");
    assert.deepEqual((await mentionsEnded(scene, 9)).slice(-2), ["done:paused", "done:resumed"]);
    await scene.settled();

    await mention(scene, "@kodiai help", { author: "renovate[bot]", association: "NONE" });
    await mention(scene, "@kodiai help", { author: "dependabot[bot]", association: "NONE" });
    assert.deepEqual((await mentionsEnded(scene, 11)).slice(-2).toSorted(), ["answered:help", "skipped:bot"]);

    const issue = fake.createIssue(repository, {
      author: "ada",
      association: "MEMBER",
      body: "It fails.\n\n@kodiai help",
    });
    await fake.send(fake.events.issue(issue, { action: "opened" }));
    assert.equal((await mentionsEnded(scene, 12)).at(-1), "answered:help");
    assert.equal(answersOn(scene, issue).length, 1);
    assert.deepEqual(fake.reactionsOf(issue).toSorted(), ["+1", "eyes"]);
    scene.check({ isSummary, answeredBots: ["renovate[bot]"] });
  },
);
