import assert from "node:assert/strict";
import { test } from "node:test";
import { apiUrlOf, hostOfApi } from "./api-host.ts";

for (const [api, host] of [
  ["https://api.github.com", "github.com"],
  ["https://api.octo.ghe.com", "octo.ghe.com"],
  ["https://ghe.example.org/api/v3", "ghe.example.org"],
  ["https://ghe.example.org:8443/api/v3", "ghe.example.org:8443"],
] as const)
  test(`${api} is the API of ${host}`, () => {
    assert.equal(hostOfApi(api), host);
    assert.equal(apiUrlOf(`https://${host}/`), api);
  });
