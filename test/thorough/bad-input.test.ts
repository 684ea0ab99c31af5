/** Bad input on the command line, kind by kind: missing, empty, unreadable and awkward. */
import assert from "node:assert/strict";
import { existsSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { makeRepository, emptyFolder, assertRefused } from "../support/bad-input-fixtures.ts";
import { runKodiai } from "../support/run-kodiai.ts";

test("help and version go to standard output and need no repository", async (t) => {
  const cwd = emptyFolder(t);
  const help = await runKodiai(["--help"], { cwd });
  assert.deepEqual([help.code, help.stderr], [0, ""]);
  for (const name of ["review", "init", "config check", "config explain"])
    assert.ok(help.stdout.includes(`  ${name} `), name);
  assert.equal((await runKodiai([], { cwd })).stdout, help.stdout);
  const review = await runKodiai(["review", "--help"], { cwd });
  for (const text of ["--base REF", "--fail-on LEVEL", "Examples:", "kodiai review --staged"])
    assert.ok(review.stdout.includes(text), text);
  assert.equal((await runKodiai(["help", "review"], { cwd })).stdout, review.stdout);
  assert.match((await runKodiai(["--version"], { cwd })).stdout, /^\d+\.\d+\.\d+\n$/);
});

test("no repository, no commits, no base, unknown and option-like refs", async (t) => {
  await assertRefused(["review"], emptyFolder(t), 2, /is not in a git repository\n.*--diff/);
  const made = makeRepository(t);
  await assertRefused(["review"], made.path, 2, /no commits yet\n.*--staged/);
  made.write("a.txt", "one\n");
  made.commit("root");
  await assertRefused(["review", "--base", "nope"], made.path, 2, /unknown ref "nope"\n.*git branch -a/);
  await assertRefused(["review", "--base=--output=/tmp/owned"], made.path, 2, /is not a ref\n/);
  await assertRefused(["review", "--commit=-1"], made.path, 2, /is not a ref\n/);
  await assertRefused(["review", "--range", "main"], made.path, 2, /is not a range\n.*A\.\.B/);
  await assertRefused(["config", "explain", "../x"], made.path, 2, /outside the repository/);
});

test("a diff that is missing, a folder, not a diff, or empty", async (t) => {
  const cwd = emptyFolder(t);
  await assertRefused(["review", "--diff", "nope.diff"], cwd, 2, /nope\.diff does not exist/);
  await assertRefused(["review", "--diff", "."], cwd, 2, /\. is a folder/);
  await assertRefused(
    ["review", "--diff", "-"],
    cwd,
    2,
    /standard input isn't a unified diff\n.*git diff/,
    "hello\n",
  );
  const empty = await runKodiai(["review", "--diff", "-"], { cwd });
  assert.equal(empty.code, 0);
  assert.match(empty.stdout, /Nothing to review: the diff is empty/);
  await assertRefused(["review", "--diff", "-", "--config", "none.yml"], cwd, 2, /none\.yml does not exist/);
});

test("an output that cannot be written", async (t) => {
  const made = makeRepository(t);
  made.write("a.txt", "one\n");
  made.commit("root");
  writeFileSync(join(made.path, "file"), "");
  const { code, stderr } = await runKodiai(["review", "--commit", "HEAD", "-o", "file/x.json"], {
    cwd: made.path,
  });
  assert.deepEqual([code, /file\/x\.json/.test(stderr)], [2, true], stderr);
});

test("an empty change says so", async (t) => {
  const made = makeRepository(t);
  made.commit("root");
  for (const [args, says] of [
    [["--staged"], /no staged changes/],
    [["--commit", "HEAD"], /no changed files/],
    [["--base", "main"], /no changed files/],
  ] as const) {
    const { code, stdout } = await runKodiai(["review", ...args], { cwd: made.path });
    assert.equal(code, 0);
    assert.match(stdout, /Nothing to review/);
    assert.match(stdout, says);
  }
});

test("files of every awkward kind in one change: each is accounted for", async (t) => {
  const made = makeRepository(t);
  made.commit("root");
  made.write("binary.png", Buffer.from([0x89, 0x50, 0, 1, 2]));
  made.write("one-line.js", `var x="${"a".repeat(5_000_000)}"\n`);
  made.write("crlf.ts", "export const a = 1;\r\ndebugger;\r\n");
  made.write("latin1.py", Buffer.from("# caf\xe9\nbreakpoint()\n", "latin1"));
  made.write("new\nline.ts", "debugger;\n");
  made.write("\u202eevil.ts", "debugger;\n");
  made.write("package-lock.json", "{}\n");
  writeFileSync(Buffer.concat([Buffer.from(`${made.path}/`), Buffer.from([0x66, 0xff])]), "x\n");
  symlinkSync("/etc/passwd", join(made.path, "link.ts"));
  made.commit("awkward");
  const { code, stdout, stderr } = await runKodiai(["review", "--commit", "HEAD", "-f", "json"], {
    cwd: made.path,
  });
  assert.equal(stderr, "");
  const output = JSON.parse(stdout);
  const status = new Map(
    output.receipt.files.map((file: { path: string; status: string; reason?: string }) => [
      file.path,
      file.reason ?? file.status,
    ]),
  );
  assert.equal(status.get("binary.png"), "binary");
  assert.equal(status.get("one-line.js"), "filtered:minified");
  assert.equal(status.get("link.ts"), "symlink");
  assert.equal(status.get("package-lock.json"), "filtered:lockfile");
  assert.equal(status.size, 9);
  const found = output.findings
    .filter(({ rule }: { rule: string }) => rule === "leftover-debugger")
    .map(({ path, startLine }: { path: string; startLine: number }) => `${path} ${startLine}`);
  assert.deepEqual(
    found.toSorted(),
    ["crlf.ts 2", "latin1.py 2", "new\nline.ts 1", "\u202eevil.ts 1"].toSorted(),
  );
  assert.equal(code, 0);
  const terminal = await runKodiai(["review", "--commit", "HEAD"], { cwd: made.path });
  assert.doesNotMatch(terminal.stdout, /\u202e|\u001b/);
  assert.match(terminal.stdout, /new\\nline\.ts/);
});

test("a folder where the system lets no one create one is an error at once", async (t) => {
  if (!existsSync("/proc/self")) return t.skip("there is no /proc");
  const made = makeRepository(t);
  for (const text of ["one\n", "two\n"]) {
    made.write("a.txt", text);
    made.commit(text);
  }
  const says = /the folder \/proc\/kodiai can't be created/;
  await assertRefused(
    ["eval", "run", "--model", "floor", "--limit", "1", "--out", "/proc/kodiai"],
    made.path,
    2,
    says,
  );
  await assertRefused(["pack", "--base", "HEAD~1", "--out", "/proc/kodiai"], made.path, 2, says);
  const report = ["review", "--base", "HEAD~1", "--format", "json", "--output", "/proc/kodiai/report.json"];
  await assertRefused(report, made.path, 2, says);
});

test("usage: groups, values that are missing or too many, and options that exclude each other are named", async (t) => {
  const cwd = emptyFolder(t);
  await assertRefused(
    ["config", "chek"],
    cwd,
    2,
    /unknown command "config chek"; did you mean "config check"\?/,
  );
  const group = await runKodiai(["config"], { cwd });
  assert.deepEqual([group.code, group.stdout.match(/^ {2}config \w+/gm)?.length], [0, 2]);
  await assertRefused(["review", "--fail-on", "bad"], cwd, 2, /--fail-on must be one of none, critical/);
  await assertRefused(["review", "--base"], cwd, 2, /--base requires a value: --base REF/);
  await assertRefused(["review", "--staged=yes"], cwd, 2, /--staged doesn't take a value/);
  await assertRefused(
    ["review", "--staged", "--commit", "HEAD"],
    cwd,
    2,
    /--staged and --commit can't be combined/,
  );
  await assertRefused(["review", "src"], cwd, 2, /unexpected argument "src"/);
  await assertRefused(["config", "explain"], cwd, 2, /config explain requires PATH/);
});

test("a finding decides over an incomplete review with --fail-on", async (t) => {
  const made = makeRepository(t);
  made.commit("root");
  made.write("huge.ts", "export const x = 1;\n".repeat(25_000));
  made.write("small.py", "try:\n    load()\nexcept:\n    print()\n");
  made.commit("huge");
  assert.equal(
    (await runKodiai(["review", "--commit", "HEAD", "--fail-on", "minor"], { cwd: made.path })).code,
    1,
  );
});

test("a configuration that is too large or nested too deep is reported, and the review goes on", async (t) => {
  const made = makeRepository(t);
  made.write(".kodiai.yml", "review:\n  mode: strict\n");
  made.commit("root");
  made.git("checkout", "--quiet", "-b", "feature");
  made.write("b.ts", "debugger;\n");
  made.commit("b");
  made.write(".kodiai.yml", `# ${"x".repeat(90)}\n`.repeat(1_000));
  assert.match((await runKodiai(["review", "--staged"], { cwd: made.path })).stdout, /Nothing to review/);
  made.git("add", ".kodiai.yml");
  const large = await runKodiai(["review", "--staged"], { cwd: made.path });
  assert.match(
    large.stdout,
    /\.kodiai\.yml: error: .*larger than 64 KiB/s,
    "a file over the limit is reported, not ignored",
  );
  const hostile = `${"[".repeat(3_000)}\n`;
  made.write(".kodiai.yml", hostile);
  const again = await runKodiai(["review"], { cwd: made.path });
  assert.equal(again.code, 0, again.stderr);
  assert.match(again.stdout, /\.kodiai\.yml.*nest/s);
});
