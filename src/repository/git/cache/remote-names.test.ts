/** Tests names and addresses from tables, and compares the names with git's own check. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { checkAddress, isBranchName } from "./remote-names.ts";

const GOOD = "main release/1.2 a@b @ ünï x- a.b feature/#12 a{b} 'quoted' a,b;c&d|e$f".split(" ");
const BAD = [
  ..."a..b a~b a^b a:b a?b a* a[b a\\b /a a/ a//b .a a/.b a. a.lock a.lock/b a@{b".split(" "),
  "",
  "a b",
  "a\nb",
  "a\tb",
  "a\x7fb",
];

test("branch names are accepted and refused as git does", () => {
  for (const [names, isGood] of [
    [GOOD, true],
    [BAD, false],
  ] as const) {
    for (const name of names) {
      assert.equal(isBranchName(name), isGood, JSON.stringify(name));
      const git = spawnSync("git", ["check-ref-format", `refs/heads/${name}`]);
      assert.equal(git.status === 0, isGood, `git on ${JSON.stringify(name)}`);
    }
  }
});

test("names that git could misread or couldn't store are refused", () => {
  for (const name of ["-x", "--upload-pack=x", "a\0b", "a".repeat(256)])
    assert.equal(isBranchName(name), false);
});

test("addresses are https, or http if allowed or on this machine", () => {
  const cases: readonly (readonly [string, boolean, boolean])[] = [
    ["https://github.com/acme/shop.git", false, true],
    ["http://127.0.0.1:8080/acme/shop.git", false, true],
    ["http://[::1]:8080/acme/shop.git", false, true],
    ["http://github.internal/acme/shop.git", false, false],
    ["http://github.internal/acme/shop.git", true, true],
    ["https://token@github.com/acme/shop.git", true, false],
    ["https://user:token@github.com/acme/shop.git", true, false],
    ["ssh://github.com/acme/shop.git", true, false],
    ["file:///etc/passwd", true, false],
    ["ext::sh -c true", true, false],
    ["git@github.com:acme/shop.git", true, false],
    ["--upload-pack=x", true, false],
    ["", true, false],
  ];
  for (const [url, isHttpAllowed, isGood] of cases) {
    if (isGood) assert.equal(checkAddress(url, isHttpAllowed).href, url);
    else assert.throws(() => checkAddress(url, isHttpAllowed), { code: "config" }, url);
  }
});
