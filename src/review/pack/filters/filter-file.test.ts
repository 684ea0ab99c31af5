import assert from "node:assert/strict";
import { test } from "node:test";
import { compileGlobs } from "../../../base/glob.ts";
import { addedFile } from "../../change/added-file.ts";
import type { PackReason } from "../context-pack.ts";
import type { RankedFile } from "../rank/ranked-file.ts";
import { filterCandidate, filterChangedFile, MAX_PACKED_BYTES, type PackFilters } from "./filter-file.ts";

const FILTERS: PackFilters = {
  include: { tests: false, docs: false, lockfiles: false },
  isExcluded: compileGlobs(["legacy/**"]),
  attributes: new Map([["api/client.ts", { generated: true }]]),
};
const ALL: PackFilters = { ...FILTERS, include: { tests: true, docs: true, lockfiles: true } };

function candidate(path: string, facts: Partial<RankedFile & { bytes: number }> = {}) {
  const signals = { imports: null, names: null, words: null, likeness: null, history: null, question: null };
  return {
    path,
    rank: 1,
    closeness: 100,
    signals,
    relation: "none",
    frequency: 0,
    distance: null,
    bytes: 10,
    ...facts,
  } as const;
}

/** Files that are filtered by name, as related files and as changed ones. */
const NAMES: readonly (readonly [path: string, reason: PackReason | null])[] = [
  ["src/cart.ts", null],
  ["package-lock.json", "filtered:lockfile"],
  ["web/yarn.lock", "filtered:lockfile"],
  [".env", "filtered:env"],
  ["deploy/.env.production", "filtered:env"],
  ["prod.env", "filtered:env"],
  [".envrc", "filtered:env"],
  [".env.example", null],
  ["src/env.ts", null],
  ["src/environment.py", null],
  ["keys/id_rsa", "filtered:secret"],
  ["keys/id_rsa.pub", null],
  ["certs/server.pem", "filtered:secret"],
  ["server.key", "filtered:secret"],
  [".npmrc", "filtered:secret"],
  ["home/.ssh/config", "filtered:secret"],
  [".aws/credentials", "filtered:secret"],
  ["config/credentials.json", "filtered:secret"],
  ["config/secrets.yml", "filtered:secret"],
  ["config/prod-secrets.yaml", "filtered:secret"],
  ["k8s/secrets/db.yaml", "filtered:secret"],
  ["gcp-service-account.json", "filtered:secret"],
  ["src/secrets/find-secrets.ts", null],
  ["src/credentials.ts", null],
  ["src/secret_key.py", null],
  ["src/api-keys.ts", null],
  ["data/common-passwords.csv", null],
  ["config/passwords.yml", "filtered:secret"],
  ["config/secrets.example.yml", null],
  ["charts/shop/templates/secret.yaml", null],
  ["charts/shop/templates/.env", "filtered:env"],
  ["legacy/old.ts", "filtered:config-exclude"],
  ["api/client.ts", "filtered:generated-cache"],
  ["proto/user.pb.go", "filtered:generated-cache"],
  ["node_modules/x/index.js", "filtered:generated-cache"],
  ["build/rules.ts", null],
  ["out/print.ts", null],
];

test("files and hunks are filtered by the same names", () => {
  for (const [path, reason] of NAMES) {
    assert.equal(filterCandidate(candidate(path), [], FILTERS), reason, path);
    assert.equal(filterChangedFile(addedFile(path, "100644", "text\n"), FILTERS), reason, path);
  }
});

test("the old name of a changed file counts too", () => {
  const renamed = { ...addedFile("config.txt", "100644", "A=1\n"), oldPath: ".env" };
  assert.equal(filterChangedFile(renamed, FILTERS), "filtered:env");
});

test("some filters are for related files only, and can be switched off", () => {
  const rows: readonly (readonly [RankedFile & { bytes: number }, PackReason | null, PackReason | null])[] = [
    [candidate("docs/guide.md"), "filtered:docs", null],
    [candidate("test/cart.test.ts"), "filtered:tests-not-close", null],
    [candidate("test/fixtures/cart.json"), "filtered:tests", null],
    [candidate("test/cart.test.ts", { distance: 2 }), null, null],
    [candidate("test/cart.test.ts", { distance: 3 }), "filtered:tests-not-close", null],
    [candidate("test/cart.test.ts", { relation: "test" }), null, null],
    [candidate("test/cart.test.ts", { closeness: 500 }), null, null],
    [candidate("a/b/c/d/other.test.ts"), null, null],
    [candidate("a/b/c/other.test.ts"), "filtered:tests-not-close", null],
    [candidate("logo.png"), "filtered:binary", "filtered:binary"],
    [candidate("data.ts", { bytes: MAX_PACKED_BYTES + 1 }), "filtered:too-large", "filtered:too-large"],
    [candidate("yarn.lock"), "filtered:lockfile", null],
    [candidate(".env"), "filtered:env", "filtered:env"],
  ];
  for (const [file, reason, withAll] of rows) {
    assert.equal(filterCandidate(file, ["a/b/c/d/e/cart.ts"], FILTERS), reason, file.path);
    assert.equal(filterCandidate(file, [], ALL), file.path.startsWith("a/") ? null : withAll, file.path);
  }
  for (const path of ["docs/guide.md", "test/cart.test.ts"])
    assert.equal(filterChangedFile(addedFile(path, "100644", "x\n"), FILTERS), null, path);
});

test("changed files that can't be read are left out with a reason", () => {
  const file = addedFile("a.bin", "100644", "");
  assert.equal(filterChangedFile({ ...file, unreadable: "binary" }, FILTERS), "filtered:binary");
  assert.equal(filterChangedFile({ ...file, unreadable: "too-large" }, FILTERS), "filtered:too-large");
  assert.equal(filterChangedFile({ ...file, unreadable: "submodule" }, FILTERS), "filtered:unknown");
  assert.equal(filterChangedFile({ ...file, unreadable: "mode-only" }, FILTERS), null);
});
