/**
 * Tests the repository cache with real git over real HTTP: forks, credentials, deep histories, crashes, eviction, hostile
 * content.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { globSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { KodiaiError } from "../src/base/errors.ts";
import { createRepositoryCache } from "../src/repository/git/cache/repository-cache.ts";
import { placesOf, processesWith } from "./support/find-secret.ts";
import { gitHost } from "./support/git-host.ts";
import {
  PATH,
  temporaryFolder,
  shop,
  pullRequestFrom,
  wanted,
  openCached,
  opened,
  cacheIn,
  assertRefused,
  openBranch,
} from "./support/cache-fixtures.ts";

test("a pull request from a branch of the repository is read with its own title and commits", async (t) => {
  const { made, base, head } = shop(t);
  made.git("update-ref", "refs/heads/feature", head);
  made.write("later.txt", "main went on\n");
  made.commit("later");
  const host = await gitHost(t, made);
  const stages: string[] = [];
  const { change, repository } = await opened(
    t,
    openCached(cacheIn(temporaryFolder(t)), host, wanted(head), {
      onProgress: (stage) => stages.push(stage),
    }),
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
  const { change } = await opened(t, openCached(cacheIn(temporaryFolder(t)), host, wanted(head)));
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
    openCached(cache, host, wanted(head), { password: "wrong-but-secret" }),
    "forbidden",
  );
  assert.doesNotMatch(`${refused.message} ${refused.hint} ${refused.stack}`, /secret/);
  await assertRefused(openCached(cache, host, wanted(head)), "forbidden");
  host.password = null;
  host.intercept = (_request, response) => {
    response.writeHead(403, { "content-type": "text/plain" }).end("not for wrong-but-secret\n");
    return true;
  };
  const blocked = await assertRefused(
    openCached(cache, host, wanted(head), { password: "wrong-but-secret" }),
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
    openCached(cacheIn(temporaryFolder(t)), host, wanted(head), { password: "secret" }),
    "forbidden",
  );
  assert.ok(other.requests.length > 0);
  assert.ok(other.requests.every(({ password }) => password === null));
});

test("a missing repository, a missing branch and an unreachable host have different errors", async (t) => {
  const { made, head } = shop(t);
  const host = await gitHost(t, made);
  const cache = cacheIn(temporaryFolder(t));
  await assertRefused(openCached(cache, host, wanted(head, { baseRef: "gone" })), "not-found", true);
  await assertRefused(openCached(cache, host, wanted(head, { number: 8 })), "not-found", true);
  await assertRefused(
    openCached(cache, host, wanted(head), { url: host.url.replace("shop", "none") }),
    "not-found",
  );
  await assertRefused(
    openCached(cache, host, wanted(head), { url: "http://127.0.0.1:9/acme/shop.git" }),
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
    await assertRefused(openCached(cache, host, wanted(head)), code, true);
  }
  host.intercept = (request) => {
    if (request.method === "POST") request.socket.destroy();
    return request.method === "POST";
  };
  await assertRefused(openCached(cache, host, wanted(head)), "network", true);
  host.intercept = () => false;
  await opened(t, openCached(cache, host, wanted(head)));
});

test("a moved head is reported, even after a force push onto a warm copy", async (t) => {
  const { made, base, head } = shop(t);
  const host = await gitHost(t, made);
  const cache = cacheIn(temporaryFolder(t));
  await opened(t, openCached(cache, host, wanted(head)));
  const forced = pullRequestFrom(made, 7, base, { "b.txt": "instead\n" });
  assert.deepEqual(await openCached(cache, host, wanted(head)), { kind: "moved", head: forced });
  const { change } = await opened(t, openCached(cache, host, wanted(forced)));
  assert.deepEqual(
    change.files.map(({ path }) => path),
    ["b.txt"],
  );
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
    heads.map((each, index) => opened(t, openCached(cache, host, wanted(each, { number: 7 + index })))),
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
  const slow = opened(t, openCached(cache, host, wanted(head)));
  const quick = await opened(t, openCached(cache, host, wanted(second, { number: 8 })));
  assert.deepEqual(
    quick.change.files.map(({ path }) => path),
    ["8.txt"],
  );
  rmSync(hold);
  assert.equal((await slow).change.files.length, 1);
});

test("a cache that isn't writable is an error that names the reason", async (t) => {
  const { made, head } = shop(t);
  const host = await gitHost(t, made);
  const file = join(temporaryFolder(t), "file");
  writeFileSync(file, "");
  const error = await assertRefused(openCached(cacheIn(join(file, "cache")), host, wanted(head)), "io");
  assert.match(error.message, /isn't writable \(ENOTDIR\)/);
});

test("[P1] invalid names and addresses never reach git", async (t) => {
  const { made, head } = shop(t);
  const host = await gitHost(t, made);
  const cache = cacheIn(temporaryFolder(t));
  for (const baseRef of ["--upload-pack=touch x", "main:refs/heads/x", "a b", "*", "../main", "x.lock", ""]) {
    await assertRefused(openCached(cache, host, wanted(head, { baseRef })), "unknown-ref");
  }
  await assertRefused(openCached(cache, host, wanted("HEAD")), "unknown-ref");
  await assert.rejects(openCached(cache, host, wanted(head, { repositoryId: -1 })), TypeError);
  await assert.rejects(openCached(cache, host, wanted(head, { number: 1.5 })), TypeError);
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
    const error = await assertRefused(openCached(cache, host, wanted(head), { url }), "config");
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
    assert.equal((await opened(t, openCached(cache, host, wanted(head, { baseRef })))).change.base, base);
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
  await opened(t, openCached(cache, host, wanted(head), { password: "ours" }));
  // This holds even with a hook in the copy itself.
  mkdirSync(join(folder, "42.git/hooks"));
  writeFileSync(join(folder, "42.git/hooks/reference-transaction"), hook, { mode: 0o755 });
  const next = pullRequestFrom(made, 7, head, { "b.txt": "more\n" });
  const { change, repository } = await opened(t, openCached(cache, host, wanted(next), { password: "ours" }));
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
  await opened(t, openCached(cacheIn(folder), host, wanted(head)));
  const { ino } = statSync(join(folder, "42.git"));
  const blob = made.git("rev-parse", `${base}:a.txt`).trim();
  const tree = execFileSync("git", ["mktree"], { cwd: made.path, input: `100644 blob ${blob}\t.git\n` });
  const bad = made.git("commit-tree", "-p", base, "-m", "bad", tree.toString().trim()).trim();
  made.git("update-ref", "refs/pull/7/head", bad);
  const error = await assertRefused(openCached(cacheIn(folder), host, wanted(bad)), "bad-payload");
  assert.match(error.message, /git's object check rejected/);
  assert.equal(statSync(join(folder, "42.git")).ino, ino);
  made.git("update-ref", "refs/pull/7/head", head);
  await opened(t, openCached(cacheIn(folder), host, wanted(head)));
});

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
