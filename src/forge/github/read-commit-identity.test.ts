import assert from "node:assert/strict";
import { test } from "node:test";
import { noReplyHost } from "./read-commit-identity.ts";

test("addresses of accounts are on the host of the API", () => {
  for (const [apiUrl, host] of [
    ["https://api.github.com", "users.noreply.github.com"],
    ["https://github.example.org:8443/api/v3", "users.noreply.github.example.org"],
    ["https://api.acme.ghe.com", "users.noreply.acme.ghe.com"],
  ] as const)
    assert.equal(noReplyHost(apiUrl), host);
});
