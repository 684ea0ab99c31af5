/**
 * Checks the promises of docs/security.md and docs/reliability.md. A test that holds one has its id in its name, as in
 * `[P14] …`, and the document says how many tests hold it, so that one that goes missing is noticed.
 */
import { readFileSync } from "node:fs";
import { count } from "../src/base/count.ts";

const DOCUMENTS = ["docs/security.md", "docs/reliability.md"];

type Promised = { readonly id: string; readonly title: string; readonly testCount: number };

/** Names of tests; each test is one entry. */
type Results = { readonly passed: readonly string[]; readonly failed: readonly string[] };

export type PromiseReport = {
  /** A line for each promise, followed by the reasons why it is not kept. */
  readonly lines: readonly string[];
  /** How many are not kept. */
  readonly broken: number;
};

/** A run that isn't complete must hold each promise with at least one test; a complete one with as many as its document names. */
export function checkPromises(
  texts: readonly string[],
  results: Results,
  isComplete: boolean,
): PromiseReport {
  const promises = texts.flatMap(parsePromises);
  const known = new Set(promises.map(({ id }) => id));
  const checked = promises.map((promise) => ({
    promise,
    problems: findProblems(promise, results, isComplete),
  }));
  const lines = checked.flatMap(({ promise: { id, title, testCount }, problems }) => [
    `${problems.length === 0 ? "kept  " : "BROKEN"} ${id}. ${title} (${count(testCount, "test")}${isComplete ? "" : " in all"})`,
    ...problems.map((problem) => `         ${problem}`),
  ]);
  const strays = [...results.passed, ...results.failed].filter((name) =>
    idsIn(name).some((id) => !known.has(id)),
  );
  return {
    lines: [...lines, ...strays.map((name) => `BROKEN no document has this promise: ${name}`)],
    broken: checked.filter(({ problems }) => problems.length > 0).length + strays.length,
  };
}

/** Prints promises and results. The number of promises that are not kept. */
export function reportPromises(results: Results, isComplete: boolean): number {
  const texts = DOCUMENTS.map((path) => readFileSync(path, "utf8"));
  const { lines, broken } = checkPromises(texts, results, isComplete);
  for (const line of lines) console.log(line);
  return broken;
}

function parsePromises(text: string): readonly Promised[] {
  return text.split(/^## /m).flatMap((section) => {
    const [, id, title] = /^(P\d+)\. (.+)/.exec(section) ?? [];
    if (id === undefined || title === undefined) return [];
    return [{ id, title, testCount: Number(/^Tests: (\d+)$/m.exec(section)?.[1] ?? 0) }];
  });
}

function findProblems(
  { id, testCount }: Promised,
  { passed, failed }: Results,
  isComplete: boolean,
): readonly string[] {
  const holds = (name: string): boolean => idsIn(name).includes(id);
  const passing = passed.filter(holds).length;
  const problems = failed.filter(holds).map((name) => `failed: ${name}`);
  if (testCount === 0) problems.push("the document names no tests");
  if (passing === 0) problems.push("no test of this run holds it");
  else if (isComplete ? passing !== testCount : passing > testCount)
    problems.push(`${count(passing, "test")} passed, and the document names ${testCount}`);
  return problems;
}

function idsIn(name: string): readonly string[] {
  return [...name.matchAll(/\[(P\d+)\]/g)].map(([, id = ""]) => id);
}
