/** Policy in its variations: uncommitted files, folders, links, languages, outputs. */
import assert from "node:assert/strict";
import { readFileSync, symlinkSync } from "node:fs";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { reviewed, rulesOf, repositoryWith, OFF } from "../support/policy-fixtures.ts";
import { runKodiai } from "../support/run-kodiai.ts";
import { testRepository } from "../support/test-repository.ts";

test("uncommitted configuration counts, and so does --config", async (t) => {
  const made = repositoryWith(t, null);
  made.commit("a");
  made.write(".kodiai.yml", OFF);
  assert.deepEqual(rulesOf(await reviewed(made)), ["kodiai-config-changed"]);
  made.commit("config");
  assert.deepEqual(rulesOf(await reviewed(made)), ["kodiai-config-changed", "leftover-debugger"]);
  made.write("mine.yml", OFF);
  assert.deepEqual(rulesOf(await reviewed(made, "--config", "mine.yml", "--range", "main..feature")), [
    "kodiai-config-changed",
  ]);
});

test("a folder with the floor switched off is not claimed as read, and makes the review incomplete", async (t) => {
  const made = testRepository();
  t.after(() => made.remove());
  made.write("pkg/.kodiai.yml", "floor:\n  enabled: false\n");
  made.commit("root");
  made.git("checkout", "--quiet", "-b", "feature");
  for (const path of ["pkg/a.py", "src/b.py"]) made.write(path, "breakpoint()\n");
  made.write("pkg/.env.local", "A=1\n");
  made.commit("x");
  const output = await reviewed(made);
  assert.deepEqual(
    output.findings.map(({ path }) => path),
    ["src/b.py"],
  );
  assert.equal(output.receipt.files.find(({ path }) => path === "pkg/a.py")?.reason, "floor-off");
  assert.equal((await runKodiai(["review"], { cwd: made.path })).code, 3);
});

test("an untracked link is accounted for", async (t) => {
  const made = repositoryWith(t, null);
  symlinkSync("/etc/passwd", `${made.path}/link`);
  const { receipt } = await reviewed(made);
  assert.equal(receipt.files.find(({ path }) => path === "link")?.reason, "symlink");
});

test("a model without its key is reported as unavailable, and the built-in rules review", async (t) => {
  const made = repositoryWith(t, "model: anthropic:some-model\n");
  made.commit("a");
  const { stdout } = await runKodiai(["review"], { cwd: made.path });
  assert.match(stdout, /Model +none \(built-in rules only\); the configured model is unavailable/);
  assert.match(stdout, /Degraded +model: anthropic:some-model: ANTHROPIC_API_KEY is not set/);
});

test("a verified suggestion is offered as code", async (t) => {
  const made = repositoryWith(t, null);
  made.write(
    "src/Store.cs",
    "class Store {\n  void Save() {\n    try { Write(); }\n    catch (IOException ex) {\n      Log(ex);\n      throw ex;\n    }\n  }\n}\n",
  );
  made.commit("a");
  const output: { findings: { rule: string; suggestion?: string }[] } = await reviewed(made);
  const found = output.findings.find(({ rule }) => rule === "csharp-throw-ex");
  assert.equal(found?.suggestion, "      throw;");
});

test("output to a file is whole, and standard output stays empty", async (t) => {
  const made = repositoryWith(t, null);
  made.commit("a");
  const { code, stdout, stderr } = await runKodiai(["review", "-f", "sarif", "-o", "out/kodiai.sarif"], {
    cwd: made.path,
  });
  assert.deepEqual([code, stdout], [0, ""]);
  assert.match(stderr, /1 finding \(.* written to out\/kodiai\.sarif/);
  assert.equal(JSON.parse(readFileSync(`${made.path}/out/kodiai.sarif`, "utf8")).version, "2.1.0");
});

test("a language that the built-in rules don't write in is said in the review and by config check", async (t) => {
  const made = repositoryWith(t, "review:\n  language: de\n  modes: strict\n");
  made.commit("a");
  const note =
    /review\.language \(de\) applies to the model's findings; built-in rules and Kodiai's own text are in English/;
  for (const format of ["terminal", "markdown", "json"]) {
    const { stdout } = await runKodiai(["review", "-f", format], { cwd: made.path });
    assert.match(stdout.replaceAll(/\s+/g, " ").replaceAll("\\", ""), note, format);
  }
  const check = await runKodiai(["config", "check"], { cwd: made.path });
  assert.match(check.stdout, note);
  assert.match(check.stdout, /1 file checked: 0 errors, 1 warning\n$/);
  made.write(".kodiai.yml", "review:\n  language: en-GB\n");
  assert.doesNotMatch(
    (await runKodiai(["review", "--offline"], { cwd: made.path })).stdout,
    /review\.language/,
  );
  assert.doesNotMatch((await runKodiai(["config", "check"], { cwd: made.path })).stdout, /review\.language/);
});

test("the size of a change hides no finding, and a threshold of the team does", async (t) => {
  const minor = "floor:\n  rules:\n    leftover-debugger: minor\n";
  for (const [config, shown] of [
    [minor, [["leftover-debugger", "minor", "details"]]],
    [`${minor}review:\n  severity:\n    minLevel: medium\n`, []],
  ] as const) {
    const made = testRepository();
    t.after(() => made.remove());
    made.write(".kodiai.yml", config);
    made.commit("root");
    made.git("checkout", "--quiet", "-b", "feature");
    made.write("src/a.ts", `${"use(1);\n".repeat(600)}debugger;\n`);
    made.commit("feature");
    const { findings } = await reviewed(made);
    assert.deepEqual(
      findings.map(({ rule, severity, placement }) => [rule, severity, placement]),
      shown,
    );
  }
});

test("fail-on: the option beats the configuration, which beats none", async (t) => {
  const made = repositoryWith(t, "review:\n  failOn: medium\n");
  made.commit("a");
  const code = async (...args: string[]) => (await runKodiai(["review", ...args], { cwd: made.path })).code;
  assert.deepEqual(
    [
      await code(),
      await code("--fail-on", "critical"),
      await code("--fail-on", "none"),
      await code("--fail-on", "minor"),
    ],
    [1, 0, 0, 1],
  );
});

test("init replaces a file only with --force, and the schema that it names holds; explain names defaults", async (t) => {
  const made = repositoryWith(t, null);
  const run = (...args: string[]) => runKodiai(args, { cwd: made.path });
  assert.equal((await run("init")).code, 0);
  const again = await run("init");
  assert.equal(again.code, 2);
  assert.match(again.stderr, /already exists\n.*--force/);
  assert.equal((await run("init", "--force")).code, 0);
  const [, schema = ""] = /\$schema=(\S+)/.exec(readFileSync(`${made.path}/.kodiai.yml`, "utf8")) ?? [];
  const isRight = new Ajv2020({ strict: false }).compile(
    JSON.parse(readFileSync(`${made.path}/${schema}`, "utf8")),
  );
  assert.deepEqual(
    [isRight({ review: { mode: "strict" } }), isRight({ review: { mode: 1 } })],
    [true, false],
  );
  assert.match((await run("config", "explain", ".")).stdout, /^timeoutSeconds: 600 +# default$/m);
});
