/** Runs the program with bad input and checks its error. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { runKodiai } from "./run-kodiai.ts";
import { type TestRepository, testRepository } from "./test-repository.ts";

export function makeRepository(t: TestContext): TestRepository {
  const made = testRepository();
  t.after(() => made.remove());
  return made;
}

export function emptyFolder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), "kodiai-empty-"));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Exit code, and that standard error says what and what to do, in two lines and without a stack. */
export async function assertRefused(
  args: readonly string[],
  cwd: string,
  code: number,
  says: RegExp,
  input = "",
): Promise<void> {
  const result = await runKodiai(args, { cwd, input });
  assert.equal(result.code, code, result.stderr);
  assert.match(result.stderr, says);
  assert.equal(result.stdout, "");
  assert.doesNotMatch(result.stderr, /\n\s+at |defect/);
}
