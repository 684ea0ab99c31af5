/** `kodiai review --sarif`: results of other tools are part of the review in every format. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { runKodiai } from "../support/run-kodiai.ts";
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
} from "../support/sarif-samples.ts";
import { SECRET, shop, fileOf, type JsonFinding } from "../support/sarif-review-fixtures.ts";

test("results of six tools are in the review, each on its line", async (t) => {
  const made = shop(t);
  const security = fileOf(
    t,
    "security.sarif",
    sarifLog(
      semgrepRun({ path: "src/users.js", line: 8 }),
      codeqlRun({ path: "src/users.js", line: 8 }, 8),
      gitleaksRun({ path: "src/users.js", line: 7 }, SECRET),
      plainRun([resultAt({ path: "src/users.js", line: 2 }), resultAt({ path: "/elsewhere/a.js", line: 2 })]),
    ),
  );
  const linters = fileOf(
    t,
    "linters.sarif",
    sarifLog(
      golangciRun("main.go", [["errcheck", 4, "Error return value of `os.Remove` is not checked"]]),
      clippyRun({ path: "src/lib.rs", line: 3 }),
      eslintRun(made.path, { path: "src/users.js", line: 5 }, 6),
    ),
  );
  const args = ["review", "--no-memory", "--offline", "--sarif", security, "--sarif", linters];
  const run = async (format: string) => {
    const { stdout, stderr, code } = await runKodiai([...args, "--format", format], { cwd: made.path });
    assert.deepEqual([code, stderr], [0, ""]);
    assert.ok(!stdout.includes(SECRET), `${format} shows the secret`);
    return stdout;
  };
  const json = JSON.parse(await run("json"));
  const findings: readonly JsonFinding[] = json.findings;
  const ofTools = findings.filter(({ source }) => source === "sarif");
  assert.deepEqual(
    ofTools
      .map(({ rule, path, startLine, severity }) => `${path}:${startLine} ${severity} ${rule}`)
      .toSorted(),
    [
      "main.go:4 major golangci-lint/errcheck",
      "src/lib.rs:3 medium clippy/unwrap_used",
      "src/users.js:5 medium eslint/no-unused-vars",
      "src/users.js:7 major gitleaks/generic-api-key",
    ].toSorted(),
  );
  const sql = findings.filter(({ path, startLine }) => path === "src/users.js" && startLine === 8);
  assert.equal(sql.length, 1, "three tools report the same problem");
  assert.deepEqual(sql[0]?.alsoReportedBy?.map(({ rule }) => rule).toSorted(), [
    "codeql/js/sql-injection",
    "semgrep/javascript.lang.security.audit.sqli.node-mysql-sqli.node-mysql-sqli",
  ]);
  assert.deepEqual(
    json.dropped
      .filter(({ reason }: { reason: string }) => reason === "suppressed:in-code")
      .map(({ detail }: { detail: string }) => detail),
    ["suppressed in ESLint: kept for the next release"],
  );
  assert.deepEqual(
    json.sarif.map(
      ({
        results,
        kept,
        skipped,
      }: {
        results: number;
        kept: number;
        skipped: { unchanged: number; unmapped: number };
      }) => [results, kept, skipped.unchanged, skipped.unmapped],
    ),
    [
      [5, 3, 1, 1],
      [4, 4, 0, 0],
    ],
  );

  const terminal = await run("terminal");
  assert.match(terminal, /main\.go:4\s+\(\d+\) golangci-lint\/errcheck/);
  assert.match(terminal, /Also reported by codeql\/js\/sql-injection: Database query built/);
  assert.match(terminal, /SARIF {7}\S*security\.sarif/);
  assert.match(
    terminal.replaceAll(/\s+/g, " "),
    /gitleaks v8\.0\.0 and Sample, 5 results, 3 kept, 1 on unchanged lines, 1 outside the repository/,
  );
  assert.match(terminal.replaceAll(/\s+/g, " "), /Degraded .*1 result is outside the repository/);
  const markdown = await run("markdown");
  for (const shown of [
    "clippy/unwrap\\_used",
    "golangci-lint/errcheck",
    "gitleaks/generic-api-key",
    "- SARIF: ",
  ])
    assert.ok(markdown.includes(shown.replaceAll("\\_", "_")), shown);
  const sarif = JSON.parse(await run("sarif"));
  const ids = new Set(sarif.runs[0].results.map(({ ruleId }: { ruleId: string }) => ruleId));
  for (const id of ["golangci-lint/errcheck", "gitleaks/generic-api-key", "eslint/no-unused-vars"])
    assert.ok(ids.has(id), id);
  assert.match(await run("github"), /::warning file=main\.go,line=4.*Found by golangci-lint\/errcheck\./);
});
