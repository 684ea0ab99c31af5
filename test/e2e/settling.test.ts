/** People's words about findings reach the summary, the check and the threads at once, without another review. */
import assert from "node:assert/strict";
import {
  answersIn,
  answersOn,
  isSummary,
  mention,
  mentionInThread,
  mentionsEnded,
} from "../support/app/mentions.ts";
import { threadStates } from "../support/app/pushes.ts";
import type { Scenario } from "../support/app/scenario.ts";
import { testAppInOneProcess } from "../support/app/test-app.ts";
import { eventually } from "../support/eventually.ts";

const CONFIG = "review:\n  debounceSeconds: 0\n  failOn: minor\n";

function summaryText({ fake, pullRequest }: Scenario): string {
  return fake.commentsOf(pullRequest).find(({ body }) => isSummary(body))?.body ?? "";
}

/** Waits until the check has this conclusion. */
async function concluded(scene: Scenario, conclusion: string): Promise<void> {
  await eventually(
    `the check to be ${conclusion}`,
    () => scene.published().conclusions.at(-1) === conclusion,
  );
}

testAppInOneProcess(
  "dismissing and reopening settle the summary, the check and the thread without a review",
  async (openScenario) => {
    const scene = await openScenario({ config: CONFIG });
    const { fake, pullRequest } = scene;
    scene.repository.roles.set("ben", "write");
    await scene.start();
    await scene.send("opened");
    await scene.settled();
    assert.deepEqual(scene.published().conclusions, ["failure"]);
    const roots = fake.reviewCommentsOf(pullRequest);
    const second = roots.find(({ line }) => line === 10);
    assert.ok(second !== undefined);
    const threads = async () =>
      (await threadStates(scene)).map((each) => (each.endsWith("open") ? "open" : "resolved"));

    // A question is no order, and without a model Kodiai answers none.
    await mention(scene, "@kodiai is 1 a false positive?");
    assert.deepEqual(await mentionsEnded(scene, 1), ["refused:no-model"]);
    await mentionInThread(scene, second, "@kodiai dismiss wanted", "ben");
    await mentionsEnded(scene, 2);
    await eventually("the summary", () => /dismissed by `ben`: wanted/.test(summaryText(scene)));
    assert.deepEqual(scene.published().conclusions, ["failure"], "one finding still fails the check");
    assert.deepEqual(await threads(), ["open", "resolved"]);
    assert.match(
      answersIn(scene, second)[0] ?? "",
      /`@kodiai reopen 2` takes this back\.\n\nKodiai learns from it/,
    );

    await mention(scene, "@kodiai waive 1 internal tool");
    await mentionsEnded(scene, 3);
    await concluded(scene, "success");
    assert.match(summaryText(scene), /\*\*No findings in .*2 dismissed or accepted\*\*/);
    assert.deepEqual(await threads(), ["resolved", "resolved"]);

    await mention(scene, "@kodiai reopen 2");
    await mentionsEnded(scene, 4);
    await concluded(scene, "failure");
    assert.deepEqual(await threads(), ["resolved", "open"]);
    assert.match(
      answersOn(scene, pullRequest).at(-1) ?? "",
      /^Finding 2 .* is open again.*It was dismissed by `ben`/,
    );
    await mention(scene, "@kodiai reopen 2");
    assert.equal((await mentionsEnded(scene, 5)).at(-1), "answered:already-open");

    // A person resolves the thread, and opens it again.
    await fake.resolveThread(second, "ben");
    await fake.send(await fake.events.thread("resolved", second, "ben"));
    await concluded(scene, "success");
    await fake.unresolveThread(second, "ben");
    await fake.send(await fake.events.thread("unresolved", second, "ben"));
    await concluded(scene, "failure");
    const summaries = fake.commentsOf(pullRequest).filter(({ body }) => isSummary(body));
    assert.deepEqual([summaries.length, scene.published().conclusions.length], [1, 1], "edited in place");
    assert.equal((await scene.database.query("select id from runs")).length, 1, "nothing was reviewed again");
    scene.check({ isSummary });
  },
);
