/** How people control the reviews of pushes: pausing, resuming, and tags that hold a review back. */
import assert from "node:assert/strict";
import { eventually } from "../support/eventually.ts";
import { AFTER, ONE_REVIEW, type Scenario } from "../support/app/scenario.ts";
import { testApp as test } from "../support/app/test-app.ts";

const HOUR_MS = 3_600_000;
const UNDEBOUNCED = "review:\n  debounceSeconds: 0\n";

/** Waits for the job that `act` starts, and returns its reason. */
async function reasonOf(scenario: Scenario, act: () => Promise<unknown>): Promise<string | null> {
  const before = (await scenario.jobs()).length;
  await act();
  const jobs = await eventually("the job to end", async () => {
    const all = await scenario.settled();
    return all.length > before && all;
  });
  assert.equal(jobs.length, before + 1);
  return jobs.at(-1)?.reason ?? null;
}

/** Pushes another commit. */
function push(scenario: Scenario): Promise<string | null> {
  const { fake, pullRequest } = scenario;
  return reasonOf(scenario, async () => {
    await fake.push(pullRequest, { ...AFTER, "src/users.test.ts": `// after ${pullRequest.head}\n` });
    await scenario.send("synchronize");
  });
}

function say(scenario: Scenario, body: string): Promise<string | null> {
  const { fake, pullRequest } = scenario;
  return reasonOf(scenario, () =>
    fake.send(fake.events.comment(fake.comment(pullRequest, { author: "ada", body }))),
  );
}

test("the eleventh push within an hour isn't reviewed, until a person asks, resumes, or time passes", async (openScenario) => {
  const scenario = await openScenario({ config: UNDEBOUNCED });
  const { fake, pullRequest } = scenario;
  await scenario.start();
  assert.equal(await reasonOf(scenario, () => scenario.send("opened")), "published");
  for (let pushes = 1; pushes <= 10; pushes++) assert.equal(await push(scenario), "published");
  const comments = fake.commentsOf(pullRequest).length;

  assert.equal(await push(scenario), "skipped:paused");
  const [check, ...others] = fake.checksOf(pullRequest);
  assert.deepEqual([check?.conclusion, others], ["neutral", []]);
  const { title, summary } = check?.output ?? {};
  assert.equal(title, "Review skipped: reviews are paused after 10 reviewed pushes within an hour");
  assert.match(summary ?? "", /^[^\n]*comment `@kodiai resume`[^\n]*comment `@kodiai review`[^\n]*$/);
  assert.equal(fake.commentsOf(pullRequest).length, comments);

  // A request is always answered, and doesn't end the pause.
  assert.equal(await say(scenario, "@kodiai review"), "published");
  assert.match(fake.checksOf(pullRequest)[0]?.output.title ?? "", /finding/);
  assert.equal(await push(scenario), "skipped:paused");

  // It ends by itself; the hour comes back for the rest of the test.
  await scenario.passTime(HOUR_MS);
  assert.equal(await push(scenario), "published");
  await scenario.passTime(-HOUR_MS);
  assert.equal(await push(scenario), "skipped:paused");

  assert.equal(await say(scenario, "@kodiai resume"), "published");
  assert.equal(fake.checksOf(pullRequest)[0]?.head, pullRequest.head);
  assert.equal(await push(scenario), "published");
  scenario.check({ isSummary: (body) => body.includes("kodiai:summary") });
});

test("a tag in the title holds the review back, the check says so, and removing it starts one review", async (openScenario) => {
  // The commit has the tag too, as when GitHub copies its subject to the title.
  const scenario = await openScenario({ config: UNDEBOUNCED, pullRequest: { title: "[wip] Find users" } });
  const { fake, pullRequest } = scenario;
  await scenario.start();
  const edit = async (title: string): Promise<number | null> => {
    const changes = { title: { from: pullRequest.title } };
    pullRequest.title = title;
    pullRequest.updatedAtMs = fake.clock.now();
    const edited = await fake.events.pullRequest("edited", pullRequest, { extra: { changes } });
    const first = await fake.send(edited);
    return (await fake.deliveries.sendAgain(first)).statusCode;
  };
  assert.equal(await reasonOf(scenario, () => scenario.send("opened")), "skipped:draft");
  assert.equal(await push(scenario), "skipped:draft");
  const [held] = fake.checksOf(pullRequest);
  assert.equal(held?.conclusion, "neutral");
  assert.match(held?.output.title ?? "", /marked as work in progress with \[wip\]/);
  assert.match(held?.output.summary ?? "", /remove the tag from the title/);

  await edit("[wip] Find all users");
  assert.equal(await reasonOf(scenario, () => edit("Find all users")), "published");
  assert.deepEqual(scenario.published(), ONE_REVIEW);
  await edit("Find every user");
  assert.equal(await push(scenario), "published");
  const received = await scenario.database.query<{ reason: string | null }>(
    "select reason from deliveries where action = 'edited' order by received_at",
  );
  assert.deepEqual(
    received.map(({ reason }) => reason),
    ["skipped:edited-without-effect", null, "skipped:edited-without-effect"],
  );
  scenario.check();
});
