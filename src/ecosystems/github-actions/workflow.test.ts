import assert from "node:assert/strict";
import { test } from "node:test";
import { readWith } from "../../../test/support/show-packages.ts";
import { summarizeFile } from "../../../test/support/summarize-entries.ts";
import { PRE_COMMIT } from "../pre-commit/pre-commit.ts";
import { GITHUB_ACTIONS } from "./github-actions.ts";

const COMMIT = "0123456789abcdef0123456789abcdef01234567";
const DIGEST = `sha256:${"0123456789abcdef".repeat(4)}`;

const WORKFLOW = `name: ci
on: push
jobs:
  test:
    steps:
      - uses: actions/checkout@v4
      - name: cache
        uses: "actions/cache/restore@${COMMIT}" # v4.1.0
      - { uses: actions/setup-node@v4, with: { node-version: 20 } }
      - uses: ./local
      - uses: docker://alpine:3.19@${DIGEST}
      - uses: 'a/b@${COMMIT}' # ratchet:a/b@v2
      - uses: c/d@${COMMIT} # tag=v1.2.3
      - uses: e/f@${COMMIT}  # pinned by hand
      # - uses: commented/out@v1
      - run: |
          uses: not/this@v1
      - uses: g/h@release/v1
      - uses: invalid
  reuse:
    uses: org/repo/.github/workflows/build.yml@main
`;

const ACTIONS = [
  [
    ".github/workflows/ci.yml",
    WORKFLOW,
    [
      "actions/checkout v4 build :6 git https://github.com/actions/checkout",
      `actions/cache ${COMMIT} build :8 [/restore] git https://github.com/actions/cache said v4.1.0`,
      "actions/setup-node v4 build :9 git https://github.com/actions/setup-node",
      `docker://alpine 3.19 build :11 git alpine ${DIGEST} #${DIGEST}`,
      `a/b ${COMMIT} build :12 git https://github.com/a/b said v2`,
      `c/d ${COMMIT} build :13 git https://github.com/c/d said v1.2.3`,
      `e/f ${COMMIT} build :14 git https://github.com/e/f`,
      "g/h release/v1 build :18 git https://github.com/g/h",
      "org/repo main build :21 [/.github/workflows/build.yml] git https://github.com/org/repo",
    ],
  ],
  [
    "deploy/action.yaml",
    "runs:\n  using: docker\n  image: docker://node:20\n",
    ["docker://node 20 build :3 git node"],
  ],
  [".github/workflows/a.yaml", "nothing\n", "malformed"],
] as const;

const HOOKS = [
  [
    ".pre-commit-config.yaml",
    `repos:
- repo: https://token@github.com/psf/black.git
  rev: 23.12.1
  hooks:
  - id: black
- repo: local
  hooks:
  - id: mine
    entry: x
-   hooks:
    -   id: ruff
        additional_dependencies: [a==1]
    rev: ${COMMIT}  # frozen: v0.1.9
    repo: https://github.com/astral-sh/ruff-pre-commit
- repo: meta
  hooks: []
`,
    [
      "https://github.com/psf/black 23.12.1 dev :3 git https://github.com/psf/black",
      `https://github.com/astral-sh/ruff-pre-commit ${COMMIT} dev :13 git https://github.com/astral-sh/ruff-pre-commit said v0.1.9`,
    ],
  ],
  [
    ".pre-commit-config.yaml",
    "- repo: https://x.org/a\n  sha: abc\n",
    ["https://x.org/a abc dev :2 git https://x.org/a"],
  ],
  [".pre-commit-config.yaml", "other: 1\n", "malformed"],
] as const;

for (const [index, [path, text, expected]] of ACTIONS.entries()) {
  test(`${path} (${String(index)})`, () => {
    assert.deepEqual(summarizeFile(readWith(GITHUB_ACTIONS.formats, path, text)), expected);
  });
}

for (const [index, [path, text, expected]] of HOOKS.entries()) {
  test(`${path} (${String(index)})`, () => {
    assert.deepEqual(summarizeFile(readWith(PRE_COMMIT.formats, path, text)), expected);
  });
}
