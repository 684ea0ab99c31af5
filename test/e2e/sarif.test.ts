/** `kodiai review --sarif`: results of other tools are part of the review in every format, and broken files are refused. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { assertNothingAlive } from "../support/alive-markdown.ts";
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
import { type TestRepository, testRepository } from "../support/test-repository.ts";

/** Not in a format that Kodiai's own rule knows, as gitleaks finds them. */
const SECRET = "q7Vt2pLx9sKd4wNz8rYb";

const BEFORE = "export function list(db) {\n  return db.all();\n}\n";
const AFTER = `export function list(db) {
  return db.all();
}
export function find(req, db) {
  const { total } = db;
  const { spare } = db;
  const greeting = "${SECRET}";
  return db.query("SELECT * FROM users WHERE id = " + req.params.id, greeting);
}
`;

function shop(t: TestContext): TestRepository {
  const made = testRepository();
  t.after(() => made.remove());
  made.write("src/users.js", BEFORE);
  made.write("main.go", "package main\n");
  made.write("src/lib.rs", "// nothing\n");
  made.commit("first");
  made.git("switch", "--quiet", "--create", "feature");
  made.write("src/users.js", AFTER);
  made.write("main.go", 'package main\n\nfunc main() {\n\tos.Remove("x")\n}\n');
  made.write("src/lib.rs", "// nothing\npub fn port(text: &str) -> u16 {\n    text.parse().unwrap()\n}\n");
  made.commit("second");
  return made;
}

/** Outside the repository, so that the files aren't part of the change. */
function fileOf(t: TestContext, name: string, text: string | Uint8Array): string {
  const folder = mkdtempSync(join(tmpdir(), "kodiai-sarif-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

type JsonFinding = {
  readonly rule: string;
  readonly source: string;
  readonly path: string;
  readonly startLine: number;
  readonly severity: string;
  readonly title: string;
  readonly notes: readonly string[];
};

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
  assert.deepEqual(sql[0]?.notes.filter((note) => note.startsWith("also found by")).toSorted(), [
    "also found by codeql/js/sql-injection",
    "also found by semgrep/javascript.lang.security.audit.sqli.node-mysql-sqli.node-mysql-sqli",
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
  assert.match(terminal, /also found by codeql\/js\/sql-injection/);
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

test("a review with SARIF replays to the same result, without the secret", async (t) => {
  const made = shop(t);
  const file = fileOf(
    t,
    "scan.sarif",
    sarifLog(
      gitleaksRun({ path: "src/users.js", line: 7 }, "ghp_0123456789abcdefghijABCDEFGHIJ012345"),
      clippyRun({ path: "src/lib.rs", line: 3 }),
    ),
  );
  const recording = join(made.path, "..", "recording.json");
  t.after(() => rmSync(recording, { force: true }));
  const recorded = await runKodiai(
    ["review", "--no-memory", "--offline", "--sarif", file, "--record", recording],
    {
      cwd: made.path,
    },
  );
  assert.equal(recorded.code, 0, recorded.stderr);
  const replayed = await runKodiai(["replay", recording, "--format", "json"], { cwd: made.path });
  assert.equal(replayed.code, 0, replayed.stdout);
  const { isSame, review } = JSON.parse(replayed.stdout);
  assert.equal(isSame, true);
  assert.ok(review.findings.some(({ rule }: JsonFinding) => rule === "clippy/unwrap_used"));
});

test("a diff outside a repository, and SARIF from standard input", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "kodiai-diff-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(
    join(folder, "change.diff"),
    "--- a/src/lib.rs\n+++ b/src/lib.rs\n@@ -1 +1,2 @@\n // nothing\n+pub fn port() { text.parse().unwrap() }\n",
  );
  const { stdout, code } = await runKodiai(
    ["review", "--no-memory", "--offline", "--diff", "change.diff", "--sarif", "-", "--format", "json"],
    { cwd: folder, input: sarifLog(clippyRun({ path: "src/lib.rs", line: 2 })) },
  );
  assert.equal(code, 0);
  assert.ok(JSON.parse(stdout).findings.some(({ rule }: JsonFinding) => rule === "clippy/unwrap_used"));
});

test("files that can't be used: exit code 2, what is wrong and what to do", async (t) => {
  const made = shop(t);
  const tooMany = sarifLog(plainRun(Array.from({ length: 50_001 }, () => ({}))));
  const large = Buffer.alloc(20_000_001, " ");
  const cases: readonly (readonly [text: string | Uint8Array, expected: RegExp])[] = [
    ["hello", /bad\.sarif isn't JSON\n {2}Write the file with the tool's own SARIF option/],
    ['{"issues":[]}', /bad\.sarif is JSON, but not SARIF\n/],
    [
      '{"version":"1.0.0","runs":[]}',
      /bad\.sarif is SARIF 1\.0\.0, and Kodiai reads 2\.1\.0\n {2}Update the tool/,
    ],
    [
      tooMany,
      /bad\.sarif has 50,001 results, and Kodiai reads at most 50,000\n {2}Run the tool on the changed files/,
    ],
    [large, /bad\.sarif is larger than 20 MB\n {2}Run the tool on the changed files only/],
    ["[".repeat(10_000_000), /bad\.sarif isn't SARIF: it's nested more than 200 levels deep\n/],
  ];
  for (const [text, expected] of cases) {
    const file = fileOf(t, "bad.sarif", text);
    const { code, stdout, stderr } = await runKodiai(
      ["review", "--no-memory", "--offline", "--sarif", file],
      {
        cwd: made.path,
      },
    );
    assert.deepEqual([code, stdout], [2, ""], stderr);
    assert.match(stderr, expected);
  }
  const refused = async (args: readonly string[], expected: RegExp) => {
    const { code, stderr } = await runKodiai(["review", "--no-memory", "--offline", ...args], {
      cwd: made.path,
    });
    assert.equal(code, 2, stderr);
    assert.match(stderr, expected);
  };
  await refused(["--sarif", "nowhere.sarif"], /nowhere\.sarif does not exist\n {2}Check the path\./);
  await refused(["--sarif", "."], /\. is a folder/);
  await refused(["--sarif", "-", "--diff", "-"], /standard input can be read only once/);
  await refused(["--sarif"], /--sarif requires a value: --sarif FILE/);
  const publish = ["review", "--pr", "https://github.com/a/b/pull/1", "--publish", "--sarif", "x.sarif"];
  const { code, stderr } = await runKodiai(publish, { cwd: made.path });
  assert.equal(code, 2);
  assert.match(stderr, /--sarif can't be combined with --publish/);
});

test("hostile texts start no command, link or escape sequence in any format", async (t) => {
  const made = shop(t);
  const evil =
    "\u001b[2J::error::pwned ##[error] @everyone <img src=x> [click](https://evil.example)\n::stop-commands::x";
  const file = fileOf(
    t,
    "evil.sarif",
    sarifLog(
      plainRun(
        [
          resultAt(
            { path: "src/users.js", line: 5 },
            { ruleId: evil, message: { text: evil }, level: "error" },
          ),
        ],
        {
          name: evil,
          version: evil,
          rules: [{ id: evil, shortDescription: { text: evil }, help: { text: evil } }],
        },
      ),
    ),
  );
  for (const format of ["terminal", "markdown", "github", "sarif", "json"]) {
    const { code, stdout } = await runKodiai(
      ["review", "--no-memory", "--offline", "--sarif", file, "--format", format],
      {
        cwd: made.path,
      },
    );
    assert.equal(code, 0);
    assert.match(stdout, /pwned/, format);
    assert.ok(!stdout.includes("\u001b"), format);
    if (format === "json" || format === "sarif") continue;
    assert.doesNotMatch(stdout, /^\s*::(?:error|stop-commands)::/m, format);
    if (format === "markdown") assertNothingAlive(stdout.replaceAll(/<\/?(?:details|summary)>/g, ""));
  }
});
