/** Pushes through races, failing hosts, kills and large commits. */
import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { createRepositoryCache } from "../../src/repository/git/cache/repository-cache.ts";
import { createRepositoryWriters } from "../../src/repository/git/write/repository-writers.ts";
import type { GitHost } from "../support/git-host.ts";
import { killIfRunning } from "../support/processes.ts";
import { assertRefused, commitRequest } from "../support/writer-fixtures.ts";
import { PATH, pushing, anonymously } from "../support/push-fixtures.ts";

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

test("a commit of several megabytes is pushed", async (t) => {
  const { made, host, writer, base } = await pushing(t);
  const content = randomBytes(3_000_000).toString("latin1");
  const { commit } = await writer.commit(commitRequest(base, [{ path: "large.bin", content }]));
  assert.deepEqual(await writer.push(anonymously(host), { commit, branch: "large", expected: null }), {
    kind: "pushed",
  });
  assert.equal(made.git("cat-file", "-s", "large:large.bin").trim(), "3000000");
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
