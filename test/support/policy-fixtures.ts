/** A repository with a policy at its base. */
import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { runKodiai } from "./run-kodiai.ts";
import { type TestRepository, testRepository } from "./test-repository.ts";

type Output = {
  verdict: { headline: string };
  findings: { rule: string; path: string; severity: string; title: string; placement: string }[];
  dropped: { rule?: string; reason: string; detail: string; path: string }[];
  receipt: { files: { path: string; status: string; reason?: string }[] };
  details?: unknown;
};

export async function reviewed(made: TestRepository, ...args: string[]): Promise<Output> {
  const { stdout, stderr } = await runKodiai(["review", "--no-memory", "-f", "json", ...args], {
    cwd: made.path,
  });
  assert.equal(stderr, "");
  return JSON.parse(stdout);
}

export const rulesOf = ({ findings }: Output): readonly string[] =>
  findings.map(({ rule }) => rule).toSorted();

export function repositoryWith(t: TestContext, config: string | null): TestRepository {
  const made = testRepository();
  t.after(() => made.remove());
  if (config !== null) made.write(".kodiai.yml", config);
  made.write("README.md", "# x\n");
  made.commit("root");
  made.git("checkout", "--quiet", "-b", "feature");
  made.write("src/a.ts", "debugger;\n");
  return made;
}

export const OFF = "floor:\n  rules:\n    leftover-debugger: off\n";
