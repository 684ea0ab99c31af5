/** Bad input on the command line, kind by kind: missing, empty, unreadable and awkward. */
import assert from "node:assert/strict";
import { existsSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { runKodiai } from "../support/run-kodiai.ts";
import { makeRepository, emptyFolder, assertRefused } from "../support/bad-input-fixtures.ts";

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
