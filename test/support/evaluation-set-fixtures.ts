/** A repository with two pull requests, and the sources that a public set is read from. All data is our own. */
import type { TestContext } from "node:test";
import type { ImportSources } from "../../src/evaluation/import/import-sources.ts";
import { openHistory } from "../../src/repository/git/open-history.ts";
import { type TestRepository, testRepository } from "./test-repository.ts";

export function repository(t: TestContext): TestRepository {
  const made = testRepository();
  t.after(() => made.remove());
  return made;
}

export const lines = (...texts: readonly string[]): string => `${texts.join("\n")}\n`;

/** Pull request 7 of acme/shop, as its host has it, and pull request 8, which is only in the history. */
export function shop(t: TestContext) {
  const made = repository(t);
  made.write("src/price.ts", lines("export const price = 1;"));
  const base = made.commit("Start");
  made.git("checkout", "--quiet", "-b", "seven");
  made.write("src/price.ts", lines("export const price = 2;"));
  const head = made.commit("Raise the price");
  made.git("update-ref", "refs/pull/7/head", head);
  made.git("checkout", "--quiet", "main");
  made.git("branch", "--quiet", "-D", "seven");
  made.write("src/tax.ts", lines("export const tax = 0.2;"));
  const merged = made.commit("Add taxes (#8)");
  return { made, base, head, merged };
}

export function sourcesAt(data: string, repositories: string): ImportSources {
  const environment = { PATH: process.env["PATH"] ?? "" };
  const { signal } = new AbortController();
  return { data, repositories, openHistory: (folder) => openHistory(folder, environment, signal) };
}
