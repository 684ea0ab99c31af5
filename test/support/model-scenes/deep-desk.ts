/** Runs `kodiai deep-review`, or another command that asks a model, as a person would: in a repository with a change, with a provider's key in the environment. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { BIN } from "../built-program.ts";
import { AFTER, BEFORE } from "../app/scenario.ts";
import { type ModelServer, startModelServer } from "../model-server/model-server.ts";
import type { ModelScript } from "../model-server/script.ts";
import { type RunResult, runKodiai } from "../run-kodiai.ts";
import { startProcess, type StartedProcess, stuckGit } from "../start-process.ts";
import { type TestRepository, testRepository } from "../test-repository.ts";
import { modelEnvironment, type SceneProvider } from "./model-scene.ts";

export const QUESTION = "What could this change break?";

export const PACK = "# Change\n\nload() no longer waits for find().\n";

export type DeepDesk = {
  readonly made: TestRepository;
  readonly server: ModelServer;
  readonly env: Readonly<Record<string, string>>;
  readonly run: (args: readonly string[], more?: DeepRunOptions) => Promise<RunResult>;
  /** Asks `QUESTION` about `PACK`, with files in `out`. */
  readonly ask: (...options: readonly string[]) => Promise<RunResult>;
  readonly start: (args: readonly string[]) => StartedProcess;
  /** The path of a file with `PACK`. */
  readonly packFile: string;
  /** The folder for `--out`. */
  readonly out: string;
  /** A file in it. */
  readonly read: (name: string) => string;
  readonly written: () => readonly string[];
};

type DeepRunOptions = { readonly env?: Record<string, string>; readonly input?: string };

export type DeepDeskOptions = {
  /** Null: no key is set. */
  readonly provider?: SceneProvider | null;
  /** Default: deep-review. */
  readonly command?: string;
  readonly script?: ModelScript;
  readonly config?: string;
  /** A command of git that never ends. */
  readonly stuckAt?: string;
};

export async function openDeepDesk(
  t: TestContext,
  { provider = "openai", command = "deep-review", script = [], config, stuckAt }: DeepDeskOptions,
): Promise<DeepDesk> {
  const made = testRepository();
  const temporary = mkdtempSync(join(tmpdir(), "kodiai-test-deep-"));
  const server = await startModelServer();
  t.after(async () => {
    await server.close();
    made.remove();
    rmSync(temporary, { recursive: true, force: true });
  });
  server.script(script);
  const before = { ...BEFORE, ...(config !== undefined && { ".kodiai.yml": config }) };
  for (const [path, text] of Object.entries(before)) made.write(path, text);
  made.commit("before");
  made.git("checkout", "--quiet", "-b", "feature");
  for (const [path, text] of Object.entries(AFTER)) made.write(path, text);
  made.commit("after");
  const packFile = join(temporary, "pack.txt");
  writeFileSync(packFile, PACK);
  const out = join(temporary, "out");
  const { KODIAI_MODEL: _, ...keys } = provider === null ? {} : modelEnvironment(provider, server.url);
  const env: Record<string, string> = { ...keys, HOME: join(temporary, "home"), KODIAI_OFFLINE: "on" };
  mkdirSync(join(temporary, "home"));
  if (stuckAt !== undefined) env["PATH"] = stuckGit(join(temporary, "bin"), stuckAt);
  const run: DeepDesk["run"] = (args, more = {}) =>
    runKodiai([command, ...args], { ...more, cwd: made.path, env: { ...env, ...more.env } });
  return {
    made,
    server,
    env,
    packFile,
    out,
    run,
    ask: (...options) => run(["--context-pack", packFile, "--out", out, ...options, QUESTION]),
    start: (args) => startProcess(t, [BIN, command, ...args], { cwd: made.path, env }),
    read: (name) => readFileSync(join(out, name), "utf8"),
    written: () => readdirSync(out).toSorted(),
  };
}
