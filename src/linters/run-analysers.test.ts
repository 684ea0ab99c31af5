import assert from "node:assert/strict";
import { test } from "node:test";
import { configTreeOf } from "../../test/support/analysis-fixtures.ts";
import { parseConfigTree } from "../config/repo-config/parse-config.ts";
import type { Analyser, Program } from "./analyser.ts";
import type { AnalyserRule } from "./analyser-rule.ts";
import type { FileToAnalyse } from "./analysers.ts";
import type { Diagnostic, FileCheck } from "./engine.ts";
import { limitDiagnostics } from "./limit-diagnostics.ts";
import { runAnalysers } from "./run-analysers.ts";

const RULE: AnalyserRule = {
  id: "no-eval",
  severity: "medium",
  category: "security",
  title: (message) => `Seen: ${message}`,
  why: "It matters.",
  fix: "Fix it.",
};

const MISSING_PACKAGE: string = "no-such-package-of-kodiai";

function analyserOf(program: Partial<Program>, rule: Partial<AnalyserRule> = {}): Analyser {
  return {
    name: "oxlint",
    package: "oxlint",
    kind: "program",
    maxChars: { file: 1_000, review: 2_000 },
    isFor: ({ language }) => language === "javascript",
    rules: async () => [{ ...RULE, ...rule }],
    load: async () => ({ version: "1.0", check: finding({ line: 1 }), ...program }),
  };
}

/** A tool that reports the same in every file. */
function finding(place: Partial<Diagnostic>): Program["check"] {
  const { line = 1, endLine = line, ...rest } = place;
  return async (files) => ({
    kind: "read",
    value: new Map(
      files.map(({ path }) => {
        const diagnostics = [{ rule: "no-eval", message: "m", line, endLine, ...rest }];
        return [path, { diagnostics, gap: null }];
      }),
    ),
  });
}

function fileOf(path: string, text: string | null, given: Partial<FileToAnalyse> = {}): FileToAnalyse {
  const config = configTreeOf().root.values;
  return { path, language: "javascript", text, added: new Set([1]), isTest: false, config, ...given };
}

const run = (analyser: Analyser, files: readonly FileToAnalyse[], signal = new AbortController().signal) =>
  runAnalysers(files, {
    entry: new URL("file:///none"),
    now: () => 0,
    signal,
    analysers: [analyser],
  });

test("a diagnostic on an added line is a finding in our words", async () => {
  const { findings, reports } = await run(analyserOf({}), [fileOf("a.js", "eval(a)\nb\n")]);
  assert.deepEqual(findings, [
    {
      title: "Seen: m",
      body: "It matters.\n\nFix it.",
      severity: "medium",
      category: "security",
      path: "a.js",
      quote: "eval(a)",
      lineHint: 1,
      sideHint: "new",
      suggestion: null,
      confidence: 0.95,
      evidence: [],
      source: "analyser",
      rule: "oxlint/no-eval",
      pass: "floor",
      ignoredBecause: null,
    },
  ]);
  assert.deepEqual(reports, [
    { name: "oxlint", version: "1.0", package: "oxlint", files: 1, findings: 1, ms: 0, gaps: [] },
  ]);
});

test("only what the change caused is reported", async () => {
  const linesOf = async (
    place: Partial<Diagnostic>,
    rule: Partial<AnalyserRule>,
    added: readonly number[],
  ) => {
    const file = fileOf("a.js", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", { added: new Set(added) });
    const { findings } = await run(analyserOf({ check: finding(place) }, rule), [file]);
    return findings.map(({ lineHint }) => lineHint);
  };
  const certain = { isCertainAnywhere: true };
  assert.deepEqual(await linesOf({ line: 5 }, {}, [6]), []);
  assert.deepEqual(await linesOf({ line: 5, endLine: 6 }, {}, [6]), [5]);
  assert.deepEqual(await linesOf({ line: 1, endLine: 9 }, {}, [6]), []);
  assert.deepEqual(await linesOf({ line: 9, related: [2] }, {}, [2]), []);
  assert.deepEqual(await linesOf({ line: 9, related: [2] }, certain, [2]), [2]);
  assert.deepEqual(await linesOf({ line: 5 }, certain, [3]), [5]);
  assert.deepEqual(await linesOf({ line: 9 }, certain, [3]), []);
});

test("configuration decides, and a comment in the code only with its reason", async () => {
  const config = (text: string) => ({
    config: parseConfigTree([{ path: ".kodiai.yml", text }]).root.values,
  });
  const found = async (text: string, given: Partial<FileToAnalyse>, rule: Partial<AnalyserRule> = {}) => {
    const at = text.split("\n").length;
    const analyser = analyserOf({ check: finding({ line: at }) }, rule);
    const { findings } = await run(analyser, [fileOf("a.js", text, { added: new Set([at]), ...given })]);
    return findings.map(({ severity, ignoredBecause }) => ignoredBecause ?? severity);
  };
  assert.deepEqual(await found("a", config("floor: { rules: { oxlint/no-eval: critical } }")), ["critical"]);
  assert.deepEqual(await found("a", config("floor: { rules: { oxlint/no-eval: off } }")), []);
  assert.deepEqual(await found("a", config("analysers: { oxlint: off }")), []);
  assert.deepEqual(await found("a", config("analysers: { oxlint: { ignore: [no-eval] } }")), []);
  assert.deepEqual(await found("a", { isTest: true }, { inTests: false }), []);
  assert.deepEqual(await found("a", {}, { accepts: ({ line }) => line !== "a" }), []);
  assert.deepEqual(await found("// kodiai-ignore-next-line oxlint/no-eval -- known\na", {}), ["known"]);
  assert.deepEqual(await found("a; // eslint-disable-line", {}), ["a disable comment without a reason"]);
});

test("a file that makes a tool fail costs only its own findings", async () => {
  const analyser = analyserOf({
    async check(files, limits) {
      if (files.some(({ path }) => path === "hangs.js")) return { kind: "over-limit", limit: "time" };
      if (files.some(({ path }) => path === "crashes.js")) return { kind: "failed", message: "SIGSEGV" };
      return finding({})(files, limits);
    },
  });
  const names = ["a.js", "b.js", "hangs.js", "c.js", "crashes.js", "d.js", "e.js"];
  const files = [...names.map((path) => fileOf(path, "x")), fileOf("large.js", null)];
  const { findings, reports } = await run(analyser, files);
  assert.deepEqual(
    findings.map(({ path }) => path),
    ["a.js", "b.js", "c.js", "d.js", "e.js"],
  );
  assert.deepEqual(reports[0]?.gaps, [
    { reason: "unread", files: 1, paths: ["large.js"], message: null },
    { reason: "time", files: 1, paths: ["hangs.js"], message: null },
    { reason: "failed", files: 1, paths: ["crashes.js"], message: "SIGSEGV" },
  ]);
});

/** A tool that reports these lines in every file, with a gap. */
function findingLines(
  lines: readonly number[],
  gap: FileCheck["gap"] = null,
  rule = "no-eval",
): Program["check"] {
  const diagnostics = lines.map((line) => ({ rule, message: "m", line, endLine: line }));
  return async (files) => ({
    kind: "read",
    value: new Map(files.map(({ path }) => [path, { diagnostics, gap }])),
  });
}

function linesTo(last: number): readonly number[] {
  return Array.from({ length: last }, (_, index) => index + 1);
}

test("a file that wasn't checked completely is a gap, and what was found in it is reported", async () => {
  for (const gap of ["unparsed", "too-many-findings"] as const) {
    const analyser = analyserOf({ check: findingLines([1], gap) });
    const { findings, reports } = await run(analyser, [fileOf("a.js", "x")]);
    assert.equal(findings.length, 1);
    assert.deepEqual(reports[0]?.gaps, [{ reason: gap, files: 1, paths: ["a.js"], message: null }]);
    assert.equal(reports[0].files, 0);
  }
});

test("over the limit of diagnostics, each rule and the most severe stay, and the cut is a gap", async () => {
  const last = 1_200;
  const severe: AnalyserRule = { ...RULE, id: "severe", severity: "must-fix" };
  const rare: AnalyserRule = { ...RULE, id: "rare", severity: "minor" };
  const diagnostic = (rule: string, line: number): Diagnostic => ({
    rule,
    message: "m",
    line,
    endLine: line,
  });
  const check = (added: ReadonlySet<number>) =>
    limitDiagnostics(
      {
        diagnostics: [
          ...linesTo(last).map((line) => diagnostic("no-eval", line)),
          ...[last + 1, last + 2].map((line) => diagnostic("severe", line)),
          diagnostic("rare", last + 3),
          diagnostic("unknown", 1),
        ],
        gap: null,
      },
      new Map([RULE, severe, rare].map((rule) => [rule.id, rule])),
      added,
    );
  const cut = check(new Set(linesTo(last + 3)));
  assert.equal(cut.gap, "too-many-findings");
  assert.equal(cut.diagnostics.length, 1_000);
  const count = (rule: string): number => cut.diagnostics.filter((each) => each.rule === rule).length;
  assert.deepEqual([count("severe"), count("rare"), count("no-eval"), count("unknown")], [2, 1, 997, 0]);
  // Lines that the change didn't touch don't count.
  const few = check(new Set([7, last + 3]));
  assert.deepEqual([few.gap, few.diagnostics.map(({ line }) => line)], [null, [7, last + 3]]);
});

test("a rule with many hits names the lines of the rest, and ignored hits displace no others", async () => {
  const lines = linesTo(50);
  // The first 25 are switched off by comments.
  const text = lines.map((line) => (line <= 25 ? "a; // eslint-disable-line -- known" : "a;")).join("\n");
  const file = fileOf("a.js", text, { added: new Set(lines) });
  const { findings, reports } = await run(analyserOf({ check: findingLines(lines) }), [file]);
  const shown = findings.filter(({ ignoredBecause }) => ignoredBecause === null);
  assert.deepEqual(
    shown.map(({ lineHint }) => lineHint),
    lines.slice(25, 45),
  );
  assert.match(
    shown[0]?.body ?? "",
    /The same problem is on 5 more lines in this file: 46, 47, 48, 49, 50\./,
  );
  assert.equal(findings.length, 40);
  assert.deepEqual(reports[0]?.gaps, []);
});

test("one file of a thousand that crashes or hangs the tool costs only itself, in few runs", async () => {
  for (const bad of [
    { kind: "failed", message: "SIGSEGV" },
    { kind: "over-limit", limit: "time" },
  ] as const) {
    let runs = 0;
    const analyser = analyserOf({
      async check(files, limits) {
        runs++;
        return files.some(({ path }) => path === "700.js") ? bad : finding({})(files, limits);
      },
    });
    const files = linesTo(1_000).map((index) => fileOf(`${index}.js`, "x"));
    const { findings, reports } = await run(analyser, files);
    assert.equal(findings.length, 999);
    assert.deepEqual(reports[0]?.gaps[0]?.paths, ["700.js"]);
    assert.ok(runs < 40, `${runs} runs`);
  }
});

test("a change full of files that hang the tool is bounded, and every file is a gap", async () => {
  let cpuSeconds = 0;
  const analyser = analyserOf({
    async check(_, { maxCpuSeconds }) {
      cpuSeconds += maxCpuSeconds;
      return { kind: "over-limit", limit: "time" };
    },
  });
  const files = linesTo(300).map((index) => fileOf(`${index}.js`, "x"));
  const { reports } = await run(analyser, files);
  assert.equal(reports[0]?.gaps.length, 1);
  assert.equal(reports[0].gaps[0]?.files, 300);
  assert.ok(cpuSeconds < 150, `${cpuSeconds} s`);
});

test("a missing package is reported, and too many files are bounded", async () => {
  const missing = { ...analyserOf({}), load: () => import(MISSING_PACKAGE) };
  const { reports } = await run(missing, [fileOf("a.js", "x")]);
  assert.deepEqual(reports[0]?.gaps, [{ reason: "not-installed", files: 1, paths: ["a.js"], message: null }]);
  const many = Array.from({ length: 1_200 }, (_, index) => fileOf(`${index}.js`, "x"));
  const bounded = await run(analyserOf({}), many);
  assert.equal(bounded.reports[0]?.files, 1_000);
  const paths = many.slice(1_000).map(({ path }) => path);
  assert.deepEqual(bounded.reports[0]?.gaps, [{ reason: "too-many", files: 200, paths, message: null }]);
});

test("a file that is too large and files beyond the size of a review are counted as not checked", async () => {
  const sizes = [900, 1_001, 900, 900, 200];
  const files = sizes.map((size, index) => fileOf(`${index}.js`, "x".repeat(size)));
  const { findings, reports } = await run(analyserOf({}), files);
  assert.deepEqual(
    findings.map(({ path }) => path),
    ["0.js", "2.js", "4.js"],
  );
  assert.deepEqual(reports[0]?.gaps, [
    { reason: "too-large", files: 1, paths: ["1.js"], message: null },
    { reason: "too-many", files: 1, paths: ["3.js"], message: null },
  ]);
});

test("aborting the review rejects, and a change without its language loads nothing", async () => {
  const stopped = AbortSignal.abort();
  await assert.rejects(run(analyserOf({}), [fileOf("a.js", "x")], stopped), { name: "AbortError" });
  const unused = { ...analyserOf({}), load: () => assert.fail("it must not be loaded") };
  const { reports } = await run(unused, [fileOf("a.py", "x", { language: "python" })]);
  assert.deepEqual(reports, []);
});
