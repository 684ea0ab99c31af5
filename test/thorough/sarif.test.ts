/** `kodiai review --sarif` in its variations: replayed, piped, hostile, and files that can't be used. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { assertNothingAlive } from "../support/alive-markdown.ts";
import { runKodiai } from "../support/run-kodiai.ts";
import { shop, fileOf, type JsonFinding } from "../support/sarif-review-fixtures.ts";
import { clippyRun, gitleaksRun, plainRun, resultAt, sarifLog } from "../support/sarif-samples.ts";

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
