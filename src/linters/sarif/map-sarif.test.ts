import assert from "node:assert/strict";
import { test } from "node:test";
import { changedFile, changeOf } from "../../../test/support/analysis-fixtures.ts";
import {
  clippyRun,
  codeqlRun,
  eslintRun,
  gitleaksRun,
  golangciRun,
  plainRun,
  resultAt,
  sarifLog,
  semgrepRun,
} from "../../../test/support/sarif-samples.ts";
import type { Finding } from "../../review/findings/finding.ts";
import type { SarifReport } from "../../review/findings/sarif-report.ts";
import { mapSarif } from "./map-sarif.ts";
import { parseSarif } from "./parse-sarif.ts";

const ROOT = "/repo/shop";
const PATH = "src/my app/a.js";
const LINES = [
  " // line 1",
  "+const id = req.params.id;",
  "+db.query('SELECT * FROM users WHERE id = ' + id);",
  " // line 4",
  "-gone();",
  "+let total = 0;",
  "+let spare = 1;",
  "+",
  " // line 8",
];
const CHANGE = changeOf([
  changedFile({ path: PATH, status: "modified", lines: LINES }),
  changedFile({ path: "new.py", lines: ["+import os", "+os.system(cmd)"] }),
]);

function map(runs: readonly object[], folder = ""): SarifReport {
  const log = parseSarif(Buffer.from(sarifLog(...runs.map((run) => ({ ...run })))), "scan.sarif");
  return mapSarif(log, { change: CHANGE, roots: [ROOT], folder });
}

/** The only finding of one result with these fields. */
function mapOne(fields: Record<string, unknown>, driver: Record<string, unknown> = { name: "Sample" }) {
  const { findings, skipped } = map([plainRun([resultAt({ path: PATH, line: 3 }, fields)], driver)]);
  return findings[0] ?? reasonIn(skipped);
}

function reasonIn(skipped: SarifReport["skipped"]): string {
  return Object.entries(skipped).find(([, number]) => number > 0)?.[0] ?? "none";
}

function finding(mapped: Finding | string): Finding {
  if (typeof mapped === "string") assert.fail(`skipped: ${mapped}`);
  return mapped;
}

test("semgrep: the tag decides how sure it is, and the tool's name is short", () => {
  const { findings, tools, results } = map([semgrepRun({ path: encodeURI(PATH), line: 3 })]);
  const [found] = findings;
  assert.deepEqual(tools, [{ name: "Semgrep OSS", version: "1.97.0" }]);
  assert.equal(results, 1);
  assert.equal(found?.rule, "semgrep/javascript.lang.security.audit.sqli.node-mysql-sqli.node-mysql-sqli");
  assert.equal(found.title, "Detected SQL statement that is tainted by `req` object");
  assert.match(
    found.body,
    /Use parameterized statements\.\n\nReported by Semgrep OSS 1\.97\.0, rule `javascript/,
  );
  assert.match(found.body, /See https:\/\/semgrep\.dev\/r\//);
  assert.deepEqual(
    [found.severity, found.category, found.confidence, found.quote, found.lineHint],
    ["major", "security", 0.75, "db.query('SELECT * FROM users WHERE id = ' + id);", 3],
  );
});

test("CodeQL: the rule is in an extension, the file in the list of artifacts, the link becomes a line", () => {
  const [found] = map([codeqlRun({ path: encodeURI(PATH), line: 3 }, 2)]).findings;
  assert.equal(found?.rule, "codeql/js/sql-injection");
  assert.equal(found.title, "Database query built from user-controlled sources");
  assert.match(
    found.body,
    /^This query string depends on a user-provided value \(line 2\)\.\n\nBuilding a database/,
  );
  assert.deepEqual([found.severity, found.category, found.path], ["must-fix", "security", PATH]);
});

test("golangci-lint: an error is major, style is minor", () => {
  const run = golangciRun(PATH, [
    ["errcheck", 3, "Error return value of `db.query` is not checked"],
    ["gofmt", 5, "File is not properly formatted"],
    ["gosec", 6, "G101: Potential hardcoded credentials"],
  ]);
  assert.deepEqual(
    map([run]).findings.map(({ rule, severity, category, title }) => [rule, severity, category, title]),
    [
      ["golangci-lint/errcheck", "major", "reliability", "Error return value of `db.query` is not checked"],
      ["golangci-lint/gosec", "major", "security", "Possible secret in the code: gosec"],
      ["golangci-lint/gofmt", "minor", "style", "File is not properly formatted"],
    ],
  );
});

test("gitleaks: neither the snippet nor the commit message is in the finding", () => {
  const secret = "q7Vt2pLx9sKd4wNz8rYb";
  const { findings } = map([gitleaksRun({ path: PATH, line: 5 }, secret)]);
  assert.equal(findings.length, 1);
  assert.ok(!JSON.stringify(findings).includes(secret));
  assert.deepEqual(
    findings.map(({ title, severity, isSecret }) => [title, severity, isSecret]),
    [["Possible secret in the code: generic-api-key", "major", true]],
  );
});

test("clippy: the rule has the tool's name once", () => {
  const [found] = map([clippyRun({ path: PATH, line: 5 })]).findings;
  assert.equal(found?.rule, "clippy/unwrap_used");
  assert.equal(found.severity, "medium");
  assert.equal(found.body.split("\n\n").length, 1, found.body);
});

test("ESLint: file URIs below the root, and suppressed results keep their reason", () => {
  const { findings } = map([eslintRun(ROOT, { path: PATH, line: 5 }, 6)]);
  assert.deepEqual(
    findings.map(({ rule, path, title, ignoredBecause }) => [rule, path, title, ignoredBecause]),
    [
      ["eslint/no-unused-vars", PATH, "'total' is assigned a value but never used", null],
      [
        "eslint/no-unused-vars",
        PATH,
        "'spare' is assigned a value but never used",
        "suppressed in ESLint: kept for the next release",
      ],
    ],
  );
});

const at = (artifactLocation: object, region: object = { startLine: 3 }) => ({
  locations: [{ physicalLocation: { artifactLocation, region } }],
});

const BASES = {
  ROOT: { uri: `file://${ROOT}/` },
  OTHER: { uri: "file:///runner/shop/shop/" },
  SRC: { uri: "src/", uriBaseId: "OTHER" },
  EMPTY: { description: { text: "The root." } },
  LOOP: { uri: "../", uriBaseId: "LOOP" },
};

const PATHS: readonly (readonly [what: string, location: object, expected: string])[] = [
  ["relative", { uri: "src/my%20app/a.js" }, PATH],
  ["not encoded", { uri: PATH }, PATH],
  ["with ./ and ..", { uri: "./src/x/../my%20app//a.js" }, PATH],
  ["with backslashes", { uri: String.raw`src\my app\a.js` }, PATH],
  ["a file URI", { uri: `file://${ROOT}/src/my%20app/a.js` }, PATH],
  ["a file URI of this host", { uri: `file://localhost${ROOT}/src/my%20app/a.js` }, PATH],
  ["an absolute path", { uri: `${ROOT}/${PATH}` }, PATH],
  ["a base", { uri: "src/my%20app/a.js", uriBaseId: "ROOT" }, PATH],
  ["a base on another machine", { uri: "src/my%20app/a.js", uriBaseId: "OTHER" }, PATH],
  ["a chain of bases", { uri: "my%20app/a.js", uriBaseId: "SRC" }, PATH],
  ["a base without a place", { uri: "src/my%20app/a.js", uriBaseId: "EMPTY" }, PATH],
  ["an unknown base", { uri: "src/my%20app/a.js", uriBaseId: "%SRCROOT%" }, PATH],
  ["an unchanged file", { uri: "src/b.js" }, "unchanged"],
  ["a loop of bases", { uri: "a.js", uriBaseId: "LOOP" }, "unmapped"],
  ["another machine's file", { uri: "file:///runner/src/my%20app/a.js" }, "unmapped"],
  ["another host's file", { uri: `file://evil${ROOT}/src/my%20app/a.js` }, "unmapped"],
  ["a web page", { uri: "https://example.org/src/a.js" }, "unmapped"],
  ["outside the repository", { uri: "../../etc/passwd" }, "unmapped"],
  ["nothing", {}, "unmapped"],
  ["an index without its artifact", { index: 7 }, "unmapped"],
  ["a broken percent sign", { uri: "src/100%/a.js" }, "unchanged"],
];

test("locations become paths of the repository", () => {
  for (const [what, location, expected] of PATHS) {
    const run = plainRun([resultAt({ path: PATH, line: 3 }, at(location))]);
    const { findings, skipped } = map([{ ...run, originalUriBaseIds: BASES }]);
    assert.equal(findings[0]?.path ?? reasonIn(skipped), expected, what);
  }
});

test("paths relative to the folder that Kodiai runs in", () => {
  const run = plainRun([resultAt({ path: "my app/a.js", line: 3 })]);
  assert.equal(map([run], "src").findings[0]?.path, PATH);
  assert.equal(map([run]).skipped.unchanged, 1);
});

const REGIONS: readonly (readonly [what: string, region: object, expected: string])[] = [
  ["one line", { startLine: 3 }, "3 db.query('SELECT * FROM users WHERE id = ' + id);"],
  [
    "two lines",
    { startLine: 2, endLine: 3 },
    "2 const id = req.params.id;|db.query('SELECT * FROM users WHERE id = ' + id);",
  ],
  ["up to the start of the next line", { startLine: 5, endLine: 6, endColumn: 1 }, "5 let total = 0;"],
  ["from a line around it", { startLine: 4, endLine: 5 }, "4 // line 4|let total = 0;"],
  ["a billion lines", { startLine: 5, endLine: 1e9 }, "5 let total = 0;|let spare = 1;||// line 8"],
  ["a context line", { startLine: 4 }, "unchanged"],
  ["a line that no hunk shows", { startLine: 400 }, "unchanged"],
  ["an empty line", { startLine: 7 }, "withoutLine"],
  ["characters only", { charOffset: 40, charLength: 5 }, "withoutLine"],
  ["line 0", { startLine: 0 }, "withoutLine"],
  ["a fraction", { startLine: 2.5 }, "withoutLine"],
  ["text", { startLine: "3" }, "withoutLine"],
  [
    "infinite",
    { startLine: 3, endLine: Number.MAX_VALUE },
    "3 db.query('SELECT * FROM users WHERE id = ' + id);",
  ],
  ["no region in a changed file", {}, "withoutLine"],
];

test("regions become the changed lines they are about", () => {
  for (const [what, region, expected] of REGIONS) {
    const mapped = mapOne(at({ uri: PATH }, region));
    const shown =
      typeof mapped === "string" ? mapped : `${mapped.lineHint} ${mapped.quote.replaceAll("\n", "|")}`;
    assert.equal(shown, expected, what);
  }
  const aboutFile = finding(
    mapOne({ locations: [{ physicalLocation: { artifactLocation: { uri: "new.py" } } }] }),
  );
  assert.deepEqual([aboutFile.quote, aboutFile.lineHint], ["", null]);
});

test("the first location on a changed line counts", () => {
  const locations = [1, 4, 6].map((startLine) => ({
    physicalLocation: { artifactLocation: { uri: PATH }, region: { startLine } },
  }));
  assert.equal(finding(mapOne({ locations })).lineHint, 6);
  assert.equal(mapOne({ locations: [] }), "withoutLine");
});

const rule = (properties: object, level?: string) => ({
  name: "Sample",
  rules: [{ id: "rule-1", properties, ...(level === undefined ? {} : { defaultConfiguration: { level } }) }],
});

const GRADES: readonly (readonly [what: string, result: object, driver: object, expected: string])[] = [
  ["nothing said", {}, rule({}), "medium correctness"],
  ["the rule's level", {}, rule({}, "error"), "major correctness"],
  ["the result's level", { level: "note" }, rule({}, "error"), "minor maintainability"],
  ["a precise error", { level: "error" }, rule({ precision: "high" }), "must-fix correctness"],
  ["an imprecise error", { level: "error" }, rule({ precision: "low" }), "medium correctness"],
  [
    "a severe error",
    { level: "error" },
    rule({ "security-severity": "9.8", tags: ["security"] }),
    "critical security",
  ],
  [
    "a severe warning",
    { level: "warning" },
    rule({ "security-severity": "9.8", tags: ["security"] }),
    "must-fix security",
  ],
  [
    "severe, but imprecise",
    { level: "error" },
    rule({ "security-severity": 9.8, precision: "low" }),
    "major correctness",
  ],
  ["high", { level: "error" }, rule({ "security-severity": "7.5" }), "major correctness"],
  ["moderate", { level: "error" }, rule({ "security-severity": "4.0" }), "medium correctness"],
  ["low", { level: "error" }, rule({ "security-severity": "2.0" }), "minor correctness"],
  ["not a number", { level: "error" }, rule({ "security-severity": "high" }), "major correctness"],
  ["a high rank", { rank: 95 }, rule({}), "major correctness"],
  ["a low rank", { rank: 5 }, rule({}), "minor maintainability"],
  ["no rank", { rank: -1 }, rule({}), "medium correctness"],
  ["style", { level: "error" }, rule({ tags: ["style"] }), "minor style"],
  ["maintainability", { level: "error" }, rule({ tags: ["maintainability"] }), "medium maintainability"],
  [
    "bandit",
    { level: "error", properties: { issue_confidence: "HIGH" } },
    { name: "Bandit" },
    "must-fix security",
  ],
];

test("severity and category follow the tool, as far as it supports them", () => {
  for (const [what, result, driver, expected] of GRADES) {
    const { severity, category } = finding(mapOne({ ...result }, { ...driver }));
    assert.equal(`${severity} ${category}`, expected, what);
  }
});

const SKIPS: readonly (readonly [what: string, fields: object, expected: string])[] = [
  ["a check that passed", { kind: "pass" }, "passed"],
  ["an informational result", { kind: "informational" }, "passed"],
  ["a failure", { kind: "fail" }, "finding"],
  ["known before", { baselineState: "unchanged" }, "known"],
  ["no longer there", { baselineState: "absent" }, "known"],
  ["new", { baselineState: "new" }, "finding"],
  ["changed", { baselineState: "updated" }, "finding"],
];

test("results that aren't problems of this change are counted", () => {
  for (const [what, fields, expected] of SKIPS) {
    const mapped = mapOne({ ...fields });
    assert.equal(typeof mapped === "string" ? mapped : "finding", expected, what);
  }
});

test("a suppression counts only when it was accepted", () => {
  const reasons = ["accepted", undefined, "underReview", "rejected"].map((status) => {
    const mapped = mapOne({
      suppressions: [{ kind: "external", status, justification: "known\u001b[31m issue" }],
    });
    return finding(mapped).ignoredBecause;
  });
  assert.deepEqual(reasons, [
    "suppressed in Sample: known [31m issue",
    "suppressed in Sample: known [31m issue",
    null,
    null,
  ]);
});

test("the same fingerprint of the same rule is one result; facts about a commit are no fingerprint", () => {
  const fingerprint = { partialFingerprints: { primaryLocationLineHash: "abc:1" } };
  const commit = { partialFingerprints: { commitSha: "abc" } };
  const twice = (fields: object) =>
    map([
      plainRun([
        resultAt({ path: PATH, line: 3 }, { ...fields }),
        resultAt({ path: PATH, line: 5 }, { ...fields }),
      ]),
    ]);
  assert.deepEqual([twice(fingerprint).findings.length, twice(fingerprint).skipped.repeated], [1, 1]);
  assert.equal(twice(commit).findings.length, 2);
});

const fixOf = (deletedRegion: object, text: string | null, uri = PATH) => ({
  fixes: [
    {
      artifactChanges: [
        {
          artifactLocation: { uri },
          replacements: [{ deletedRegion, ...(text === null ? {} : { insertedContent: { text } }) }],
        },
      ],
    },
  ],
});

const FIXES: readonly (readonly [what: string, fields: object, expected: string | null])[] = [
  [
    "whole lines",
    fixOf({ startLine: 3, startColumn: 1, endLine: 4, endColumn: 1 }, "safe(id);\n"),
    "safe(id);",
  ],
  ["a line up to its end", fixOf({ startLine: 3, startColumn: 1, endColumn: 50 }, "safe(id);"), "safe(id);"],
  ["a line without columns", fixOf({ startLine: 3 }, "safe(id);"), "safe(id);"],
  ["a deletion", fixOf({ startLine: 3, startColumn: 1, endLine: 4, endColumn: 1 }, null), ""],
  ["a part of a line", fixOf({ startLine: 3, startColumn: 4, endColumn: 9 }, "safe"), null],
  ["not up to its end", fixOf({ startLine: 3, startColumn: 1, endColumn: 9 }, "safe"), null],
  ["a joined line", fixOf({ startLine: 3, startColumn: 1, endLine: 4, endColumn: 1 }, "safe(id);"), null],
  ["another file", fixOf({ startLine: 3 }, "safe(id);", "new.py"), null],
  ["lines that aren't shown", fixOf({ startLine: 3, endLine: 90 }, "safe(id);"), null],
  ["other lines", fixOf({ startLine: 6 }, "safe(id);"), null],
  [
    "two fixes",
    { fixes: [...fixOf({ startLine: 3 }, "a").fixes, ...fixOf({ startLine: 3 }, "b").fixes] },
    null,
  ],
];

test("a fix is a suggestion only if it replaces whole lines", () => {
  for (const [what, fields, expected] of FIXES)
    assert.equal(finding(mapOne({ ...fields })).suggestion, expected, what);
});

test("a comment of Kodiai ignores a result by the rule's whole id", () => {
  const lines = ["+// kodiai-ignore-next-line sample/rule-1 -- checked above", "+run(id);"];
  const change = changeOf([changedFile({ path: "b.js", lines })]);
  const log = parseSarif(Buffer.from(sarifLog(plainRun([resultAt({ path: "b.js", line: 2 })]))), "s");
  const { findings } = mapSarif(log, { change, roots: [], folder: "" });
  assert.deepEqual(
    findings.map(({ ignoredBecause }) => ignoredBecause),
    ["checked above"],
  );
});

test("messages from the rule's templates", () => {
  const driver = {
    name: "Sample",
    rules: [{ id: "rule-1", messageStrings: { named: { text: "Unused variable {0} in {1}" } } }],
  };
  const message = { id: "named", arguments: ["`x`", "main"] };
  assert.equal(finding(mapOne({ message }, driver)).title, "Unused variable `x` in main");
});

test("hostile texts are cut and cleaned, and wrong types count as missing", () => {
  const long = "A".repeat(1_000_000);
  const evil = finding(
    mapOne(
      {
        ruleId: `x\n::error::\u001b[2J${long}`,
        message: { text: `\u001b]0;title\u0007\u202eevil\nSecond ${long}` },
      },
      { name: `Evil\n\u001b[31m${long}`, version: [1], rules: { length: 5 } },
    ),
  );
  assert.ok(evil.title.length <= 120 && evil.body.length < 3_000 && (evil.rule ?? "").length < 200);
  assert.doesNotMatch(`${evil.title}${evil.body}${evil.rule}`, /[\u0000-\u0009\u000b-\u001f\u202e]/);
  assert.match(evil.rule ?? "", /^[\w./@:-]+$/);
  const wrong = finding(
    mapOne({
      ruleId: 7,
      message: "text",
      level: ["error"],
      properties: null,
      suppressions: "all",
      fixes: {},
      rank: {},
    }),
  );
  assert.deepEqual(
    [wrong.rule, wrong.title, wrong.severity],
    ["sample/unknown-rule", "Rule unknown-rule", "medium"],
  );
  assert.equal(map([{ tool: null, results: [null, 1, "x", []] }]).skipped.withoutLine, 4);
});

test("at most 1,000 results become findings, the most severe first", () => {
  const results = Array.from({ length: 1_001 }, (_, index) =>
    resultAt({ path: PATH, line: 3 }, { level: index === 1_000 ? "error" : "note" }),
  );
  const { findings, skipped } = map([plainRun(results)]);
  assert.deepEqual([findings.length, findings[0]?.severity, skipped.overLimit], [1_000, "major", 1]);
});

test("every result is counted once", () => {
  const fields = [
    ...REGIONS.map(([, region]) => at({ uri: PATH }, region)),
    ...SKIPS.map(([, skip]) => skip),
  ];
  const { results, findings, skipped } = map([
    plainRun(fields.map((each) => resultAt({ path: PATH, line: 3 }, { ...each }))),
  ]);
  const sum = Object.values(skipped).reduce((total, number) => total + number, findings.length);
  assert.equal(sum, results);
});
