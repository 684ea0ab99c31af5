/** Every registry with answers in the form of its documentation. */
import { NPM_HOST } from "../base/npm-hosts.ts";
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { PARSERS } from "../../test/support/package-parsers.ts";
import { buildNested, buildTarGz, buildZip } from "../../test/support/build-archives.ts";
import { scriptHttp, type ScriptedHttp } from "../../test/support/scripted-http.ts";
import type { EcosystemId } from "../ecosystems/ecosystem.ts";
import type { PackageId, Release } from "../ecosystems/lookups.ts";
import { createRegistries } from "./create-registries.ts";

const { signal } = new AbortController();

const registriesOver = (http: ScriptedHttp) =>
  createRegistries({
    parsers: PARSERS,
    http,
    cache: null,
    npmRegistry: `https://${NPM_HOST}`,
    readAdvisories: async () => assert.fail("not used here"),
  });

const sha256 = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");
const sha1 = (bytes: Buffer): string => createHash("sha1").update(bytes).digest("hex");
const file = (name: string) => [{ name, text: "code", body: Buffer.from("code") }];

const [tgz, plainTgz, crate] = await Promise.all([
  buildTarGz(file("package/lib/a")),
  buildTarGz(file("lib/a")),
  buildTarGz(file("name-1.2.3/lib/a")),
]);
const [gem, hex] = await Promise.all([
  buildNested("data.tar.gz", file("lib/a")),
  buildNested("contents.tar.gz", file("lib/a")),
]);
const [zip, goZip, githubZip] = [
  "lib/a",
  "github.com/Owner/name/v2@v2.3.4/lib/a",
  "owner-name-abc/lib/a",
].map((name) => buildZip(file(name))) as [Buffer, Buffer, Buffer];

const NOTHING: Release = {
  publishedAt: null,
  hasInstallScript: null,
  publishers: null,
  repository: null,
  folder: null,
  isWithdrawn: null,
  isUnpublished: null,
  deprecation: null,
  licence: null,
  hasProvenance: null,
  maintainers: null,
};

type Example = {
  readonly ecosystem: EcosystemId;
  readonly name: string;
  readonly version: string;
  readonly answers: Parameters<typeof scriptHttp>[0];
  readonly release: Partial<Release>;
  /** Null: the ecosystem has no sources. */
  readonly files: readonly string[] | null;
};

const AT = "2024-01-31T12:00:00.000Z";

const EXAMPLES: readonly Example[] = [
  {
    ecosystem: "npm",
    name: "@scope/name",
    version: "1.2.3",
    answers: {
      [`https://${NPM_HOST}/@scope%2Fname/1.2.3`]: {
        name: "@scope/name",
        version: "1.2.3",
        scripts: { postinstall: "node x.js" },
        repository: { type: "git", url: "git+https://github.com/owner/name.git", directory: "packages/name" },
        _npmUser: { name: "someone", email: "a@b.c" },
        deprecated: "use @scope/other",
        license: "MIT",
        maintainers: [{ name: "someone" }, { name: "other" }],
        dist: {
          attestations: { url: "https://example.org" },
          tarball: `https://${NPM_HOST}/@scope/name/-/name-1.2.3.tgz`,
          integrity: `sha512-${createHash("sha512").update(tgz).digest("base64")}`,
        },
      },
      [`https://${NPM_HOST}/@scope%2Fname`]: { time: { created: AT, "1.2.3": AT } },
      [`https://${NPM_HOST}/@scope/name/-/name-1.2.3.tgz`]: tgz,
    },
    release: {
      publishedAt: AT,
      hasInstallScript: true,
      publishers: ["someone"],
      repository: "owner/name",
      folder: "packages/name",
      isWithdrawn: false,
      isUnpublished: false,
      deprecation: "use @scope/other",
      licence: "MIT",
      hasProvenance: true,
      maintainers: ["other", "someone"],
    },
    files: ["lib/a"],
  },
  {
    ecosystem: "npm",
    name: "name",
    version: "1.2.3",
    answers: {
      [`https://${NPM_HOST}/name/1.2.3`]: {
        repository: "owner/name",
        scripts: { test: "node --test", install: "" },
        _npmOperationalInternal: { tmp: `tmp/name_1.2.3_${Date.parse(AT)}_0.123` },
        dist: { tarball: `https://${NPM_HOST}/name.tgz`, shasum: sha1(tgz) },
      },
      [`https://${NPM_HOST}/name`]: { kind: "failed", reason: "too-large" },
      [`https://${NPM_HOST}/name.tgz`]: tgz,
    },
    release: {
      publishedAt: AT,
      hasInstallScript: false,
      repository: "owner/name",
      isWithdrawn: false,
      isUnpublished: false,
      deprecation: "",
      hasProvenance: false,
    },
    files: ["lib/a"],
  },
  {
    ecosystem: "pypi",
    name: "some-name",
    version: "1.2.3",
    answers: {
      "https://pypi.org/pypi/some-name/1.2.3/json": {
        info: {
          yanked: false,
          home_page: "",
          project_urls: {
            Funding: "https://github.com/sponsors/owner",
            "Source Code": "https://github.com/owner/name",
            Tracker: "https://github.com/other/name/issues",
          },
        },
        urls: [
          {
            packagetype: "sdist",
            url: "https://files.pythonhosted.org/a.tar.gz",
            digests: { sha256: sha256(crate) },
            upload_time_iso_8601: "2024-01-31T12:00:01.000000Z",
          },
          {
            packagetype: "bdist_wheel",
            url: "https://files.pythonhosted.org/a-cp312-linux.whl",
            digests: { sha256: "00" },
            upload_time_iso_8601: "2024-01-31T12:00:02.000000Z",
          },
          {
            packagetype: "bdist_wheel",
            url: "https://files.pythonhosted.org/a-py3-none-any.whl",
            digests: { sha256: sha256(zip) },
            upload_time_iso_8601: "2024-01-31T12:00:00.000000Z",
          },
        ],
      },
      "https://files.pythonhosted.org/a-py3-none-any.whl": zip,
    },
    release: { publishedAt: AT, hasInstallScript: false, repository: "owner/name", isWithdrawn: false },
    files: ["lib/a"],
  },
  {
    ecosystem: "pypi",
    name: "sources-only",
    version: "1.2.3",
    answers: {
      "https://pypi.org/pypi/sources-only/1.2.3/json": {
        info: { yanked: true },
        urls: [
          {
            packagetype: "sdist",
            url: "https://files.pythonhosted.org/a.tar.gz",
            digests: { sha256: sha256(crate) },
          },
        ],
      },
      "https://files.pythonhosted.org/a.tar.gz": crate,
    },
    release: { hasInstallScript: true, isWithdrawn: true },
    files: ["lib/a"],
  },
  {
    ecosystem: "go",
    name: "github.com/Owner/name/v2",
    version: "v2.3.4",
    answers: {
      "https://proxy.golang.org/github.com/!owner/name/v2/@v/v2.3.4.info": { Version: "v2.3.4", Time: AT },
      "https://proxy.golang.org/github.com/!owner/name/v2/@v/v2.3.4.zip": goZip,
    },
    release: { publishedAt: AT, hasInstallScript: false, repository: "Owner/name" },
    files: ["lib/a"],
  },
  {
    ecosystem: "go",
    name: "go.example.org/name/sub",
    version: "v0.0.0-20240131120000-abcdefabcdef",
    answers: {
      "https://proxy.golang.org/go.example.org/name/sub/@v/v0.0.0-20240131120000-abcdefabcdef.info": {
        Version: "v0.0.0-20240131120000-abcdefabcdef",
        Time: AT,
        Origin: { VCS: "git", URL: "https://github.com/owner/name", Subdir: "sub" },
      },
    },
    release: { publishedAt: AT, hasInstallScript: false, repository: "owner/name", folder: "sub" },
    files: [],
  },
  {
    ecosystem: "cargo",
    name: "name",
    version: "1.2.3",
    answers: {
      "https://crates.io/api/v1/crates/name/1.2.3": {
        version: {
          num: "1.2.3",
          created_at: AT,
          yanked: true,
          checksum: sha256(crate),
          repository: "https://github.com/owner/name/tree/main/crates/name",
          published_by: { login: "someone" },
        },
      },
      "https://static.crates.io/crates/name/name-1.2.3.crate": crate,
    },
    release: {
      publishedAt: AT,
      publishers: ["someone"],
      repository: "owner/name",
      folder: "crates/name",
      isWithdrawn: true,
    },
    files: ["lib/a"],
  },
  {
    ecosystem: "rubygems",
    name: "name",
    version: "1.2.3",
    answers: {
      "https://rubygems.org/api/v2/rubygems/name/versions/1.2.3.json": {
        number: "1.2.3",
        platform: "ruby",
        created_at: AT,
        sha: sha256(gem),
        metadata: { source_code_uri: "https://github.com/owner/name/tree/v1.2.3" },
      },
      "https://rubygems.org/downloads/name-1.2.3.gem": gem,
    },
    release: { publishedAt: AT, repository: "owner/name", isWithdrawn: false },
    files: ["lib/a"],
  },
  {
    ecosystem: "maven",
    name: "org.example:some.name",
    version: "1.2.3",
    answers: {
      "https://repo1.maven.org/maven2/org/example/some.name/1.2.3/some.name-1.2.3.pom":
        "<project><url>https://example.org</url><scm><connection>scm:git:git://github.com/owner/name.git</connection></scm></project>",
      "https://repo1.maven.org/maven2/org/example/some.name/1.2.3/some.name-1.2.3-sources.jar": zip,
    },
    release: { publishedAt: AT, hasInstallScript: false, repository: "owner/name", isWithdrawn: false },
    files: ["lib/a"],
  },
  {
    ecosystem: "composer",
    name: "vendor/name",
    version: "1.2.3",
    answers: {
      "https://repo.packagist.org/p2/vendor/name.json": {
        minified: "composer/2.0",
        packages: {
          "vendor/name": [
            {
              version: "v2.0.0",
              time: "2025-01-01T00:00:00+00:00",
              type: "composer-plugin",
              source: { url: "https://github.com/owner/name.git" },
              dist: { type: "zip", url: "https://api.github.com/new", shasum: "" },
            },
            {
              version: "v1.2.3",
              time: "2024-01-31T13:00:00+01:00",
              type: "__unset",
              dist: { type: "zip", url: "https://api.github.com/repos/owner/name/zipball/abc", shasum: "" },
            },
          ],
        },
      },
      "https://api.github.com/repos/owner/name/zipball/abc": githubZip,
    },
    release: {
      publishedAt: AT,
      hasInstallScript: false,
      repository: "owner/name",
      isWithdrawn: false,
      deprecation: "",
    },
    files: ["lib/a"],
  },
  {
    ecosystem: "nuget",
    name: "Some.Name",
    version: "1.2",
    answers: {
      "https://api.nuget.org/v3/registration5-gz-semver2/some.name/1.2.0.json": {
        listed: true,
        published: "2024-01-31T12:00:00+00:00",
        packageContent: "https://api.nuget.org/v3-flatcontainer/some.name/1.2.0/some.name.1.2.0.nupkg",
      },
      "https://api.nuget.org/v3-flatcontainer/some.name/1.2.0/some.name.nuspec":
        '<package><metadata><repository type="git" url="https://github.com/owner/name" /></metadata></package>',
      "https://api.nuget.org/v3-flatcontainer/some.name/1.2.0/some.name.1.2.0.nupkg": zip,
    },
    release: { publishedAt: AT, repository: "owner/name", isWithdrawn: false },
    files: ["lib/a"],
  },
  {
    ecosystem: "nuget",
    name: "Unlisted",
    version: "1.2.3.0-Beta.1+build",
    answers: {
      "https://api.nuget.org/v3/registration5-gz-semver2/unlisted/1.2.3-beta.1.json": {
        listed: false,
        published: "1900-01-01T00:00:00+00:00",
        packageContent: "https://api.nuget.org/a.nupkg",
      },
    },
    release: { isWithdrawn: true },
    files: [],
  },
  {
    ecosystem: "pub",
    name: "name",
    version: "1.2.3",
    answers: {
      "https://pub.dev/api/packages/name/versions/1.2.3": {
        version: "1.2.3",
        published: AT,
        retracted: true,
        archive_url: "https://pub.dev/api/archives/name-1.2.3.tar.gz",
        archive_sha256: sha256(plainTgz),
        pubspec: { repository: "https://github.com/owner/name/tree/main/pkgs/name" },
      },
      "https://pub.dev/api/archives/name-1.2.3.tar.gz": plainTgz,
    },
    release: {
      publishedAt: AT,
      hasInstallScript: false,
      repository: "owner/name",
      folder: "pkgs/name",
      isWithdrawn: true,
    },
    files: ["lib/a"],
  },
  {
    ecosystem: "hex",
    name: "name",
    version: "1.2.3",
    answers: {
      "https://hex.pm/api/packages/name/releases/1.2.3": {
        version: "1.2.3",
        inserted_at: AT,
        publisher: { username: "someone" },
        retirement: null,
        checksum: sha256(hex),
      },
      "https://hex.pm/api/packages/name": {
        name: "name",
        meta: { links: { GitHub: "https://github.com/owner/name" } },
      },
      "https://repo.hex.pm/tarballs/name-1.2.3.tar": hex,
    },
    release: { publishedAt: AT, publishers: ["someone"], repository: "owner/name", isWithdrawn: false },
    files: ["lib/a"],
  },
  {
    ecosystem: "github-actions",
    name: "owner/name/folder",
    version: "v4",
    answers: {
      "https://api.github.com/repos/owner/name/commits/v4": {
        sha: "abc",
        committer: { login: "someone" },
        commit: { committer: { date: AT } },
      },
    },
    release: { publishedAt: AT, publishers: ["someone"], repository: "owner/name", folder: "folder" },
    files: [],
  },
  {
    ecosystem: "pre-commit",
    name: "https://github.com/owner/name",
    version: "23.1.0",
    answers: { "https://api.github.com/repos/owner/name/commits/23.1.0": { sha: "abc" } },
    release: { repository: "owner/name" },
    files: null,
  },
  {
    ecosystem: "terraform",
    name: "hashicorp/aws",
    version: "5.1.0",
    answers: {
      "https://registry.terraform.io/v1/providers/hashicorp/aws/5.1.0": {
        version: "5.1.0",
        published_at: AT,
        source: "https://github.com/hashicorp/terraform-provider-aws",
      },
    },
    release: { publishedAt: AT, repository: "hashicorp/terraform-provider-aws" },
    files: null,
  },
];

for (const { ecosystem, name, version, answers, release, files } of EXAMPLES) {
  test(`${ecosystem}: ${name} ${version}`, async () => {
    const http = scriptHttp(answers);
    const registries = registriesOver(http);
    const id = { ecosystem, name };
    assert.deepEqual(await registries.readRelease(id, version, signal), {
      kind: "found",
      value: { ...NOTHING, ...release },
    });
    const source = await registries.readSource(id, version, { wants: () => true, signal });
    if (files === null) assert.deepEqual(source, { kind: "failed", reason: "unsupported" });
    else if (files.length > 0)
      assert.deepEqual(source, { kind: "found", value: new Map([["lib/a", "code"]]) });
    else assert.deepEqual(source, { kind: "absent" });
    const unknown = http.urls.filter((url) => !(url in answers));
    if (files === null || files.length > 0) assert.deepEqual(unknown, [], "every request is in the script");
  });

  test(`${ecosystem}: ${name} ${version}, with other answers`, async () => {
    const id = { ecosystem, name };
    for (const [body, expected] of [
      ["<html>", { kind: "failed", reason: "malformed" }],
      ["[]", { kind: "failed", reason: "malformed" }],
      ['{"message":"Bad gateway"}', { kind: "failed", reason: "malformed" }],
      [
        { kind: "failed", reason: "rate-limited" },
        { kind: "failed", reason: "rate-limited" },
      ],
      [{ kind: "absent" }, { kind: "absent" }],
    ] as const) {
      const others = Object.fromEntries(Object.keys(answers).map((url) => [url, body]));
      const registries = registriesOver(scriptHttp(others));
      assert.deepEqual(await registries.readRelease(id, version, signal), expected);
      const source = await registries.readSource(id, version, { wants: () => true, signal });
      if (files !== null && files.length > 0) assert.deepEqual(source, expected);
    }
  });
}

const UNPUBLISHED: readonly (readonly [PackageId, Readonly<Record<string, object>>, Partial<Release>])[] = [
  [
    { ecosystem: "npm", name: "name" },
    {
      [`https://${NPM_HOST}/name`]: {
        time: { created: AT, "1.2.3": AT, "1.2.4": AT },
        versions: { "1.2.4": {} },
      },
    },
    { publishedAt: AT, isUnpublished: true },
  ],
  [
    { ecosystem: "pypi", name: "name" },
    { "https://pypi.org/pypi/name/json": { info: {} } },
    { isUnpublished: true },
  ],
  [
    { ecosystem: "rubygems", name: "name" },
    { "https://rubygems.org/api/v1/gems/name.json": { name: "name" } },
    { isUnpublished: true },
  ],
];

for (const [id, answers, release] of UNPUBLISHED) {
  test(`${id.ecosystem}: a version that the registry doesn't list, of a package that it has`, async () => {
    assert.deepEqual(await registriesOver(scriptHttp(answers)).readRelease(id, "1.2.3", signal), {
      kind: "found",
      value: { ...NOTHING, ...release },
    });
    assert.deepEqual(await registriesOver(scriptHttp({})).readRelease(id, "1.2.3", signal), {
      kind: "absent",
    });
  });
}

test("npm: a mirror without documents of single versions has unpublished nothing", async () => {
  const answers = { [`https://${NPM_HOST}/name`]: { versions: { "1.2.3": {} } } };
  const id = { ecosystem: "npm", name: "name" } as const;
  const release = await registriesOver(scriptHttp(answers)).readRelease(id, "1.2.3", signal);
  assert.deepEqual(release, { kind: "absent" });
});

test("another archive than the registry's digest says is malformed", async () => {
  const checked = EXAMPLES.filter(({ answers }) => JSON.stringify(answers).includes("sha"));
  assert.ok(checked.length >= 7);
  for (const { ecosystem, name, version, answers, files } of checked) {
    if (files === null || ["composer", "github-actions", "pre-commit"].includes(ecosystem)) continue;
    const changed = Object.entries(answers).map(([url, body]) => [
      url,
      Buffer.isBuffer(body) ? Buffer.concat([body, Buffer.from(" ")]) : body,
    ]);
    const registries = registriesOver(scriptHttp(Object.fromEntries(changed)));
    const source = await registries.readSource({ ecosystem, name }, version, { wants: () => true, signal });
    assert.deepEqual(source, { kind: "failed", reason: "malformed" }, name);
  }
});

const BAD_NAMES: Readonly<Record<EcosystemId, readonly string[]>> = {
  npm: [
    "../x",
    "@a/b/c",
    "a b",
    "a?b",
    "a#b",
    "a%2fb",
    ".x",
    "@a/.b",
    "a\\b",
    "a\nb",
    "x".repeat(215),
    "https://evil.test/a",
  ],
  pypi: ["../x", "a/b", "a?b", "-a", "a%2e", "ä"],
  go: ["github.com/../x", "name", "github.com//x", "github.com/a?b", "github.com/a b", "github.com/./x"],
  cargo: ["../x", "a/b", "1a", "a.b"],
  rubygems: ["..", "a/b", "a?b"],
  maven: ["name", "a/b:c", "a:b:c", "a:..", "..:a", "a:b/c"],
  composer: ["name", "a/b/c", "../b", "a/..", "A/b"],
  nuget: ["../x", "a/b", "a?b", ".."],
  pub: ["a-b", "a/b", "../x"],
  hex: ["A", "a/b", "../x"],
  "github-actions": [
    "owner",
    "owner/..",
    "owner/name/../x",
    "a b/c",
    "docker://image",
    "./local",
    "owner/name?x",
  ],
  docker: ["alpine"],
  "pre-commit": [
    "https://gitlab.com/a/b",
    "local",
    "https://github.com.evil.test/a/b",
    "https://github.com/../b",
  ],
  terraform: ["aws", "a/b/c", "registry.example.org/a/b", "../b"],
};

const BAD_VERSIONS = [
  "",
  "..",
  "1.0/../../x",
  "1.0?x",
  "1.0#x",
  "1 0",
  "1%2e0",
  "\n",
  "-1",
  "x".repeat(300),
  "a\\b",
];

test("[P8] texts that can't be names or versions never reach a registry", async () => {
  for (const { ecosystem, name, version } of EXAMPLES) {
    const http = scriptHttp({});
    const registries = registriesOver(http);
    for (const [badName, badVersion] of [
      ...BAD_NAMES[ecosystem].map((bad) => [bad, version] as const),
      ...BAD_VERSIONS.map((bad) => [name, bad] as const),
    ]) {
      const id = { ecosystem, name: badName };
      for (const lookup of [
        registries.readRelease(id, badVersion, signal),
        registries.readSource(id, badVersion, { wants: () => true, signal }),
        registries.readChangelog(id, { from: badVersion, to: badVersion }, signal),
      ])
        assert.deepEqual(await lookup, { kind: "failed", reason: "unsupported" }, `${badName} ${badVersion}`);
    }
    assert.deepEqual(http.urls, []);
  }
});
