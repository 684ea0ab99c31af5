/** Bad input from users and repositories: each gets a clear message and the right exit code, and nothing crashes. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { test, type TestContext } from "node:test";
import { BIN } from "../support/built-program.ts";
import { runKodiai } from "../support/run-kodiai.ts";
import { type TestRepository, testRepository } from "../support/test-repository.ts";

function makeRepository(t: TestContext): TestRepository {
  const made = testRepository();
  t.after(() => made.remove());
  return made;
}

function emptyFolder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), "kodiai-empty-"));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Exit code, and that standard error says what and what to do, in two lines and without a stack. */
async function assertRefused(
  args: readonly string[],
  cwd: string,
  code: number,
  says: RegExp,
  input = "",
): Promise<void> {
  const result = await runKodiai(args, { cwd, input });
  assert.equal(result.code, code, result.stderr);
  assert.match(result.stderr, says);
  assert.equal(result.stdout, "");
  assert.doesNotMatch(result.stderr, /\n\s+at |defect/);
}

test("usage: unknown commands, options and values name the nearest one", async (t) => {
  const cwd = emptyFolder(t);
  await assertRefused(["reviw"], cwd, 2, /unknown command "reviw"; did you mean "review"\?/);
  await assertRefused(
    ["config", "chek"],
    cwd,
    2,
    /unknown command "config chek"; did you mean "config check"\?/,
  );
  const group = await runKodiai(["config"], { cwd });
  assert.deepEqual([group.code, group.stdout.match(/^ {2}config \w+/gm)?.length], [0, 2]);
  await assertRefused(["review", "--bsae", "main"], cwd, 2, /unknown option --bsae; did you mean --base\?/);
  await assertRefused(
    ["review", "--format", "sarf"],
    cwd,
    2,
    /--format must be one of .* did you mean sarif\?/,
  );
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
  await assertRefused(["review", "\u001b[31mevil"], cwd, 2, /\\x1b\[31mevil/);
});

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

test("a file over the limits makes the review incomplete, with exit code 3, and says which", async (t) => {
  const made = makeRepository(t);
  made.commit("root");
  made.write("huge.ts", "export const x = 1;\n".repeat(25_000));
  made.write("small.py", "try:\n    load()\nexcept:\n    print()\n");
  made.commit("huge");
  const { code, stdout } = await runKodiai(["review", "--commit", "HEAD"], { cwd: made.path });
  assert.equal(code, 3);
  assert.match(stdout, /Incomplete/);
  assert.match(stdout, /huge\.ts/);
  assert.match(stdout, /small\.py:3 +\(\d+\) bare-except/);
  assert.equal(
    (await runKodiai(["review", "--commit", "HEAD", "--fail-on", "minor"], { cwd: made.path })).code,
    1,
  );
});

test("a broken configuration is reported with its line, and the rest of it applies", async (t) => {
  const made = makeRepository(t);
  made.write(
    ".kodiai.yml",
    "review:\n  mode: strct\n  skipPaths: [skipped/**]\nflor: {}\nfloor:\n  rules:\n    emty-catch: off\n",
  );
  made.commit("root");
  made.git("checkout", "--quiet", "-b", "feature");
  made.write("skipped/a.ts", "debugger;\n");
  made.write("b.ts", "debugger;\n");
  made.commit("b");
  const { code, stdout: wrapped } = await runKodiai(["review"], { cwd: made.path });
  const stdout = wrapped.replace(/\s+/g, " ");
  assert.equal(code, 0);
  assert.match(stdout, /\.kodiai\.yml:2:\d+: error: .*strct.*did you mean "strict"/);
  assert.match(stdout, /\.kodiai\.yml:4:\d+: warning: .*flor.*floor/);
  assert.match(stdout, /\.kodiai\.yml:7:\d+: warning: .*unknown rule; did you mean "empty-catch"/);
  assert.match(stdout, /b\.ts:1 +\(\d+\) leftover-debugger/);
  assert.doesNotMatch(stdout, /skipped\/a\.ts:1/);
  const check = await runKodiai(["config", "check"], { cwd: made.path });
  assert.equal(check.code, 2);
  assert.match(check.stdout, /\.kodiai\.yml:2:\d+: error: /);
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

test("Ctrl-C stops at once, says so, and writes nothing", async (t) => {
  const made = makeRepository(t);
  made.commit("root");
  // Standard input stays open, so the program waits for the rest of the diff when the signal comes.
  const child = spawn(process.execPath, [BIN, "review", "--diff", "-", "-o", "out.txt"], {
    cwd: made.path,
  });
  t.after(() => child.kill("SIGKILL"));
  const said = text(child.stderr);
  const ended = once(child, "close");
  // More than a pipe holds: once all is written, the program is reading and handles signals.
  const long = `diff --git a/x b/x\n${"+x\n".repeat(400_000)}`;
  await new Promise<void>((resolve) => child.stdin.write(long, () => resolve()));
  child.kill("SIGINT");
  const [code] = await ended;
  assert.equal(code, 130);
  assert.match(await said, /interrupted; nothing was written/);
  assert.equal(existsSync(join(made.path, "out.txt")), false);
});
