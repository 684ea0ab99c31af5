/** A real repository with a change, and its tools as a model gets them. */
import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { noConfig } from "../../src/config/repo-config/no-config.ts";
import type { ToolAnswer } from "../../src/model/model.ts";
import { openRepository } from "../../src/repository/git/open-repository.ts";
import { analyseChange } from "../../src/review/analysis/analyse-change.ts";
import { findUnreadHunks } from "../../src/review/change/scope.ts";
import { createGuard } from "../../src/review/untrusted/create-guard.ts";
import { createMemoryNotebook } from "../../src/tools/notebook.ts";
import { createShown } from "../../src/tools/shown.ts";
import type { ReviewContext } from "../../src/tools/tool.ts";
import { createToolbox } from "../../src/tools/toolbox.ts";
import { REVIEW_TOOLS } from "../../src/tools/tools.ts";
import { createInProcessReader } from "./in-process-reader.ts";
import { type TestRepository, testRepository } from "./test-repository.ts";

type Files = Readonly<Record<string, string | Uint8Array | null>>;

export type BenchFiles = {
  readonly before?: Files;
  /** Null deletes the file. */
  readonly after: Files;
  /** Runs between the two commits. */
  readonly prepare?: (made: TestRepository) => void;
  readonly context?: Partial<ReviewContext>;
};

export type ToolBench = {
  readonly made: TestRepository;
  readonly context: ReviewContext;
  readonly call: (name: string, args: unknown) => Promise<ToolAnswer>;
  /** The text of a successful result, with the lines it shows. */
  readonly ask: (name: string, args: unknown) => Promise<string>;
  /** The text of an error result. */
  readonly askWrongly: (name: string, args: unknown) => Promise<string>;
};

/** Creates a commit on main and one on a branch; the tools read the second. */
export async function toolBench(t: TestContext, files: BenchFiles): Promise<ToolBench> {
  const made = testRepository();
  t.after(() => made.remove());
  put(files.before ?? {}, made);
  const base = made.commit("before");
  files.prepare?.(made);
  put(files.after, made);
  const head = made.commit("after");
  const repository = await openRepository(made.path, {
    PATH: process.env["PATH"] ?? "",
    GIT_CONFIG_NOSYSTEM: "1",
  });
  t.after(() => repository.close());
  const change = await repository.readChange({ kind: "range", range: `${base}..${head}` });
  const analysis = analyseChange(change, {
    config: noConfig(),
    attributes: new Map(),
    author: { association: null, mergedPullRequests: null },
    isDependencyBump: false,
    isExplicit: true,
    tags: "all",
  });
  let turn = 1;
  const context: ReviewContext = {
    change,
    repository,
    head: { commit: head },
    base,
    reader: createInProcessReader(),
    readChecks: null,
    dependencyReader: null,
    code: null,
    guard: createGuard("f00dfeed"),
    signal: new AbortController().signal,
    analysis,
    notebook: createMemoryNotebook(),
    evidence: [],
    toCheckAgain: [],
    pass: { name: "review", paths: new Set(change.files.map(({ path }) => path)) },
    hunksToRead: findUnreadHunks(change.files, { byPath: new Map() }),
    shown: createShown({ shownPaths: [], shownParts: [] }, () => turn),
    ...files.context,
  };
  return benchOf(made, context, () => turn++);
}

function benchOf(made: TestRepository, context: ReviewContext, endTurn: () => void): ToolBench {
  const { tools } = createToolbox(REVIEW_TOOLS, context, { now: () => 0, windDownAtMs: 1 });
  const call = async (name: string, args: unknown): Promise<ToolAnswer> => {
    const tool = tools.find((each) => each.name === name);
    assert.ok(tool !== undefined, `there is no ${name}`);
    const answer = await tool.call(args);
    // One call per turn, so that its result has reached the model before the next call.
    endTurn();
    return answer;
  };
  const words = async (name: string, args: unknown, isError: boolean): Promise<string> => {
    const answer = await call(name, args);
    assert.equal(answer.isError, isError, answer.text);
    return answer.text.replace(/\n<data-f00dfeed label="\w+">/, "").replace(/\n<\/data-f00dfeed>$/, "");
  };
  return {
    made,
    context,
    call,
    ask: (name, args) => words(name, args, false),
    askWrongly: (name, args) => words(name, args, true),
  };
}

function put(files: Files, made: TestRepository): void {
  for (const [path, content] of Object.entries(files)) {
    if (content === null) made.git("rm", "--quiet", "--", path);
    else made.write(path, content);
  }
}
