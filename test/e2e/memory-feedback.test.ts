/** Feedback on the whole app: who teaches, what it changes in later reviews, and that every signal is stored. */
import assert from "node:assert/strict";
import type { PullRequest } from "../../fake-github/world.ts";
import {
  readSuppressionEffects,
  readSuppressions,
  undoSuppression,
} from "../../src/store/repositories/suppressions.ts";
import { AFTER, type Scenario } from "../support/app/scenario.ts";
import { testAppInOneProcess as test } from "../support/app/test-app.ts";
import { CONFIG, begin, review, commentOn, learning, mention, rows } from "../support/feedback-fixtures.ts";

const SUPPRESSING = `${CONFIG}feedback:\n  autoSuppress:\n    enabled: true\n`;

/** The empty catch is on line 10; the critical one, with pasted SQL, on line 4. */
const [SQL, CATCH] = ["src/users.ts:4", "src/users.ts:10"];

/** Opens another pull request with the same findings, and waits for its review. */
async function openAnother(scenario: Scenario, branch: string): Promise<PullRequest> {
  const files = { ...AFTER, "src/users.test.ts": `// ${branch}\n` };
  const request = { title: "Find users again", files, branch };
  const pullRequest = await scenario.fake.openPullRequest(scenario.repository, request);
  await review(scenario, pullRequest);
  return pullRequest;
}

function summaryOf({ fake }: Scenario, pullRequest: PullRequest): string {
  return fake.commentsOf(pullRequest).find(({ body }) => body.includes("kodiai:summary"))?.body ?? "";
}

test("three people on two pull requests suppress the third occurrence, never a critical one, until it is undone", async (openScenario) => {
  const scenario = await openScenario({ config: SUPPRESSING });
  const { fake, pullRequest: first, database, repository } = scenario;
  await begin(scenario);
  const second = await openAnother(scenario, "second");
  const react = (pullRequest: PullRequest, by: string): void => {
    for (const line of [4, 10]) fake.react(commentOn(scenario, pullRequest, line), { by, content: "-1" });
  };
  // The author's own, a bot's and a stranger's do nothing.
  for (const by of ["ada", "lint[bot]", "eve", "ben", "cem"]) react(first, by);
  for (const by of ["ada", "lint[bot]", "eve"]) react(second, by);
  await learning(scenario, () => mention(scenario, commentOn(scenario, first, 10)));
  await learning(scenario, () => mention(scenario, commentOn(scenario, second, 10)));
  const third = await openAnother(scenario, "third");
  assert.deepEqual(scenario.published(third).comments, [SQL, CATCH]);

  react(second, "dan");
  await learning(scenario, () => mention(scenario, commentOn(scenario, second, 10)));
  const taught = (await rows(scenario)).filter((row) => row.includes(" 1 ") && row.includes("empty-catch"));
  assert.deepEqual(taught, [
    `${first.number} rule:empty-catch thumbs-down ben 1 write-access`,
    `${first.number} rule:empty-catch thumbs-down cem 1 write-access`,
    `${second.number} rule:empty-catch thumbs-down dan 1 write-access`,
  ]);
  const fourth = await openAnother(scenario, "fourth");
  assert.deepEqual(scenario.published(fourth).comments, [SQL]);
  assert.match(summaryOf(scenario, fourth), /suppressed by feedback/i);

  // One person takes the reaction back.
  const taken = { by: "dan", content: "-1" };
  fake.takeBackReaction(commentOn(scenario, second, 10), taken);
  await learning(scenario, () => mention(scenario, commentOn(scenario, second, 10)));
  const fifth = await openAnother(scenario, "fifth");
  assert.deepEqual(scenario.published(fifth).comments, [SQL, CATCH]);
  const events = await database.query(
    "select reason, actor from finding_events where reason like 'feedback:%-removed'",
  );
  assert.deepEqual(
    events.map((row) => Object.values(row)),
    [["feedback:thumbs-down-removed", "dan"]],
  );

  // Given again, it suppresses again, until a person undoes that.
  fake.react(commentOn(scenario, second, 10), taken);
  await learning(scenario, () => mention(scenario, commentOn(scenario, second, 10)));
  const sixth = await openAnother(scenario, "sixth");
  assert.deepEqual(scenario.published(sixth).comments, [SQL]);
  for (const { id } of await readSuppressions(repository.id, database))
    await undoSuppression(id, "ben", Date.now() + 1_000, database);
  const seventh = await openAnother(scenario, "seventh");
  assert.deepEqual(scenario.published(seventh).comments, [SQL, CATCH]);
  // Of the fourth and the sixth.
  const effects = [...(await readSuppressionEffects(repository.id, database)).values()];
  assert.equal(
    effects.reduce((sum, { hidden }) => sum + hidden, 0),
    2,
  );
  scenario.check();
});
