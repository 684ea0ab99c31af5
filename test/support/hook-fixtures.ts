/** A repository in which the program runs. */
import type { TestContext } from "node:test";
import { type TestRepository, testRepository } from "./test-repository.ts";

export function makeRepository(t: TestContext): TestRepository {
  const made = testRepository();
  t.after(() => made.remove());
  made.write("src/app.py", "def run():\n    return 1\n");
  made.commit("root");
  return made;
}

export const MISTAKE = "def run():\n    breakpoint()\n    return 1\n";
