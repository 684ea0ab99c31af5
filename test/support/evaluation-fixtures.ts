/** Sets, runs and findings for tests of evaluations. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CaseRun, type EvaluatedFinding, RUN_FORMAT } from "../../src/evaluation/run/case-run.ts";
import { RUN_KIND, type RunCase } from "../../src/evaluation/run/run-file.ts";
import type { RunResults } from "../../src/evaluation/score/score-run.ts";
import type { KnownAnswer } from "../../src/evaluation/set/evaluation-set.ts";

export function answer(more: Partial<KnownAnswer> = {}): KnownAnswer {
  return {
    id: "a",
    path: "src/cart.ts",
    side: "new",
    lines: [10, 10],
    severity: "major",
    category: "correctness",
    sentence: "The loop reads one item past the end.",
    ...more,
  };
}

export function evaluated(more: Partial<EvaluatedFinding> = {}): EvaluatedFinding {
  return {
    title: "The loop reads one item past the end",
    body: "",
    path: "src/cart.ts",
    side: "new",
    lines: [10, 10],
    severity: "major",
    category: "correctness",
    confidence: 0.9,
    source: "model",
    rule: null,
    pass: "review",
    fate: "shown",
    placement: "inline",
    reason: null,
    mergedInto: null,
    verdict: null,
    ...more,
  };
}

export function caseRun(
  id: string,
  findings: readonly EvaluatedFinding[],
  more: Partial<CaseRun> = {},
): CaseRun {
  return {
    format: RUN_FORMAT,
    case: id,
    repeat: 1,
    failure: null,
    conclusion: "complete",
    findings,
    size: { lines: 20, files: 1 },
    costUsd: 0.01,
    tokens: { input: 1_000, cachedInput: 100, output: 50 },
    firstCallTokens: 900,
    ms: 2_000,
    ...more,
  };
}

export function runCase(id: string, answers: readonly KnownAnswer[]): RunCase {
  return { id, title: `Change ${id}`, language: "TypeScript", isSound: answers.length === 0, answers };
}

export function results(cases: readonly RunCase[], runs: readonly CaseRun[], version = "1"): RunResults {
  return {
    run: {
      kind: RUN_KIND,
      format: RUN_FORMAT,
      reviewer: "1.0.0",
      set: { name: "tiny", version },
      settings: { model: "anthropic:fake", verify: null, passes: null, config: null, repeat: 1, limit: null },
      salt: "salt",
      problems: [],
      cases,
    },
    runs,
    problems: [],
  };
}

const CART = [
  "export function total(items: number[]): number {",
  "  let sum = 0;",
  "  for (let at = 0; at < items.length; at++) sum += items[at] ?? 0;",
  "  return sum;",
  "}",
  "",
].join("\n");

export const BROKEN_LOOP = "  for (let at = 0; at <= items.length; at++) sum += items[at] ?? 0;";

export const LOOP_ANSWER = { ...answer({ lines: [3, 3] }) };

/** Cases whose loop reads too far, and sound ones. */
export function writeSet(
  folder: string,
  { broken, sound }: { readonly broken: number; readonly sound: number },
): void {
  writeJson(join(folder, "set.json"), {
    format: 1,
    name: "tiny",
    version: "1",
    description: "A set for tests.",
    licence: "MIT",
  });
  for (let at = 1; at <= broken; at++)
    writeCase(folder, `broken-${at}`, CART.replace(/ {2}for .*/, `${BROKEN_LOOP} // ${at}`), [LOOP_ANSWER]);
  for (let at = 1; at <= sound; at++)
    writeCase(folder, `sound-${at}`, CART.replace("sum = 0;", `sum = 0; // ${at}`), []);
}

export function writeCase(folder: string, id: string, text: string, answers: readonly KnownAnswer[]): void {
  writeJson(join(folder, "cases", `${id}.json`), {
    id,
    title: `Change the total (${id})`,
    body: "The total is faster now.",
    language: "TypeScript",
    isSound: answers.length === 0,
    answers,
    code: {
      kind: "texts",
      repository: "shop",
      base: { "src/cart.ts": CART },
      changes: { "src/cart.ts": text },
    },
  });
}

export function writeJson(path: string, value: unknown): void {
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, JSON.stringify(value));
}
