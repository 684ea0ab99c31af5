/** Creating an app from a manifest: GitHub's refusals, and a code that works once and for an hour. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { type FakeGithub, startFakeGithub } from "./fake-github.ts";

const MANIFEST = {
  name: "My App",
  url: "https://example.org",
  redirect_url: "http://127.0.0.1:1/callback",
  hook_attributes: { url: "https://example.org/hook" },
  default_permissions: { metadata: "read", pull_requests: "write" },
  default_events: ["pull_request"],
};

async function stage(t: TestContext): Promise<FakeGithub> {
  const fake = await startFakeGithub();
  t.after(() => fake.close());
  return fake;
}

const post = (url: string, fields: Readonly<Record<string, string>>): Promise<Response> =>
  fetch(url, { method: "POST", redirect: "manual", body: new URLSearchParams(fields) });

async function createCode(fake: FakeGithub, owner: string, name: string): Promise<string> {
  const manifest = JSON.stringify(MANIFEST);
  const answer = await post(`${fake.gitUrl}${owner}/settings/apps/confirm`, { manifest, state: "s", name });
  const location = new URL(answer.headers.get("location") ?? "");
  assert.equal(location.searchParams.get("state"), "s");
  return location.searchParams.get("code") ?? "";
}

const convert = (fake: FakeGithub, code: string): Promise<Response> =>
  fetch(`${fake.url}/app-manifests/${code}/conversions`, { method: "POST" });

const REFUSED: readonly (readonly [change: object, sentence: RegExp])[] = [
  [{ default_events: ["issue_comment"] }, /Default events are not supported by permissions: issue_comment/],
  [{ default_events: ["installation"] }, /Default events unsupported: installation/],
  [{ redirect_url: "callback" }, /Redirect url must be a valid URL/],
  [{ hook_attributes: {} }, /Hook url can&#39;t be blank/],
  [{ url: "" }, /Url can&#39;t be blank/],
];

for (const [change, sentence] of REFUSED)
  test(`a manifest with ${JSON.stringify(change)} is refused`, async (t) => {
    const fake = await stage(t);
    const manifest = JSON.stringify({ ...MANIFEST, ...change });
    const answer = await post(`${fake.gitUrl}/settings/apps/new?state=s`, { manifest });
    assert.equal(answer.status, 422);
    assert.match(await answer.text(), sentence);
  });

test("a code makes one app, for a person or an organization", async (t) => {
  const fake = await stage(t);
  for (const [owner, account, name] of [
    ["", "ada", "First"],
    ["/organizations/octo", "octo", "Second"],
  ] as const) {
    const code = await createCode(fake, owner, name);
    const answer = await convert(fake, code);
    assert.equal(answer.status, 201);
    const created = (await answer.json()) as Readonly<Record<string, unknown>>;
    assert.equal(created["id"], fake.world.app.id);
    assert.equal(fake.world.app.owner.login, account);
    assert.equal((await convert(fake, code)).status, 404);
  }
  assert.equal(fake.deliveries.url(), "https://example.org/hook");
  assert.deepEqual(fake.violations, []);
});

test("a code expires after an hour, and a name can't be used twice", async (t) => {
  const fake = await stage(t);
  const code = await createCode(fake, "", "First");
  fake.clock.advance(61 * 60_000);
  assert.equal((await convert(fake, code)).status, 404);
  const manifest = JSON.stringify(MANIFEST);
  const again = await post(`${fake.gitUrl}/settings/apps/confirm`, { manifest, state: "s", name: "first" });
  assert.match(await again.text(), /Name is already taken/);
});
