/** Majors, and minors below 1.0, whose removed parts are used here, aren't, or can't be known: of actions and of npm packages, with all hosts on loopback. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { NPM_HOST } from "../../src/base/npm-hosts.ts";
import { buildTarGz } from "../support/build-archives.ts";
import { lockOf, manifestOf, runPatiently } from "../support/dependency-fixtures.ts";
import { startLoopbackHosts } from "../support/loopback-hosts.ts";
import { testRepository } from "../support/test-repository.ts";

type Files = Readonly<Record<string, string>>;
/** By host and path. A number is the status of a refusal. */
type Answers = ReadonlyMap<string, string | Buffer | number>;

/** The answer of `kodiai deps` about the step from one state of the project to the next, on one line. */
async function reported(t: TestContext, answers: Answers, before: Files, after: Files): Promise<string> {
  const hosts = await startLoopbackHosts(t, ({ host, path, body }, response) => {
    const isBatch = host === "api.osv.dev";
    const queries = isBatch ? (JSON.parse(body) as { queries: readonly unknown[] }).queries : [];
    const answer = isBatch
      ? JSON.stringify({ results: queries.map(() => ({})) })
      : answers.get(`${host}${decodeURIComponent(path)}`);
    if (typeof answer === "number") response.writeHead(answer).end();
    else response.writeHead(answer === undefined ? 404 : 200).end(answer ?? "");
  });
  const repository = testRepository();
  t.after(() => repository.remove());
  for (const [path, text] of Object.entries(before)) repository.write(path, text);
  repository.commit("project");
  repository.git("checkout", "--quiet", "-b", "bump");
  for (const [path, text] of Object.entries(after)) repository.write(path, text);
  repository.commit("bump");
  const { stdout } = await runPatiently(["deps", "--base", "main"], { cwd: repository.path, env: hosts.env });
  return stdout.replaceAll(/\s+/g, " ");
}

function says(text: string, expected: readonly string[], unexpected: readonly string[] = []): void {
  for (const each of expected) assert.ok(text.includes(each), `${each}\n\n${text}`);
  for (const each of unexpected) assert.ok(!text.includes(each), `${each}\n\n${text}`);
}

const GITHUB = "api.github.com/repos/acme/pack";

const ACTION_3 = `name: pack
inputs:
  path: { description: what, required: true }
  old-name: { description: gone }
  level: { description: how far, default: "6" }
outputs:
  size: { description: bytes }
runs: { using: node16, main: index.js }
`;

const ACTION_4 = `name: pack
inputs:
  path: { description: what, required: true }
  level: { description: how far, default: "9" }
runs: { using: node20, main: index.js }
`;

function packAnswers({
  now = ACTION_4,
  notes = "### Breaking changes\n\n- Removed the input `old-name`.\n- Removed the output `size`.\n",
}: { readonly now?: string | number; readonly notes?: string | null } = {}): Answers {
  const commit = JSON.stringify({
    sha: "a".repeat(40),
    commit: { committer: { date: "2024-01-31T00:00:00Z" } },
  });
  return new Map<string, string | number>([
    [`${GITHUB}/commits/v3`, commit],
    [`${GITHUB}/commits/v4`, commit],
    [`${GITHUB}/contents/action.yml?ref=v3`, ACTION_3],
    [`${GITHUB}/contents/action.yml?ref=v4`, now],
    [
      `${GITHUB}/releases?per_page=50`,
      JSON.stringify(
        notes === null
          ? []
          : [
              { tag_name: "v4", body: notes },
              { tag_name: "v3", body: "First." },
            ],
      ),
    ],
    [`${GITHUB}/tags?per_page=100`, JSON.stringify([{ name: "v4" }, { name: "v3" }])],
  ]);
}

const workflow = (version: string, passed: string, rest = "", machine = "ubuntu-latest"): Files => ({
  ".github/workflows/ci.yml": `on: push
jobs:
  pack:
    runs-on: ${machine}
    steps:
      - id: packed
        uses: acme/pack@${version}
        with:
          path: dist
${passed}${rest}`,
});

/** The bump of the action in a workflow that passes and reads something. */
const bumpOf = (
  ...rest: readonly [passed: string, rest?: string, machine?: string]
): readonly [Files, Files] => [workflow("v3", ...rest), workflow("v4", ...rest)];

const LEVEL = "          level: 1\n";
const READS = "      - run: echo ${{ steps.packed.outputs.size }}\n";

test("a major of an action that takes away nothing that workflows use is high, with its reason", async (t) => {
  says(await reported(t, packAnswers(), ...bumpOf(LEVEL)), [
    "Merge confidence: high: a breaking version that takes away nothing that is used here",
    "none of the 3 removed or changed inputs and outputs is used here",
    "needs a runner with Node.js 20 (was 16)",
  ]);
});

const USED: readonly (readonly [what: string, passed: string, rest: string, expected: string])[] = [
  [
    "a removed input is passed",
    `${LEVEL}          Old-Name: x\n`,
    "",
    "input old-name at .github/workflows/ci.yml:11",
  ],
  ["a removed output is read", LEVEL, READS, "output size at .github/workflows/ci.yml:11"],
  [
    "an input whose default changed isn't passed",
    "",
    "",
    "default of input level at .github/workflows/ci.yml:7",
  ],
];

for (const [what, passed, rest, expected] of USED) {
  test(`a major of an action is low with the line if ${what}`, async (t) => {
    const text = await reported(t, packAnswers(), ...bumpOf(passed, rest));
    says(text, ["Merge confidence: low: a breaking version, call sites are affected", expected]);
  });
}

test("a major of an action that only needs a newer Node.js is high", async (t) => {
  const now = ACTION_3.replace("node16", "node20");
  const answers = packAnswers({ now, notes: "- Runs on Node.js 20.\n" });
  const text = await reported(t, answers, ...bumpOf("          old-name: x\n", READS));
  says(text, ["Merge confidence: high", "major, but no input or output is removed or changed"]);
});

test("a newly required input that a step doesn't pass is affected at the step", async (t) => {
  const now = ACTION_4.replace("  level:", "  key: { required: true }\n  level:");
  const text = await reported(t, packAnswers({ now }), ...bumpOf(LEVEL));
  says(text, ["Merge confidence: low", "required input key at .github/workflows/ci.yml:7"]);
});

const UNKNOWN: readonly (readonly [
  string,
  Parameters<typeof packAnswers>[0],
  readonly [string, string?, string?],
  string,
])[] = [
  ["its files can't be read", { now: 403 }, [LEVEL], "inputs and outputs unavailable"],
  ["a version has no action.yml", { now: 404 }, [LEVEL], "inputs and outputs unknown (no action.yml)"],
  ["its file isn't understood", { now: "inputs: [a, b]\n" }, [LEVEL], "a breaking version"],
  ["it runs in another way", { now: ACTION_4.replace("node20", "docker") }, [LEVEL], "a breaking version"],
  ["it has no release notes", { notes: null }, [LEVEL], "a breaking version"],
  ["nothing shows why it is a major", { now: ACTION_3, notes: "- Faster.\n" }, [LEVEL], "a breaking version"],
  [
    "its notes name a default",
    { notes: "### Breaking changes\n\n- Caches by default.\n" },
    [LEVEL],
    "breaking notes: - Caches by default.",
  ],
  [
    "all outputs are read at once",
    {},
    [LEVEL, "      - run: echo ${{ toJSON(steps.packed.outputs) }}\n"],
    "may hide more",
  ],
  ["a runner of one's own has to run it", {}, [LEVEL, "", "[self-hosted, linux]"], "may hide more"],
];

for (const [what, answers, given, expected] of UNKNOWN) {
  test(`a major of an action isn't high if ${what}`, async (t) => {
    const text = await reported(t, packAnswers(answers), ...bumpOf(...given));
    says(
      text,
      ["Merge confidence: medium: a breaking version", expected.replace("breaking notes:", "breaking:")],
      ["is used here"],
    );
  });
}

type PackageFacts = { readonly manifest?: object; readonly files?: Files };

const OLD_FILES = { "index.js": "exports.left = (text) => text;\nexports.right = (text) => text;\n" };
const NOTES =
  "# Changelog\n\n## 2.0.0\n\n### Breaking changes\n\n- `right` was removed.\n\n## 1.4.0\n\n- Old.\n";
const NEW_FILES = { "index.js": "exports.left = (text) => text;\n", "CHANGELOG.md": NOTES };

async function npmAnswers(
  before: PackageFacts,
  after: PackageFacts,
  [from, to]: readonly [string, string] = ["1.4.0", "2.0.0"],
): Promise<Answers> {
  const answers = new Map<string, string | Buffer>();
  for (const [version, { manifest, files }] of [
    [from, { files: OLD_FILES, ...before }],
    [to, { files: NEW_FILES, ...after }],
  ] as const) {
    const own = { name: "pads", version, main: "index.js", license: "MIT", ...manifest };
    const archive = await buildTarGz(
      Object.entries({ "package.json": JSON.stringify(own), ...files }).map(([path, text]) => ({
        name: `package/${path}`,
        text,
      })),
    );
    const path = `${NPM_HOST}/pads/-/pads-${version}.tgz`;
    answers.set(path, archive);
    answers.set(
      `${NPM_HOST}/pads/${version}`,
      JSON.stringify({ ...own, dist: { tarball: `https://${path}` } }),
    );
  }
  return answers;
}

const shopAt = (version: string, files: Files): Files => ({
  "package.json": manifestOf({ pads: `^${version}` }),
  "package-lock.json": lockOf({ pads: version }),
  ...files,
});

const USES_LEFT = { "src/shop.js": 'const { left } = require("pads");\nexports.show = left;\n' };

const MAJORS: readonly (readonly [
  what: string,
  before: PackageFacts,
  after: PackageFacts,
  files: Files,
  expected: readonly string[],
])[] = [
  [
    "removes an export that no file uses",
    {},
    {},
    USES_LEFT,
    [
      "confidence: high: a breaking version that takes",
      "but the removed or changed export isn't used here",
      "breaking: - `right` was removed.",
    ],
  ],
  [
    "removes what is used",
    {},
    {},
    { "src/shop.js": 'const { right } = require("pads");\nexports.show = right("x");\n' },
    ["confidence: low: a breaking version, call sites are affected", "right at src/shop.js:2"],
  ],
  [
    "has no notes about it",
    {},
    { files: { "index.js": NEW_FILES["index.js"] } },
    USES_LEFT,
    ["confidence: medium: a breaking version"],
  ],
  [
    "has notes of a later version only",
    {},
    { files: { ...NEW_FILES, "CHANGELOG.md": "# Changelog\n\n## 1.5.0\n\n- New.\n" } },
    USES_LEFT,
    ["confidence: medium: a breaking version"],
  ],
  [
    "changes a default",
    {},
    {
      files: {
        ...NEW_FILES,
        "CHANGELOG.md": NOTES.replace("- `right`", "- Pads with zeros by default.\n- `right`"),
      },
    },
    USES_LEFT,
    ["confidence: medium: a breaking version, the release notes name breaking changes"],
  ],
  [
    "computes its exports",
    {},
    { files: { ...NEW_FILES, "index.js": "module.exports = build(process.env.KIND);\n" } },
    USES_LEFT,
    ["confidence: medium: a breaking version"],
  ],
  [
    "drops a runtime that the project allows",
    { manifest: { engines: { node: ">=16" } } },
    { manifest: { engines: { node: ">=20" } } },
    USES_LEFT,
    ["confidence: medium: a breaking version", "needs node >=20 (was >=16)"],
  ],
  [
    "no longer installs a command that a script runs",
    { manifest: { bin: { padder: "index.js" } } },
    {},
    { ...USES_LEFT, "scripts/build.sh": "npx padder src\n" },
    ["confidence: medium: a breaking version", "no longer installs the command padder"],
  ],
  [
    "needs another package next to it",
    {},
    { manifest: { peerDependencies: { tabs: "^3.0.0" } } },
    USES_LEFT,
    ["confidence: medium: a breaking version", "needs tabs ^3.0.0 next to it"],
  ],
  [
    "can't be loaded with require anymore",
    {},
    {
      manifest: { type: "module", exports: { import: "./index.js" } },
      files: { ...NEW_FILES, "index.js": "export const left = 1;\n" },
    },
    { "src/shop.mjs": 'import { left } from "pads";\nexport const show = left;\n' },
    ["confidence: medium: a breaking version"],
  ],
  [
    "isn't imported, and removes an option that no file has",
    {},
    {},
    { "scripts/build.sh": "npx pads --wide src\n" },
    ["confidence: high: a breaking version that takes", "major, but no file imports it"],
  ],
  [
    "isn't imported, and removes an option that a script has",
    {},
    {},
    { "scripts/build.sh": "npx pads right src\n" },
    ["confidence: medium: a breaking version, the release notes name breaking changes"],
  ],
];

for (const [what, before, after, files, expected] of MAJORS) {
  test(`confidence in a major of a package that ${what}`, async (t) => {
    const answers = await npmAnswers(before, after);
    says(await reported(t, answers, shopAt("1.4.0", files), shopAt("2.0.0", {})), expected);
  });
}

test("a runtime that the project doesn't allow anymore is no concern", async (t) => {
  const answers = await npmAnswers({}, { manifest: { engines: { node: ">=20" } } });
  const withEngine = (version: string): Files => {
    const manifest = JSON.parse(manifestOf({ pads: `^${version}` })) as object;
    return shopAt(version, { "package.json": JSON.stringify({ ...manifest, engines: { node: ">=22" } }) });
  };
  const text = await reported(t, answers, { ...withEngine("1.4.0"), ...USES_LEFT }, withEngine("2.0.0"));
  says(text, ["confidence: high: a breaking version that takes", "needs node >=20"]);
});

test("an entry that explains one major says nothing about the next", async (t) => {
  const notes = NOTES.replace("## 2.0.0", "## 3.0.0\n\n- Maintenance.\n\n## 2.0.0");
  const after = { files: { ...NEW_FILES, "CHANGELOG.md": notes } };
  const answers = await npmAnswers({}, after, ["1.4.0", "3.0.0"]);
  const text = await reported(t, answers, shopAt("1.4.0", USES_LEFT), shopAt("3.0.0", {}));
  says(text, ["confidence: medium: a breaking version"]);
});

const WITHOUT_NOTES = { "index.js": NEW_FILES["index.js"] };
const USES_RIGHT = { "src/shop.js": 'const { right } = require("pads");\nexports.show = right("x");\n' };

const MINORS: readonly (readonly [
  what: string,
  after: PackageFacts,
  files: Files,
  expected: readonly string[],
])[] = [
  [
    "removes an export that no file uses",
    { files: WITHOUT_NOTES },
    USES_LEFT,
    [
      "confidence: high: a breaking version that takes",
      "minor below 1.0, but the removed or changed export isn't used here",
    ],
  ],
  [
    "removes what is used",
    { files: WITHOUT_NOTES },
    USES_RIGHT,
    ["confidence: low: a breaking version, call sites are affected", "right at src/shop.js:2"],
  ],
  [
    "changes a default, by its notes",
    {
      files: {
        ...WITHOUT_NOTES,
        "CHANGELOG.md": "## 0.5.0\n\n### Breaking changes\n\n- Pads with zeros by default.\n",
      },
    },
    USES_LEFT,
    ["confidence: medium: a breaking version, the release notes name breaking changes"],
  ],
  [
    "has a migration guide",
    { files: { ...WITHOUT_NOTES, "CHANGELOG.md": "## 0.5.0\n\nSee the migration guide.\n" } },
    USES_LEFT,
    ["confidence: medium: a breaking version"],
  ],
  [
    "no file imports and no notes are about",
    { files: WITHOUT_NOTES },
    { "scripts/build.sh": "npx pads --wide src\n" },
    ["confidence: medium: a breaking version"],
  ],
  [
    "needs another package next to it",
    { manifest: { peerDependencies: { tabs: "^3.0.0" } }, files: WITHOUT_NOTES },
    USES_LEFT,
    ["confidence: medium: a breaking version", "needs tabs ^3.0.0 next to it"],
  ],
  [
    "computes its exports",
    { files: { "index.js": "module.exports = build(process.env.KIND);\n" } },
    USES_LEFT,
    ["confidence: medium: a breaking version"],
  ],
];

for (const [what, after, files, expected] of MINORS) {
  test(`confidence in a minor below 1.0 that ${what}`, async (t) => {
    const answers = await npmAnswers({}, after, ["0.4.2", "0.5.0"]);
    says(await reported(t, answers, shopAt("0.4.2", files), shopAt("0.5.0", {})), expected);
  });
}
