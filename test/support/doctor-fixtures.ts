/** Runs `kodiai doctor --repository` and lists what it says about a repository. */
import { type Diagnosed, runDoctor } from "./app/run-doctor.ts";
import type { Scenario } from "./app/scenario.ts";

const NAMES = new Set(["repository", "configuration", "review", "budget", "jobs"]);

export async function diagnoseRepository(
  { folder, repository }: Scenario,
  ...args: readonly string[]
): Promise<Diagnosed> {
  const title = `${repository.owner.login}/${repository.name}`;
  return runDoctor({
    cwd: folder.path,
    env: folder.environment,
    args: ["--repository", title, ...args],
  });
}

/** "state name: what" of the lines about the repository. */
export function aboutRepository({ checks }: Diagnosed): readonly string[] {
  return checks
    .filter(({ name }) => NAMES.has(name))
    .map(({ state, name, what }) => `${state} ${name}: ${what}`)
    .toSorted();
}
