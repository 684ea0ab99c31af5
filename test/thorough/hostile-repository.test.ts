/**
 * A repository whose configuration names programs in every way git knows: `kodiai review` and `kodiai mcp` read it and start none of
 * them. Each key has its own canary, a file that its program would leave.
 */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { connect } from "../support/connect-mcp.ts";
import { runKodiai } from "../support/run-kodiai.ts";
import { type TestRepository, testRepository } from "../support/test-repository.ts";

/** Every key whose value git runs, from `git help config` and `git help attributes`. PROGRAM becomes the canary's command. */
const PROGRAM_KEYS = [
  "filter.clean.clean",
  "filter.process.process",
  "filter.smudge.smudge",
  "diff.external",
  "diff.driver.command",
  "diff.driver.textconv",
  "merge.driver.driver",
  "core.fsmonitor",
  "core.sshCommand",
  "core.gitProxy",
  "core.editor",
  "core.pager",
  "core.askPass",
  "core.alternateRefsCommand",
  "sequence.editor",
  "pager.diff",
  "pager.log",
  "pager.status",
  "pager.blame",
  "pager.grep",
  "credential.helper",
  "gpg.program",
  "gpg.openpgp.program",
  "gpg.ssh.program",
  "gpg.ssh.defaultKeyCommand",
  "gpg.x509.program",
  "remote.origin.uploadpack",
  "remote.origin.receivepack",
  "uploadpack.packObjectsHook",
  "interactive.diffFilter",
  "trailer.sign.command",
  "trailer.sign.cmd",
  "difftool.tool.cmd",
  "mergetool.tool.cmd",
  "browser.tool.cmd",
  "man.tool.cmd",
  "sendemail.sendmailCmd",
  "submodule.module.update",
  "hook.canary.command",
  "alias.diff",
  "alias.log",
  "alias.status",
  "alias.rev-parse",
] as const;

/** Keys that send git to a program of another key, or to files that hold programs. */
const STEERING = {
  "filter.clean.required": "true",
  "filter.process.required": "true",
  "protocol.allow": "always",
  "protocol.ext.allow": "always",
  "protocol.file.allow": "always",
  "remote.origin.promisor": "true",
  "remote.origin.partialCloneFilter": "blob:none",
  "log.showSignature": "true",
  "diff.tool": "tool",
  "merge.tool": "tool",
  "hook.canary.event": "post-index-change",
  "status.submoduleSummary": "true",
  "submodule.recurse": "true",
  "diff.ignoreSubmodules": "none",
  "safe.bareRepository": "all",
  "core.untrackedCache": "true",
};

const HOOKS = ["post-index-change", "fsmonitor-watchman", "reference-transaction", "post-checkout"];

const ATTRIBUTES =
  "*.clean filter=clean diff=driver merge=driver\n*.process filter=process\n*.smudge filter=smudge\n";

type Canaries = {
  /** A shell command that leaves the file `name`. */
  command(name: string): string;
  /** Which were left since the last time. */
  left(): readonly string[];
};

function makeCanaries(t: TestContext): Canaries {
  const folder = mkdtempSync(join(tmpdir(), "kodiai-canary-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return {
    command(name) {
      const path = join(folder, `${name}.sh`);
      writeFileSync(path, `#!/bin/sh\ntouch '${join(folder, name)}.ran'\n`, { mode: 0o755 });
      return path;
    },
    left() {
      const ran = readdirSync(folder).filter((name) => name.endsWith(".ran"));
      for (const name of ran) rmSync(join(folder, name));
      return ran;
    },
  };
}

/** A repository with committed, staged, changed and new files, all of them under filters and drivers that are not configured yet. */
function makeRepository(t: TestContext): TestRepository {
  const made = testRepository();
  t.after(() => made.remove());
  const names = ["a.clean", "b.process", "c.smudge"];
  for (const name of names) made.write(name, "one\n");
  made.write("app.py", "def run():\n    return 1\n");
  made.write(".gitattributes", ATTRIBUTES);
  made.commit("root");
  made.git("checkout", "--quiet", "-b", "feature");
  for (const name of names) made.write(name, "one\ntwo\n");
  made.commit("two");
  made.write("staged.clean", "staged\n");
  made.git("add", "--all");
  for (const name of names) made.write(name, "one\ntwo\nthree\n");
  made.write("app.py", "def run():\n    breakpoint()\n    return 1\n");
  made.write("new.clean", "new\n");
  return made;
}

/** Hostile configuration as the text of a file. */
function hostileConfig(canaries: Canaries, extra: Readonly<Record<string, string>> = {}): string {
  const file = join(mkdtempSync(join(tmpdir(), "kodiai-config-")), "config");
  const set = (key: string, value: string): void =>
    void execFileSync("git", ["config", "--file", file, key, value]);
  for (const key of PROGRAM_KEYS) {
    const command = canaries.command(key);
    const isShell = key.startsWith("alias.") || key.startsWith("submodule.");
    set(key, isShell ? `!${command}` : command);
  }
  set("remote.origin.url", `ext::${canaries.command("remote.origin.url")}`);
  set("remote.helper.vcs", "ext");
  for (const [key, value] of Object.entries({ ...STEERING, ...extra })) set(key, value);
  return execFileSync("cat", [file], { encoding: "utf8" });
}

function writeHooks(folder: string, canaries: Canaries): void {
  mkdirSync(folder, { recursive: true });
  for (const hook of HOOKS) cpSync(canaries.command(`hook ${hook}`), join(folder, hook));
}

type Placement = readonly [name: string, place: (made: TestRepository, config: string) => void];

/** Where a repository can keep configuration. */
const PLACEMENTS: readonly Placement[] = [
  [".git/config", ({ path }, config) => appendFileSync(join(path, ".git/config"), config)],
  [
    "include.path",
    (made, config) => {
      made.write("build/settings", config);
      made.git("config", "include.path", "../build/settings");
    },
  ],
  [
    "includeIf.gitdir",
    (made, config) => {
      made.write("build/settings", config);
      made.git("config", "includeIf.gitdir:/.path", "../build/settings");
    },
  ],
  [
    "config.worktree",
    (made, config) => {
      made.git("config", "extensions.worktreeConfig", "true");
      writeFileSync(join(made.path, ".git/config.worktree"), config);
    },
  ],
  [
    "a .git file that names another folder",
    ({ path }, config) => {
      renameSync(join(path, ".git"), join(path, "elsewhere"));
      writeFileSync(join(path, ".git"), "gitdir: elsewhere\n");
      appendFileSync(join(path, "elsewhere/config"), config);
      appendFileSync(join(path, "elsewhere/info/exclude"), "elsewhere/\n");
    },
  ],
];

for (const [name, place] of PLACEMENTS) {
  test(`[P1] no program that a repository configures in ${name} is run`, async (t) => {
    const canaries = makeCanaries(t);
    const made = makeRepository(t);
    const hooks = join(made.path, ".git/hooks");
    writeHooks(hooks, canaries);
    place(made, hostileConfig(canaries, { "core.hooksPath": hooks }));
    const { code, stdout, stderr } = await runKodiai(["review"], { cwd: made.path });
    assert.equal(code, 3, stderr);
    assert.match(stdout, /^app\.py:2 +\(\d+\) leftover-debugger/m);
    assert.match(stdout, /Skipped +3 files \(stored through a Git filter.*a\.clean/s);
    await useEveryTool(t, made.path);
    assert.deepEqual(canaries.left(), []);
    // The canaries are alive: git itself runs the filters.
    for (const file of ["a.clean", "b.process"]) spawnSync("git", ["hash-object", file], { cwd: made.path });
    assert.deepEqual(canaries.left(), ["filter.clean.clean.ran", "filter.process.process.ran"]);
  });
}

/** Calls each tool that reads, and a review of each kind. Every call must get an answer. */
async function useEveryTool(t: TestContext, cwd: string): Promise<void> {
  const { ask } = await connect(t, cwd, ["--offline"]);
  assert.match(await ask("show_diff"), /breakpoint\(\)/);
  for (const path of ["a.clean", "b.process", "app.py"]) {
    await ask("show_diff", { path });
    await ask("read_file", { path });
    await ask("blame", { path, from: 1, to: 2 });
    await ask("file_history", { path });
  }
  await ask("list_files", {});
  await ask("search_code", { pattern: "three" });
  await ask("find_references", { name: "run" });
  for (const source of [{}, { staged: true }, { commit: "HEAD" }, { range: "main..HEAD" }])
    await ask("review_change", source);
}

/** A folder that git takes for a bare repository, as a clone brings it: all of its files can be tracked. */
function bareFolder(folder: string, made: TestRepository, config: string): void {
  execFileSync("git", ["clone", "--quiet", "--bare", made.path, folder]);
  cpSync(join(made.path, ".git/index"), join(folder, "index"));
  writeFileSync(join(folder, "config"), `[core]\n\trepositoryFormatVersion = 0\n${config}`);
  writeFileSync(join(folder, ".gitattributes"), ATTRIBUTES);
  writeFileSync(join(folder, "a.clean"), "changed\n");
}

test("[P1] a tracked folder that looks like a bare repository is not taken for one, and runs nothing", async (t) => {
  const canaries = makeCanaries(t);
  const inner = makeRepository(t);
  for (const config of ["\tbare = false\n\tworktree = .\n", "\tbare = true\n"]) {
    const outer = makeRepository(t);
    const folder = join(outer.path, "fixtures/evil");
    bareFolder(folder, inner, config + hostileConfig(canaries));
    outer.commit("brings a repository");
    for (const cwd of [folder, join(folder, "objects")]) {
      const { code, stderr } = await runKodiai(["review"], { cwd });
      assert.equal(code, 2);
      assert.match(stderr, /is a bare repository inside another repository/);
    }
    assert.equal((await runKodiai(["review"], { cwd: outer.path })).code, 0);
  }
  assert.deepEqual(canaries.left(), []);
});

test("a bare repository that stands alone is reviewed, unless it names a work tree", async (t) => {
  const canaries = makeCanaries(t);
  const made = makeRepository(t);
  const folder = mkdtempSync(join(tmpdir(), "kodiai-alone-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const review = () => runKodiai(["review", "--range", "main..feature"], { cwd: folder });
  bareFolder(folder, made, `\tbare = true\n${hostileConfig(canaries)}`);
  assert.equal((await review()).code, 0);
  writeFileSync(join(folder, "config"), `[core]\n\tbare = false\n\tworktree = .\n${hostileConfig(canaries)}`);
  const { code, stderr } = await review();
  assert.equal(code, 2);
  assert.match(stderr, /configuration puts its files in .*core\.worktree/s);
  assert.deepEqual(canaries.left(), []);
});

test("[P1] a repository cannot have files read that are outside its folder", async (t) => {
  const home = mkdtempSync(join(tmpdir(), "kodiai-home-"));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const made = makeRepository(t);
  const folder = join(home, "downloads");
  cpSync(made.path, folder, { recursive: true });
  writeFileSync(join(home, "secret.py"), "breakpoint()\n");
  execFileSync("git", ["config", "core.worktree", home], { cwd: folder });
  const { code, stdout, stderr } = await runKodiai(["review"], { cwd: folder });
  assert.equal(code, 2);
  assert.match(stderr, /configuration puts its files in/);
  assert.doesNotMatch(stdout, /secret/);
  const chosen = await runKodiai(["review"], { cwd: folder, env: { GIT_WORK_TREE: folder } });
  assert.equal(chosen.code, 0, chosen.stderr);
});

test("[P1] missing objects are not fetched, also by a git that knows no variable against it", async (t) => {
  const canaries = makeCanaries(t);
  const tools = mkdtempSync(join(tmpdir(), "kodiai-old-git-"));
  t.after(() => rmSync(tools, { recursive: true, force: true }));
  const git = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  writeFileSync(join(tools, "git"), `#!/bin/sh\nunset GIT_NO_LAZY_FETCH\nexec ${git} "$@"\n`, {
    mode: 0o755,
  });
  for (const url of [`ext::${canaries.command("ext")}`, "/nowhere"]) {
    const made = makeRepository(t);
    const blob = made.git("rev-parse", "main:a.clean").trim();
    rmSync(join(made.path, ".git/objects", blob.slice(0, 2), blob.slice(2)));
    appendFileSync(join(made.path, ".git/config"), hostileConfig(canaries));
    made.git("config", "core.repositoryFormatVersion", "1");
    made.git("config", "extensions.partialClone", "origin");
    made.git("config", "remote.origin.url", url);
    const env = { PATH: `${tools}:${process.env["PATH"]}` };
    const { code } = await runKodiai(["review", "--range", "main..feature"], { cwd: made.path, env });
    assert.equal(code, 4);
    assert.deepEqual(canaries.left(), []);
  }
});

test("[P1] a git that lies in the repository is not the git that runs", async (t) => {
  const canaries = makeCanaries(t);
  const made = makeRepository(t);
  for (const folder of [made.path, join(made.path, "node_modules/.bin")]) {
    mkdirSync(folder, { recursive: true });
    cpSync(canaries.command("git"), join(folder, "git"));
  }
  const env = { PATH: `.:./node_modules/.bin::${process.env["PATH"]}` };
  assert.equal((await runKodiai(["review"], { cwd: made.path, env })).code, 0);
  assert.deepEqual(canaries.left(), []);
});
