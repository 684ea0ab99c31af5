/** Tests how git's status lines and the words of hosts are classified. test/repository-writer.test.ts uses real pushes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { isLostRace, readPushOutcome } from "./push-outcome.ts";

const COMMIT = "1".repeat(40);

function exitWith(status: string, stderr = "", code = 1) {
  const line = status === "" ? "" : `To https://host/x.git\n${status}\nDone\n`;
  return { code, stdout: line, stderr, isKilled: false };
}

function rejected(summary: string, stderr = "") {
  return exitWith(`!\t${COMMIT}:refs/heads/main\t${summary}`, stderr);
}

test("statuses of success mean that the branch has the commit", () => {
  for (const status of [
    `*\t${COMMIT}:refs/heads/x\t[new branch]`,
    ` \t${COMMIT}:refs/heads/x\t1111111..2222222`,
    `=\t${COMMIT}:refs/heads/x\t[up to date]`,
  ])
    assert.deepEqual(readPushOutcome(exitWith(status, "", 0)), { kind: "pushed" });
});

test("each rejection gets its reason", () => {
  const workflow =
    "refusing to allow a GitHub App to create or update workflow `.github/workflows/protected branch.yml` without `workflows` permission";
  const cases: readonly (readonly [string, string, string])[] = [
    ["[rejected] (fetch first)", "", "moved"],
    ["[rejected] (stale info)", "", "moved"],
    ["[rejected] (non-fast-forward)", "", "moved"],
    ["[remote rejected] (cannot lock ref 'refs/heads/main': is at 1234 but expected 5678)", "", "moved"],
    ["[remote rejected] (cannot lock ref 'refs/heads/main': reference already exists)", "", "moved"],
    ["[remote rejected] (incorrect old value provided)", "", "moved"],
    ["[remote rejected] (protected branch hook declined)", "", "protected"],
    ["[remote rejected] (push declined due to repository rule violations)", "", "protected"],
    ["[remote rejected] (cannot update protected ref)", "", "protected"],
    ["[remote rejected] (pre-receive hook declined)", "remote: error: GH006: Protected branch", "protected"],
    ["[remote rejected] (pre-receive hook declined)", "remote: error: GH001: Large files", "other"],
    ["[remote rejected] (pre-receive hook declined)", "remote: see GH013 in the manual", "other"],
    [`[remote rejected] (${workflow})`, "", "denied"],
    ["[remote rejected] (permission denied)", "", "denied"],
    ["[remote rejected] (failed to update ref)", "", "other"],
    [
      "[remote rejected] (cannot lock ref 'refs/heads/a/b': 'refs/heads/a' exists; cannot create)",
      "",
      "other",
    ],
    ["[remote rejected] (shallow update not allowed)", "", "other"],
    ["[remote rejected] (unpacker error)", "", "other"],
  ];
  for (const [summary, stderr, reason] of cases) {
    const outcome = readPushOutcome(rejected(summary, stderr));
    assert.ok(
      outcome.kind === "rejected" && outcome.reason === reason,
      `${summary}: ${JSON.stringify(outcome)}`,
    );
  }
});

test("messages have the host's words on one short printable line", () => {
  const outcome = readPushOutcome(
    rejected(
      "[remote rejected] (protected branch hook declined)",
      `remote: error: GH006: Protected branch update failed.\nremote: ---\nremote: \nremote: - \u001b[31m${"x".repeat(999)}`,
    ),
  );
  assert.ok(outcome.kind === "rejected");
  assert.match(outcome.message, /^protected branch hook declined error: GH006: .* failed\. - \\x1b\[31mxxx/);
  assert.ok(outcome.message.length <= 300);
});

test("failures of the host and lost answers are retried, and denied access isn't", () => {
  for (const exit of [
    rejected("[remote failure] (remote failed to report status)"),
    rejected("[remote rejected] (Internal Server Error)"),
    rejected("[remote rejected] (failure)", "remote: fatal error in commit_refs"),
    exitWith("", "fatal: the remote end hung up unexpectedly", 128),
    exitWith("", "error: RPC failed; curl 56 Recv failure", 1),
    exitWith("", "error: git-remote-https died of signal 9", 128),
    exitWith("", "", 0),
    { ...exitWith("", "", 128), isKilled: true },
  ])
    assert.throws(() => readPushOutcome(exit), { code: "network", retryable: true });
  const denied = readPushOutcome(
    exitWith("", "fatal: unable to access 'https://h/': The requested URL returned error: 403", 128),
  );
  assert.ok(denied.kind === "rejected" && denied.reason === "denied");
  assert.throws(
    () => readPushOutcome(exitWith("", "remote: returned error: 403\nfatal: bad object 1234", 128)),
    { code: "git", message: /git push failed: fatal: bad object 1234/ },
  );
});

test("only the host's messages about a changed or locked branch are a lost race", () => {
  assert.ok(isLostRace(rejected("[remote rejected] (failed to update ref)")));
  assert.ok(isLostRace(rejected("[remote rejected] (cannot lock ref 'x': is at 12 but expected 34)")));
  assert.ok(!isLostRace(rejected("[rejected] (stale info)")));
  assert.ok(!isLostRace(exitWith("", "remote: cannot lock ref", 128)));
});
