/** Runs commands on a pull request of the fake GitHub. */
import type { Scenario } from "./app/scenario.ts";
import { runKodiai } from "./run-kodiai.ts";

export function runOnPullRequest(
  { folder }: Scenario,
  args: readonly string[],
  environment: Record<string, string> = {},
) {
  return runKodiai(args, { cwd: folder.path, env: { ...folder.environment, ...environment } });
}

export const addressOf = ({ fake, pullRequest }: Scenario): string =>
  `${fake.gitUrl}/acme/shop/pull/${pullRequest.number}`;
