/** Tests the pushes of the repository writer with real git over real HTTP. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { KodiaiError } from "../src/base/errors.ts";
import { createRepositoryWriters } from "../src/repository/git/write/repository-writers.ts";
import { placesOf, processesWith } from "./support/find-secret.ts";
import { gitHost } from "./support/git-host.ts";
import { armCopy, assertRefused, temporaryFolder } from "./support/writer-fixtures.ts";
import { PATH, pushing, anonymously } from "./support/push-fixtures.ts";

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
