import assert from "node:assert/strict";
import { after, test } from "node:test";
import { startModelServer } from "../../../test/support/model-server/model-server.ts";
import type { AiSdkProvider } from "./connect-provider.ts";
import { probeModel } from "./probe-model.ts";

const KEY = "the key";
const { signal } = new AbortController();
const server = await startModelServer({ listed: { names: ["small", "large"], key: KEY } });
const unlisted = await startModelServer();
after(() => Promise.all([server.close(), unlisted.close()]));

const PROVIDERS: readonly AiSdkProvider[] = ["anthropic", "openai", "google", "compatible"];

for (const provider of PROVIDERS)
  test(`${provider}: key and model are checked without a call of the model`, async () => {
    const path = provider === "compatible" ? "/v1" : "";
    const probe = (name: string | null, apiKey: string, url = server.url) =>
      probeModel({ provider, name, apiKey, baseUrl: `${url}${path}` }, signal);
    assert.deepEqual(await probe("small", KEY), { kind: "found" });
    assert.deepEqual(await probe(null, KEY), { kind: "found" });
    assert.deepEqual(await probe("medium", KEY), { kind: "not-found" });
    const status = provider === "google" ? 400 : 401;
    assert.deepEqual(await probe("small", "wrong"), { kind: "key-refused", status });
    assert.deepEqual(await probe("small", KEY, unlisted.url), { kind: "no-list" });
    const nowhere = await probe("small", KEY, "http://127.0.0.1:1");
    assert.equal(nowhere.kind, "no-answer");
    assert.deepEqual([server.requests, unlisted.requests], [[], []]);
  });

test("a stopped probe rejects", async () => {
  const stopped = AbortSignal.abort(new Error("stopped"));
  const options = { provider: "openai", name: "small", apiKey: KEY, baseUrl: server.url } as const;
  await assert.rejects(probeModel(options, stopped), /stopped/);
});
