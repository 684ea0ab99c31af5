/** A provider that `kodiai doctor` can ask about a model, and what the doctor says about a repository. */
import { type Diagnosed, runDoctor } from "./app/run-doctor.ts";
import type { Scenario } from "./app/scenario.ts";
import { type ModelServer, startModelServer } from "./model-server/model-server.ts";

const NAMES = new Set(["repository", "configuration", "review", "budget", "jobs"]);

const KEY = "sk-ant-api03-the-right-key-of-this-test-and-no-other";
const MODEL = "claude-sonnet-5-5";

/** A provider that lists one model for one key, and the settings that name all three. The caller closes it. */
export async function startProvider(): Promise<{
  readonly provider: ModelServer;
  readonly settings: Readonly<Record<string, string>>;
}> {
  const provider = await startModelServer({ listed: { names: [MODEL], key: KEY } });
  const settings = {
    KODIAI_MODEL: `anthropic:${MODEL}`,
    ANTHROPIC_API_KEY: KEY,
    ANTHROPIC_BASE_URL: provider.url,
  };
  return { provider, settings };
}

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
