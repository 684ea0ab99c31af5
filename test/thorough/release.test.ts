/** The release script, in a copy of the project that is a repository of its own. Nothing here can publish: `docker` and the remote are stubs. */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { tagPackage } from "../../scripts/release/steps.ts";
import { run } from "../../scripts/release/run.ts";

const project = dirname(dirname(import.meta.dirname));
const work = mkdtempSync(join(tmpdir(), "kodiai-test-release-"));
const copy = join(work, "copy");
after(() => rmSync(work, { recursive: true, force: true }));

const git = (...args: string[]): string =>
  execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", ...args], {
    cwd: copy,
    encoding: "utf8",
  });

before(() => {
  const tracked = run("git", ["ls-files", "-z"], { cwd: project }).stdout.split("\0").filter(Boolean);
  for (const path of tracked.filter((each) => !/^(?:test|bench|fake-github)\//.test(each))) {
    if (!existsSync(join(project, path))) continue;
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    cpSync(join(project, path), join(copy, path));
  }
  symlinkSync(join(project, "node_modules"), join(copy, "node_modules"));
  const manifest = JSON.parse(readFileSync(join(copy, "package.json"), "utf8"));
  manifest.version = "7.8.9";
  manifest.repository = { type: "git", url: "git+https://github.com/acme/kodiai.git" };
  writeFileSync(join(copy, "package.json"), JSON.stringify(manifest, null, 2));
  git("init", "--quiet", "--initial-branch=main");
  writeFileSync(join(copy, ".git/info/exclude"), "node_modules\n");
  git("add", "--all");
  git("commit", "--quiet", "--message", "all");
  mkdirSync(join(work, "bin"));
  writeFileSync(join(work, "bin/docker"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
});

function release(...args: readonly string[]): { readonly status: number | null; readonly rows: string } {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["scripts/release.ts", "--offline", "--without-tests", ...args],
    {
      cwd: copy,
      encoding: "utf8",
      env: { ...process.env, PATH: [join(work, "bin"), process.env["PATH"]].join(delimiter) },
    },
  );
  return { status, rows: `${stdout}${stderr}` };
}

test("a dry run lists what is there, what is missing and what it can't know, and changes nothing", () => {
  const { status, rows } = release("--dry-run");
  for (const expected of [
    /^ok +clean tree /m,
    /^missing +changelog +needs a section "## \[7\.8\.9\] - DATE"$/m,
    /^ok +git tag +v7\.8\.9 is free$/m,
    /^ok +repository /m,
    /^ok +provenance /m,
    /^unknown +name +--offline/m,
    /^unknown +registry account /m,
    /^ok +package +\d+ files, sha512-/m,
    /^ok +publint +no messages$/m,
    /^unknown +image +ghcr\.io\/acme\/kodiai:7\.8\.9, ghcr\.io\/acme\/kodiai:7\.8, ghcr\.io\/acme\/kodiai:7; /m,
    /^unknown +tests /m,
  ])
    assert.match(rows, expected);
  assert.equal(status, 1, "the changelog is missing");
  assert.deepEqual([git("status", "--porcelain"), git("tag", "--list")], ["", ""]);
});

test("without --dry-run, nothing is done while something is missing", () => {
  writeFileSync(join(copy, "uncommitted.txt"), "x");
  const { status, rows } = release();
  rmSync(join(copy, "uncommitted.txt"));
  assert.match(rows, /^missing +clean tree +1 uncommitted: \?\? uncommitted\.txt$/m);
  assert.equal(status, 1);
  assert.equal(git("tag", "--list"), "");
});

test("an unknown option is refused", () => {
  const { status, rows } = release("--dryrun");
  assert.equal(status, 2);
  assert.match(rows, /unknown option --dryrun; there are --dry-run/);
});

test("a tag is the package with the hook of pre-commit, on top of the released commit", () => {
  const folder = join(work, "tagging");
  mkdirSync(folder);
  const manifest = JSON.parse(readFileSync(join(copy, "package.json"), "utf8"));
  mkdirSync(join(work, "package"));
  writeFileSync(join(work, "package/package.json"), '{ "name": "kodiai" }');
  execFileSync("tar", ["-czf", "small.tgz", "package"], { cwd: work });
  const head = git("rev-parse", "HEAD");
  git("config", "user.name", "Ada");
  git("config", "user.email", "ada@example.org");
  const ran = tagPackage({ root: copy, manifest, tarball: join(work, "small.tgz"), files: [] }, folder);
  assert.equal(ran.status, 0, ran.stderr);
  const names = git("ls-tree", "-r", "--name-only", "v7.8.9").trim().split("\n");
  assert.ok(names.includes("package.json") && names.includes(".pre-commit-hooks.yaml"), names.join());
  assert.ok(!names.some((name) => name.startsWith("src/")), "no sources");
  assert.equal(git("show", "v7.8.9:package.json"), '{ "name": "kodiai" }');
  assert.deepEqual([git("rev-parse", "v7.8.9^"), git("rev-parse", "HEAD")], [head, head]);
  assert.equal(git("status", "--porcelain"), "");
});
