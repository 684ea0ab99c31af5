/** Bad input from users and repositories: each gets a clear message and the right exit code, and nothing crashes. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { BIN } from "../support/built-program.ts";
import { runKodiai } from "../support/run-kodiai.ts";
import { makeRepository, emptyFolder, assertRefused } from "../support/bad-input-fixtures.ts";

test("usage: unknown commands, options and values name the nearest one", async (t) => {
  const cwd = emptyFolder(t);
  await assertRefused(["reviw"], cwd, 2, /unknown command "reviw"; did you mean "review"\?/);
  await assertRefused(["review", "--bsae", "main"], cwd, 2, /unknown option --bsae; did you mean --base\?/);
  await assertRefused(
    ["review", "--format", "sarf"],
    cwd,
    2,
    /--format must be one of .* did you mean sarif\?/,
  );
  await assertRefused(["review", "\u001b[31mevil"], cwd, 2, /\\x1b\[31mevil/);
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
