/** Policy comes from the base and the operator, never from the change. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { runKodiai } from "../support/run-kodiai.ts";
import { testRepository } from "../support/test-repository.ts";
import { reviewed, rulesOf, repositoryWith, OFF } from "../support/policy-fixtures.ts";

test("[P4] a rule switched off at the base is off", async (t) => {
  const made = repositoryWith(t, OFF);
  made.commit("a");
  assert.deepEqual(rulesOf(await reviewed(made)), []);
});

test("[P4] a rule that the change switches off still runs, and the edit is reported", async (t) => {
  const made = repositoryWith(t, null);
  made.write(".kodiai.yml", OFF);
  made.commit("hide");
  assert.deepEqual(rulesOf(await reviewed(made)), ["kodiai-config-changed", "leftover-debugger"]);
});

test("severity, mode, suppressions, skipPaths and nested files of the base take effect", async (t) => {
  const made = testRepository();
  t.after(() => made.remove());
  made.write(
    ".kodiai.yml",
    "review:\n  skipPaths: [generated/**]\n  suppressions: ['glob:legacy/**']\nfloor:\n  rules:\n    leftover-debugger: critical\n",
  );
  made.write(
    "packages/web/.kodiai.yml",
    "floor:\n  rules:\n    leftover-debugger: minor\n    empty-catch: off\n    sql-from-strings: medium\n",
  );
  made.commit("root");
  made.git("checkout", "--quiet", "-b", "feature");
  for (const path of ["src/a.ts", "generated/b.ts", "packages/web/c.ts"]) made.write(path, "debugger;\n");
  made.write("packages/web/d.ts", "try { f(); } catch {}\n");
  made.write("packages/web/f.ts", "await db.query(`SELECT * FROM t WHERE id = ${request.query.id}`);\n");
  made.write("legacy/e.ts", "try { f(); } catch {}\n");
  made.commit("feature");
  const output = await reviewed(made);
  assert.deepEqual(
    output.findings.map(({ path, rule, severity }) => `${path} ${rule} ${severity}`).toSorted(),
    [
      "packages/web/c.ts leftover-debugger minor",
      "packages/web/f.ts sql-from-strings medium",
      "src/a.ts leftover-debugger critical",
    ],
  );
  assert.deepEqual(
    output.dropped.map(({ path, reason }) => `${path} ${reason}`),
    ["legacy/e.ts suppressed:config"],
  );
  assert.equal(
    output.receipt.files.find(({ path }) => path === "generated/b.ts")?.reason,
    "filtered:skip-paths",
  );
});

test("an ignore comment needs its rule and a reason, is listed, and never hides what is critical", async (t) => {
  const made = repositoryWith(t, null);
  made.write(
    "src/a.ts",
    "// kodiai-ignore-next-line leftover-debugger -- stepped through on purpose\ndebugger;\n",
  );
  made.write("src/b.ts", "// kodiai-ignore-next-line leftover-debugger\ndebugger;\n");
  made.write("src/d.ts", "// kodiai-ignore-next-line empty-catch -- other rule\ndebugger;\n");
  made.write(
    "src/c.ts",
    "// kodiai-ignore-next-line sql-from-strings -- trust me\nawait db.query(`SELECT * FROM t WHERE id = ${request.query.id}`);\n",
  );
  made.commit("a");
  const output = await reviewed(made);
  assert.deepEqual(output.findings.map(({ path, rule }) => `${path} ${rule}`).toSorted(), [
    "src/b.ts leftover-debugger",
    "src/c.ts sql-from-strings",
    "src/d.ts leftover-debugger",
  ]);
  assert.deepEqual(
    output.dropped.map(({ path, reason, detail }) => [path, reason, detail]),
    [["src/a.ts", "suppressed:in-code", "stepped through on purpose"]],
  );
});

test("init writes a file that checks clean and changes nothing; explain names origins", async (t) => {
  const made = repositoryWith(t, null);
  const run = (...args: string[]) => runKodiai(args, { cwd: made.path });
  assert.equal((await run("init")).code, 0);
  const check = await run("config", "check");
  assert.deepEqual([check.code, check.stdout], [0, "1 file checked, no problems found\n"]);
  made.write(".kodiai.yml", "review:\n  mode: strict\n");
  made.write("src/.kodiai.yml", "review:\n  minConfidence: 0.5\n");
  const explained = await run("config", "explain", "src/a.ts", "--set");
  assert.match(explained.stdout, /^review\.mode: strict +# \.kodiai\.yml$/m);
  assert.match(explained.stdout, /^review\.minConfidence: 0\.5 +# src\/\.kodiai\.yml$/m);
});
