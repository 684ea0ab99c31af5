/** The operator's token is sent only for what everyone can see. Two clients that record their requests stand for the network. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { canReadPrivateRepositories, createGithubAccess } from "./github-access.ts";
import type { HeadAnswer, HttpAnswer, HttpClient } from "./http-client.ts";

const { signal } = new AbortController();

const found = (text: string): HttpAnswer => ({
  kind: "found",
  body: Buffer.from(text),
  validators: { etag: null, lastModified: null },
});

const at = (url: string): HeadAnswer => ({ kind: "found", url });

const PAGES: Readonly<Record<string, HeadAnswer>> = {
  "https://github.com/acme/open": at("https://github.com/acme/open"),
  "https://github.com/acme/renamed": at("https://github.com/acme/open"),
  "https://github.com/acme/login": at("https://github.com/login?return_to=%2Facme%2Flogin"),
  "https://github.com/acme/limited": { kind: "failed", reason: "rate-limited" },
  "https://github.com/acme/refused": { kind: "failed", reason: "refused" },
};

/** Lines such as "token GET https://…", in the order of the requests. */
function access(now?: () => number) {
  const sent: string[] = [];
  const client = (name: string): HttpClient => ({
    get: async (url) => (sent.push(`${name} GET ${url}`), found(name)),
    post: async (url) => (sent.push(`${name} POST ${url}`), found(name)),
    head: async (url) => (sent.push(`${name} HEAD ${url}`), PAGES[url] ?? { kind: "absent" }),
  });
  const clients = { anonymous: client("anonymous"), withToken: client("token") };
  return { sent, http: createGithubAccess({ ...clients, ...(now === undefined ? {} : { now }) }) };
}

/** The client that must read each address; null for none. */
const ADDRESSES: readonly [url: string, reader: "token" | "anonymous" | null][] = [
  ["https://api.github.com/repos/acme/open/releases?per_page=50", "token"],
  ["https://api.github.com/repos/Acme/Open/tags", "token"],
  ["https://api.github.com/repos/acme/open", "token"],
  ["https://api.github.com/repos/acme/renamed/releases", "token"],
  ["https://api.github.com/repos/acme/secret-engine/releases", null],
  ["https://api.github.com/repos/acme/open/../secret-engine/releases", null],
  ["https://api.github.com/repos/acme/open/%2e%2e/secret-engine/zipball", null],
  ["https://api.github.com/repos/acme/open%2f..%2fsecret-engine/tags", "anonymous"],
  ["https://api.github.com/repos/acme/login/releases", "anonymous"],
  ["https://api.github.com/repos/acme/limited/releases", "anonymous"],
  ["https://api.github.com/repos/acme/refused/releases", "anonymous"],
  ["https://api.github.com/repositories/4711/zipball/main", "anonymous"],
  ["https://api.github.com/orgs/acme/repos", "anonymous"],
  ["https://api.github.com/user/repos", "anonymous"],
  ["https://api.github.com//repos/acme/open", "anonymous"],
  ["https://api.github.com/advisories?ecosystem=npm&affects=a@1", "token"],
  ["https://api.github.com/advisories/../user/repos", "anonymous"],
  ["https://api.github.com.evil.example/repos/acme/open/releases", "anonymous"],
  ["http://api.github.com/repos/acme/open/releases", "anonymous"],
  ["https://registry.example/repos/acme/open/releases", "anonymous"],
  ["not a url", "anonymous"],
];

test("[P8] only repositories that everyone can see are read with the token", async () => {
  for (const [url, reader] of ADDRESSES) {
    const { http, sent } = access();
    const answer = await http.get(url, { signal });
    assert.deepEqual(answer, reader === null ? { kind: "absent" } : found(reader), url);
    const reads = sent.filter((line) => line.includes(" GET "));
    assert.deepEqual(reads, reader === null ? [] : [`${reader} GET ${url}`], url);
    assert.ok(!sent.some((line) => line.startsWith("token HEAD")), url);
  }
});

test("a repository is asked for once in five minutes, also by requests at the same time", async () => {
  let nowMs = 0;
  const { http, sent } = access(() => nowMs);
  const read = (path: string) => http.get(`https://api.github.com/repos/acme/${path}/releases`, { signal });
  await Promise.all([read("open"), read("open"), read("secret"), read("secret")]);
  nowMs += 4 * 60_000;
  await Promise.all([read("open"), read("secret")]);
  const pages = () => sent.filter((line) => line.includes(" HEAD ")).length;
  assert.equal(pages(), 2);
  nowMs += 2 * 60_000;
  await read("open");
  assert.equal(pages(), 3);
});

test("a request that was given up says nothing about its repository", async () => {
  const { http, sent } = access();
  const url = "https://api.github.com/repos/acme/open/tags";
  assert.deepEqual(await http.get(url, { signal: AbortSignal.abort() }), found("anonymous"));
  assert.deepEqual(await http.get(url, { signal }), found("token"));
  assert.ok(sent.includes("anonymous HEAD https://github.com/acme/open"));
});

test("a request with a body never carries the token", async () => {
  const { http, sent } = access();
  await http.post("https://api.github.com/repos/acme/open/issues", {}, { signal });
  assert.deepEqual(sent, ["anonymous POST https://api.github.com/repos/acme/open/issues"]);
});

test("a token is too powerful only if GitHub lists a private repository", async () => {
  for (const [answer, expected] of [
    [found('[{"id":1}]'), true],
    [found("[]"), false],
    [found("{}"), false],
    [found("no JSON"), false],
    [{ kind: "absent" }, false],
    [{ kind: "failed", reason: "network" }, false],
  ] as const) {
    const fail = () => assert.fail("not used here");
    const client: HttpClient = { get: async () => answer, post: fail, head: fail };
    assert.equal(await canReadPrivateRepositories(client, signal), expected, JSON.stringify(answer));
  }
});
