/** People who give feedback on findings of the app. */
import assert from "node:assert/strict";
import type { PullRequest, ReviewComment } from "../../fake-github/world.ts";
import { reasonOf } from "./app/pushes.ts";
import type { RunningApp } from "./app/running-app.ts";
import { AFTER, type Scenario } from "./app/scenario.ts";
import { eventually } from "./eventually.ts";

export const CONFIG = "review:\n  debounceSeconds: 0\n";

/** Ada, who opens the pull requests, may write too. */
const WRITERS = ["ben", "cem", "dan"];

export async function begin(scenario: Scenario): Promise<RunningApp> {
  for (const login of WRITERS) scenario.repository.roles.set(login, "write");
  const app = await scenario.start();
  await review(scenario, scenario.pullRequest);
  return app;
}

export function review(scenario: Scenario, pullRequest: PullRequest): Promise<void> {
  const { fake } = scenario;
  return reasonOf(scenario, async () => fake.send(await fake.events.pullRequest("opened", pullRequest))).then(
    (reason) => assert.equal(reason, "published"),
  );
}

/** The app's comment on that line. */
export function commentOn({ fake }: Scenario, pullRequest: PullRequest, line: number): ReviewComment {
  const found = fake.reviewCommentsOf(pullRequest).find((each) => each.line === line);
  assert.ok(found !== undefined, `line ${line} has a comment`);
  return found;
}

/** Waits for the job that `act` starts to read reactions. */
export async function learning(scenario: Scenario, act: () => Promise<unknown>): Promise<void> {
  const learned = async () => {
    const jobs = await scenario.queue.list({ states: null, limit: 1_000 });
    return jobs.filter(({ kind }) => kind === "learn");
  };
  const before = (await learned()).length;
  await act();
  await eventually("reactions to be read", async () => {
    const jobs = await learned();
    const isOver = jobs.every(({ state }) => state === "done" || state === "superseded");
    return isOver && jobs.length > before;
  });
}

/** A comment without a verdict in a thread: GitHub sends an event for it, and none for reactions. */
export function mention({ fake }: Scenario, comment: ReviewComment): Promise<unknown> {
  const reply = fake.reply(comment, { author: "eve", body: "Which query is it?" });
  return fake.events.reviewComment(reply).then((event) => fake.send(event));
}

export async function rows({ database }: Scenario): Promise<readonly string[]> {
  const all = await database.query(
    "select pull_request, pattern, signal, person, teaches, reason from feedback order by 1, 2, 3, 4",
  );
  return all.map((row) => Object.values(row).join(" "));
}

export const SUPPRESSING = `${CONFIG}feedback:\n  autoSuppress:\n    enabled: true\n`;

/** The empty catch is on line 10; the critical one, with pasted SQL, on line 4. */
export const [SQL, CATCH] = ["src/users.ts:4", "src/users.ts:10"];

/** Opens another pull request with the same findings, and waits for its review. */
export async function openAnother(scenario: Scenario, branch: string): Promise<PullRequest> {
  const files = { ...AFTER, "src/users.test.ts": `// ${branch}\n` };
  const request = { title: "Find users again", files, branch };
  const pullRequest = await scenario.fake.openPullRequest(scenario.repository, request);
  await review(scenario, pullRequest);
  return pullRequest;
}
