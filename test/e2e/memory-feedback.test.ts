/** Feedback on the whole app: who teaches, what it changes in a later review, and that a person can undo it. */
import assert from "node:assert/strict";
import type { PullRequest } from "../../fake-github/world.ts";
import {
  readSuppressionEffects,
  readSuppressions,
  undoSuppression,
} from "../../src/store/repositories/suppressions.ts";
import type { Scenario } from "../support/app/scenario.ts";
import { testAppInOneProcess as test } from "../support/app/test-app.ts";
import {
  CATCH,
  begin,
  commentOn,
  learning,
  mention,
  openAnother,
  rows,
  SQL,
  SUPPRESSING,
} from "../support/feedback-fixtures.ts";

function summaryOf({ fake }: Scenario, pullRequest: PullRequest): string {
  return fake.commentsOf(pullRequest).find(({ body }) => body.includes("kodiai:summary"))?.body ?? "";
}

test("three people on two pull requests suppress the third occurrence, never a critical one, until it is undone", async (openScenario) => {
  const scenario = await openScenario({ config: SUPPRESSING });
  const { fake, pullRequest: first, database, repository } = scenario;
  await begin(scenario);
  const second = await openAnother(scenario, "second");
  const react = (pullRequest: PullRequest, people: readonly string[]): void => {
    for (const by of people)
      for (const line of [4, 10]) fake.react(commentOn(scenario, pullRequest, line), { by, content: "-1" });
  };
  // The author's own, a bot's and a stranger's do nothing.
  react(first, ["ada", "lint[bot]", "eve", "ben", "cem"]);
  react(second, ["ada", "lint[bot]", "eve", "dan"]);
  await learning(scenario, () => mention(scenario, commentOn(scenario, first, 10)));
  await learning(scenario, () => mention(scenario, commentOn(scenario, second, 10)));
  const taught = (await rows(scenario)).filter((row) => row.includes(" 1 ") && row.includes("empty-catch"));
  assert.deepEqual(taught, [
    `${first.number} rule:empty-catch thumbs-down ben 1 write-access`,
    `${first.number} rule:empty-catch thumbs-down cem 1 write-access`,
    `${second.number} rule:empty-catch thumbs-down dan 1 write-access`,
  ]);
  const third = await openAnother(scenario, "third");
  assert.deepEqual(scenario.published(third).comments, [SQL]);
  assert.match(summaryOf(scenario, third), /suppressed by feedback/i);

  for (const { id } of await readSuppressions(repository.id, database))
    await undoSuppression(id, "ben", Date.now() + 1_000, database);
  const fourth = await openAnother(scenario, "fourth");
  assert.deepEqual(scenario.published(fourth).comments, [SQL, CATCH]);
  const effects = [...(await readSuppressionEffects(repository.id, database)).values()];
  assert.deepEqual(
    effects.map(({ hidden }) => hidden),
    [1],
  );
  scenario.check();
});
