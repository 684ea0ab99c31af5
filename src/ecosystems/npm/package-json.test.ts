import assert from "node:assert/strict";
import { test } from "node:test";
import { packageJson } from "./package-json.ts";
import { pnpmWorkspace } from "./pnpm-workspace.ts";
import type { FileFormat } from "../ecosystem.ts";

const MANIFEST = `{
  "name": "sample",
  "workspaces": {
    "packages": ["packages/*"],
    "catalog": { "react": "^19.0.0" }
  },
  "dependencies": {
    "express": "^4.0.0",
    "old": "npm:express@3.0.0",
    "__proto__": "1.0.0",
    "constructor": "2.0.0"
  },
  "devDependencies": { "react": "18.0.0", "express": "4.1.0" },
  "optionalDependencies": {
    "fsevents": "*"
  },
  "peerDependencies": {
    "react": ">=18"
  },
  "overrides": {
    "qs": "6.0.0",
    "express": {
      ".": "4.2.0",
      "send@1": "^1.1.0"
    }
  },
  "resolutions": { "a/**/@s/b": "1.0.0" },
  "pnpm": {
    "overrides": {
      "c@1>d": "npm:e@2.0.0"
    }
  }
}
`;

/** Name, requirement, group, line, key; "!" for those that only other packages need. */
const summary = (format: FileFormat, text: string): readonly string[] | string => {
  const file = format.read(text, format.name);
  if (typeof file === "string") return file;
  return file.listed.map(
    ({ name, requirement, group, line, key, isIndirect }) =>
      `${name} ${requirement} ${group} ${line} ${key}${isIndirect === true ? " !" : ""}`,
  );
};

test("package.json", () => {
  assert.deepEqual(summary(packageJson, MANIFEST), [
    "express ^4.0.0 runtime 8 ",
    "express 3.0.0 runtime 9 old",
    "__proto__ 1.0.0 runtime 10 ",
    "constructor 2.0.0 runtime 11 ",
    "fsevents * optional 15 ",
    "react 18.0.0 dev 13 ",
    "express 4.1.0 dev 13 devDependencies",
    "react >=18 peer 18 peerDependencies",
    "qs 6.0.0 runtime 21 overrides/qs !",
    "express 4.2.0 runtime 23 overrides/express/. !",
    "send ^1.1.0 runtime 24 overrides/express/send@1 !",
    "@s/b 1.0.0 runtime 27 resolutions/a/**/@s/b !",
    "e 2.0.0 runtime 30 pnpm/overrides/c@1>d !",
    "react ^19.0.0 runtime 5 workspaces/catalog",
  ]);
});

test("pnpm-workspace.yaml", () => {
  const text =
    "packages:\n  - 'packages/*' # all: of them\n\ncatalog:\n  react: ^18.2.0\n\ncatalogs:\n  legacy:\n    react: 17.0.2\noverrides:\n  a>b: 1.0.0\n";
  assert.deepEqual(summary(pnpmWorkspace, text), [
    "react ^18.2.0 runtime 5 catalog",
    "react 17.0.2 runtime 9 catalogs/legacy",
    "b 1.0.0 runtime 11 overrides !",
  ]);
  assert.deepEqual(summary(pnpmWorkspace, ""), []);
});

const PROBLEMS: readonly (readonly [string, string])[] = [
  ["", "malformed"],
  ["[]", "malformed"],
  ["{", "malformed"],
  ['{ "dependencies": ["a"] }', "malformed"],
  ['{ "dependencies": "a" }', "malformed"],
  ['{ "dependencies": { "a": 1 } }', "malformed"],
  ['{\n<<<<<<< HEAD\n  "a": 1\n=======\n  "a": 2\n>>>>>>> b\n}', "conflict-markers"],
];

test("package.json that can't be understood", () => {
  for (const [text, problem] of PROBLEMS) assert.equal(summary(packageJson, text), problem, text);
});

test("files of installed packages aren't the project's", () => {
  assert.ok(packageJson.path.test("packages/a/package.json"));
  assert.ok(!packageJson.path.test("a/node_modules/b/package.json"));
  assert.ok(!packageJson.path.test("a/package.json.bak"));
});
