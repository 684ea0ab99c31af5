/** A repository with guidelines, and what a review says of their edits. */
import type { TestContext } from "node:test";
import { type TestRepository, testRepository } from "./test-repository.ts";

export function repositoryWith(t: TestContext, files: Readonly<Record<string, string>>): TestRepository {
  const made = testRepository();
  t.after(() => made.remove());
  for (const [path, text] of Object.entries({ "AGENTS.md": "Use tabs.\n", ...files })) made.write(path, text);
  made.commit("root");
  made.git("checkout", "--quiet", "-b", "feature");
  return made;
}

export const QUIET = "Use tabs.\nPrefer const.\n";

export const linesOf = (count: number): string => "export const a = 1;\n".repeat(count);
