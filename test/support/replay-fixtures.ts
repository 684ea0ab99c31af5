/** A recorded review, and its replay. */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, type TestContext } from "node:test";
import { BEFORE, AFTER } from "./app/scenario.ts";
import {
  FINISHING,
  modelEnvironment,
  oneByOne,
  recording as recordingOf,
} from "./model-scenes/model-scene.ts";
import { type ModelServer, startModelServer } from "./model-server/model-server.ts";
import type { ModelScript } from "./model-server/script.ts";
import { runKodiai, type RunResult } from "./run-kodiai.ts";
import { testRepository } from "./test-repository.ts";

export const FOUND = [
  recordingOf({ path: "src/users.ts", quote: "export function load() {", title: "Callers cannot await it" }),
  recordingOf({
    path: "src/users.ts",
    quote: '    find("1");',
    title: "The search is not awaited",
    severity: "critical",
    suggestion: '    void find("1");',
  }),
  recordingOf({ path: "src/other.ts", quote: "x", title: "Of another file" }),
];

const SCRIPT: ModelScript = [
  {
    toolCalls: [
      { name: "read_file", args: { path: "src/users.ts" } },
      { name: "search_code", args: { pattern: "find\\(" } },
      { name: "list_files", args: {} },
      { name: "file_history", args: { path: "src/users.ts" } },
      { name: "blame", args: { path: "src/users.test.ts", from: 1, to: 1 } },
      { name: "find_references", args: { name: "find" } },
      { name: "read_file", args: { path: "../../etc/passwd" } },
    ],
  },
  ...oneByOne([...FOUND, { name: "mark_reviewed", args: { paths: ["src/users.ts"] } }, FINISHING]),
];

type Recorded = {
  readonly folder: string;
  readonly file: string;
  readonly reviewed: RunResult;
  readonly server: ModelServer;
};

type RecordOptions = {
  readonly script: ModelScript;
  readonly config?: string;
  readonly after?: Readonly<Record<string, string>>;
  readonly before?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
};

/** Records a review on the command line; then the provider is stopped and the repository is gone. */
export async function record(
  t: { readonly after: (work: () => void) => void },
  options: RecordOptions,
): Promise<Recorded> {
  const folder = mkdtempSync(join(tmpdir(), "kodiai-replay-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const repository = testRepository();
  const config = options.config === undefined ? {} : { ".kodiai.yml": options.config };
  for (const [path, text] of Object.entries({ ...(options.before ?? BEFORE), ...config }))
    repository.write(path, text);
  repository.commit("root");
  repository.git("checkout", "--quiet", "-b", "feature");
  for (const [path, text] of Object.entries(options.after ?? AFTER)) repository.write(path, text);
  repository.commit("Find users");
  const server = await startModelServer();
  server.script(options.script);
  const file = join(folder, "review.json");
  const args = ["review", "--model", "compatible:scripted", "--format", "json", "--record", file];
  const reviewed = await runKodiai([...args, ...(options.args ?? [])], {
    cwd: repository.path,
    env: { ...modelEnvironment("compatible", server.url) },
  });
  await server.close();
  repository.remove();
  return { folder, file, reviewed, server };
}

let usual: Promise<Recorded> | null = null;

const atEnd: (() => void)[] = [];

after(() => atEnd.forEach((work) => work()));

/** The recording of the script above, made once. Each test has its own copy. */
export async function copyOfUsual(t: TestContext): Promise<Recorded> {
  usual ??= record({ after: (work) => void atEnd.push(work) }, { script: SCRIPT });
  const recorded = await usual;
  const folder = mkdtempSync(join(tmpdir(), "kodiai-replay-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "review.json");
  cpSync(recorded.file, file);
  return { ...recorded, folder, file };
}

/** Without a repository, a key, or anybody to ask. */
export function replay(
  folder: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<RunResult> {
  return runKodiai(["replay", ...args], { cwd: folder, env });
}

export type Json = { readonly [key: string]: Json & string };
