import assert from "node:assert/strict";
import { test } from "node:test";
import { assertGolden } from "../../../../test/support/golden.ts";
import { openFinding, priorFinding, settledOf } from "../../../../test/support/prior-fixtures.ts";
import {
  againPublication,
  carriedScope,
  FLOOR_PASS,
  modelPass,
  READ_ALL,
  readByModel,
  sampleAnalysis,
  sampleAnchor,
  sampleChange,
  sampleFile,
  sampleFileAnalysis,
  sampleFinding,
  sampleJudged,
  type SampleInput,
  samplePublication,
  SAMPLE_MODEL,
  SAMPLE_PUBLICATIONS,
  SINCE,
} from "../../../../test/support/sample-publication.ts";
import type { Finding, JudgedFinding } from "../../findings/finding.ts";
import { renderTerminal } from "./render-terminal.ts";
import { displayWidth } from "./terminal-text.ts";

for (const [name, compose] of Object.entries(SAMPLE_PUBLICATIONS)) {
  test(`terminal: ${name}`, () => {
    assertGolden(`publication/terminal/${name}.txt`, renderTerminal(compose(), { color: false, width: 100 }));
  });
}

test("terminal: narrow", () => {
  const text = renderTerminal(samplePublication(), { color: false, width: 60 });
  assertGolden("publication/terminal/narrow.txt", text);
  for (const line of text.split("\n")) assert.ok(displayWidth(line) <= 60, `too wide: ${line}`);
});

test("terminal: colour changes nothing but colour", () => {
  const colored = renderTerminal(samplePublication(), { color: true, width: 100 });
  assertGolden("publication/terminal/color.txt", colored);
  const plain = renderTerminal(samplePublication(), { color: false, width: 100 });
  assert.equal(
    colored.replaceAll(/\u001B\[[0-9;]*m/g, "").replaceAll(/ +$/gm, ""),
    plain.replaceAll(/ +$/gm, ""),
  );
});

const HOSTILE = "\u001b[2J\u202e\u200b\u0007\r\u009b1m";

test("terminal: no control character of the change reaches the terminal", () => {
  const path = `a${HOSTILE}\udcff.ts`;
  const finding = sampleFinding({
    title: `t${HOSTILE}`,
    body: `b${HOSTILE}\n- i${HOSTILE}\n\`\`\`\n${HOSTILE}\n\`\`\``,
    path,
    quote: HOSTILE,
    rule: null,
  });
  const anchor = sampleAnchor({ path, startLine: 10, endLine: 10, lines: [HOSTILE] });
  const publication = samplePublication({
    change: sampleChange([sampleFile(path, [`+x${HOSTILE}`])], { description: HOSTILE, notes: [HOSTILE] }),
    settled: settledOf(
      [openFinding({ title: HOSTILE, path })],
      [{ prior: priorFinding({ title: HOSTILE }), state: "verified", because: HOSTILE }],
      [{ prior: priorFinding({ title: HOSTILE }), state: "ignored", because: HOSTILE }],
    ),
    judged: [
      sampleJudged(finding, anchor, {
        suggestion: { kind: "verified", replacement: HOSTILE },
        notes: [HOSTILE],
      }),
      sampleJudged(finding, null, { suggestion: { kind: "prose", reason: HOSTILE, text: HOSTILE } }),
      sampleJudged(finding, anchor, { placement: "details" }),
    ],
    degradations: [{ what: HOSTILE, message: HOSTILE, count: 1 }],
    configOrigin: HOSTILE,
    overview: [{ pass: HOSTILE, text: `s${HOSTILE}` }],
    configProblems: [{ severity: "error", file: HOSTILE, line: 1, column: 1, key: "", message: HOSTILE }],
  });
  const text = renderTerminal(publication, { color: false, width: 100 });
  assert.doesNotMatch(text, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u202e\udc80-\udcff]/);
  assert.match(text, /\\u\{202e\}/);
  assert.match(text, /\\xff/);
  assert.match(text, /^Summary .* s\\x1b\[2J\\u\{202e\}/m);
});

test("terminal: a review printed in a workflow gives the runner no command", () => {
  const finding = sampleFinding({
    title: "::error::t",
    body: "::set-output name=a::b\n\n- ::add-mask::x\n\n##[add-path]/tmp",
    quote: "",
    path: "::warning::p",
  });
  const overview = [{ pass: "review", text: `${"word ".repeat(8)}::error::s ##[add-path]/tmp` }];
  const text = renderTerminal(samplePublication({ judged: [sampleJudged(finding, null)], overview }), {
    color: false,
    width: 40,
  });
  assert.doesNotMatch(text, /^\s*::/m);
  assert.ok(!text.includes("##["));
  assert.match(text, /\\::set-output/);
});

test("terminal: the pointer is under wide characters, and a long range shows how much is hidden", () => {
  const lines = ["+  名前 = 1;", ...Array.from({ length: 20 }, (_, index) => `+  x${index};`)];
  const wide = sampleJudged(
    sampleFinding({ path: "w.ts" }),
    sampleAnchor({ path: "w.ts", startLine: 10, endLine: 10, lines: ["  名前 = 1;"] }),
  );
  const long = sampleJudged(
    sampleFinding({ path: "w.ts", rule: "long" }),
    sampleAnchor({ path: "w.ts", startLine: 10, endLine: 30 }),
  );
  const publication = samplePublication({
    change: sampleChange([sampleFile("w.ts", lines)]),
    judged: [wide, long],
  });
  const text = renderTerminal(publication, { color: false, width: 100 });
  assert.match(text, /│ 名前 = 1;\n +│ \^{9}\n/);
  assert.match(text, /… 9 more/);
});

test("terminal: if the model fails, the change is shown as reviewed by built-in rules only, never as skipped", () => {
  const file = sampleFile("a.ts", ["+x", "+y"]);
  const analysis = sampleAnalysis([sampleFileAnalysis("a.ts")]);
  const rowsOf = (why: "failed:model" | "limit:time"): string => {
    const coverage = { ...READ_ALL, byModel: new Map([["a.ts", why]]) };
    const publication = samplePublication({ change: sampleChange([file]), analysis, coverage });
    return renderTerminal(publication, { color: false, width: 100 });
  };
  assert.match(
    rowsOf("failed:model"),
    /^Reviewed    2 lines in 1 file by built-in rules only \(the model failed\): a\.ts\nMode/m,
  );
  assert.match(
    rowsOf("limit:time"),
    /^Reviewed    2 lines in 1 file by built-in rules only \(the model ran out of time\): a\.ts\nMode/m,
  );
});

function repeated(number: number, rule = "sql-from-strings", more: Partial<Finding> = {}): JudgedFinding[] {
  return Array.from({ length: number }, (_, index) => {
    const path = `src/${rule}-${String(index).padStart(2, "0")}.ts`;
    const body = `\`value${index}\` is interpolated. An attacker can read any row.\n\nPass it as a parameter.`;
    return sampleJudged(sampleFinding({ path, rule, body, ...more }), sampleAnchor({ path }), {
      id: `${rule} ${index}`,
      // More than a pull request has comments for.
      placement: index < 7 ? "inline" : "details",
    });
  });
}

function renderMany(options: { readonly max?: number } = {}): string {
  const judged = [...repeated(12), ...repeated(2, "other", { severity: "minor" })];
  const lines = ["+a", "+b", "+c", ...sampleAnchor().lines.map((line) => `+${line}`)];
  const change = sampleChange(judged.map(({ finding }) => sampleFile(finding.path, lines)));
  return renderTerminal(samplePublication({ judged, change }), { color: false, width: 100, ...options });
}

test("terminal: every finding is shown with its code, and a rule is explained once", () => {
  const text = renderMany();
  assert.equal(text.match(/^src\/[\w-]+\.ts:13 {2}/gm)?.length, 14);
  assert.equal(text.match(/\^{60}$/gm)?.length, 14, "every code frame");
  assert.equal(text.match(/An attacker can read any row\./g)?.length, 2);
  assert.equal(text.match(/Pass it as a parameter\./g)?.length, 2);
  for (let index = 0; index < 12; index++)
    assert.match(text, new RegExp(`\`value${index}\` is interpolated`));
  assert.deepEqual(text.match(/See docs\/rules\.md#[\w-]+/g), ["See docs/rules.md#sql-from-strings"]);
  assert.doesNotMatch(text, /More findings|--max/);
});

test("terminal: --max shows that many, spread over rules, and counts the others", () => {
  const text = renderMany({ max: 5 });
  assert.deepEqual(
    text.match(/^src\/[\w-]+\.ts(?=:13 {2})/gm),
    [0, 1, 2]
      .map((index) => `src/sql-from-strings-0${index}.ts`)
      .concat("src/other-00.ts", "src/other-01.ts"),
  );
  assert.match(text, /^… and 9 more findings \(9 critical\), not shown because of --max$/m);
  assert.match(text, /^14 findings \(12 critical, 2 minor\)/m);
});

test("terminal: when something is new, an earlier finding takes two lines, and its severity is colored from major up", () => {
  const colored = renderTerminal(againPublication(), { color: true, width: 100 });
  assert.match(
    colored,
    /^\(5\) \u001B\[1;31mCritical:\u001B\[0m The retry never ends\n {4}\u001B\[2msrc\/db\/users\.ts:13: its code changed; the fix isn't confirmed\u001B\[0m$/m,
  );
  assert.match(
    colored,
    /^\(2\) \u001B\[1;33mMajor:\u001B\[0m Errors are swallowed\n {4}\u001B\[2msrc\/session\.ts:11\u001B\[0m$/m,
  );
  assert.match(colored, /^\(4\) \u001B\[2mMinor:\u001B\[0m The name is too short/m);
  assert.match(colored, /^\u001B\[1msrc\/db\/users\.ts:13\u001B\[0m {2}\u001B\[2m\(6\) sql-from-strings/m);
});

test("terminal: the last line says how to see open findings in full, while they aren't", () => {
  const text = renderTerminal(againPublication(), { color: false, width: 200 });
  assert.match(
    text,
    /\n\nTo see an open finding with its code, run kodiai show 5\. To see all of them, run kodiai review\s--all\.\n$/,
  );
  for (const publication of [againPublication({ judged: [] }), samplePublication()])
    assert.doesNotMatch(renderTerminal(publication, { color: false, width: 200 }), /kodiai show/);
  assert.doesNotMatch(
    renderTerminal(againPublication(), { color: false, width: 200, isAll: true }),
    /kodiai show|^Still open/m,
  );
});

test("terminal: when nothing is new, and with --all, open findings are shown in full, with notes", () => {
  const unchecked = {
    ...openFinding({ number: 8, title: "A link is broken" }),
    carriedAs: "unchecked" as const,
  };
  const settled = settledOf([openFinding({ number: 2, title: "Errors are swallowed" }), unchecked]);
  for (const [more, options] of [
    [{ judged: [] }, {}],
    [{}, { isAll: true }],
  ] as const) {
    const text = renderTerminal(againPublication({ settled, ...more }), {
      color: false,
      width: 100,
      ...options,
    });
    assert.match(text, /^src\/db\/users\.ts:13 {2}\(2\) sql-from-strings · correctness$/m);
    assert.match(
      text,
      /^src\/db\/users\.ts:13 {2}\(8\) sql-from-strings · correctness · not checked again$/m,
    );
    assert.match(text, /A link is broken/);
    assert.doesNotMatch(text, /^Still open/m);
  }
});

test("terminal: --max counts open findings after new ones, and limits hidden and resolved ones", () => {
  const ended = (number: number) => priorFinding({ number, title: `Title ${number}` });
  const settled = settledOf(
    [openFinding({ number: 5 }), openFinding({ number: 2 }), openFinding({ number: 4 })],
    [1, 3].map((number) => ({ prior: ended(number), state: "verified", because: "fixed" })),
    [6, 7].map((number) => ({ prior: ended(number), state: "ignored", because: "a demo" })),
  );
  const shown = (max: number) =>
    renderTerminal(againPublication({ settled }), { color: false, width: 100, max });
  assert.match(shown(2), /^src\/db\/users\.ts:13 {2}\(6\)/m);
  assert.match(
    shown(2),
    /^Still open ─+ 3\n\(2\) [^\n]+\n {4}[^\n]+\n… and 2 more, not shown because of --max\n\nIgnored or suppressed ─+ 2\n\(6\) Title 6\n {4}src\/db\/users\.ts: a demo\n\(7\) [^\n]+\n {4}[^\n]+\n\nResolved ─+ 2\n\(1\) Title 1\n {4}src\/db\/users\.ts: fixed\n\(3\)/m,
  );
  assert.match(shown(1), /^Still open ─+ 3\n… and 3 more, not shown because of --max\n/m);
  assert.match(shown(1), /^Resolved ─+ 2\n\(1\) [^\n]+\n[^\n]+\n… and 1 more, not shown because of --max\n/m);
});

test("terminal: the title of an earlier finding is wrapped, never cut", () => {
  const title = "A title that is much longer than a narrow terminal can show in one line";
  const settled = settledOf(
    [openFinding({ title })],
    [{ prior: priorFinding({ number: 2, title }), state: "verified", because: "long ".repeat(40).trim() }],
  );
  const text = renderTerminal(againPublication({ settled }), { color: false, width: 60 });
  for (const line of text.split("\n")) assert.ok(displayWidth(line) <= 60, `too wide: ${line}`);
  const joined = text.replaceAll(/\s+/g, " ");
  assert.ok(joined.includes(`(1) Major: ${title} src/db/users.ts:13`), joined);
  assert.ok(joined.includes(`(2) ${title} src/db/users.ts: long long`), joined);
});

test("terminal: a finding that is back after it was resolved is marked, under its old number", () => {
  const [judged] = againPublication().findings;
  assert.ok(judged !== undefined);
  const { number: _, ...rest } = judged;
  const reopens = priorFinding({ number: 3, state: "verified" });
  const text = renderTerminal(againPublication({ judged: [{ ...rest, reopens }] }), {
    color: false,
    width: 100,
  });
  assert.match(text, /^src\/db\/users\.ts:13 {2}\(3\) back again · sql-from-strings · security$/m);
});

const FULL: readonly (readonly [
  "requested" | "config-changed" | "prior-unreachable" | "model-changed",
  string,
])[] = [
  ["requested", "everything, because a full review was requested"],
  ["config-changed", "everything, because the configuration changed"],
  ["prior-unreachable", "everything, because the last reviewed commit is no longer available"],
  ["model-changed", "everything, because only built-in rules had reviewed it"],
];
for (const [full, words] of FULL) {
  test(`terminal: a full review after another says why: ${full}`, () => {
    const passes = [FLOOR_PASS, modelPass(SAMPLE_MODEL)];
    const read = (more: Partial<SampleInput>): string =>
      renderTerminal(samplePublication({ scope: { full, since: SINCE }, ...more }), {
        color: false,
        width: 100,
      });
    assert.match(
      read({ passes }),
      new RegExp(`^Read {8}${words}\nReviewed {4}6 of 8 added lines in 3 of 5 files, by`, "m"),
    );
    // Rules read everything every time, so without a model there is nothing to say.
    assert.doesNotMatch(read({}), /^Read /m);
  });
}

test("terminal: a first review says nothing about what was read before", () => {
  assert.doesNotMatch(renderTerminal(samplePublication(), { color: false, width: 100 }), /^Read |before/m);
});

test("terminal: a review that reads nothing new says so", () => {
  const file = sampleFile("a.ts", ["+x", "-y"]);
  const analysis = sampleAnalysis([sampleFileAnalysis("a.ts")]);
  const publication = samplePublication({
    change: sampleChange([file]),
    analysis,
    judged: [],
    dropped: [],
    coverage: readByModel([file]),
    scope: carriedScope([file]),
    passes: [FLOOR_PASS, modelPass(SAMPLE_MODEL)],
    settled: settledOf([openFinding({ number: 2 })]),
  });
  const text = renderTerminal(publication, { color: false, width: 100 });
  assert.match(text, /^─+\nNothing new to review since 1a2b3c4; 1 still open$/m);
  assert.match(text, /^Read {8}nothing new since 1a2b3c4 \(1 read before\)$/m);
  assert.doesNotMatch(text, /^Reviewed/m);
});
