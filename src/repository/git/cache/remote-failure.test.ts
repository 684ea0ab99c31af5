/** Tests how git's messages about a failed fetch are classified. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { remoteFailure } from "./remote-failure.ts";

test("each message gets a code, and only temporary failures are retryable", () => {
  const url = "https://host/acme/shop.git/";
  const cases: readonly (readonly [string, string, boolean])[] = [
    [`fatal: Authentication failed for '${url}'`, "forbidden", false],
    ["fatal: could not read Username for 'https://host': terminal prompts disabled", "forbidden", false],
    [`fatal: unable to access '${url}': The requested URL returned error: 403`, "forbidden", false],
    [`remote: Repository not found.\nfatal: repository '${url}' not found`, "not-found", false],
    ["fatal: couldn't find remote ref refs/heads/gone", "not-found", true],
    ["fatal: remote error: upload-pack: not our ref 1234", "not-found", false],
    [`fatal: unable to access '${url}': Could not resolve host: host`, "network", true],
    [`fatal: unable to access '${url}': The requested URL returned error: 502`, "network", true],
    [`fatal: unable to access '${url}': The requested URL returned error: 429`, "rate-limited", true],
    ["error: RPC failed; curl 18 transfer closed\nfatal: early EOF", "network", true],
    ["fatal: write error: No space left on device\nfatal: early EOF", "disk-full", true],
    [
      "error: object 12: hasDotgit: contains '.git'\nfatal: fsck error in packed object",
      "bad-payload",
      false,
    ],
    ["fatal: bad object refs/kodiai/7/head", "git", false],
    ["", "git", false],
  ];
  for (const [stderr, code, isRetryable] of cases) {
    const error = remoteFailure(stderr, 128);
    assert.deepEqual([error.code, error.retryable], [code, isRetryable], stderr);
  }
});

test("neither quoted names nor messages of the host affect the classification", () => {
  const named =
    "fatal: unable to access 'https://host/no space left on device/': The requested URL returned error: 403";
  assert.equal(remoteFailure(named, 128).code, "forbidden");
  assert.equal(remoteFailure("remote: authentication failed\nfatal: bad object 12", 128).code, "git");
});

test("quoted messages are short and safe to print", () => {
  const { message } = remoteFailure(`fatal: \u001b[31m${"x".repeat(9_000)}`, 128);
  assert.ok(message.length < 500 && !message.includes("\u001b"));
});
