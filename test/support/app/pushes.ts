/** Pushes to a pull request one after the other, each with its review, and what they leave on the pull request. */
import type { Job } from "../../../src/queue/queue.ts";
import type { Files } from "../../../fake-github/git.ts";
import { eventually } from "../eventually.ts";
import type { Scenario } from "./scenario.ts";

/** Waits for the job that `act` starts, and returns its reason. */
export async function reasonOf(scenario: Scenario, act: () => Promise<unknown>): Promise<string | null> {
  const before = (await scenario.jobs()).length;
  await act();
  const jobs = await eventually("the job to end", async (): Promise<readonly Job[] | false> => {
    const all = await scenario.settled();
    return all.length > before && all;
  });
  return jobs.at(-1)?.reason ?? null;
}

/** Pushes, waits for the review, and returns the reason of its job. */
export function pushAndReview(
  scenario: Scenario,
  files: Files,
  options: { readonly isForced?: boolean } = {},
): Promise<string | null> {
  return reasonOf(scenario, async () => {
    await scenario.fake.push(scenario.pullRequest, files, options);
    await scenario.send("synchronize");
  });
}

/** Asks in a comment, and returns the reason of the job that answers. */
export function askAndReview(scenario: Scenario, body: string): Promise<string | null> {
  const { fake, pullRequest } = scenario;
  return reasonOf(scenario, () =>
    fake.send(fake.events.comment(fake.comment(pullRequest, { author: "ada", body }))),
  );
}

/** "title | open", or "title | login" of who resolved it, for each thread. */
export async function threadStates({ fake, pullRequest }: Scenario): Promise<readonly string[]> {
  const all = await fake.threadsOf(pullRequest);
  return all.map(({ comments: [root], resolvedBy }) => {
    const title = /^\*\*\[[\w ]+\] (.+)\*\*(?: \(\d+\))?$/m.exec(root.body)?.[1] ?? root.body;
    return `${title} | ${resolvedBy ?? "open"}`;
  });
}
