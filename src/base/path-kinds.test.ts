import assert from "node:assert/strict";
import { test } from "node:test";
import { isDockerfile, isMachineWritten, isSample, isTranslationFile, isWorkflow } from "./path-kinds.ts";

const CASES: readonly (readonly [string, (path: string) => boolean, readonly string[], readonly string[]])[] =
  [
    [
      "translations",
      isTranslationFile,
      [
        "locales/fa.json",
        "app/res/values-ar/strings.xml",
        "po/he.po",
        "src/i18n/en.ts",
        "messages_ar.properties",
        "Base.lproj/Main.strings",
      ],
      ["src/local.ts", "src/language-server.ts", "values/strings.xml", "src/calendar.ts"],
    ],
    [
      "samples",
      isSample,
      [
        "test/a.ts",
        "src/testdata/key.pem",
        "examples/x.py",
        "config/app.example.yml",
        ".ci/compose.yml",
        "db/seeds.rb",
        "src/mock-server.ts",
      ],
      ["src/contest.ts", "src/latest/a.ts", "src/device.ts", "src/document.ts", "src/circle/a.ts"],
    ],
    [
      "machine-written files",
      isMachineWritten,
      ["yarn.lock", "web/app.min.js", "node_modules/a/b.js", "go.sum"],
      ["src/builder.ts", "src/lock.ts"],
    ],
    [
      "workflows",
      isWorkflow,
      [".github/workflows/ci.yml", "action.yaml", "tools/setup/action.yml"],
      ["docs/.github/workflows/ci.yml", ".github/dependabot.yml", "src/reaction.yml"],
    ],
    [
      "dockerfiles",
      isDockerfile,
      ["Dockerfile", "web/Dockerfile.prod", "docker/api.Dockerfile", "Containerfile"],
      ["Dockerfile.md", "src/dockerfile.ts", "docs/dockerfiles/x", "Dockerfile.dockerignore"],
    ],
  ];

for (const [name, isOne, members, others] of CASES) {
  test(`${name} are recognized by their paths`, () => {
    for (const path of members) assert.equal(isOne(path), true, path);
    for (const path of others) assert.equal(isOne(path), false, path);
  });
}
