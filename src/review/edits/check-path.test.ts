/** Paths that write mode must refuse, each with its rule, and paths that it must accept. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { RepoConfigSchema } from "../../config/repo-config/schema.ts";
import { checkPath, type PathPolicy } from "./check-path.ts";
import { describeEditRefusal } from "./describe-edit-refusal.ts";
import type { EditRule } from "./edit.ts";
import { foldLetters, foldPath } from "./fold-path.ts";
import { indexTree } from "./head-tree.ts";
import { compilePathRules } from "./path-rules.ts";

const DEFAULTS = RepoConfigSchema.parse({}).write;

const PATHS = [
  "README.md",
  "src/a.ts",
  "src/Übung.ts",
  "src/nfc-é.ts",
  "lib/link/inside.ts",
  "docs/guide.md",
  ".github/workflows/ci.yml",
  "current",
  "shared",
  "vendor/dep",
];
const SPECIAL = new Map([
  ["current", "symlink"],
  ["shared", "symlink"],
  ["vendor/dep", "submodule"],
] as const);
const TREE = indexTree(PATHS, SPECIAL);

function policy(write: { readonly allowPaths?: string[]; readonly denyPaths?: string[] } = {}): PathPolicy {
  return { tree: TREE, rules: compilePathRules({ ...DEFAULTS, ...write }) };
}

const REFUSED: readonly (readonly [path: string, rule: EditRule])[] = [
  ["", "outside-repository"],
  ["..", "outside-repository"],
  ["../x", "outside-repository"],
  ["src/../../x", "outside-repository"],
  ["src/../.github/x.yml", "outside-repository"],
  ["src\\..\\..\\x", "outside-repository"],
  ["/etc/passwd", "outside-repository"],
  ["\\\\server\\share", "outside-repository"],
  ["C:/Windows/x", "outside-repository"],
  ["c:x", "outside-repository"],
  [".git/config", "git-file"],
  [".git", "git-file"],
  [".GIT/config", "git-file"],
  [".Git/hooks/pre-commit", "git-file"],
  ["src/.git/config", "git-file"],
  ["a/b/c/.gIt/x", "git-file"],
  [".git /config", "git-file"],
  [".git./config", "git-file"],
  [".git . ./config", "git-file"],
  [".git::$INDEX_ALLOCATION/config", "git-file"],
  [".git:stream", "git-file"],
  ["git~1/config", "git-file"],
  ["GIT~1/config", "git-file"],
  ["git~2", "git-file"],
  ["src/git~1", "git-file"],
  [".git\\config", "git-file"],
  ["src\\.git\\config", "git-file"],
  [".g\u200cit/config", "git-file"],
  [".gi\u200dt/config", "git-file"],
  ["\u200e.git/config", "git-file"],
  [".git\ufeff/config", "git-file"],
  [".g\u{e0067}it/config", "git-file"],
  [".g\u00adit/config", "git-file"],
  ["\uff0egit/config", "git-file"],
  [".g\u0131t/config", "git-file"],
  [".G\u0130T/config", "git-file"],
  [".gitmodules", "git-file"],
  [".GitModules", "git-file"],
  ["sub/.gitmodules", "git-file"],
  [".gitmodules.", "git-file"],
  ["gitmod~1", "git-file"],
  ["GI7EBA~1", "git-file"],
  [".gitmodules::$DATA", "git-file"],
  ["src/a\0.ts", "unsafe-name"],
  ["src/a\n.ts", "unsafe-name"],
  ["src/a\x1b[31m.ts", "unsafe-name"],
  ["src/a\u202ets.exe", "unsafe-name"],
  ["src/a\u200b.ts", "unsafe-name"],
  ["src/\udc80.ts", "unsafe-name"],
  ["src//b.ts", "unsafe-name"],
  ["src/./b.ts", "unsafe-name"],
  ["./b.ts", "unsafe-name"],
  ["src/", "unsafe-name"],
  ["src\\b.ts", "unsafe-name"],
  ["src/b.ts.", "unsafe-name"],
  ["src/b.ts ", "unsafe-name"],
  ["src /b.ts", "unsafe-name"],
  ["src/b.ts:stream", "unsafe-name"],
  ["src/a.ts::$DATA", "unsafe-name"],
  ["GITHUB~1/workflows/x.yml", "unsafe-name"],
  ["docs/ENV~1.LOC", "unsafe-name"],
  [`${"a/".repeat(600)}b`, "unsafe-name"],
  [`src/${"ä".repeat(128)}`, "unsafe-name"],
  ["current", "link"],
  ["current/x.ts", "link"],
  ["shared/deep/er/x.ts", "link"],
  ["vendor/dep", "submodule"],
  ["vendor/dep/index.js", "submodule"],
  ["README.MD", "case-clash"],
  ["readme.md", "case-clash"],
  ["SRC/new.ts", "case-clash"],
  ["Src/deep/new.ts", "case-clash"],
  ["src/A.ts", "case-clash"],
  ["src/\u{ff41}.ts", "case-clash"],
  ["src/Ubung.ts".replace("U", "U\u0308"), "case-clash"],
  ["src/nfc-e\u0301.ts", "case-clash"],
  ["Current/x.ts", "case-clash"],
  ["VENDOR/dep/x", "case-clash"],
  [".GITHUB/workflows/ci.yml", "case-clash"],
  ["src", "unexpected-entry"],
  ["docs", "unexpected-entry"],
  ["README.md/x", "unexpected-entry"],
  ["src/a.ts/b", "unexpected-entry"],
  [".github/workflows/ci.yml", "protected-path"],
  [".github/workflows/new.yml", "protected-path"],
  [".github/dependabot.yml", "protected-path"],
  [".kodiai.yml", "protected-path"],
  ["pkg/.kodiai.yml", "protected-path"],
  ["pkg/.KODIAI.yml", "protected-path"],
  [".kodiai/learnings.yml", "protected-path"],
  [".gitattributes", "protected-path"],
  ["deep/.GitAttributes", "protected-path"],
  [".env", "protected-path"],
  [".ENV.production", "protected-path"],
  ["pkg/.env.local", "protected-path"],
  ["certs/site.PEM", "protected-path"],
  ["certs/site.key", "protected-path"],
  ["certs/site.\u212aEY", "protected-path"],
  ["AWS-Credentials.json", "protected-path"],
  ["AWS-credential\u017f", "protected-path"],
];

const ACCEPTED = [
  "src/a.ts",
  "src/new.ts",
  "new/deep/er/file.py",
  "README.md",
  "docs/guide.md",
  "src/Übung.ts",
  ".gitignore",
  "src/.gitkeep",
  "gitignore",
  "src/git.ts",
  "src/git~.ts",
  "a b/c d.ts",
  "src/日本語.ts",
  "src/[id].tsx",
  "src/(group)/page.tsx",
  "-rf",
  "src/@scope/x.ts",
  "environment.ts",
  "src/keyboard.ts",
  "credentials/x.ts",
  "src/credentials.ts",
];

test("paths that nothing may write, and those that the defaults deny, are refused by their rule", () => {
  for (const [path, rule] of REFUSED) {
    const refusal = checkPath(path, policy());
    assert.equal(refusal?.rule, rule, JSON.stringify(path));
    assert.equal(refusal.path, path);
  }
  assert.ok(REFUSED.length >= 60);
});

test("ordinary paths are accepted", () => {
  for (const path of ACCEPTED) assert.equal(checkPath(path, policy()), null, path);
});

test("allowing everything opens nothing that git, links, clashes and protection forbid", () => {
  const open = policy({ allowPaths: ["**"], denyPaths: [] });
  for (const [path, rule] of REFUSED) {
    assert.equal(checkPath(path, open)?.rule, rule, JSON.stringify(path));
  }
});

test("deny wins over allow; a denied folder denies what is in it; allow is exact", () => {
  const rules = policy({ allowPaths: ["src/**", "infra/"], denyPaths: ["src/gen", "infra/prod/"] });
  assert.equal(checkPath("src/b.ts", rules), null);
  assert.equal(checkPath("infra/dev/a.tf", rules), null);
  assert.deepEqual(checkPath("src/gen/b.ts", rules), {
    rule: "denied-path",
    path: "src/gen/b.ts",
    detail: "src/gen",
  });
  assert.equal(checkPath("infra/prod/a.tf", rules)?.detail, "infra/prod/");
  assert.equal(checkPath("other/b.ts", rules)?.rule, "path-not-allowed");
  assert.equal(checkPath("Infra2/b.ts", rules)?.rule, "path-not-allowed");
});

test("a denied glob with capitals also denies other spellings", () => {
  const rules = policy({ denyPaths: ["Secrets/**"] });
  assert.equal(checkPath("secrets/a", rules)?.rule, "denied-path");
  assert.equal(checkPath("SECRETS/a", rules)?.detail, "Secrets/**");
  for (const [denied, path] of [
    ["B:c", "b:C"],
    ["X.", "x."],
    ["x", "X."],
  ] as const)
    assert.equal(compilePathRules({ allowPaths: [], denyPaths: [denied] }).denyingGlob(path), denied);
});

test("folding never allows what the exact path denies", () => {
  const names = fc.constantFrom(
    "a",
    "B",
    "é",
    "e\u0301",
    "ſ",
    "K",
    ".x",
    "x.",
    " y",
    "z~1",
    "\u200b",
    "İ",
    "b:c",
  );
  const paths = fc.array(names, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
  fc.assert(
    fc.property(paths, paths, (path, denied) => {
      const rules = compilePathRules({ allowPaths: [], denyPaths: [denied] });
      if (path === denied) assert.equal(rules.denyingGlob(path), denied);
      if (rules.denyingGlob(path) === null) {
        assert.notEqual(path, denied);
        assert.notEqual(foldLetters(path), foldLetters(denied));
        assert.notEqual(foldPath(path), foldLetters(denied));
      }
    }),
  );
});

test("folding is stable, and joins every spelling of a name", () => {
  assert.deepEqual(["STRASSE", "STRAẞE", "straße"].map(foldPath), ["strasse", "strasse", "strasse"]);
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 20 }), (text) => {
      const folded = foldPath(text);
      assert.equal(foldPath(folded), folded);
      assert.equal(foldPath(text.normalize("NFD")), foldPath(text.normalize("NFC")));
    }),
  );
});

test("every refusal is one line that names the rule and the path, without live Markdown", () => {
  const hostile = "src/a`@ada`\n<img src=x>#1.ts";
  for (const [path, rule] of [...REFUSED, [hostile, "unsafe-name"] as const]) {
    const refusal = checkPath(path, policy());
    assert.ok(refusal !== null);
    const line = describeEditRefusal(refusal);
    assert.ok(line.startsWith(`**${rule}**`), line);
    assert.doesNotMatch(line, /[\n\u202e\x1b]/);
  }
  assert.doesNotMatch(
    describeEditRefusal({ rule: "unexpected-entry", path: "x", detail: "@ada <b> is a file" }),
    /@a|<b/,
  );
});

test("a denied folder is denied however its glob names it, and a glob that would match nothing is an error", () => {
  for (const glob of ["/infra/**", "./infra/**", "/infra/", "infra"])
    assert.equal(checkPath("infra/prod.tf", policy({ denyPaths: [glob] }))?.rule, "denied-path", glob);
  for (const glob of ["!infra/**", " infra/**", "infra/** "])
    assert.equal(RepoConfigSchema.safeParse({ write: { denyPaths: [glob] } }).success, false, glob);
});
