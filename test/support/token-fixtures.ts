/** A pull request that is reviewed with a token, without the GitHub App: the account of workflows, and its permissions. */
import type { TestContext } from "node:test";
import type { Permissions } from "../../fake-github/world.ts";
import { createScenario, type Scenario, type ScenarioOptions } from "./app/scenario.ts";
import { addressOf } from "./pull-request-command.ts";
import { runKodiai } from "./run-kodiai.ts";

/** GitHub's own app, which the tokens of workflows belong to. */
export const ACTIONS_APP = { slug: "github-actions", appId: 15_368 };

/** The permissions of a workflow with `contents: read`, `pull-requests: write` and `checks: write`. */
export const WORKFLOW_PERMISSIONS: Permissions = {
  contents: "read",
  pull_requests: "write",
  checks: "write",
};

/** The token of a workflow that a fork or Dependabot started. */
export const READ_ONLY: Permissions = { contents: "read", pull_requests: "read", checks: "read" };

export function createWorkflowScenario(
  t: Pick<TestContext, "after">,
  options: ScenarioOptions = {},
): Promise<Scenario> {
  return createScenario(t, { ...options, app: ACTIONS_APP });
}

/** Settings that lead to the fake GitHub with this token, and to nothing of the App. */
export function tokenEnvironment({ fake, folder }: Scenario, token: string): Record<string, string> {
  const { PATH = "" } = folder.environment;
  return {
    KODIAI_OFFLINE: "on",
    PATH,
    HOME: folder.path,
    TMPDIR: folder.path,
    GITHUB_API_URL: fake.url,
    GITHUB_TOKEN: token,
  };
}

/** `kodiai review --pr URL --publish` in a process of its own. */
export function publishWith(
  scenario: Scenario,
  token: string,
  {
    args = [],
    environment = {},
  }: { readonly args?: readonly string[]; readonly environment?: Record<string, string> } = {},
) {
  return runKodiai(["review", "--pr", addressOf(scenario), "--publish", ...args], {
    cwd: scenario.folder.path,
    env: { ...tokenEnvironment(scenario, token), ...environment },
  });
}
