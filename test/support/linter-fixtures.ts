/** Sample repositories for reviews with linters. */
import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { BIN } from "./built-program.ts";
import { runKodiai } from "./run-kodiai.ts";
import { type TestRepository, testRepository } from "./test-repository.ts";

type Gap = {
  readonly reason: string;
  readonly files: number;
  readonly paths: readonly string[];
  readonly message: string | null;
};

export type Review = {
  readonly tool: {
    readonly analysers: readonly {
      readonly name: string;
      readonly files: number;
      readonly gaps: readonly Gap[];
    }[];
  };
  readonly findings: readonly { readonly path: string; readonly rule: string; readonly startLine: number }[];
  readonly dropped: readonly { readonly rule: string; readonly reason: string; readonly detail: string }[];
};

export function repositoryFor(t: TestContext, before: Readonly<Record<string, string>> = {}): TestRepository {
  const made = testRepository();
  t.after(() => made.remove());
  made.write(".kodiai.yml", "floor: { rules: { oxlint/no-sparse-arrays: critical } }\n");
  for (const [path, text] of Object.entries(before)) made.write(path, text);
  made.commit("root");
  made.git("checkout", "--quiet", "-b", "feature");
  return made;
}

export async function review(
  made: TestRepository,
  { bin = BIN, args = [] as readonly string[] } = {},
): Promise<Review> {
  const { stdout, stderr } = await runKodiai(["review", "--no-memory", "--offline", "-f", "json", ...args], {
    cwd: made.path,
    bin,
  });
  assert.notEqual(stdout, "", stderr);
  return JSON.parse(stdout) as Review;
}

export function found({ findings }: Review): readonly string[] {
  return findings
    .filter(({ rule }) => rule.includes("/"))
    .map(({ path, rule, startLine }) => `${rule} ${path}:${startLine}`)
    .toSorted();
}

/** A text whose last line has a duplicate key. */
export const DUPLICATE = "export const a = {\n  b: 1,\n  b: 2,\n};\n";

export const UNDEFINED = "def run():\n    return undefined_name\n";
