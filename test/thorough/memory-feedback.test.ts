/** Every kind of feedback on the whole app is stored, and removed with what it changed when it is taken back. */
import assert from "node:assert/strict";
import type { PullRequest } from "../../fake-github/world.ts";
import { readSuppressionEffects, readSuppressions } from "../../src/store/repositories/suppressions.ts";
import { pushAndReview, reasonOf } from "../support/app/pushes.ts";
import { AFTER } from "../support/app/scenario.ts";
import { testAppInOneProcess as test } from "../support/app/test-app.ts";
import {
  CATCH,
  CONFIG,
  begin,
  commentOn,
  learning,
  mention,
  openAnother,
  rows,
  SQL,
  SUPPRESSING,
} from "../support/feedback-fixtures.ts";

const THROWING = [
  "class Loader {",
  "  void Load() {",
  "    try {",
  "      Find();",
  "    } catch (Exception ex) {",
  "      Log(ex);",
  "      throw ex;",
  "    }",
  "  }",
  "}",
  "",
].join("\n");

test("every signal is stored with its person and reason, and what is taken back is removed", async (openScenario) => {
  const files = { ...AFTER, "src/Loader.cs": THROWING };
  const scenario = await openScenario({ config: CONFIG, pullRequest: { files } });
  const { fake, pullRequest } = scenario;
  await begin(scenario);
  const [sql, empty] = [commentOn(scenario, pullRequest, 4), commentOn(scenario, pullRequest, 10)];
  fake.react(sql, { by: "ben", content: "+1" });
  fake.react(empty, { by: "cem", content: "-1" });
  fake.react(empty, { by: "eve", content: "-1" });
  fake.react(empty, { by: "ada", content: "-1" });
  fake.reply(sql, { author: "ben", body: "Good catch, you're right." });
  fake.reply(empty, { author: "dan", body: "This is a false positive." });
  await learning(scenario, async () => {
    await fake.resolveThread(empty, "dan");
    await fake.send(await fake.events.thread("resolved", empty, "dan"));
  });
  const own = (rule: string, text: string): string => `${pullRequest.number} rule:${rule} ${text}`;
  const atFirst = [
    own("empty-catch", "disagrees dan 1 write-access"),
    own("empty-catch", "resolved dan 1 write-access"),
    own("empty-catch", "thumbs-down ada 0 author-with-access"),
    own("empty-catch", "thumbs-down cem 1 write-access"),
    own("empty-catch", "thumbs-down eve 0 no-write-access"),
    own("sql-from-strings", "agrees ben 1 write-access"),
    own("sql-from-strings", "thumbs-up ben 1 write-access"),
  ];
  assert.deepEqual(await rows(scenario), atFirst);
  await learning(scenario, async () => {
    await fake.unresolveThread(empty, "dan");
    await fake.send(await fake.events.thread("unresolved", empty, "dan"));
  });
  assert.deepEqual(
    await rows(scenario),
    atFirst.filter((row) => !row.includes("resolved")),
  );

  // The suggestion is committed, and the empty catch is fixed by hand.
  await fake.commitSuggestion(commentOn(scenario, pullRequest, 7), "ada");
  const fixed = AFTER["src/users.ts"].replace(
    "} catch {}",
    "} catch (error) {\n    console.error(error);\n  }",
  );
  await learning(scenario, async () => {
    assert.equal(await pushAndReview(scenario, { "src/users.ts": fixed }), "published");
  });
  await learning(scenario, async () => {
    await reasonOf(scenario, () =>
      fake.closePullRequest(pullRequest, { isMerged: true, by: "ben" }).then(() => scenario.send("closed")),
    );
    // The closing itself has read everything.
    await mention(scenario, sql);
  });
  assert.deepEqual(
    (await rows(scenario)).filter((row) => !atFirst.includes(row)),
    [
      own("csharp-throw-ex", "suggestion-committed ada 1 write-access"),
      own("empty-catch", "code-changed ada 1 write-access"),
      own("sql-from-strings", "merged-untouched ben 1 write-access"),
    ],
  );
  const outcomes = await scenario.database.query("select rule, outcome from memories order by rule");
  assert.deepEqual(
    outcomes.map((row) => Object.values(row)),
    [
      ["csharp-throw-ex", "accepted"],
      ["empty-catch", "dismissed"],
      ["sql-from-strings", "accepted"],
    ],
  );
  assert.deepEqual(await readSuppressions(scenario.repository.id, scenario.database), []);
  scenario.check();
});

test("a fix by a contributor without write access counts as accepted once the team has merged it", async (openScenario) => {
  const scenario = await openScenario({ config: CONFIG });
  const { fake, pullRequest, repository, database } = scenario;
  await begin(scenario);
  repository.roles.set("ada", "read");
  const outcomeOfCatch = async (): Promise<unknown> => {
    const [memory] = await database.query("select outcome from memories where rule = 'empty-catch'");
    return memory?.["outcome"];
  };
  const fixed = AFTER["src/users.ts"].replace("} catch {}", "} catch (error) {\n    throw error;\n  }");
  await learning(scenario, async () => {
    assert.equal(await pushAndReview(scenario, { "src/users.ts": fixed }), "published");
  });
  assert.equal(await outcomeOfCatch(), "open", "anyone can push to a fork");
  const sql = commentOn(scenario, pullRequest, 4);
  await learning(scenario, async () => {
    await reasonOf(scenario, () =>
      fake.closePullRequest(pullRequest, { isMerged: true, by: "ben" }).then(() => scenario.send("closed")),
    );
    await mention(scenario, sql);
  });
  assert.equal(await outcomeOfCatch(), "accepted");
  assert.ok((await rows(scenario)).some((row) => row.endsWith("rule:empty-catch code-changed ada 1 merged")));
  scenario.check();
});

test("people without a say and two of the team suppress nothing; a third one does, takes it back, and gives it again", async (openScenario) => {
  const scenario = await openScenario({ config: SUPPRESSING });
  const { fake, pullRequest: first, database, repository } = scenario;
  await begin(scenario);
  const second = await openAnother(scenario, "second");
  const react = (pullRequest: PullRequest, by: string): void => {
    for (const line of [4, 10]) fake.react(commentOn(scenario, pullRequest, line), { by, content: "-1" });
  };
  const learnFrom = (pullRequest: PullRequest): Promise<void> =>
    learning(scenario, () => mention(scenario, commentOn(scenario, pullRequest, 10)));
  for (const by of ["ada", "lint[bot]", "eve", "ben", "cem"]) react(first, by);
  for (const by of ["ada", "lint[bot]", "eve"]) react(second, by);
  await learnFrom(first);
  await learnFrom(second);
  const third = await openAnother(scenario, "third");
  assert.deepEqual(scenario.published(third).comments, [SQL, CATCH]);

  react(second, "dan");
  await learnFrom(second);
  const fourth = await openAnother(scenario, "fourth");
  assert.deepEqual(scenario.published(fourth).comments, [SQL]);

  const taken = { by: "dan", content: "-1" };
  fake.takeBackReaction(commentOn(scenario, second, 10), taken);
  await learnFrom(second);
  const fifth = await openAnother(scenario, "fifth");
  assert.deepEqual(scenario.published(fifth).comments, [SQL, CATCH]);
  const events = await database.query(
    "select reason, actor from finding_events where reason like 'feedback:%-removed'",
  );
  assert.deepEqual(
    events.map((row) => Object.values(row)),
    [["feedback:thumbs-down-removed", "dan"]],
  );

  fake.react(commentOn(scenario, second, 10), taken);
  await learnFrom(second);
  const sixth = await openAnother(scenario, "sixth");
  assert.deepEqual(scenario.published(sixth).comments, [SQL]);
  // Of the fourth and the sixth.
  const effects = [...(await readSuppressionEffects(repository.id, database)).values()];
  assert.equal(
    effects.reduce((sum, { hidden }) => sum + hidden, 0),
    2,
  );
  scenario.check();
});
