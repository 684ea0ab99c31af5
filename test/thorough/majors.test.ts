/** Majors, and minors below 1.0, of actions and of npm packages, in each variation that makes them harmless, harmful or unknown. */
import { test } from "node:test";
import { manifestOf } from "../support/dependency-fixtures.ts";
import {
  ACTION_3,
  ACTION_4,
  bumpOf,
  type Files,
  LEVEL,
  NEW_FILES,
  NOTES,
  npmAnswers,
  packAnswers,
  type PackageFacts,
  READS,
  reported,
  says,
  shopAt,
  USES_LEFT,
  USES_RIGHT,
  WITHOUT_NOTES,
} from "../support/major-fixtures.ts";

const USED: readonly (readonly [what: string, passed: string, rest: string, expected: string])[] = [
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

const MAJORS: readonly (readonly [
  what: string,
  before: PackageFacts,
  after: PackageFacts,
  files: Files,
  expected: readonly string[],
])[] = [
  [
    "has no notes about it",
    {},
    { files: WITHOUT_NOTES },
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

const MINORS: readonly (readonly [
  what: string,
  after: PackageFacts,
  files: Files,
  expected: readonly string[],
])[] = [
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
];

for (const [what, after, files, expected] of MINORS) {
  test(`confidence in a minor below 1.0 that ${what}`, async (t) => {
    const answers = await npmAnswers({}, after, ["0.4.2", "0.5.0"]);
    says(await reported(t, answers, shopAt("0.4.2", files), shopAt("0.5.0", {})), expected);
  });
}
