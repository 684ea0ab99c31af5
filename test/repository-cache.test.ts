/**
 * Tests the repository cache with real git over real HTTP: forks, credentials, deep histories, crashes, eviction, hostile
 * content.
 */
import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test, type TestContext } from "node:test";
import { KodiaiError } from "../src/base/errors.ts";
import { createRepositoryCache } from "../src/repository/git/cache/repository-cache.ts";
import type { CachedPullRequest, RemotePullRequest, RepositoryCache } from "../src/repository/repository.ts";
import { placesOf, processesWith } from "./support/find-secret.ts";
import { type GitHost, gitHost } from "./support/git-host.ts";
import { type TestRepository, testRepository } from "./support/test-repository.ts";

const PATH = process.env["PATH"] ?? "";

function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "kodiai-cache-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A repository with `main` and pull request 7, which changes a.txt. */
function shop(t: TestContext): {
  readonly made: TestRepository;
  readonly head: string;
  readonly base: string;
} {
  const made = testRepository();
  t.after(() => made.remove());
  made.write("a.txt", "one\ntwo\n");
  made.write("noise.bin", randomBytes(300_000));
  const base = made.commit("root");
  return { made, base, head: pullRequestFrom(made, 7, base, { "a.txt": "one\nTWO\n" }) };
}

/** Creates a pull request as from a fork: its commit is only under refs/pull. */
function pullRequestFrom(
  made: TestRepository,
  number: number,
  from: string,
  files: Readonly<Record<string, string>>,
): string {
  made.git("checkout", "--quiet", "--detach", from);
  for (const [path, text] of Object.entries(files)) made.write(path, text);
  const head = made.commit(`change ${number}`);
  made.git("update-ref", `refs/pull/${number}/head`, head);
  made.git("checkout", "--quiet", "main");
  return head;
}

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

function wanted(head: string, more: Partial<RemotePullRequest> = {}): RemotePullRequest {
  return {
    repositoryId: 42,
    number: 7,
    title: "Shout",
    body: "Because.",
    description: "pull request 7 of acme/shop",
    baseRef: "main",
    head,
    ...more,
  };
}

type Opening = {
  readonly signal?: AbortSignal;
  readonly onProgress?: (stage: string) => void;
  readonly password?: string;
  readonly url?: string;
};

function open(
  cache: RepositoryCache,
  host: GitHost,
  pullRequest: RemotePullRequest,
  { signal, onProgress, password, url }: Opening = {},
): Promise<CachedPullRequest> {
  const credential =
    password === undefined ? null : () => Promise.resolve({ username: "x-access-token", password });
  return cache.openPullRequest({ url: url ?? host.url, credential }, pullRequest, {
    signal: signal ?? new AbortController().signal,
    commits: [],
    onProgress: onProgress ?? (() => {}),
  });
}

/** Opens a pull request, fails if it wasn't opened, and closes it at the end of the test. */
async function opened(t: TestContext, opening: Promise<CachedPullRequest>) {
  const result = await opening;
  assert.ok(result.kind === "opened", `${result.kind} instead of opened`);
  t.after(() => result.repository.close());
  return result;
}

function cacheIn(folder: string, maxBytes = 1e9): RepositoryCache {
  return createRepositoryCache({ folder, environment: { PATH }, maxBytes });
}

async function assertRefused(
  work: Promise<unknown>,
  code: string,
  isRetryable = false,
): Promise<KodiaiError> {
  const error: unknown = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof KodiaiError, String(error));
  assert.deepEqual([error.code, error.retryable], [code, isRetryable], error.message);
  return error;
}

test("a pull request from a branch of the repository is read with its own title and commits", async (t) => {
  const { made, base, head } = shop(t);
  made.git("update-ref", "refs/heads/feature", head);
  made.write("later.txt", "main went on\n");
  made.commit("later");
  const host = await gitHost(t, made);
  const stages: string[] = [];
  const { change, repository } = await opened(
    t,
    open(cacheIn(temporaryFolder(t)), host, wanted(head), { onProgress: (stage) => stages.push(stage) }),
  );
  assert.deepEqual(
    [change.kind, change.title, change.body, change.description, change.base, change.head],
    ["pull-request", "Shout", "Because.", "pull request 7 of acme/shop", base, head],
  );
  assert.deepEqual(
    change.commits.map(({ id, subject }) => [id, subject]),
    [[head, "change 7"]],
  );
  assert.deepEqual(
    change.files.map(({ path, addedLines, removedLines }) => [path, addedLines, removedLines]),
    [["a.txt", 1, 1]],
  );
  assert.equal(repository.root, null);
  assert.equal((await repository.readFiles({ commit: base }, ["a.txt"], 100)).get("a.txt"), "one\ntwo\n");
  assert.deepEqual(await repository.listPaths({ commit: head }, 10), ["a.txt", "noise.bin"]);
  const { hits } = await repository.search(
    { commit: head },
    { text: "TWO", isWord: false, folder: "", accepts: () => true, maxHits: 5 },
    { maxMs: 30_000, signal: new AbortController().signal },
  );
  assert.deepEqual(
    hits.map(({ path, line }) => [path, line]),
    [["a.txt", 2]],
  );
  assert.deepEqual(stages, ["fetching"]);
});

test("a pull request from a fork, even a deleted one, is fetched from the base repository alone", async (t) => {
  const { made, head } = shop(t);
  assert.equal(made.git("branch", "--contains", head).trim(), "");
  const host = await gitHost(t, made);
  const { change } = await opened(t, open(cacheIn(temporaryFolder(t)), host, wanted(head)));
  assert.equal(change.files.length, 1);
  assert.ok(host.requests.every(({ path }) => path.startsWith("/acme/shop.git/")));
});

test("[P2] a private repository is read with a credential that is requested once and never stored", async (t) => {
  const { made, head } = shop(t);
  const host = await gitHost(t, made);
  const token = `ghs_${randomUUID().replaceAll("-", "")}`;
  host.password = token;
  const folder = temporaryFolder(t);
  const seen: string[] = [];
  let scans = 0;
  let mints = 0;
  const scan = (): void => {
    scans += 1;
    seen.push(...processesWith(token), ...placesOf(folder, token));
  };
  host.intercept = (request) => {
    if (request.headers.authorization !== undefined) scan();
    return false;
  };
  const credential = async () => {
    mints += 1;
    // The credential helper is running now and gets its answer after this.
    scan();
    return { username: "x-access-token", password: token };
  };
  const result = await cacheIn(folder).openPullRequest({ url: host.url, credential }, wanted(head), {
    signal: new AbortController().signal,
    commits: [],
    onProgress: () => {},
  });
  const { change } = await opened(t, Promise.resolve(result));
  assert.equal(change.files.length, 1);
  assert.equal(mints, 1);
  assert.ok(scans >= 3, "looked while it was asked for and while it was used");
  assert.ok(host.requests.some(({ password }) => password === token));
  assert.deepEqual(seen, []);
  assert.deepEqual(placesOf(folder, token), []);
  assert.deepEqual(placesOf(folder, "127.0.0.1"), [], "nor is the address written down");
});

test("a public repository is read without requesting a credential", async (t) => {
  const { made, head } = shop(t);
  const host = await gitHost(t, made);
  const credential = () => Promise.reject(new Error("must not be asked for"));
  const opening = cacheIn(temporaryFolder(t)).openPullRequest({ url: host.url, credential }, wanted(head), {
    signal: new AbortController().signal,
    commits: [],
    onProgress: () => {},
  });
  assert.equal((await opened(t, opening)).change.files.length, 1);
});

test("a rejected or missing credential is forbidden", async (t) => {
  const { made, head } = shop(t);
  const host = await gitHost(t, made);
  host.password = "right-and-secret";
  const cache = cacheIn(temporaryFolder(t));
  const refused = await assertRefused(
    open(cache, host, wanted(head), { password: "wrong-but-secret" }),
    "forbidden",
  );
  assert.doesNotMatch(`${refused.message} ${refused.hint} ${refused.stack}`, /secret/);
  await assertRefused(open(cache, host, wanted(head)), "forbidden");
  host.password = null;
  host.intercept = (_request, response) => {
    response.writeHead(403, { "content-type": "text/plain" }).end("not for wrong-but-secret\n");
    return true;
  };
  const blocked = await assertRefused(
    open(cache, host, wanted(head), { password: "wrong-but-secret" }),
    "forbidden",
  );
  assert.doesNotMatch(blocked.message, /secret/);
});

test("a failure to create the credential is reported with its own reason", async (t) => {
  const { made, head } = shop(t);
  const host = await gitHost(t, made);
  host.password = "secret";
  const limited = new KodiaiError("rate-limited", "too many tokens", { hint: "Wait.", retryable: true });
  const opening = cacheIn(temporaryFolder(t)).openPullRequest(
    { url: host.url, credential: () => Promise.reject(limited) },
    wanted(head),
    { signal: new AbortController().signal, commits: [], onProgress: () => {} },
  );
  assert.equal(await assertRefused(opening, "rate-limited", true), limited);
});

test("[P2] a credential isn't sent to the host that a redirect names", async (t) => {
  const { made, head } = shop(t);
  const host = await gitHost(t, made);
  const other = await gitHost(t, made);
  other.password = "whatever";
  host.intercept = (request, response) => {
    response.writeHead(302, { location: other.url.replace("/acme/shop.git", request.url ?? "") }).end();
    return true;
  };
  await assertRefused(
    open(cacheIn(temporaryFolder(t)), host, wanted(head), { password: "secret" }),
    "forbidden",
  );
  assert.ok(other.requests.length > 0);
  assert.ok(other.requests.every(({ password }) => password === null));
});

test("a missing repository, a missing branch and an unreachable host have different errors", async (t) => {
  const { made, head } = shop(t);
  const host = await gitHost(t, made);
  const cache = cacheIn(temporaryFolder(t));
  await assertRefused(open(cache, host, wanted(head, { baseRef: "gone" })), "not-found", true);
  await assertRefused(open(cache, host, wanted(head, { number: 8 })), "not-found", true);
  await assertRefused(
    open(cache, host, wanted(head), { url: host.url.replace("shop", "none") }),
    "not-found",
  );
  await assertRefused(
    open(cache, host, wanted(head), { url: "http://127.0.0.1:9/acme/shop.git" }),
    "network",
    true,
  );
  for (const [status, code] of [
    [503, "network"],
    [429, "rate-limited"],
  ] as const) {
    host.intercept = (_request, response) => {
      response.writeHead(status).end();
      return true;
    };
    await assertRefused(open(cache, host, wanted(head)), code, true);
  }
  host.intercept = (request) => {
    if (request.method === "POST") request.socket.destroy();
    return request.method === "POST";
  };
  await assertRefused(open(cache, host, wanted(head)), "network", true);
  host.intercept = () => false;
  await opened(t, open(cache, host, wanted(head)));
});

test("a moved head is reported, even after a force push onto a warm copy", async (t) => {
  const { made, base, head } = shop(t);
  const host = await gitHost(t, made);
  const cache = cacheIn(temporaryFolder(t));
  await opened(t, open(cache, host, wanted(head)));
  const forced = pullRequestFrom(made, 7, base, { "b.txt": "instead\n" });
  assert.deepEqual(await open(cache, host, wanted(head)), { kind: "moved", head: forced });
  const { change } = await opened(t, open(cache, host, wanted(forced)));
  assert.deepEqual(
    change.files.map(({ path }) => path),
    ["b.txt"],
  );
});

test("a merge base far beyond the first depth is found by deepening, and the depth is kept", async (t) => {
  const { made, base, head } = shop(t);
  made.git("update-ref", "refs/heads/main", pile(made, base, 320));
  const host = await gitHost(t, made);
  const cache = cacheIn(temporaryFolder(t));
  const stages: string[] = [];
  const onProgress = (stage: string): void => void stages.push(stage);
  const first = await opened(t, open(cache, host, wanted(head), { onProgress }));
  assert.deepEqual([first.change.base, first.change.files.length], [base, 1]);
  assert.deepEqual(stages.splice(0), ["fetching", "deepening", "deepening"]);
  const second = await opened(t, open(cache, host, wanted(head), { onProgress }));
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
  const { change } = await opened(t, open(cacheIn(temporaryFolder(t)), host, wanted(head)));
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
  const error = await assertRefused(open(cacheIn(temporaryFolder(t)), host, wanted(head)), "no-merge-base");
  assert.match(error.message, /pull request 7 has no commit in common with main/);
});

test("concurrent reviews of one repository in one process each see their own pull request", async (t) => {
  const { made, base, head } = shop(t);
  const heads = [
    head,
    ...[8, 9, 10].map((number) => pullRequestFrom(made, number, base, { [`${number}.txt`]: "x\n" })),
  ];
  const host = await gitHost(t, made);
  const cache = cacheIn(temporaryFolder(t));
  const all = await Promise.all(
    heads.map((each, index) => opened(t, open(cache, host, wanted(each, { number: 7 + index })))),
  );
  assert.deepEqual(
    all.map(({ change }) => change.files.map(({ path }) => path)),
    [["a.txt"], ["8.txt"], ["9.txt"], ["10.txt"]],
  );
});

test("[P16] a pull request that takes long to compare doesn't delay another one of its repository", async (t) => {
  const { made, base, head } = shop(t);
  const second = pullRequestFrom(made, 8, base, { "8.txt": "x\n" });
  const host = await gitHost(t, made);
  const folder = temporaryFolder(t);
  const hold = join(folder, "hold");
  const tools = temporaryFolder(t);
  const git = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  // This git keeps comparing the first pull request as long as the file exists.
  const script = `case "$*" in *" diff "*${head}*) while test -e ${hold}; do sleep 0.05; done;; esac`;
  writeFileSync(join(tools, "git"), `#!/bin/sh\n${script}\nexec ${git} "$@"\n`, { mode: 0o755 });
  writeFileSync(hold, "");
  const cache = createRepositoryCache({
    folder: join(folder, "cache"),
    environment: { PATH: `${tools}:${PATH}` },
    maxBytes: 1e9,
  });
  const slow = opened(t, open(cache, host, wanted(head)));
  const quick = await opened(t, open(cache, host, wanted(second, { number: 8 })));
  assert.deepEqual(
    quick.change.files.map(({ path }) => path),
    ["8.txt"],
  );
  rmSync(hold);
  assert.equal((await slow).change.files.length, 1);
});

/** Opens pull requests in a separate process, prints a line, and keeps them open until it is killed. */
function openElsewhere(
  t: TestContext,
  folder: string,
  host: GitHost,
  pullRequest: RemotePullRequest,
  faultPoint = "",
): { readonly child: ChildProcess; readonly said: Promise<string> } {
  const from = (path: string): string => JSON.stringify(new URL(`../src/${path}`, import.meta.url).href);
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
  const { change } = await opened(t, open(cacheIn(folder), host, wanted(head)));
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
  const { change } = await opened(t, open(cacheIn(folder), host, wanted(head)));
  assert.equal(change.files.length, 1);
});

test("a cancelled fetch ends its processes, releases its lock, and can be repeated", async (t) => {
  const { made, head } = shop(t);
  const host = await gitHost(t, made);
  const cache = cacheIn(temporaryFolder(t));
  host.stallAfterBytes = 100_000;
  const stopping = new AbortController();
  host.onStall = () => stopping.abort();
  await assertRefused(open(cache, host, wanted(head), { signal: stopping.signal }), "cancelled");
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
  await opened(t, open(cache, host, wanted(head)));
  await assertRefused(open(cache, host, wanted(head), { signal: AbortSignal.abort() }), "cancelled");
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
  await opened(t, open(cacheIn(folder), host, wanted(head)));
  for (const [index, damage] of damages.entries()) {
    damage();
    const next = pullRequestFrom(made, 7, base, { "a.txt": `one\n${index}\n` });
    const { change } = await opened(t, open(cacheIn(folder), host, wanted(next)));
    assert.deepEqual([change.base, change.files.length], [base, 1], String(damage));
  }
});

test("a copy with too many packs is recreated unless it is in use", async (t) => {
  const { made, head } = shop(t);
  const host = await gitHost(t, made);
  const folder = temporaryFolder(t);
  const first = await opened(t, open(cacheIn(folder), host, wanted(head)));
  const packs = join(folder, "42.git/objects/pack");
  for (let index = 0; index <= 100; index++) writeFileSync(join(packs, `worn-${index}.pack`), "");
  const second = await opened(t, open(cacheIn(folder), host, wanted(head)));
  assert.ok(existsSync(join(packs, "worn-0.pack")));
  first.repository.close();
  second.repository.close();
  await opened(t, open(cacheIn(folder), host, wanted(head)));
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
  const one = await opened(t, open(roomy, host, wanted(head, { repositoryId: 1 })));
  const two = await opened(t, open(roomy, host, wanted(head, { repositoryId: 2 })));
  const elsewhere = openElsewhere(t, folder, host, wanted(head, { repositoryId: 3 }));
  assert.equal(await elsewhere.said, '["a.txt"]');
  two.repository.close();
  mkdirSync(join(folder, "9.git.discarded-by-a-crash"));
  // Space for three and a half copies.
  const four = await opened(t, open(cacheIn(folder, 1_100_000), host, wanted(head, { repositoryId: 4 })));
  assert.deepEqual(copies(), ["1.git", "3.git", "4.git"], "2 was the only one that was not in use");
  four.repository.close();
  const none = cacheIn(folder, 0);
  (await opened(t, open(none, host, wanted(head, { repositoryId: 5 })))).repository.close();
  assert.deepEqual(copies(), ["1.git", "3.git", "5.git"]);
  assert.equal((await one.repository.readFiles({ commit: head }, ["a.txt"], 100)).size, 1);
  one.repository.close();
  elsewhere.child.kill("SIGKILL");
  await once(elsewhere.child, "exit");
  await opened(t, open(none, host, wanted(head, { repositoryId: 6 })));
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
    (await opened(t, open(cacheIn(folder), host, wanted(head, { repositoryId })))).repository.close();
    utimesSync(join(folder, `${repositoryId}.use`), usedAt, usedAt);
  }
  await opened(t, open(cacheIn(folder, 1_100_000), host, wanted(head, { repositoryId: 4 })));
  assert.deepEqual(
    readdirSync(folder)
      .filter((name) => name.endsWith(".git"))
      .toSorted(),
    ["1.git", "3.git", "4.git"],
  );
});

test("a cache that isn't writable is an error that names the reason", async (t) => {
  const { made, head } = shop(t);
  const host = await gitHost(t, made);
  const file = join(temporaryFolder(t), "file");
  writeFileSync(file, "");
  const error = await assertRefused(open(cacheIn(join(file, "cache")), host, wanted(head)), "io");
  assert.match(error.message, /isn't writable \(ENOTDIR\)/);
});

test("[P1] invalid names and addresses never reach git", async (t) => {
  const { made, head } = shop(t);
  const host = await gitHost(t, made);
  const cache = cacheIn(temporaryFolder(t));
  for (const baseRef of ["--upload-pack=touch x", "main:refs/heads/x", "a b", "*", "../main", "x.lock", ""]) {
    await assertRefused(open(cache, host, wanted(head, { baseRef })), "unknown-ref");
  }
  await assertRefused(open(cache, host, wanted("HEAD")), "unknown-ref");
  await assert.rejects(open(cache, host, wanted(head, { repositoryId: -1 })), TypeError);
  await assert.rejects(open(cache, host, wanted(head, { number: 1.5 })), TypeError);
  const addresses = [
    "ext::sh -c 'touch x'",
    "file:///etc",
    "ssh://host/x",
    "/etc",
    "--upload-pack=x",
    "http://example.org/acme/shop.git",
    host.url.replace("http://", "http://user:secret@"),
  ];
  for (const url of addresses) {
    const error = await assertRefused(open(cache, host, wanted(head), { url }), "config");
    assert.doesNotMatch(error.message, /secret/);
  }
  assert.equal(host.requests.length, 0);
});

test("a branch whose name looks like an option or a path is fetched by its full name", async (t) => {
  const { made, base, head } = shop(t);
  const host = await gitHost(t, made);
  const cache = cacheIn(temporaryFolder(t));
  for (const baseRef of ["release/1.2", "refs/heads/main", "ünï-cødé", "a'b;touch$x"]) {
    made.git("update-ref", `refs/heads/${baseRef}`, base);
    assert.equal((await opened(t, open(cache, host, wanted(head, { baseRef })))).change.base, base);
  }
});

test("[P1] hooks, attributes, submodules and links of the change and any git settings have no effect", async (t) => {
  const { made, base } = shop(t);
  const folder = temporaryFolder(t);
  const traces = temporaryFolder(t);
  const trace = (name: string): string => `touch ${join(traces, name)}`;
  const home = temporaryFolder(t);
  writeFileSync(
    join(home, ".gitconfig"),
    `[url "http://127.0.0.1:9/"]\n insteadOf = http://127.0.0.1\n[credential]\n helper = "!${trace("helper")}"\n` +
      `[diff "evil"]\n textconv = ${trace("textconv")}\n command = ${trace("external")}\n`,
  );
  writeFileSync(join(home, ".netrc"), "default login them password theirs\n");
  const hook = `#!/bin/sh\n${trace("hook")}\n`;
  for (const name of ["reference-transaction", "post-checkout", "post-merge", "pre-auto-gc"])
    writeFileSync(join(made.path, ".git/hooks", name), hook, { mode: 0o755 });
  symlinkSync("/etc/passwd", join(made.path, "link"));
  const head = pullRequestFrom(made, 7, base, {
    ".gitattributes": "* diff=evil filter=evil -text\n*.txt binary\n",
    ".gitmodules": '[submodule "m"]\n path = m\n url = http://127.0.0.1:9/m.git\n update = checkout\n',
    "a.txt": "one\nTWO\n",
    "hooks/reference-transaction": hook,
  });
  rmSync(traces, { recursive: true });
  mkdirSync(traces);
  for (const name of ["reference-transaction", "post-checkout"]) rmSync(join(made.path, ".git/hooks", name));
  const host = await gitHost(t, made);
  host.password = "ours";
  const cache = createRepositoryCache({ folder, environment: { PATH, HOME: home }, maxBytes: 1e9 });
  await opened(t, open(cache, host, wanted(head), { password: "ours" }));
  // This holds even with a hook in the copy itself.
  mkdirSync(join(folder, "42.git/hooks"));
  writeFileSync(join(folder, "42.git/hooks/reference-transaction"), hook, { mode: 0o755 });
  const next = pullRequestFrom(made, 7, head, { "b.txt": "more\n" });
  const { change, repository } = await opened(t, open(cache, host, wanted(next), { password: "ours" }));
  assert.deepEqual(
    change.files.map(({ path, unreadable }) => [path, unreadable]),
    [
      [".gitattributes", null],
      [".gitmodules", null],
      ["a.txt", null],
      ["b.txt", null],
      ["hooks/reference-transaction", null],
      ["link", "symlink"],
    ],
  );
  assert.equal((await repository.readFiles({ commit: next }, ["a.txt"], 100)).get("a.txt"), "one\nTWO\n");
  assert.deepEqual(readdirSync(traces), []);
  assert.ok(host.requests.every(({ password }) => password === null || password === "ours"));
  assert.deepEqual(
    globSync(`${folder}/**/{a.txt,link,.gitmodules}`),
    [],
    "no file of the change is checked out",
  );
});

test("[P1] objects that git's check rejects aren't kept, and the copy isn't discarded", async (t) => {
  const { made, base, head } = shop(t);
  const host = await gitHost(t, made);
  const folder = temporaryFolder(t);
  await opened(t, open(cacheIn(folder), host, wanted(head)));
  const { ino } = statSync(join(folder, "42.git"));
  const blob = made.git("rev-parse", `${base}:a.txt`).trim();
  const tree = execFileSync("git", ["mktree"], { cwd: made.path, input: `100644 blob ${blob}\t.git\n` });
  const bad = made.git("commit-tree", "-p", base, "-m", "bad", tree.toString().trim()).trim();
  made.git("update-ref", "refs/pull/7/head", bad);
  const error = await assertRefused(open(cacheIn(folder), host, wanted(bad)), "bad-payload");
  assert.match(error.message, /git's object check rejected/);
  assert.equal(statSync(join(folder, "42.git")).ino, ino);
  made.git("update-ref", "refs/pull/7/head", head);
  await opened(t, open(cacheIn(folder), host, wanted(head)));
});

test("a corrupt copy inside another repository doesn't make git use that one", async (t) => {
  const { made, head } = shop(t);
  const host = await gitHost(t, made);
  const above = testRepository();
  t.after(() => above.remove());
  const folder = join(above.path, "data");
  await opened(t, open(cacheIn(folder), host, wanted(head)));
  rmSync(join(folder, "42.git/HEAD"));
  appendFileSync(join(folder, "42.git/config"), "\n");
  await opened(t, open(cacheIn(folder), host, wanted(head)));
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
  const module = new URL("../src/repository/git/run-git.ts", import.meta.url).href;
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

function openBranch(cache: RepositoryCache, host: GitHost, name: string, signal?: AbortSignal) {
  return cache.openBranch(
    { url: host.url, credential: null },
    { repositoryId: 42, name },
    { signal: signal ?? new AbortController().signal, onProgress: () => {} },
  );
}

test("a branch is opened at its newest commit, with history, also after it was replaced", async (t) => {
  const { made, base, head } = shop(t);
  made.git("update-ref", "refs/heads/work", head);
  const host = await gitHost(t, made);
  const folder = temporaryFolder(t);
  const cache = cacheIn(folder);
  const branch = "work";
  const first = await openBranch(cache, host, branch);
  assert.equal(first.commit, head);
  const texts = await first.repository.readFiles({ commit: head }, ["a.txt"], 100);
  assert.equal(texts.get("a.txt"), "one\nTWO\n");
  const deadline = { maxMs: 30_000, signal: new AbortController().signal };
  const history = await first.repository.readHistory({ commit: head }, "a.txt", {
    ...deadline,
    maxEntries: 5,
  });
  assert.deepEqual(
    history.map(({ commit }) => commit),
    [head, base],
  );
  assert.equal(await cache.discard(42), false, "the copy is in use");
  first.repository.close();
  // Git can't have both a branch and one below its name, so the old ref must not be in the way.
  made.git("update-ref", "-d", "refs/heads/work");
  made.git("update-ref", `refs/heads/${branch}/more`, base);
  const { ino } = statSync(join(folder, "42.git"));
  const second = await openBranch(cache, host, `${branch}/more`);
  assert.equal(second.commit, base);
  assert.equal(statSync(join(folder, "42.git")).ino, ino, "the copy was not recreated");
  second.repository.close();
  assert.equal(await cache.discard(42), true);
});

test("a branch that can't be opened fails like a pull request", async (t) => {
  const { made } = shop(t);
  const host = await gitHost(t, made);
  const cache = cacheIn(temporaryFolder(t));
  await assertRefused(openBranch(cache, host, "gone"), "not-found", true);
  await assertRefused(openBranch(cache, host, "a:b"), "unknown-ref");
  await assertRefused(openBranch(cache, host, "main", AbortSignal.abort()), "cancelled");
  host.password = "secret";
  await assertRefused(openBranch(cache, host, "main"), "forbidden");
  host.intercept = (_request, response) => {
    response.writeHead(503).end();
    return true;
  };
  await assertRefused(openBranch(cache, host, "main"), "network", true);
  assert.equal(await cache.discard(42), true, "a failure leaves no copy in use");
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
