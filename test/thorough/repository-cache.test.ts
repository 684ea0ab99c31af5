/** Copies of repositories through kills, damage, races and eviction. */
import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test, type TestContext } from "node:test";
import { measureCopies } from "../../src/repository/git/cache/evict-copies.ts";
import type { RemotePullRequest } from "../../src/repository/repository.ts";
import { type GitHost, gitHost } from "../support/git-host.ts";
import { type TestRepository, testRepository } from "../support/test-repository.ts";
import {
  temporaryFolder,
  shop,
  pullRequestFrom,
  wanted,
  openCached,
  opened,
  cacheIn,
  assertRefused,
  openBranch,
} from "../support/cache-fixtures.ts";

/** Quickly adds empty commits and returns the id of the last one. */
function pile(made: TestRepository, from: string, count: number): string {
  const ref = `refs/piles/${randomUUID()}`;
  const commits = Array.from({ length: count }, (_, index) =>
    [
      `commit ${ref}`,
      `committer Ada <ada@example.org> ${1_770_000_000 + index} +0000`,
      "data 1",
      "x",
      ...(index === 0 ? [`from ${from}`] : []),
      "",
    ].join("\n"),
  );
  execFileSync("git", ["fast-import", "--quiet"], { cwd: made.path, input: commits.join("\n") });
  const newest = made.git("rev-parse", ref).trim();
  made.git("update-ref", "-d", ref);
  return newest;
}

test("a merge base far beyond the first depth is found by deepening, and the depth is kept", async (t) => {
  const { made, base, head } = shop(t);
  made.git("update-ref", "refs/heads/main", pile(made, base, 320));
  const host = await gitHost(t, made);
  const cache = cacheIn(temporaryFolder(t));
  const stages: string[] = [];
  const onProgress = (stage: string): void => void stages.push(stage);
  const first = await opened(t, openCached(cache, host, wanted(head), { onProgress }));
  assert.deepEqual([first.change.base, first.change.files.length], [base, 1]);
  assert.deepEqual(stages.splice(0), ["fetching", "deepening", "deepening"]);
  const second = await opened(t, openCached(cache, host, wanted(head), { onProgress }));
  assert.equal(second.change.base, base);
  assert.deepEqual(stages, ["fetching"]);
});

test("a wrong merge base from a truncated history isn't used", async (t) => {
  const { made, base } = shop(t);
  made.write("main.txt", "work of others\n");
  const fork = made.commit("the branch leaves here");
  made.write("more.txt", "more\n");
  made.commit("main goes on");
  const long = pile(made, fork, 60);
  const side = pile(made, base, 1);
  made.git("checkout", "--quiet", "--detach", long);
  made.git("merge", "--quiet", "--no-ff", "--message", "join", side);
  const head = pullRequestFrom(made, 7, "HEAD", { "a.txt": "one\nTWO\n" });
  const host = await gitHost(t, made);
  const { change } = await opened(t, openCached(cacheIn(temporaryFolder(t)), host, wanted(head)));
  assert.equal(change.base, fork);
  assert.deepEqual(
    change.files.map(({ path }) => path),
    ["a.txt"],
  );
});

test("histories without a common commit are refused after both were fetched completely", async (t) => {
  const { made, base } = shop(t);
  made.git("update-ref", "refs/heads/main", pile(made, base, 60));
  made.git("checkout", "--quiet", "--orphan", "alone");
  const head = made.commit("another beginning");
  made.git("update-ref", "refs/pull/7/head", head);
  const host = await gitHost(t, made);
  const error = await assertRefused(
    openCached(cacheIn(temporaryFolder(t)), host, wanted(head)),
    "no-merge-base",
  );
  assert.match(error.message, /pull request 7 has no commit in common with main/);
});

/** Opens pull requests in a separate process, prints a line, and keeps them open until it is killed. */
function openElsewhere(
  t: TestContext,
  folder: string,
  host: GitHost,
  pullRequest: RemotePullRequest,
  faultPoint = "",
): { readonly child: ChildProcess; readonly said: Promise<string> } {
  const from = (path: string): string => JSON.stringify(new URL(`../../src/${path}`, import.meta.url).href);
  const code = `
    import { createRepositoryCache } from ${from("repository/git/cache/repository-cache.ts")};
    import { armFaultPoint } from ${from("base/fault-point.ts")};
    const { folder, url, pullRequest, faultPoint } = JSON.parse(process.argv[1]);
    if (faultPoint !== "") armFaultPoint(faultPoint);
    const cache = createRepositoryCache({ folder, environment: { PATH: process.env.PATH }, maxBytes: 1e9 });
    const signal = new AbortController().signal;
    const result = await cache.openPullRequest({ url, credential: null }, pullRequest, { signal, commits: [], onProgress() {} });
    process.stdout.write(JSON.stringify(result.change?.files.map(({ path }) => path) ?? result) + "\\n");
    process.stdin.resume();
  `;
  const input = JSON.stringify({ folder, url: host.url, pullRequest, faultPoint });
  const child = spawn(process.execPath, ["--input-type=module", "--eval", code, input], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  t.after(() => child.kill("SIGKILL"));
  const lines = createInterface({ input: child.stdout });
  const said = Promise.race([
    once(lines, "line").then(([line]) => String(line)),
    once(child, "exit").then(() => "ended"),
  ]);
  return { child, said };
}

test("two processes that fetch the same repository at once both succeed", async (t) => {
  const { made, base, head } = shop(t);
  const second = pullRequestFrom(made, 8, base, { "8.txt": "x\n" });
  const host = await gitHost(t, made);
  const folder = temporaryFolder(t);
  const both = [
    openElsewhere(t, folder, host, wanted(head)),
    openElsewhere(t, folder, host, wanted(second, { number: 8 })),
  ];
  assert.deepEqual(await Promise.all(both.map(({ said }) => said)), ['["a.txt"]', '["8.txt"]']);
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.includes(".git")),
    ["42.git"],
  );
});

test("a process killed in the middle of a pack leaves a copy that the next one can use", async (t) => {
  const { made, head } = shop(t);
  const host = await gitHost(t, made);
  const folder = temporaryFolder(t);
  host.stallAfterBytes = 100_000;
  const stalled = new Promise<void>((resolve) => {
    host.onStall = resolve;
  });
  const { child } = openElsewhere(t, folder, host, wanted(head));
  await stalled;
  const packs = join(folder, "42.git/objects/pack");
  writeFileSync(join(packs, "tmp_pack_left"), "half");
  writeFileSync(join(folder, "42.git/shallow.lock"), "");
  child.kill("SIGKILL");
  await once(child, "exit");
  host.stallAfterBytes = null;
  const { change } = await opened(t, openCached(cacheIn(folder), host, wanted(head)));
  assert.equal(change.files.length, 1);
  assert.ok(!existsSync(join(packs, "tmp_pack_left")) && !existsSync(join(folder, "42.git/shallow.lock")));
  host.resume();
});

test("a process that crashes right after its first fetch loses only that fetch", async (t) => {
  const { made, head } = shop(t);
  const host = await gitHost(t, made);
  const folder = temporaryFolder(t);
  const dying = openElsewhere(t, folder, host, wanted(head), "mid-clone");
  assert.equal(await dying.said, "ended");
  assert.equal(dying.child.signalCode, "SIGKILL");
  const { change } = await opened(t, openCached(cacheIn(folder), host, wanted(head)));
  assert.equal(change.files.length, 1);
});

test("a cancelled fetch ends its processes, releases its lock, and can be repeated", async (t) => {
  const { made, head } = shop(t);
  const host = await gitHost(t, made);
  const cache = cacheIn(temporaryFolder(t));
  host.stallAfterBytes = 100_000;
  const stopping = new AbortController();
  host.onStall = () => stopping.abort();
  await assertRefused(openCached(cache, host, wanted(head), { signal: stopping.signal }), "cancelled");
  assert.deepEqual(
    globSync("/proc/[0-9]*/cmdline").filter((path) => {
      try {
        return readFileSync(path, "utf8").includes(host.url);
      } catch {
        return false;
      }
    }),
    [],
  );
  host.stallAfterBytes = null;
  await opened(t, openCached(cache, host, wanted(head)));
  await assertRefused(openCached(cache, host, wanted(head), { signal: AbortSignal.abort() }), "cancelled");
});

test("a corrupt copy is recreated", async (t) => {
  const { made, base, head } = shop(t);
  const host = await gitHost(t, made);
  const folder = temporaryFolder(t);
  const copy = join(folder, "42.git");
  const packs = (): readonly string[] => globSync(`${copy}/objects/pack/*.pack`);
  const damages: readonly (() => void)[] = [
    () => rmSync(join(copy, "HEAD")),
    () => rmSync(join(copy, "refs"), { recursive: true }),
    () => writeFileSync(join(copy, "config"), "[core\n"),
    () => writeFileSync(join(copy, "shallow"), "nonsense\n"),
    () => writeFileSync(join(copy, "refs/kodiai/7/head"), "nonsense\n"),
    () => writeFileSync(join(copy, "refs/kodiai/7/base"), `${"1".repeat(40)}\n`),
    () => packs().forEach((path) => chmodSync(path, 0o600)),
    () => packs().forEach((path) => truncateSync(path, 100)),
    () => packs().forEach((path) => rmSync(path)),
    () => rmSync(join(copy, "objects"), { recursive: true }),
  ];
  await opened(t, openCached(cacheIn(folder), host, wanted(head)));
  for (const [index, damage] of damages.entries()) {
    damage();
    const next = pullRequestFrom(made, 7, base, { "a.txt": `one\n${index}\n` });
    const { change } = await opened(t, openCached(cacheIn(folder), host, wanted(next)));
    assert.deepEqual([change.base, change.files.length], [base, 1], String(damage));
  }
});

test("a copy with too many packs is recreated unless it is in use", async (t) => {
  const { made, head } = shop(t);
  const host = await gitHost(t, made);
  const folder = temporaryFolder(t);
  const first = await opened(t, openCached(cacheIn(folder), host, wanted(head)));
  const packs = join(folder, "42.git/objects/pack");
  for (let index = 0; index <= 100; index++) writeFileSync(join(packs, `worn-${index}.pack`), "");
  const second = await opened(t, openCached(cacheIn(folder), host, wanted(head)));
  assert.ok(existsSync(join(packs, "worn-0.pack")));
  first.repository.close();
  second.repository.close();
  await opened(t, openCached(cacheIn(folder), host, wanted(head)));
  assert.ok(!existsSync(join(packs, "worn-0.pack")));
});

test("the least recently used copies are evicted, but never one that any process uses", async (t) => {
  const { made, head } = shop(t);
  const host = await gitHost(t, made);
  const folder = temporaryFolder(t);
  const copies = (): readonly string[] =>
    readdirSync(folder)
      .filter((name) => name.includes(".git"))
      .toSorted();
  const roomy = cacheIn(folder);
  const one = await opened(t, openCached(roomy, host, wanted(head, { repositoryId: 1 })));
  const two = await opened(t, openCached(roomy, host, wanted(head, { repositoryId: 2 })));
  const elsewhere = openElsewhere(t, folder, host, wanted(head, { repositoryId: 3 }));
  assert.equal(await elsewhere.said, '["a.txt"]');
  two.repository.close();
  mkdirSync(join(folder, "9.git.discarded-by-a-crash"));
  const halfACopyMore = (await measureCopies(folder)) * (7 / 6);
  const four = await opened(
    t,
    openCached(cacheIn(folder, halfACopyMore), host, wanted(head, { repositoryId: 4 })),
  );
  assert.deepEqual(copies(), ["1.git", "3.git", "4.git"], "2 was the only one that was not in use");
  four.repository.close();
  const none = cacheIn(folder, 0);
  (await opened(t, openCached(none, host, wanted(head, { repositoryId: 5 })))).repository.close();
  assert.deepEqual(copies(), ["1.git", "3.git", "5.git"]);
  assert.equal((await one.repository.readFiles({ commit: head }, ["a.txt"], 100)).size, 1);
  one.repository.close();
  elsewhere.child.kill("SIGKILL");
  await once(elsewhere.child, "exit");
  await opened(t, openCached(none, host, wanted(head, { repositoryId: 6 })));
  assert.deepEqual(copies(), ["6.git"]);
});

function hoursAgo(hours: number): Date {
  return new Date(Date.now() - hours * 3_600_000);
}

test("of the unused copies, the least recently used is evicted first", async (t) => {
  const { made, head } = shop(t);
  const host = await gitHost(t, made);
  const folder = temporaryFolder(t);
  for (const [repositoryId, usedAt] of [
    [1, hoursAgo(2)],
    [2, hoursAgo(3)],
    [3, hoursAgo(1)],
  ] as const) {
    (await opened(t, openCached(cacheIn(folder), host, wanted(head, { repositoryId })))).repository.close();
    utimesSync(join(folder, `${repositoryId}.use`), usedAt, usedAt);
  }
  // Copies have more bytes where the machine has its own certificate authorities.
  const halfACopyMore = (await measureCopies(folder)) * (7 / 6);
  await opened(t, openCached(cacheIn(folder, halfACopyMore), host, wanted(head, { repositoryId: 4 })));
  assert.deepEqual(
    readdirSync(folder)
      .filter((name) => name.endsWith(".git"))
      .toSorted(),
    ["1.git", "3.git", "4.git"],
  );
});

test("a corrupt copy inside another repository doesn't make git use that one", async (t) => {
  const { made, head } = shop(t);
  const host = await gitHost(t, made);
  const above = testRepository();
  t.after(() => above.remove());
  const folder = join(above.path, "data");
  await opened(t, openCached(cacheIn(folder), host, wanted(head)));
  rmSync(join(folder, "42.git/HEAD"));
  appendFileSync(join(folder, "42.git/config"), "\n");
  await opened(t, openCached(cacheIn(folder), host, wanted(head)));
  assert.equal(above.git("for-each-ref").trim(), "");
});

/** Tries all three ways to start git without a free file descriptor, then with some, and prints each result. */
const EXHAUSTED = `
import { closeSync, openSync } from "node:fs";
const { runGit, spawnBatchGit, spawnRemoteGit } = await import(process.argv[1]);
const git = { cwd: "/", environment: { PATH: process.env.PATH } };
const ways = [
  () => runGit(["--version"], git),
  async () => spawnBatchGit(["--version"], git),
  async () => spawnRemoteGit(["--version"], git),
];
const held = [];
try { for (;;) held.push(openSync("/dev/null")); } catch {}
const failures = [];
for (const way of ways) await way().catch((error) => failures.push([error.code, error.retryable]));
await new Promise(setImmediate);
for (const file of held) closeSync(file);
const version = await runGit(["--version"], git);
console.log(JSON.stringify({ failures, version }));
`;

test("with too many open files, git isn't started and the process keeps running", async () => {
  const module = new URL("../../src/repository/git/run-git.ts", import.meta.url).href;
  const command = 'ulimit -n 64; exec "$0" --input-type=module -e "$1" "$2"';
  const said = execFileSync("sh", ["-c", command, process.execPath, EXHAUSTED, module], { encoding: "utf8" });
  const { failures, version } = JSON.parse(said);
  assert.deepEqual(failures, [
    ["io", true],
    ["io", true],
    ["io", true],
  ]);
  assert.match(version, /^git version/);
});

test("a corrupt copy is recreated for a branch too", async (t) => {
  const { made, base } = shop(t);
  const host = await gitHost(t, made);
  const folder = temporaryFolder(t);
  const copy = join(folder, "42.git");
  (await openBranch(cacheIn(folder), host, "main")).repository.close();
  for (const damage of [
    () => rmSync(join(copy, "HEAD")),
    () => writeFileSync(join(copy, "config"), "[core\n"),
    () => globSync(`${copy}/objects/pack/*.pack`).forEach((path) => rmSync(path)),
  ]) {
    damage();
    const { repository, commit } = await openBranch(cacheIn(folder), host, "main");
    assert.equal(commit, base);
    assert.equal((await repository.readFiles({ commit }, ["a.txt"], 100)).size, 1, String(damage));
    repository.close();
  }
});
