/** Changelogs from each of their three places, and what is said when a place doesn't answer. */
import { NPM_HOST } from "../base/npm-hosts.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { PARSERS } from "../../test/support/package-parsers.ts";
import { buildTarGz, buildZip } from "../../test/support/build-archives.ts";
import { scriptHttp } from "../../test/support/scripted-http.ts";
import type { EcosystemId } from "../ecosystems/ecosystem.ts";
import { createRegistries } from "./create-registries.ts";

const { signal } = new AbortController();

type Answers = Parameters<typeof scriptHttp>[0];
const RANGE = { from: "1.9.0", to: "2.1.0" };

type ReadOptions = {
  readonly ecosystem?: EcosystemId;
  readonly name?: string;
  readonly range?: typeof RANGE;
};

async function read(answers: Answers, options: ReadOptions = {}) {
  const { ecosystem = "npm", name = "name", range = RANGE } = options;
  const http = scriptHttp(answers);
  const registries = createRegistries({
    parsers: PARSERS,
    http,
    cache: null,
    npmRegistry: `https://${NPM_HOST}`,
    readAdvisories: async () => assert.fail("not used here"),
  });
  const changelog = await registries.readChangelog({ ecosystem, name }, range, signal);
  return { changelog, urls: http.urls };
}

/** A package on npm, with these files, of the repository owner/name. */
async function packageOf(
  files: Readonly<Record<string, string>>,
  { name = "name", folder = null as string | null } = {},
): Promise<Answers> {
  const escaped = name.replace("/", "%2F");
  return {
    [`https://${NPM_HOST}/${escaped}/2.1.0`]: {
      repository: { url: "https://github.com/owner/name", directory: folder },
      dist: { tarball: `https://${NPM_HOST}/a.tgz` },
    },
    [`https://${NPM_HOST}/a.tgz`]: await buildTarGz(
      Object.entries({ "package.json": "{}", ...files }).map(([path, text]) => ({
        name: `package/${path}`,
        text,
      })),
    ),
  };
}

const FILE = [
  "# Changelog",
  "## 2.2.0-beta\n\n- too new",
  "## 2.1.0\n\n- newest",
  "## 2.0.0\n\n- new",
  "## 2.0.0-rc.1\n\n- candidate",
  "## 1.10.0\n\n- between",
  "## 1.9.0\n\n- too old",
].join("\n\n");

const NOTES = [
  { version: "2.1.0", text: "- newest", url: null },
  { version: "2.0.0", text: "- new", url: null },
  { version: "2.0.0-rc.1", text: "- candidate", url: null },
  { version: "1.10.0", text: "- between", url: null },
];

const FROM_ARCHIVE = { kind: "found", value: { origin: "archive", notes: NOTES, compareUrl: null } };

test("the package's own file comes first, and no release is requested", async () => {
  for (const path of [
    "CHANGELOG.md",
    "changelog",
    "History.md",
    "docs/NEWS.rst",
    "CHANGES.txt",
    "RELEASE_NOTES.md",
  ]) {
    const { changelog, urls } = await read(await packageOf({ [path]: FILE }));
    assert.deepEqual(changelog, FROM_ARCHIVE, path);
    assert.ok(urls.every((url) => url.startsWith(`https://${NPM_HOST}/`)));
  }
});

test("the nearest file with these versions counts", async () => {
  const files = {
    "CHANGELOG.md": "See the releases.",
    "docs/changelog.md": FILE,
    "node_modules/other/CHANGELOG.md": "## 2.1.0\n\n- other",
  };
  assert.deepEqual((await read(await packageOf(files))).changelog, FROM_ARCHIVE);
});

test("versions of a Go module have a v", async () => {
  const prefix = "https://proxy.golang.org/example.org/m/@v/v2.1.0";
  const { changelog } = await read(
    { [`${prefix}.zip`]: buildZip([{ name: "example.org/m@v2.1.0/CHANGELOG.md", body: Buffer.from(FILE) }]) },
    { ecosystem: "go", name: "example.org/m", range: { from: "v1.9.0", to: "v2.1.0" } },
  );
  assert.deepEqual(changelog.kind === "found" && changelog.value.notes.map(({ version }) => version), [
    "v2.1.0",
    "v2.0.0",
    "v2.0.0-rc.1",
    "v1.10.0",
  ]);
});

const API = "https://api.github.com/repos/owner/name";

/** The changelog of the repository at a tag. */
const fileAt = (tag: string, text: string, folder = ""): Answers => ({
  [`${API}/contents/${folder}?ref=${encodeURIComponent(tag)}`]: [
    { name: "README.md" },
    { name: "CHANGELOG.md" },
  ],
  [`${API}/contents/${folder === "" ? "" : `${folder}/`}CHANGELOG.md?ref=${encodeURIComponent(tag)}`]:
    Buffer.from(text),
});

const AT_TAG = (compareUrl: string | null) => ({
  kind: "found",
  value: { origin: "repository", notes: NOTES, compareUrl },
});

test("without notes in the archive and in releases, the file at the tag is read", async () => {
  const tags = { [`${API}/tags?per_page=100`]: [{ name: "2.1.0" }, { name: "1.9.0" }] };
  const { changelog } = await read({ ...(await packageOf({})), ...tags, ...fileAt("2.1.0", FILE) });
  assert.deepEqual(changelog, AT_TAG("https://github.com/owner/name/compare/1.9.0...2.1.0"));
});

test("a release that only points to the changelog has no notes of its own", async () => {
  const { changelog } = await read({
    ...(await packageOf({})),
    [`${API}/releases?per_page=50`]: [
      { tag_name: "v2.1.0", body: "See [CHANGELOG.md](https://example.org)" },
      { tag_name: "v1.9.0", body: "" },
    ],
    ...fileAt("v2.1.0", FILE),
  });
  assert.deepEqual(changelog, AT_TAG("https://github.com/owner/name/compare/v1.9.0...v2.1.0"));
});

test("a tag that is older than the lists is tried by its usual name", async () => {
  const { changelog } = await read({ ...(await packageOf({})), ...fileAt("v2.1.0", FILE) });
  assert.deepEqual(changelog, AT_TAG(null));
});

test("in a monorepo, the package's own tag and folder count, and then the root", async () => {
  const place = { name: "@scope/name", folder: "packages/name" };
  const tags = {
    [`${API}/tags?per_page=100`]: ["other@2.1.0", "@scope/name@2.1.0", "v2.1.0"].map((name) => ({ name })),
  };
  const own = await read(
    { ...(await packageOf({}, place)), ...tags, ...fileAt("@scope/name@2.1.0", FILE, "packages/name") },
    { name: place.name },
  );
  assert.equal(own.changelog.kind === "found" && own.changelog.value.origin, "repository");
  const atRoot = await read(
    { ...(await packageOf({}, place)), ...tags, ...fileAt("@scope/name@2.1.0", FILE) },
    { name: place.name },
  );
  assert.equal(atRoot.changelog.kind === "found" && atRoot.changelog.value.origin, "repository");
});

test("a file at the tag that isn't understood leaves the link", async () => {
  const tags = { [`${API}/tags?per_page=100`]: [{ name: "2.1.0" }, { name: "1.9.0" }] };
  const { changelog } = await read({ ...(await packageOf({})), ...tags, ...fileAt("2.1.0", "nothing") });
  assert.deepEqual(changelog, {
    kind: "found",
    value: {
      origin: "releases",
      notes: [],
      compareUrl: "https://github.com/owner/name/compare/1.9.0...2.1.0",
    },
  });
});
const release = (tag: string, body = `notes of ${tag}`) => ({
  tag_name: tag,
  body,
  html_url: "https://evil.test",
});
const releases = (...tags: readonly string[]) => ({
  [`${API}/releases?per_page=50`]: tags.map((tag) => release(tag)),
});
const noteOf = (version: string, tag: string) => ({
  version,
  text: `notes of ${tag}`,
  url: `https://github.com/owner/name/releases/tag/${encodeURIComponent(tag)}`,
});

const TAGS: readonly [
  what: string,
  name: string,
  folder: string | null,
  tags: readonly string[],
  found: readonly string[],
][] = [
  ["plain", "name", null, ["v2.2.0", "v2.1.0", "v1.9.0"], ["v2.1.0"]],
  ["without v", "name", null, ["2.1.0", "1.9.0"], ["2.1.0"]],
  ["with a word", "name", null, ["release-2.1.0", "release-1.9.0"], ["release-2.1.0"]],
  ["of a scope", "@a/b", null, ["@a/c@2.1.0", "@a/b@2.1.0", "@a/b@1.9.0", "v2.1.0"], ["@a/b@2.1.0"]],
  ["of a short name", "@a/b", null, ["b-v2.1.0", "c-v2.1.0", "b-v1.9.0"], ["b-v2.1.0"]],
  ["of a folder", "@a/b", "packages/core", ["core/v2.1.0", "core/v1.9.0"], ["core/v2.1.0"]],
  ["of a whole folder", "@a/b", "packages/core", ["packages/core/v2.1.0"], ["packages/core/v2.1.0"]],
  ["of another package only", "@a/b", null, ["c@2.1.0", "c@1.9.0"], []],
];

for (const [what, name, folder, tags, found] of TAGS) {
  test(`releases with tags ${what}`, async () => {
    const { changelog } = await read(
      { ...(await packageOf({}, { name, folder })), ...releases(...tags), [`${API}/tags?per_page=100`]: [] },
      { name },
    );
    const own = tags.find((tag) => tag.endsWith("1.9.0"));
    const [tag] = found;
    if (tag === undefined) {
      assert.deepEqual(changelog, { kind: "absent" });
      return;
    }
    const link =
      own === undefined
        ? null
        : `https://github.com/owner/name/compare/${encodeURIComponent(own)}...${encodeURIComponent(tag)}`;
    assert.deepEqual(changelog, {
      kind: "found",
      value: { origin: "releases", notes: [noteOf("2.1.0", tag)], compareUrl: link },
    });
  });
}

test("without releases, the tags give the link", async () => {
  const answers = {
    ...(await packageOf({ "CHANGELOG.md": "nothing about versions" })),
    [`${API}/releases?per_page=50`]: [],
    [`${API}/tags?per_page=100`]: [{ name: "v2.1.0" }, { name: "v1.9.0" }, { name: "nightly" }],
  };
  const compareUrl = "https://github.com/owner/name/compare/v1.9.0...v2.1.0";
  assert.deepEqual((await read(answers)).changelog, {
    kind: "found",
    value: { origin: "releases", notes: [], compareUrl },
  });
});

test("two commits of an action have a link without further requests", async () => {
  const [from, to] = ["a".repeat(40), "b".repeat(40)];
  const { changelog, urls } = await read(
    { [`${API}/commits/${to}`]: { sha: to } },
    { ecosystem: "github-actions", name: "owner/name", range: { from, to } },
  );
  assert.equal(
    changelog.kind === "found" && changelog.value.compareUrl,
    `https://github.com/owner/name/compare/${from}...${to}`,
  );
  assert.equal(urls.length, 1);
});

test("a place that doesn't answer is never taken for one without notes", async () => {
  const found = await packageOf({});
  const limited = { kind: "failed", reason: "rate-limited" } as const;
  const late = { kind: "failed", reason: "time" } as const;
  for (const [answers, expected] of [
    [{ ...found, [`${API}/releases?per_page=50`]: limited }, limited],
    [{ ...found, ...releases(), [`${API}/tags?per_page=100`]: limited }, limited],
    [
      { ...found, [`https://${NPM_HOST}/a.tgz`]: late, ...releases(), [`${API}/tags?per_page=100`]: [] },
      late,
    ],
    [{ ...found, [`https://${NPM_HOST}/a.tgz`]: late, ...releases("v2.1.0") }, null],
    [{ [`https://${NPM_HOST}/name/2.1.0`]: late }, late],
    [{}, { kind: "absent" }],
    [{ ...found, ...releases(), [`${API}/tags?per_page=100`]: [] }, { kind: "absent" }],
  ] as const) {
    const { changelog } = await read(answers);
    if (expected === null) assert.equal(changelog.kind, "found");
    else assert.deepEqual(changelog, expected);
  }
});

test("notes are bounded, and a downgrade has none", async () => {
  const many = Array.from(
    { length: 300 },
    (_, at) => `## 2.0.${at}\n\n${"x".repeat(at === 0 ? 40_000 : 8_000)}`,
  ).join("\n\n");
  const { changelog } = await read(await packageOf({ "CHANGELOG.md": many }));
  assert.ok(changelog.kind === "found" && changelog.value.notes.length === 50);
  assert.ok(changelog.value.notes.every(({ text }) => text.length <= 32 * 1024));
  const answers = {
    ...(await packageOf({ "CHANGELOG.md": FILE })),
    ...releases(),
    [`${API}/tags?per_page=100`]: [],
  };
  assert.deepEqual((await read(answers, { range: { from: "2.2.0", to: "2.1.0" } })).changelog, {
    kind: "absent",
  });
});
