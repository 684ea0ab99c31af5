/** Linters in a review: directives in every spelling, limits, and tools that fail, with every linter. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { installedWith } from "../support/installed-program.ts";
import { runKodiai } from "../support/run-kodiai.ts";
import {
  type Review,
  repositoryFor,
  review,
  found,
  DUPLICATE,
  UNDEFINED,
} from "../support/linter-fixtures.ts";

test("configuration and directives of the repository have no effect on ruff and shellcheck", async (t) => {
  const made = repositoryFor(t);
  for (const folder of [".", "src"]) {
    made.write(`${folder}/ruff.toml`, 'lint.ignore = ["ALL"]\nexclude = ["*"]\n');
    made.write(`${folder}/pyproject.toml`, '[tool.ruff]\nlint.ignore = ["ALL"]\nexclude = ["*"]\n');
    made.write(`${folder}/.shellcheckrc`, "disable=all\nsource-path=/\nexternal-sources=true\n");
  }
  made.write("src/a.py", "def show(items):\n    return itms\n");
  made.write("src/mode.sh", "mode=fast\n");
  made.write("src/a.sh", "#!/bin/bash\n# shellcheck source=src/mode.sh\nsource mode.sh\nmv list.txt\n");
  made.commit("canaries");
  assert.deepEqual(found(await review(made)), ["ruff/F821 src/a.py:2", "shellcheck/SC2224 src/a.sh:4"]);
});

/** The gaps as "linter reason: paths". */
function gapsOf({ tool }: Review): readonly string[] {
  return tool.analysers.flatMap(({ name, gaps }) =>
    gaps.map(({ reason, paths }) => `${name} ${reason}: ${paths.join(" ")}`),
  );
}

const SHELL = "#!/bin/bash\n";

/** Changes with their findings and the files that weren't checked completely. */
const SWITCHES: readonly (readonly [
  what: string,
  files: Readonly<Record<string, string>>,
  found: readonly string[],
  gaps: readonly string[],
])[] = [
  [
    "a line of a docstring that looks like Python 2",
    { "a.py": `"""\nprint "usage"\nexcept ValueError, e:\n"""\n${UNDEFINED}` },
    ["ruff/F821 a.py:6"],
    [],
  ],
  ["Python 2", { "a.py": `print "usage"\n${UNDEFINED}` }, [], ["ruff unparsed: a.py"]],
  [
    "a syntax error at the end",
    {
      "src/a.ts": `${DUPLICATE}export const c = {\n`,
      "src/b.ts": DUPLICATE,
      "b.py": `${UNDEFINED}def c(:\n`,
    },
    ["oxlint/no-dupe-keys src/b.ts:3", "oxlint/syntax-error src/a.ts:5", "ruff/invalid-syntax b.py:3"],
    ["oxlint unparsed: src/a.ts", "ruff unparsed: b.py"],
  ],
  [
    "Flow, which oxlint passes over in silence",
    { "src/a.js": `// @flow\n${DUPLICATE}type C = {| d: ?string |};\n` },
    [],
    ["oxlint unparsed: src/a.js"],
  ],
  [
    "a stray bracket, where ShellCheck stops",
    { "a.sh": `${SHELL})\nmv list.txt\n` },
    [],
    ["shellcheck unparsed: a.sh"],
  ],
  [
    "an open here-document in another step",
    {
      ".github/workflows/a.yml": `on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n${["cat <<EOF", "mv list.txt", "cat <<EOF\n          EOF"].map((script) => `      - run: |\n          ${script}\n`).join("")}`,
    },
    ["shellcheck/SC2224 .github/workflows/a.yml:9"],
    ["shellcheck unparsed: .github/workflows/a.yml"],
  ],
];

for (const [what, files, expected, gaps] of SWITCHES) {
  test(`a change can't switch its linters off unseen: ${what}`, async (t) => {
    const made = repositoryFor(t);
    for (const [path, text] of Object.entries(files)) made.write(path, text);
    made.commit("switch");
    const result = await review(made);
    assert.deepEqual(found(result), expected);
    assert.deepEqual(gapsOf(result), gaps);
    const incomplete = gaps.flatMap((gap) => gap.split(": ")[1] ?? []).length;
    const checked = result.tool.analysers.map((report) => report.files).reduce((sum, each) => sum + each, 0);
    assert.ok(checked + incomplete >= Object.keys(files).length, "every file is checked, or a gap");
  });
}

test("a disable comment with any blanks is hidden from the tool, and leaves a trace", async (t) => {
  const made = repositoryFor(t);
  const blanks = " ".repeat(9);
  made.write("a.sh", `${SHELL}echo 1\n#${blanks}shellcheck disable=all\nmv list.txt\nmv other.txt\n`);
  made.write("a.py", `#\u00a0${blanks}ruff : noqa\n${UNDEFINED}`);
  made.commit("blanks");
  const result = await review(made);
  assert.deepEqual(found(result), ["shellcheck/SC2224 a.sh:5"]);
  assert.deepEqual(result.dropped.map(({ rule, reason }) => `${rule} ${reason}`).toSorted(), [
    "ruff/F821 suppressed:in-code",
    "shellcheck/SC2224 suppressed:in-code",
  ]);
});

test("more findings than a limit hide none that is more severe, and the limit is reported", async (t) => {
  const made = repositoryFor(t);
  const many = (number: number): string =>
    `def run():\n${"    print(undefined_name)\n".repeat(number)}    return\n\n\nbreak\n`;
  made.write("many.py", many(600));
  made.write("more.py", many(1_200));
  made.commit("many");
  const result = await review(made);
  const rules = new Set(found(result).map((each) => each.split(":")[0]));
  for (const path of ["many.py", "more.py"])
    for (const rule of ["F821", "F701"]) assert.ok(rules.has(`ruff/${rule} ${path}`), `${rule} ${path}`);
  assert.deepEqual(gapsOf(result), ["ruff too-many-findings: more.py"]);
});

test("a file that crashes oxlint is named, and the other files' findings stay", async (t) => {
  const made = repositoryFor(t);
  for (let index = 0; index < 20; index++) made.write(`src/${index}.ts`, DUPLICATE);
  made.write(
    "src/deep.js",
    `${DUPLICATE}${`${"[".repeat(100)}\n`.repeat(200)}${`${"]".repeat(100)}\n`.repeat(200)};\n`,
  );
  made.commit("crash");
  const result = await review(made);
  const ours = result.findings.filter(({ rule }) => rule === "oxlint/no-dupe-keys");
  const others = Array.from({ length: 20 }, (_, index) => `src/${index}.ts`);
  assert.deepEqual(ours.map(({ path }) => path).toSorted(), others.toSorted());
  assert.deepEqual(gapsOf(result), ["oxlint failed: src/deep.js"]);
});

test("a file of 5 MB and more files than a linter takes are bounded and reported", async (t) => {
  const made = repositoryFor(t);
  made.write("src/large.js", `export const text = [\n${'  "0123456789abcdef",\n'.repeat(250_000)}];\n`);
  for (let index = 0; index < 1_100; index++)
    made.write(`src/many/${index}.js`, `export const a = ${index};\n`);
  made.write("src/a.ts", DUPLICATE);
  made.commit("large");
  const { tool, findings } = await review(made);
  assert.ok(findings.some(({ rule }) => rule === "oxlint/no-dupe-keys"));
  const [oxlint] = tool.analysers;
  assert.equal(oxlint?.files, 1_000);
  const reasons = new Set(oxlint.gaps.map(({ reason }) => reason));
  assert.ok(reasons.has("too-many"));
});

test("files that are too large for a linter are counted, and the review says which linter", async (t) => {
  const large: Readonly<Record<string, string>> = {
    "run.sh": `#!/bin/bash\n${'echo "one more line"\n'.repeat(2_500)}`,
    "data.py": `import os\n${"a = 'one more line of data'\n".repeat(40_000)}`,
    ".github/workflows/a.yml": `on: push\njobs:\n${"# a comment\n".repeat(20_000)}`,
  };
  const made = repositoryFor(t, large);
  // Code, because a linter has nothing to check in a comment.
  const added: Readonly<Record<string, string>> = { "run.sh": "echo end", "data.py": "b = 1" };
  for (const [path, text] of Object.entries(large))
    made.write(path, `${text}${added[path] ?? "name: changed"}\n`);
  made.write("ok.sh", "#!/bin/bash\nmv list.txt\n");
  made.commit("large");
  const result = await review(made);
  assert.deepEqual(found(result), ["shellcheck/SC2224 ok.sh:2"]);
  assert.deepEqual(
    result.tool.analysers.map(({ name, gaps }) => [name, gaps.map(({ reason, files }) => [reason, files])]),
    [
      // A file of more than 1 MB isn't read at all.
      ["ruff", [["unread", 1]]],
      ["shellcheck", [["too-large", 2]]],
      ["actionlint", [["too-large", 1]]],
    ],
  );
  const { stdout } = await runKodiai(["review", "--no-memory", "--offline"], { cwd: made.path });
  assert.match(
    stdout.replaceAll(/\s+/g, " "),
    /shellcheck [\d.]+: 1 file, 1 finding, 2 files not checked \(too large for it\)/,
  );
});

const BROKEN: readonly (readonly [string, string | null, string])[] = [
  ["isn't installed", null, "not-installed"],
  ["crashes", 'process.kill(process.pid, "SIGSEGV");', "failed"],
  ["writes something else", 'console.log("{}");', "failed"],
  ["hangs", "for (;;);", "time"],
];

for (const [how, program, reason] of BROKEN) {
  test(`a linter that ${how} costs only its findings, and the review says so`, async (t) => {
    const made = repositoryFor(t);
    made.write("src/a.ts", `${DUPLICATE}debugger;\n`);
    made.commit("broken");
    const bin = installedWith(t, program);
    const result = await review(made, { bin });
    assert.ok(result.findings.some(({ rule }) => rule === "leftover-debugger"));
    assert.deepEqual(found(result), []);
    assert.deepEqual(
      result.tool.analysers.map(({ name, files, gaps }) => [name, files, gaps.map((gap) => gap.reason)]),
      [["oxlint", 0, [reason]]],
    );
    if (reason !== "not-installed") return;
    const { stdout } = await runKodiai(["review", "--no-memory", "--offline"], { cwd: made.path, bin });
    assert.match(
      stdout.replaceAll(/\s+/g, " "),
      /oxlint: 1 file not checked \(not installed; .*npm install oxlint/,
    );
  });
}
