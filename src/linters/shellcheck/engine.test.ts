import assert from "node:assert/strict";
import { test } from "node:test";
import { engine, checkScript } from "../../../test/support/shellcheck-fixtures.ts";

test("a script, a workflow and a Dockerfile are checked, each on its own lines", async () => {
  assert.match(engine.version, /^\d+\.\d+\.\d+$/);
  assert.deepEqual(await checkScript("run.sh", "#!/bin/sh\nmv list.txt\n"), ["SC2224:2"]);
  const workflow = `jobs:\n  a:\n    steps:\n      - run: echo 1\n      - run: |\n          echo 2\n          mv "\${{ inputs.file }}"\n`;
  assert.deepEqual(await checkScript(".github/workflows/a.yml", workflow), ["SC2224:7"]);
  const dockerfile = "FROM alpine\nRUN echo 1\nRUN echo 2 && \\\n  # comment\n  mv list.txt\n";
  assert.deepEqual(await checkScript("Dockerfile", dockerfile), ["SC2224:5"]);
  const mounts = "RUN --mount=type=cache,target=/a \\\n    --mount=type=cache,target=/src/target \\\n    ";
  assert.deepEqual(await checkScript("Dockerfile", `FROM rust\n${mounts}cargo build\n`), []);
  assert.deepEqual(await checkScript("Dockerfile", `FROM rust\n${mounts}mv list.txt\n`), ["SC2224:4"]);
});

test("a step that doesn't parse doesn't hide the others", async () => {
  const workflow = "jobs:\n  a:\n    steps:\n      - run: if true; then\n      - run: mv list.txt\n";
  assert.deepEqual(await checkScript(".github/workflows/a.yml", workflow), [
    "SC1073:4",
    "SC2224:5",
    "unparsed",
  ]);
});

test("a script that isn't parsed to its end wasn't checked", async () => {
  const script = "#!/bin/bash\nmv list.txt\n";
  for (const rest of [")", "fi", "}"])
    assert.deepEqual(
      await checkScript("run.sh", `${script}${rest}\nmv other.txt\n`),
      ["SC2224:2", "unparsed"],
      rest,
    );
  assert.deepEqual(await checkScript("run.sh", `${script}if true; then\n`), ["SC1073:3", "unparsed"]);
  assert.deepEqual(await checkScript("run.sh", `${script}# {% if %}\nif true; then\n`), ["unparsed"]);
});

test("a script of another interpreter isn't for it", async () => {
  const file = { path: "a.sh", language: "bash", text: "#!/usr/bin/env python3\nprint(1)\n" };
  assert.equal(await engine.check(file), null);
});

test("the value of an expression isn't guessed", async () => {
  const workflow = `jobs:\n  a:\n    steps:\n      - run: |\n          if [ "\${{ inputs.mode }}" = "fast" ]; then echo 1; fi\n          [ -n "\${{ inputs.mode }}" ] && echo 2\n          jq '.a = "\${{ inputs.mode }}"' a.json\n`;
  assert.deepEqual(await checkScript(".github/workflows/a.yml", workflow), []);
});

test("no file is read for `source`, and a second call works", async () => {
  const text = "#!/bin/bash\n. /etc/profile\nsource ./engine.test.ts\nmv list.txt\n";
  assert.deepEqual(await checkScript("run.sh", text), ["SC2224:4"]);
  assert.deepEqual(await checkScript("run.sh", text), ["SC2224:4"]);
});

test("a lost change is shown from the line that changes the variable", async () => {
  const text = '#!/bin/bash\nn=0\ncat a | while read -r b; do\n  n=$((n + b))\ndone\necho "$n"\n';
  const found = await engine.check({ path: "run.sh", language: "bash", text });
  assert.deepEqual(
    found?.diagnostics.map(({ rule, line, endLine }) => [rule, line, endLine]),
    [["SC2031", 4, 6]],
  );
});
