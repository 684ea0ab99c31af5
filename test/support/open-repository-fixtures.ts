/** Opens sample repositories. */
import type { TestContext } from "node:test";
import { type TestRepository, testRepository } from "./test-repository.ts";
import type { ChangeRequest, Repository } from "../../src/repository/repository.ts";
import { openRepository } from "../../src/repository/git/open-repository.ts";

export const ENVIRONMENT = { PATH: process.env["PATH"] ?? "", GIT_CONFIG_NOSYSTEM: "1" };

export function makeRepository(t: TestContext): TestRepository {
  const repository = testRepository();
  t.after(() => repository.remove());
  return repository;
}

export async function opened(t: TestContext, path: string): Promise<Repository> {
  const repository = await openRepository(path, ENVIRONMENT);
  t.after(() => repository.close());
  return repository;
}

export async function changeOf(t: TestContext, made: TestRepository, request: ChangeRequest) {
  return (await opened(t, made.path)).readChange(request);
}

export const PATIENT = { maxMs: 30_000, signal: new AbortController().signal };
