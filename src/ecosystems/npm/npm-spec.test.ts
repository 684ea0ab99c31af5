import assert from "node:assert/strict";
import { test } from "node:test";
import { readSpec } from "./npm-spec.ts";
import type { Origin } from "../ecosystem.ts";

const REGISTRY: Origin = { kind: "registry", url: null };
const git = (url: string, ref: string | null): Origin => ({ kind: "git", url, ref });
const local = (path: string): Origin => ({ kind: "local", path });
const COMMIT = "0123456789012345678901234567890123456789";

/** A request for "a", and its name, requirement, version and origin. */
const CASES: readonly (readonly [string, string, string, string | null, Origin])[] = [
  ["^1.2.3", "a", "^1.2.3", null, REGISTRY],
  ["1.2.3", "a", "1.2.3", "1.2.3", REGISTRY],
  ["=v1.2.3-rc.1", "a", "=v1.2.3-rc.1", "1.2.3-rc.1", REGISTRY],
  ["1.2.x", "a", "1.2.x", null, REGISTRY],
  ["", "a", "", null, REGISTRY],
  ["next", "a", "next", null, REGISTRY],
  ["catalog:", "a", "catalog:", null, REGISTRY],
  ["catalog:react17", "a", "catalog:react17", null, REGISTRY],
  ["npm:b@^2.0.0", "b", "^2.0.0", null, REGISTRY],
  ["npm:@s/b@2.0.0", "@s/b", "2.0.0", "2.0.0", REGISTRY],
  ["npm:@s/b", "@s/b", "*", null, REGISTRY],
  ["npm:^2.0.0", "a", "^2.0.0", null, REGISTRY],
  ["workspace:^", "a", "workspace:^", null, local("a")],
  ["file:../a", "a", "file:../a", null, local("../a")],
  ["link:./a", "a", "link:./a", null, local("./a")],
  ["./a.tgz", "a", "./a.tgz", null, local("./a.tgz")],
  ["github:u/r#v1", "a", "github:u/r#v1", "v1", git("https://github.com/u/r", "v1")],
  ["u/r", "a", "u/r", null, git("https://github.com/u/r", null)],
  ["gitlab:u/r", "a", "gitlab:u/r", null, git("https://gitlab.com/u/r", null)],
  [
    "git+ssh://git@github.com/u/r.git#semver:^1",
    "a",
    "git+ssh://github.com/u/r.git#semver:^1",
    "semver:^1",
    git("git+ssh://github.com/u/r.git", "semver:^1"),
  ],
  ["git@github.com:u/r.git", "a", "git@github.com:u/r.git", null, git("git@github.com:u/r.git", null)],
  [
    `https://github.com/u/r.git#commit=${COMMIT}`,
    "a",
    `https://github.com/u/r.git#commit=${COMMIT}`,
    COMMIT,
    git("https://github.com/u/r.git", COMMIT),
  ],
  [
    "https://user:secret@example.com/a.tgz",
    "a",
    "https://example.com/a.tgz",
    null,
    { kind: "url", url: "https://example.com/a.tgz" },
  ],
  [
    "https://token@github.com/u/r#main",
    "a",
    "https://github.com/u/r#main",
    "main",
    git("https://github.com/u/r", "main"),
  ],
  ["patch:a@npm%3A1.2.3#~/.yarn/patches/a.patch", "a", "1.2.3", "1.2.3", REGISTRY],
  ["patch:a@npm:1.2.3#~/.yarn/patches/a.patch", "a", "1.2.3", "1.2.3", REGISTRY],
  ["npm:b@npm:c@1.0.0", "b", "npm:c@1.0.0", null, REGISTRY],
  ["patch:a@patch:a@npm%3A1.2.3#b", "a", "patch:a@npm:1.2.3", null, REGISTRY],
];

test("requests of package.json", () => {
  for (const [spec, name, requirement, version, origin] of CASES)
    assert.deepEqual(readSpec("a", spec), { name, requirement, version, origin }, spec);
});
