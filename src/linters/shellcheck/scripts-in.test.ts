import assert from "node:assert/strict";
import { test } from "node:test";
import { languageOf } from "../../languages/language-of.ts";
import { hasShell, scriptsIn } from "./scripts-in.ts";

function found(path: string, text: string): readonly (readonly [string, number, string])[] {
  const file = { path, language: languageOf(path), text };
  assert.ok(hasShell(file), path);
  return scriptsIn(file).scripts.map(({ shell, firstLine, lines }) => [shell, firstLine, lines.join("\n")]);
}

test("the shebang names the shell, and other interpreters have no script", () => {
  assert.deepEqual(found("a.sh", "echo 1"), [["bash", 1, "echo 1"]]);
  assert.equal(found("a.sh", "#!/bin/sh\n")[0]?.[0], "sh");
  assert.equal(found("a.sh", "#!/usr/bin/env bash\n")[0]?.[0], "bash");
  assert.equal(found("a.sh", "#! /usr/bin/env -S bash -e\n")[0]?.[0], "bash");
  for (const other of ["#!/bin/zsh\n", "#!/usr/bin/env python3\n", "#!/sbin/openrc-run\n"])
    assert.deepEqual(found("a.sh", other), []);
  assert.ok(!hasShell({ path: "a.bats", language: "bash" }));
});

test("a script without an extension is known by its first line", () => {
  assert.equal(found("bin/prune", "#!/bin/sh\nrm -f $1\n")[0]?.[0], "sh");
  for (const other of ["#!/usr/bin/env python3\n", "rm -f $1\n"])
    assert.deepEqual(found("bin/prune", other), []);
  for (const path of ["LICENSE", "src/notes", "bin/LICENSE"])
    assert.ok(!hasShell({ path, language: "unknown" }));
});

const STEPS = `jobs:
  a:
    runs-on: ubuntu-latest
    steps:
      - run: echo one
      - name: two
        run: |
          cd \${{ inputs.folder }}

          if true; then
            echo two
          fi
        env: { A: b }
      - name: three
        shell: python
        run: |
          print(1)
      - run: |
          echo four
        shell: bash
`;

test("`run` of a workflow is found with its lines, and expressions keep their length", () => {
  const path = ".github/workflows/a.yml";
  assert.deepEqual(found(path, STEPS), [
    ["bash", 5, "echo one"],
    ["bash", 8, "cd ${xxxxxxxxxxxxxxxxx}\n\nif true; then\n  echo two\nfi"],
    ["bash", 19, "echo four"],
  ]);
  // On Windows the default is PowerShell.
  assert.deepEqual(found(path, STEPS.replace("ubuntu", "windows")), [["bash", 19, "echo four"]]);
  assert.deepEqual(found(path, `defaults:\n  run:\n    shell: pwsh\n${STEPS}`), [["bash", 22, "echo four"]]);
});

/** A workflow with one job; its steps start on line 5. */
function job(steps: string, runner = "ubuntu-latest"): string {
  return `jobs:\n  a:\n    runs-on: ${runner}\n    steps:\n${steps}`;
}

test("words in comments, scripts and other jobs don't decide the shell", () => {
  const path = ".github/workflows/a.yml";
  const step = "      - run: echo one\n";
  const expected = [["bash", 5, "echo one"]];
  for (const text of [
    `${job(step)}  # windows\n`,
    `${job(step)}      - name: for windows\n`,
    `${job(step)}  b:\n    runs-on: windows-latest\n    steps:\n      - run: Get-Item a\n`,
    `${job(step)}  b:\n    defaults:\n      run:\n        shell: pwsh\n    steps:\n      - run: Get-Item a\n`,
  ])
    assert.deepEqual(found(path, text), expected, text);
  const faked = `${step}      - run: |\n          run:\n            shell: pwsh\n`;
  assert.deepEqual(found(path, job(faked))[0], expected[0]);
  const matrix = "${{ matrix.os }}\n    strategy: { matrix: { os: [ubuntu-latest, windows-latest] } }";
  assert.deepEqual(found(path, job(step, matrix)), []);
});

test("a script in quotes or folded lines is read, and other forms are reported as not read", () => {
  const path = ".github/workflows/a.yml";
  const read = (steps: string): readonly [readonly string[], boolean] => {
    const { scripts, isComplete } = scriptsIn({ path, language: "yaml", text: job(steps) });
    return [scripts.map(({ firstLine, lines }) => `${firstLine}: ${lines.join("|")}`), isComplete];
  };
  const cases: readonly [string, readonly string[], boolean][] = [
    ["- run: 'echo one' # first", ["5: echo one"], true],
    ['- "run" : "echo one"', ["5: echo one"], true],
    ["- run: echo one # first", ["5: echo one"], true],
    [
      "- run: >-\n          echo one\n          two\n\n          echo three",
      ["6: echo one \\|two||echo three|"],
      true,
    ],
    ['- run: "echo \\"one\\""', [], false],
    ["- run: echo one\n          two", [], false],
    ["- run: >\n          echo one # first\n          two", [], false],
    ["- { name: one, run: echo one }", [], false],
    ["- run: |\n          echo '{ run: 1 }'", ["6: echo '{ run: 1 }'|"], true],
  ];
  for (const [step, scripts, isComplete] of cases)
    assert.deepEqual(read(`      ${step}\n`), [scripts, isComplete], step);
});

test("`RUN` that isn't read is reported", () => {
  const isComplete = (text: string): boolean =>
    scriptsIn({ path: "Dockerfile", language: "dockerfile", text }).isComplete;
  assert.ok(isComplete('FROM alpine\nRUN ["make", "all"]\n'));
  assert.ok(!isComplete("FROM alpine\nRUN cat <<EOF > a\nb\nEOF\n"));
  assert.ok(!isComplete("# escape=`\nFROM alpine\nRUN make\n"));
});

test("`RUN` of a Dockerfile is found with its continuation lines", () => {
  const text = `FROM alpine
RUN --mount=type=cache,target=/root cd /app && \\
    # a comment
    make install
RUN ["make", "all"]
run echo done
RUN <<EOF
echo here
EOF
`;
  assert.deepEqual(found("Dockerfile", text), [
    ["sh", 2, "cd /app && \\\n\\\n    make install"],
    ["sh", 6, "echo done"],
    ["sh", 8, "echo here"],
  ]);
  const shell = 'FROM alpine\nSHELL ["pwsh", "-Command"]';
  assert.deepEqual(found("Dockerfile", text.replace("FROM alpine", shell)), []);
});

test("options of `RUN` are left out, also on continued lines", () => {
  const options = "RUN --mount=type=cache,target=/a \\\n    # a comment\n    --network=none\\ \n    ";
  const command = "cargo build \\\n    --release";
  assert.deepEqual(found("Dockerfile", `FROM rust\n${options}${command}\n`), [["sh", 5, command]]);
  assert.deepEqual(found("Dockerfile", `FROM rust\nRUN \\\n  ${command}\n`), [["sh", 3, command]]);
  for (const other of ['["make", "all"]', "<<EOF\n#!/usr/bin/env python3\nEOF", ""])
    assert.deepEqual(found("Dockerfile", `FROM rust\n${options}${other}\n`), []);
});
