/** Runs `kodiai review` as a person would: in a repository with a change, with a provider's key in the environment. */
import type { TestContext } from "node:test";
import { AFTER, BEFORE } from "../app/scenario.ts";
import { type ModelServer, startModelServer } from "../model-server/model-server.ts";
import type { ModelScript } from "../model-server/script.ts";
import { type RunResult, runKodiai } from "../run-kodiai.ts";
import { type TestRepository, testRepository } from "../test-repository.ts";
import { modelEnvironment, type SceneProvider } from "./model-scene.ts";

/** A model in the built-in price table. */
export const PRICED = "openai:gpt-5";

export type Desk = {
  readonly made: TestRepository;
  readonly server: ModelServer;
  /** Reviews as if for the first time. */
  readonly run: DeskRun;
  /** Reviews with the memory of the last review. */
  readonly runAgain: DeskRun;
};

type DeskRun = (args: readonly string[], environment?: Record<string, string>) => Promise<RunResult>;

type DeskOptions = {
  readonly provider?: SceneProvider;
  readonly before?: Readonly<Record<string, string>>;
  readonly after?: Readonly<Record<string, string>>;
  readonly script: ModelScript;
};

export async function openDesk(
  t: TestContext,
  { provider = "openai", before = BEFORE, after = AFTER, script }: DeskOptions,
): Promise<Desk> {
  const made = testRepository();
  const server = await startModelServer();
  t.after(async () => {
    await server.close();
    made.remove();
  });
  server.script(script);
  for (const [path, text] of Object.entries(before)) made.write(path, text);
  made.commit("before");
  made.git("checkout", "--quiet", "-b", "feature");
  for (const [path, text] of Object.entries(after)) made.write(path, text);
  made.commit("after");
  const { KODIAI_MODEL: _, ...keys } = modelEnvironment(provider, server.url);
  const runAgain: DeskRun = (args, environment = {}) =>
    runKodiai(["review", ...args], { cwd: made.path, env: { ...keys, ...environment } });
  return {
    made,
    server,
    run: (args, environment) => runAgain(["--no-memory", ...args], environment),
    runAgain,
  };
}
