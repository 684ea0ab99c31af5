/** Tests the pushes of the repository writer with real git over real HTTP. */
import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { promisify } from "node:util";
import { KodiaiError } from "../src/base/errors.ts";
import { createRepositoryCache } from "../src/repository/git/cache/repository-cache.ts";
import { createRepositoryWriters } from "../src/repository/git/write/repository-writers.ts";
import type { RepositoryWriter } from "../src/repository/repository-writer.ts";
import { placesOf, processesWith } from "./support/find-secret.ts";
import { type GitHost, gitHost } from "./support/git-host.ts";
import { killIfRunning } from "./support/processes.ts";
import { type TestRepository, testRepository } from "./support/test-repository.ts";
import {
  armCopy,
  assertRefused,
  commitRequest,
  temporaryFolder,
  writerIn,
} from "./support/writer-fixtures.ts";

const PATH = process.env["PATH"] ?? "";

type Pushing = {
  readonly made: TestRepository;
  readonly host: GitHost;
  readonly folder: string;
  readonly writer: RepositoryWriter;
  /** The newest commit of main, which the copy has. */
  readonly base: string;
  /** Makes a commit on the base, or on another one. */
  readonly commit: (text: string, parent?: string) => Promise<string>;
  /** The commit of a branch on the host. Null if it doesn't exist. */
  readonly branch: (name: string) => string | null;
};

/** A host that allows pushes, and a shallow copy of its repository. */
async function pushing(t: TestContext, more: { readonly signal?: AbortSignal } = {}): Promise<Pushing> {
  const made = testRepository();
  t.after(() => made.remove());
  made.git("config", "http.receivepack", "true");
  made.git("config", "receive.denyCurrentBranch", "ignore");
  made.git("config", "receive.fsckObjects", "true");
  for (let index = 0; index < 3; index++)
    made.git("commit", "--quiet", "--allow-empty", "--message", `${index}`);
  made.write("a.txt", "one\n");
  const base = made.commit("newest");
  const host = await gitHost(t, made);
  const folder = temporaryFolder(t);
  const cache = createRepositoryCache({ folder, environment: { PATH }, maxBytes: 1e9 });
  const { repository, commit: opened } = await cache.openBranch(
    { url: host.url, credential: null },
    { repositoryId: 42, name: "main" },
    { signal: new AbortController().signal, onProgress: () => {} },
  );
  t.after(() => repository.close());
  assert.equal(opened, base);
  host.requests.length = 0;
  const writer = writerIn(folder, more.signal);
  return {
    made,
    host,
    folder,
    writer,
    base,
    async commit(text, parent = base) {
      const wanted = commitRequest(parent, [{ path: "a.txt", content: text }]);
      return (await writerIn(folder).commit(wanted)).commit;
    },
    branch(name) {
      const found = made.git("for-each-ref", "--format=%(objectname)", `refs/heads/${name}`).trim();
      return found === "" ? null : found;
    },
  };
}

function anonymously({ url }: GitHost) {
  return { url, credential: null };
}

test("a commit is pushed to a new branch, to an existing one, and again without effect", async (t) => {
  const { made, host, writer, base, commit, branch } = await pushing(t);
  const first = await commit("two\n");
  const access = anonymously(host);
  const create = { commit: first, branch: "kodiai/fix-ü'1", expected: null };
  assert.deepEqual(await writer.push(access, create), { kind: "pushed" });
  assert.equal(branch("kodiai/fix-ü'1"), first);
  assert.deepEqual(await writer.push(access, create), { kind: "pushed" });
  const update = { commit: first, branch: "main", expected: base };
  assert.deepEqual(await writer.push(access, update), { kind: "pushed" });
  assert.equal(branch("main"), first);
  assert.deepEqual(await writer.push(access, update), { kind: "pushed" });
  const second = await commit("three\n", first);
  assert.deepEqual(await writer.push(access, { commit: second, branch: "main", expected: first }), {
    kind: "pushed",
  });
  assert.equal(made.git("show", "main:a.txt"), "three\n");
  made.git("fsck", "--strict");
  assert.deepEqual(made.git("for-each-ref", "--format=%(refname)").trim().split("\n"), [
    "refs/heads/kodiai/fix-ü'1",
    "refs/heads/main",
  ]);
});

for (const depth of [1, 50]) {
  test(`a copy with a history of depth ${depth} can push, also a commit on a fork's head`, async (t) => {
    const { made, host, folder, base } = await pushing(t);
    const stream = Array.from(
      { length: 60 },
      (_, index) =>
        `commit refs/heads/main\ncommitter Ada <ada@example.org> ${1_770_000_000 + index} +0000\ndata 1\nx\n` +
        `${index === 0 ? `from ${base}\n` : ""}M 100644 inline f${index}\ndata 1\nx\n`,
    );
    execFileSync("git", ["fast-import", "--quiet"], { cwd: made.path, input: stream.join("\n") });
    const tip = made.git("rev-parse", "main").trim();
    const fork = made.git("commit-tree", "-p", tip, "-m", "from a fork", `${base}^{tree}`).trim();
    made.git("update-ref", "refs/pull/7/head", fork);
    const copy = join(folder, "43.git");
    const fetch = [
      "fetch",
      "--quiet",
      `--depth=${depth}`,
      host.url,
      "main:refs/kodiai/7/base",
      "refs/pull/7/head:refs/kodiai/7/head",
    ];
    execFileSync("git", ["init", "--quiet", "--bare", "--template=", copy]);
    // The host answers from this process, so it must not be blocked.
    await promisify(execFile)("git", fetch, { cwd: copy, env: { PATH, HOME: "/dev/null", GIT_DIR: copy } });
    assert.ok(existsSync(join(copy, "shallow")));
    // The host knows the fork's head only by a ref that it hides from pushes.
    made.git("config", "receive.hideRefs", "refs/pull");
    const writer = createRepositoryWriters({ folder, environment: { PATH } })(
      43,
      new AbortController().signal,
    );
    for (const [parent, branch, expected] of [
      [tip, "main", tip],
      [fork, "kodiai/fork", null],
    ] as const) {
      const { commit } = await writer.commit(commitRequest(parent, [{ path: "new", content: "n" }]));
      assert.deepEqual(await writer.push(anonymously(host), { commit, branch, expected }), {
        kind: "pushed",
      });
      assert.equal(made.git("rev-parse", `refs/heads/${branch}`).trim(), commit);
    }
    made.git("fsck", "--strict", "--connectivity-only");
    assert.ok(!existsSync(join(made.path, ".git/shallow")), "the host's history stays complete");
  });
}

test("a push never overwrites: another commit, an existing branch, a deleted one, a commit on another base", async (t) => {
  const { made, host, writer, base, commit, branch } = await pushing(t);
  const mine = await commit("mine\n");
  const access = anonymously(host);
  const older = made.git("rev-parse", `${base}^`).trim();
  const assertMoved = async (name: string, expected: string | null, message: RegExp): Promise<void> => {
    const before = branch(name);
    const outcome = await writer.push(access, { commit: mine, branch: name, expected });
    assert.ok(outcome.kind === "rejected" && outcome.reason === "moved", JSON.stringify(outcome));
    assert.match(outcome.message, message);
    assert.equal(branch(name), before);
  };
  // The existing branch could be fast-forwarded, and still must not be.
  await assertMoved("main", null, /stale info/);
  made.git("update-ref", "refs/heads/reset", older);
  await assertMoved("reset", base, /stale info/);
  await assertMoved("deleted", base, /stale info/);
  made.write("a.txt", "theirs\n");
  made.commit("theirs");
  await assertMoved("main", base, /stale info/);
  const requests = host.requests.length;
  const other = await commit("other\n");
  made.git("update-ref", "refs/heads/other", base);
  assert.deepEqual(await writer.push(access, { commit: other, branch: "other", expected: base }), {
    kind: "pushed",
  });
  // The lease alone would allow this one: the branch has the expected commit, but the new commit isn't based on it.
  await assertMoved("other", other, /doesn't build on/);
  assert.ok(host.requests.length > requests);
});

/** Lets every request to update a branch wait until as many have arrived. */
function meet(host: GitHost, count: number): void {
  const waiting: (() => void)[] = [];
  const { serve } = host;
  host.intercept = (incoming, response) => {
    if (incoming.method !== "POST" || waiting.length === count) return false;
    waiting.push(() => serve(incoming, response));
    if (waiting.length === count) for (const go of waiting) go();
    return true;
  };
}

test("of two pushes at once, one wins and the other is moved; the same commit twice is pushed twice", async (t) => {
  const { host, writer, commit, branch } = await pushing(t);
  const commits = await Promise.all([commit("one's\n"), commit("other's\n")]);
  const access = anonymously(host);
  for (const name of ["race-1", "race-2", "race-3"]) {
    meet(host, 2);
    const outcomes = await Promise.all(
      commits.map((each) => writer.push(access, { commit: each, branch: name, expected: null })),
    );
    const kinds = outcomes.map((each) => (each.kind === "pushed" ? "pushed" : each.reason));
    assert.deepEqual(kinds.toSorted(), ["moved", "pushed"], JSON.stringify(outcomes));
    assert.equal(branch(name), commits[kinds.indexOf("pushed")]);
  }
  meet(host, 2);
  const [same] = commits;
  const push = { commit: same, branch: "same", expected: null };
  assert.deepEqual(await Promise.all([writer.push(access, push), writer.push(access, push)]), [
    { kind: "pushed" },
    { kind: "pushed" },
  ]);
});

test("a push that loses the race against a person is moved", async (t) => {
  const { made, host, writer, base, commit } = await pushing(t);
  const mine = await commit("mine\n");
  let theirs = "";
  host.intercept = (incoming) => {
    if (incoming.method === "POST" && theirs === "") {
      made.write("b.txt", "theirs\n");
      theirs = made.commit("theirs");
    }
    return false;
  };
  const outcome = await writer.push(anonymously(host), { commit: mine, branch: "main", expected: base });
  assert.ok(outcome.kind === "rejected" && outcome.reason === "moved", JSON.stringify(outcome));
  assert.equal(made.git("rev-parse", "main").trim(), theirs);
});

test("a push that an earlier attempt made counts, also if a person has pushed after it", async (t) => {
  const { made, host, writer, base, commit, branch } = await pushing(t);
  const mine = await commit("mine\n");
  const access = anonymously(host);
  for (const push of [
    { commit: mine, branch: "main", expected: base },
    { commit: mine, branch: "kodiai/new", expected: null },
  ]) {
    assert.deepEqual(await writer.push(access, push), { kind: "pushed" });
    const later = made.git("commit-tree", "-p", mine, "-m", "later", `${base}^{tree}`).trim();
    made.git("update-ref", `refs/heads/${push.branch}`, later);
    assert.deepEqual(await writer.push(access, push), { kind: "pushed" });
    assert.equal(branch(push.branch), later);
    made.git("update-ref", `refs/heads/${push.branch}`, `${base}^`);
    const outcome = await writer.push(access, push);
    assert.ok(outcome.kind === "rejected" && outcome.reason === "moved", JSON.stringify(outcome));
  }
});

test("rules of the host refuse a push in its own words, on one line", async (t) => {
  const { made, host, writer, base, commit, branch } = await pushing(t);
  const mine = await commit("mine\n");
  const hook = join(made.path, ".git/hooks/pre-receive");
  mkdirSync(join(made.path, ".git/hooks"), { recursive: true });
  const push = { commit: mine, branch: "main", expected: base };
  for (const [words, reason] of [
    ["error: GH006: Protected branch update failed for refs/heads/main.", "protected"],
    ["error: GH013: Repository rule violations found for refs/heads/main.", "protected"],
    ["File x is 200 MB; \u001b[31mtoo large", "other"],
  ] as const) {
    writeFileSync(hook, `#!/bin/sh\ncat >&2 <<'END'\n${words}\n\nSecond line\nEND\nexit 1\n`, {
      mode: 0o755,
    });
    const outcome = await writer.push(anonymously(host), push);
    assert.ok(outcome.kind === "rejected" && outcome.reason === reason, JSON.stringify(outcome));
    assert.match(outcome.message, /^pre-receive hook declined .* Second line$/);
    assert.doesNotMatch(outcome.message, /[\0-\x1f]/);
  }
  assert.equal(branch("main"), base);
  // A name below an existing branch can't be created, which is no race.
  rmSync(hook);
  const below = await writer.push(anonymously(host), { commit: mine, branch: "main/below", expected: null });
  assert.ok(below.kind === "rejected" && below.reason === "other", JSON.stringify(below));
});

test("a missing permission is denied, and a rejected credential too", async (t) => {
  const { host, writer, commit, branch } = await pushing(t);
  const push = { commit: await commit("x\n"), branch: "new", expected: null };
  host.password = "right";
  const access = (password: string) => ({
    url: host.url,
    credential: () => Promise.resolve({ username: "x-access-token", password }),
  });
  const wrong = await writer.push(access("wrong-but-secret"), push);
  assert.ok(wrong.kind === "rejected" && wrong.reason === "denied", JSON.stringify(wrong));
  const none = await writer.push(anonymously(host), push);
  assert.ok(none.kind === "rejected" && none.reason === "denied", JSON.stringify(none));
  host.intercept = (incoming, response) => {
    if (incoming.headers.authorization === undefined) return false;
    response
      .writeHead(403, { "content-type": "text/plain" })
      .end("Permission to acme/shop.git denied to kodiai[bot] with right.\n");
    return true;
  };
  assert.deepEqual(await writer.push(access("right"), push), {
    kind: "rejected",
    reason: "denied",
    message: "Permission to acme/shop.git denied to kodiai[bot] with [masked].",
  });
  assert.equal(branch("new"), null);
  const limited = new KodiaiError("rate-limited", "too many tokens", { hint: "Wait.", retryable: true });
  const minting = { url: host.url, credential: () => Promise.reject(limited) };
  assert.equal(await assertRefused(writer.push(minting, push), "rate-limited", true), limited);
});

test("[P5] the credential of a push is requested once, and is in no argument, environment or file", async (t) => {
  const { host, folder, writer, commit, branch } = await pushing(t);
  const mine = await commit("x\n");
  const token = `ghs_${randomUUID().replaceAll("-", "")}`;
  host.password = token;
  const seen: string[] = [];
  let scans = 0;
  let mints = 0;
  const scan = (): void => {
    scans += 1;
    seen.push(...processesWith(token), ...placesOf(folder, token));
  };
  host.intercept = (incoming) => {
    if (incoming.headers.authorization !== undefined) scan();
    return false;
  };
  const credential = async () => {
    mints += 1;
    // The credential helper is running now and gets its answer after this.
    scan();
    return { username: "x-access-token", password: token };
  };
  const outcome = await writer.push(
    { url: host.url, credential },
    { commit: mine, branch: "new", expected: null },
  );
  assert.deepEqual(outcome, { kind: "pushed" });
  assert.equal(branch("new"), mine);
  assert.equal(mints, 1);
  assert.ok(scans >= 3, "looked while it was requested and while it was used");
  assert.ok(host.requests.some(({ password }) => password === token));
  assert.deepEqual(seen, []);
  assert.deepEqual(placesOf(folder, token), []);
  assert.deepEqual(placesOf(folder, "127.0.0.1"), [], "nor is the address written down");
});

test("[P1] no hook runs at a push, and settings of the copy send nothing else and nowhere else", async (t) => {
  const { made, host, folder, writer, commit, branch } = await pushing(t);
  const mine = await commit("x\n");
  const traces = temporaryFolder(t);
  execFileSync("git", ["update-ref", "refs/tags/v1", mine], {
    env: { PATH, GIT_DIR: join(folder, "42.git") },
  });
  armCopy(folder, (name) => `touch ${join(traces, name)}`);
  made.git("config", "receive.advertisePushOptions", "true");
  const hooks = join(made.path, ".git/hooks");
  mkdirSync(hooks, { recursive: true });
  writeFileSync(
    join(hooks, "pre-receive"),
    `#!/bin/sh\ntest "\${GIT_PUSH_OPTION_COUNT:-0}" = 0 || touch ${join(traces, "push-option")}\n`,
    { mode: 0o755 },
  );
  const outcome = await writer.push(anonymously(host), { commit: mine, branch: "new", expected: null });
  assert.deepEqual(outcome, { kind: "pushed" });
  assert.equal(branch("new"), mine);
  assert.equal(made.git("tag").trim(), "");
  assert.deepEqual(readdirSync(traces), []);
});

test("a host that fails or disappears is a network failure, and the same push works later", async (t) => {
  const { host, writer, commit, branch } = await pushing(t);
  const mine = await commit("x\n");
  const push = { commit: mine, branch: "new", expected: null };
  const access = anonymously(host);
  await assertRefused(
    writer.push({ ...access, url: "http://127.0.0.1:9/acme/shop.git" }, push),
    "network",
    true,
  );
  host.intercept = (_incoming, response) => {
    response.writeHead(503).end();
    return true;
  };
  await assertRefused(writer.push(access, push), "network", true);
  host.intercept = (incoming) => {
    if (incoming.method === "POST") incoming.socket.destroy();
    return incoming.method === "POST";
  };
  await assertRefused(writer.push(access, push), "network", true);
  assert.equal(branch("new"), null);
  // Now the host updates the branch, but its answer is lost.
  host.intercept = (incoming, response) => {
    if (incoming.method !== "POST") return false;
    response.write = () => true;
    response.end = () => {
      incoming.socket.destroy();
      return response;
    };
    return false;
  };
  await assertRefused(writer.push(access, push), "network", true);
  assert.equal(branch("new"), mine);
  host.intercept = () => false;
  assert.deepEqual(await writer.push(access, push), { kind: "pushed" });
  await assertRefused(writer.push({ ...access, url: host.url.replace("shop", "none") }, push), "not-found");
});

/** Returns the ids of running processes whose arguments contain all texts. */
function pidsOf(...texts: readonly string[]): readonly number[] {
  return globSync("/proc/[0-9]*/cmdline").flatMap((at) => {
    try {
      const line = readFileSync(at, "utf8");
      return texts.every((text) => line.includes(text)) ? [Number(at.split("/")[2])] : [];
    } catch {
      // The process has exited.
      return [];
    }
  });
}

test("git killed in the middle of a push leaves an unknown outcome, and the same push works afterwards", async (t) => {
  const { host, folder, writer, commit, branch } = await pushing(t);
  const access = anonymously(host);
  const packs = { mine: await commit("x\n") };
  for (const victim of ["push", "remote-http"]) {
    const push = { commit: packs.mine, branch: `after-${victim}`, expected: null };
    let killed = 0;
    host.intercept = (incoming) => {
      if (incoming.method !== "POST") return false;
      // One of them may end with the other before its turn.
      for (const pid of pidsOf("git", victim, host.url)) if (killIfRunning(pid)) killed += 1;
      return true;
    };
    await assertRefused(writer.push(access, push), "network", true);
    assert.ok(killed > 0);
    assert.deepEqual(pidsOf(host.url), [], "no helper outlives the push");
    host.intercept = () => false;
    assert.deepEqual(await writer.push(access, push), { kind: "pushed" });
    assert.equal(branch(push.branch), packs.mine);
  }
  execFileSync("git", ["fsck", "--strict"], {
    stdio: "ignore",
    env: { PATH, GIT_DIR: join(folder, "42.git") },
  });
});

test("a stopped push ends its processes", async (t) => {
  const stopping = new AbortController();
  const { host, writer, commit, branch } = await pushing(t, { signal: stopping.signal });
  const mine = await commit("x\n");
  host.intercept = (incoming) => {
    if (incoming.method === "POST") stopping.abort();
    return incoming.method === "POST";
  };
  const push = { commit: mine, branch: "new", expected: null };
  await assertRefused(writer.push(anonymously(host), push), "cancelled");
  assert.deepEqual(pidsOf(host.url), []);
  assert.equal(branch("new"), null);
});

test("[P2] a push follows no redirect, and its credential stays with the host", async (t) => {
  const { made, host, writer, commit, branch } = await pushing(t);
  const other = await gitHost(t, made);
  host.intercept = (incoming, response) => {
    response.writeHead(302, { location: other.url.replace("/acme/shop.git", incoming.url ?? "") }).end();
    return true;
  };
  const credential = () => Promise.resolve({ username: "x", password: "secret" });
  const push = { commit: await commit("x\n"), branch: "new", expected: null };
  await assertRefused(writer.push({ url: host.url, credential }, push), "network", true);
  assert.deepEqual(other.requests, []);
  assert.equal(branch("new"), null);
});

test("a commit of several megabytes is pushed", async (t) => {
  const { made, host, writer, base } = await pushing(t);
  const content = randomBytes(3_000_000).toString("latin1");
  const { commit } = await writer.commit(commitRequest(base, [{ path: "large.bin", content }]));
  assert.deepEqual(await writer.push(anonymously(host), { commit, branch: "large", expected: null }), {
    kind: "pushed",
  });
  assert.equal(made.git("cat-file", "-s", "large:large.bin").trim(), "3000000");
});

test("[P1] invalid names, ids and addresses never reach git", async (t) => {
  const { host, writer, commit } = await pushing(t);
  const mine = await commit("x\n");
  const access = anonymously(host);
  for (const branch of ["--force", "a:b", "a b", "*", "../main", "x.lock", "", "a\nb"])
    await assertRefused(writer.push(access, { commit: mine, branch, expected: null }), "unknown-ref");
  for (const url of [
    "ext::sh -c 'touch x'",
    "file:///etc",
    "ssh://host/x",
    "/etc",
    "http://example.org/x.git",
  ])
    await assertRefused(
      writer.push({ ...access, url }, { commit: mine, branch: "new", expected: null }),
      "config",
    );
  for (const id of ["HEAD", "main", "-x", mine.slice(0, 12)]) {
    await assert.rejects(writer.push(access, { commit: id, branch: "new", expected: null }), TypeError);
    await assert.rejects(writer.push(access, { commit: mine, branch: "new", expected: id }), TypeError);
  }
  await assertRefused(
    writer.push(access, { commit: "1".repeat(40), branch: "new", expected: null }),
    "unknown-ref",
  );
  assert.throws(
    () => createRepositoryWriters({ folder: "/", environment: {} })(-1, new AbortController().signal),
    TypeError,
  );
  assert.deepEqual(host.requests, []);
});

test("commits, pushes and fetches of one copy at once all succeed", async (t) => {
  const { made, host, folder, writer, commit, branch } = await pushing(t);
  const cache = createRepositoryCache({ folder, environment: { PATH }, maxBytes: 1e9 });
  const access = anonymously(host);
  const fetchOne = async (index: number): Promise<void> => {
    made.git("update-ref", `refs/heads/b${index}`, "main");
    const opened = await cache.openBranch(
      access,
      { repositoryId: 42, name: `b${index}` },
      { signal: new AbortController().signal, onProgress: () => {} },
    );
    opened.repository.close();
  };
  const pushOne = async (index: number): Promise<void> => {
    const mine = await commit(`${index}\n`);
    const outcome = await writer.push(access, { commit: mine, branch: `p${index}`, expected: null });
    assert.deepEqual(outcome, { kind: "pushed" });
    assert.equal(branch(`p${index}`), mine);
  };
  await Promise.all([0, 1, 2, 3].flatMap((index) => [fetchOne(index), pushOne(index)]));
});
