import assert from "node:assert/strict";
import { test } from "node:test";
import { requireCloneUrl } from "./clone-url.ts";

test("[P2] the clone URL must be on the host of the API and use https", () => {
  for (const [url, api] of [
    ["https://github.com/acme/shop.git", "https://api.github.com"],
    ["https://acme.ghe.com/acme/shop.git", "https://api.acme.ghe.com"],
    ["https://git.example.org/acme/shop.git", "https://git.example.org/api/v3"],
    ["https://git.example.org:8443/acme/shop.git", "https://git.example.org:8443/api/v3"],
    ["http://127.0.0.1:4000/acme/shop.git", "http://127.0.0.1:4000"],
  ] as const)
    assert.equal(requireCloneUrl(url, api), url);
  for (const [url, api, says] of [
    ["https://evil.example/acme/shop.git", "https://api.github.com", /another host \(evil\.example\)/],
    ["https://github.com.evil.example/acme/shop.git", "https://api.github.com", /another host/],
    ["https://github.com@evil.example/acme/shop.git", "https://api.github.com", /another host/],
    ["https://git.example.org:8443/acme/shop.git", "https://git.example.org/api/v3", /another host/],
    ["https://127.0.0.1/acme/shop.git", "https://git.example.org/api/v3", /another host/],
    ["not an address", "https://api.github.com", /another host \(not a URL\)/],
    ["http://github.com/acme/shop.git", "https://api.github.com", /doesn't use https/],
    ["ext::sh -c evil", "https://api.github.com", /another host/],
  ] as const)
    assert.throws(() => requireCloneUrl(url, api), { code: "config", message: says });
});
