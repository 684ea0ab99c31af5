import assert from "node:assert/strict";
import { test } from "node:test";
import { languageOf } from "../../review/analysis/languages.ts";
import { hasShell, scriptsIn } from "./scripts-in.ts";

function found(path: string, text: string): readonly (readonly [string, number, string])[] {
  const file = { path, language: languageOf(path), text };
  assert.ok(hasShell(file), path);
  return scriptsIn(file).map(({ shell, firstLine, lines }) => [shell, firstLine, lines.join("\n")]);
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
  assert.deepEqual(found(path, `defaults:\n  run:\n    shell: pwsh\n${STEPS}`), []);
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
  ]);
  assert.deepEqual(found("Dockerfile", `SHELL ["pwsh", "-Command"]\n${text}`), []);
});

test("options of `RUN` are left out, also on continued lines", () => {
  const options = "RUN --mount=type=cache,target=/a \\\n    # a comment\n    --network=none\\ \n    ";
  const command = "cargo build \\\n    --release";
  assert.deepEqual(found("Dockerfile", `FROM rust\n${options}${command}\n`), [["sh", 5, command]]);
  assert.deepEqual(found("Dockerfile", `FROM rust\nRUN \\\n  ${command}\n`), [["sh", 3, command]]);
  for (const other of ['["make", "all"]', "<<EOF\necho here\nEOF", ""])
    assert.deepEqual(found("Dockerfile", `FROM rust\n${options}${other}\n`), []);
});
