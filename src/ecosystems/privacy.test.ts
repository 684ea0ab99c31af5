/** Layouts of projects, and which of their packages may be looked up. In doubt, a package is private. */
import { NPM_HOST, YARN_HOST } from "../base/npm-hosts.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import type { EcosystemId, Origin } from "./ecosystem.ts";
import type { PackageChange } from "./package-change.ts";
import { createPrivacy } from "./privacy.ts";
import { readRegistrySources, sourceFilesFor } from "./sources/read-registry-sources.ts";

type Files = Readonly<Record<string, string>>;
/** The name, and the address in its lockfile entry: null when there is none. */
type Package = readonly [name: string, url?: string | null, path?: string];
type Layout = readonly [
  ecosystem: EcosystemId,
  files: Files,
  packages: { readonly private?: readonly Package[]; readonly public?: readonly Package[] },
];

const ACME = "https://npm.acme.example/";
const NPM = `https://${NPM_HOST}/`;
const PYPI = "https://pypi.org/simple";
const PRIVATE_PYPI = "https://pypi.acme.example/simple";
const MAVEN = "https://nexus.acme.example/maven";

const npmUrl = (name: string, registry = NPM): string => `${registry}${name}/-/x-1.0.0.tgz`;
const pomWith = (content: string): string =>
  `<project><modelVersion>4.0.0</modelVersion>${content}</project>`;
const repositoryAt = (url: string): string =>
  `<repositories><repository><id>a</id><url>${url}</url></repository></repositories>`;
const nugetWith = (sources: string, rest = ""): string =>
  `<?xml version="1.0"?>\n<configuration><packageSources>${sources}</packageSources>${rest}</configuration>`;
const NUGET_ORG = '<add key="nuget.org" value="https://api.nuget.org/v3/index.json" />';
const NUGET_ACME = '<add key="acme" value="https://nuget.acme.example/v3/index.json" />';

const LAYOUTS: Readonly<Record<string, Layout>> = {
  // npm
  "npm without settings": [
    "npm",
    {},
    { public: [["left-pad"], ["@types/node"], ["@acme/x", npmUrl("@acme/x")]] },
  ],
  "npm: the lockfile names another registry": [
    "npm",
    {},
    { private: [["@acme/x", npmUrl("@acme/x", ACME)]] },
  ],
  "npm: a host without a dot": ["npm", {}, { private: [["x", "http://verdaccio:4873/x/-/x"]] }],
  "npm: Yarn's mirror is public": ["npm", {}, { public: [["x", `https://${YARN_HOST}/x/-/x-1.0.0.tgz`]] }],
  "npm: a scope with a registry": [
    "npm",
    { ".npmrc": `@acme:registry=${ACME}\n` },
    {
      private: [["@acme/billing-core"], ["@acme/billing-core", npmUrl("@acme/billing-core")], ["@other/x"]],
      public: [["left-pad"], ["@other/x", npmUrl("@other/x")]],
    },
  ],
  "npm: another default registry": [
    "npm",
    { ".npmrc": `registry = "${ACME}"\n` },
    { private: [["left-pad"], ["@acme/x"]], public: [["left-pad", npmUrl("left-pad")]] },
  ],
  "npm: another default registry, and a public scope": [
    "npm",
    { ".npmrc": `registry=${ACME}\n@types:registry=${NPM}\n` },
    { private: [["left-pad"], ["@acme/x"]], public: [["@types/node"]] },
  ],
  "npm: a registry in a variable": [
    "npm",
    { ".npmrc": "registry=${NPM_REGISTRY}\n" },
    { private: [["left-pad"]] },
  ],
  "npm: the public registry, and a comment": [
    "npm",
    { ".npmrc": `; registry=${ACME}\n# @acme:registry=${ACME}\nregistry=${NPM}\n//x/:_authToken=t\n` },
    { public: [["left-pad"], ["@acme/x"]] },
  ],
  "npm: a registry with credentials": [
    "npm",
    { ".npmrc": "registry=https://user:pass@npm.acme.example/\n" },
    { private: [["left-pad"]] },
  ],
  "npm: the public registry as a user's name": [
    "npm",
    { ".npmrc": `registry=https://${NPM_HOST}@npm.acme.example/\n` },
    { private: [["left-pad"]] },
  ],
  "npm: settings of a workspace": [
    "npm",
    { "apps/shop/.npmrc": `@acme:registry=${ACME}\n` },
    {
      private: [
        ["@acme/x", null, "apps/shop/package.json"],
        ["@acme/x", null, "apps/shop/ui/package.json"],
      ],
      public: [["@acme/x", null, "apps/blog/package.json"]],
    },
  ],
  "npm: settings above a workspace": [
    "npm",
    { "apps/.npmrc": `@acme:registry=${ACME}\n` },
    { private: [["@acme/x", null, "apps/shop/package.json"]] },
  ],
  "Yarn: a default registry": [
    "npm",
    { ".yarnrc.yml": `nodeLinker: node-modules\nnpmRegistryServer: "${ACME}"\n` },
    { private: [["left-pad"]] },
  ],
  "Yarn: a scope": [
    "npm",
    { ".yarnrc.yml": `npmScopes:\n  acme:\n    npmRegistryServer: "${ACME}"\n    npmAlwaysAuth: true\n` },
    { private: [["@acme/x"], ["@other/x"]], public: [["left-pad"]] },
  ],
  "Yarn: no registry": [
    "npm",
    { ".yarnrc.yml": "nodeLinker: &a pnp\nplugins: *a\n" },
    { public: [["left-pad"], ["@acme/x"]] },
  ],
  "Yarn: settings that can't be understood": [
    "npm",
    { ".yarnrc.yml": `a: &registry ${ACME}\nnpmRegistryServer: *registry\n` },
    { private: [["left-pad"], ["left-pad", npmUrl("left-pad")]] },
  ],
  "Yarn 1": [
    "npm",
    { ".yarnrc": `registry "${NPM}"\n"@acme:registry" "${ACME}"\nlastUpdateCheck 1\n` },
    { private: [["@acme/x"]], public: [["left-pad"]] },
  ],
  "Yarn 1: a default registry": ["npm", { ".yarnrc": `registry "${ACME}"\n` }, { private: [["left-pad"]] }],
  "pnpm: a scope in the workspace": [
    "npm",
    { "pnpm-workspace.yaml": `packages:\n  - apps/*\nregistries:\n  default: ${NPM}\n  "@acme": ${ACME}\n` },
    { private: [["@acme/x"]], public: [["left-pad"]] },
  ],
  "Bun: a default registry": [
    "npm",
    { "bunfig.toml": `[install]\nregistry = "${ACME}"\n` },
    { private: [["left-pad"]] },
  ],
  "Bun: a default registry with a token": [
    "npm",
    { "bunfig.toml": `[install.registry]\nurl = "${ACME}"\ntoken = "$T"\n` },
    { private: [["left-pad"]] },
  ],
  "Bun: scopes": [
    "npm",
    { "bunfig.toml": `[install.scopes]\nacme = "${ACME}"\n"@other" = { url = "${ACME}", token = "$T" }\n` },
    { private: [["@acme/x"], ["@other/x"], ["@third/x"]], public: [["left-pad"]] },
  ],
  "Bun: broken settings": ["npm", { "bunfig.toml": "[install\n" }, { private: [["left-pad"]] }],
  // Python
  "Python without settings": [
    "pypi",
    { "requirements.txt": "requests==2.0\n" },
    { public: [["requests"], ["requests", PYPI]] },
  ],
  "uv: a further index": [
    "pypi",
    { "pyproject.toml": `[[tool.uv.index]]\nname = "acme"\nurl = "${PRIVATE_PYPI}"\n` },
    { private: [["acme-billing"], ["acme-billing", PRIVATE_PYPI]], public: [["requests", PYPI]] },
  ],
  "uv: an explicit index": [
    "pypi",
    { "pyproject.toml": `[[tool.uv.index]]\nname = "acme"\nurl = "${PRIVATE_PYPI}"\nexplicit = true\n` },
    { private: [["acme-billing", PRIVATE_PYPI]], public: [["requests"]] },
  ],
  "uv: index-url": [
    "pypi",
    { "pyproject.toml": `[tool.uv]\nindex-url = "${PRIVATE_PYPI}"\n` },
    { private: [["requests"]] },
  ],
  "uv: extra-index-url": [
    "pypi",
    { "pyproject.toml": `[tool.uv]\nextra-index-url = ["${PYPI}", "${PRIVATE_PYPI}"]\n` },
    { private: [["requests"]], public: [["requests", PYPI]] },
  ],
  "uv.toml": ["pypi", { "uv.toml": `[pip]\nindex-url = "${PRIVATE_PYPI}"\n` }, { private: [["requests"]] }],
  "Poetry: a source": [
    "pypi",
    {
      "pyproject.toml": `[[tool.poetry.source]]\nname = "acme"\nurl = "${PRIVATE_PYPI}"\npriority = "supplemental"\n`,
    },
    { private: [["requests"]] },
  ],
  "Poetry: an explicit source, and PyPI by name": [
    "pypi",
    {
      "pyproject.toml": `[[tool.poetry.source]]\nname = "PyPI"\n[[tool.poetry.source]]\nname = "acme"\nurl = "${PRIVATE_PYPI}"\npriority = "explicit"\n`,
    },
    { private: [["acme-billing", "acme"]], public: [["requests"]] },
  ],
  "PDM: a source": [
    "pypi",
    { "pyproject.toml": `[[tool.pdm.source]]\nname = "acme"\nurl = "${PRIVATE_PYPI}"\n` },
    { private: [["requests"]] },
  ],
  "pip.conf": [
    "pypi",
    { "pip.conf": `[global]\nindex-url = ${PYPI}\nextra-index-url =\n    ${PYPI}\n    ${PRIVATE_PYPI}\n` },
    { private: [["requests"]], public: [["requests", PYPI]] },
  ],
  "pip.conf with a timeout only": [
    "pypi",
    { "pip.conf": "[global]\ntimeout = 60\n" },
    { public: [["requests"]] },
  ],
  "requirements: an index": [
    "pypi",
    { "requirements-dev.txt": `--index-url ${PRIVATE_PYPI}\nrequests==2.0\n` },
    { private: [["requests"]] },
  ],
  "requirements: a further index": [
    "pypi",
    { "requirements/base.txt": `--extra-index-url=${PRIVATE_PYPI}\n` },
    { private: [["requests", null, "requirements/prod.txt"]] },
  ],
  "requirements: the public index and a comment": [
    "pypi",
    { "requirements.txt": `-i ${PYPI}\n# --extra-index-url ${PRIVATE_PYPI}\n` },
    { public: [["requests"]] },
  ],
  Pipfile: [
    "pypi",
    {
      Pipfile: `[[source]]\nname = "pypi"\nurl = "${PYPI}"\n[[source]]\nname = "acme"\nurl = "${PRIVATE_PYPI}"\n`,
    },
    { private: [["requests"]], public: [["requests", "pypi"]] },
  ],
  // Rust
  "Cargo without settings": [
    "cargo",
    {},
    {
      private: [
        ["acme-core", "acme"],
        ["acme-core", "registry+https://cargo.acme.example/index"],
      ],
      public: [["serde"], ["serde", "registry+https://github.com/rust-lang/crates.io-index"]],
    },
  ],
  "Cargo: another registry": [
    "cargo",
    { ".cargo/config.toml": '[registries.acme]\nindex = "sparse+https://cargo.acme.example/"\n' },
    { private: [["acme-core", "acme"]], public: [["serde"]] },
  ],
  "Cargo: a registry in place of crates.io": [
    "cargo",
    {
      ".cargo/config":
        '[source.crates-io]\nreplace-with = "acme"\n[source.acme]\nregistry = "https://cargo.acme.example/index"\n',
    },
    { private: [["serde"]], public: [["serde", "https://github.com/rust-lang/crates.io-index"]] },
  ],
  "Cargo: a registry by name in place of crates.io": [
    "cargo",
    {
      "a/.cargo/config.toml":
        '[source.crates-io]\nreplace-with = "acme"\n[registries.acme]\nindex = "sparse+https://cargo.acme.example/"\n',
    },
    { private: [["serde", null, "a/b/Cargo.toml"]], public: [["serde", null, "Cargo.toml"]] },
  ],
  "Cargo: vendored copies": [
    "cargo",
    {
      ".cargo/config.toml":
        '[source.crates-io]\nreplace-with = "vendored"\n[source.vendored]\ndirectory = "vendor"\n',
    },
    { public: [["serde"]] },
  ],
  // .NET
  "NuGet: the public source": [
    "nuget",
    { "nuget.config": nugetWith(`<clear />${NUGET_ORG}`) },
    { public: [["Serilog"]] },
  ],
  "NuGet: a further source": [
    "nuget",
    { "NuGet.config": nugetWith(NUGET_ORG + NUGET_ACME) },
    { private: [["Acme.Billing", null, "src/Shop/Shop.csproj"], ["Serilog"]] },
  ],
  "NuGet: a mapping": [
    "nuget",
    {
      "NuGet.Config": nugetWith(
        NUGET_ORG + NUGET_ACME,
        '<packageSourceMapping><packageSource key="nuget.org"><package pattern="*" /></packageSource><packageSource key="acme"><package pattern="Acme.*" /></packageSource></packageSourceMapping>',
      ),
    },
    { private: [["Acme.Billing"], ["acme.core"]], public: [["Serilog"]] },
  ],
  "NuGet: a mapping with everything": [
    "nuget",
    {
      "nuget.config": nugetWith(
        NUGET_ORG + NUGET_ACME,
        '<packageSourceMapping><packageSource key="acme"><package pattern="*" /></packageSource><packageSource key="nuget.org"><package pattern="Microsoft.*" /></packageSource></packageSourceMapping>',
      ),
    },
    { private: [["Serilog"]], public: [["Microsoft.Extensions.Logging"]] },
  ],
  "NuGet: broken settings": ["nuget", { "nuget.config": "<configuration>" }, { private: [["Serilog"]] }],
  // Java
  "Maven: no repository": ["maven", { "pom.xml": pomWith("") }, { public: [["org.slf4j:slf4j-api"]] }],
  "Maven: a private repository": [
    "maven",
    { "pom.xml": pomWith(repositoryAt(MAVEN)) },
    { private: [["com.acme:billing"]] },
  ],
  "Maven: public repositories": [
    "maven",
    { "pom.xml": pomWith(repositoryAt("https://repo.spring.io/milestone")) },
    { public: [["org.slf4j:slf4j-api"]] },
  ],
  "Maven: a repository of a profile, above the module": [
    "maven",
    { "pom.xml": pomWith(`<profiles><profile>${repositoryAt("${nexus}/maven")}</profile></profiles>`) },
    { private: [["com.acme:billing", null, "core/pom.xml"]] },
  ],
  "Maven: a target of releases": [
    "maven",
    {
      "pom.xml": pomWith(
        `<distributionManagement><repository><url>${MAVEN}</url></repository></distributionManagement>`,
      ),
    },
    { public: [["org.slf4j:slf4j-api"]] },
  ],
  "Maven: a mirror": [
    "maven",
    {
      ".mvn/settings.xml": `<settings><mirrors><mirror><mirrorOf>*</mirrorOf><url>${MAVEN}</url></mirror></mirrors></settings>`,
    },
    { private: [["org.slf4j:slf4j-api"]] },
  ],
  "Gradle: public repositories": [
    "maven",
    {
      "build.gradle":
        'repositories {\n  google()\n  mavenCentral()\n  maven { url "https://plugins.gradle.org/m2/" }\n}\n',
    },
    { public: [["org.slf4j:slf4j-api"]] },
  ],
  "Gradle: a private repository": [
    "maven",
    {
      "build.gradle": `allprojects {\n  repositories {\n    mavenCentral()\n    maven { url '${MAVEN}' }\n  }\n}\n`,
    },
    { private: [["com.acme:billing", null, "app/build.gradle"]] },
  ],
  "Gradle in Kotlin, in the settings": [
    "maven",
    {
      "settings.gradle.kts": `dependencyResolutionManagement {\n  repositories {\n    maven {\n      name = "acme"\n      url = uri("${MAVEN}")\n    }\n  }\n}\n`,
    },
    { private: [["com.acme:billing", null, "gradle/libs.versions.toml"]] },
  ],
  "Gradle in Kotlin, short": [
    "maven",
    { "build.gradle.kts": `repositories { maven("${MAVEN}") }\n` },
    { private: [["com.acme:billing"]] },
  ],
  "Gradle: an address that is calculated": [
    "maven",
    { "build.gradle": "repositories { maven { url nexusUrl } }\n" },
    { private: [["com.acme:billing"]] },
  ],
  "Gradle: a target of releases": [
    "maven",
    { "build.gradle": `publishing { repositories { maven { url "${MAVEN}" } } }\n` },
    { public: [["org.slf4j:slf4j-api"]] },
  ],
  // Ruby
  "Bundler: one public source": [
    "rubygems",
    { Gemfile: 'source "https://rubygems.org"\n' },
    { public: [["rails"]] },
  ],
  "Bundler: two sources": [
    "rubygems",
    { Gemfile: 'source "https://rubygems.org"\nsource "https://gems.acme.example"\n' },
    {
      private: [["rails"], ["acme", "https://gems.acme.example/"]],
      public: [["rails", "https://rubygems.org/"]],
    },
  ],
  "Bundler: the block of a source": [
    "rubygems",
    { Gemfile: 'source "https://rubygems.org"\nsource "https://gems.acme.example" do\n  gem "acme"\nend\n' },
    { private: [["acme", "https://gems.acme.example"]], public: [["rails"]] },
  ],
  "Bundler: a source from the environment": [
    "rubygems",
    { Gemfile: 'source ENV["GEMS"]\n' },
    { private: [["rails"]] },
  ],
  // PHP
  "Composer: Packagist only": [
    "composer",
    { "composer.json": "{}" },
    { public: [["monolog/monolog"], ["monolog/monolog", "https://api.github.com"]] },
  ],
  "Composer: a private repository": [
    "composer",
    { "composer.json": '{ "repositories": [{ "type": "composer", "url": "https://satis.acme.example" }] }' },
    { private: [["acme/billing"], ["acme/billing", "https://api.github.com"]] },
  ],
  "Composer: a repository on GitHub": [
    "composer",
    {
      "composer.json":
        '{ "repositories": { "x": { "type": "vcs", "url": "https://github.com/acme/billing" } } }',
    },
    { private: [["acme/billing", "https://api.github.com"]] },
  ],
  "Composer: folders of the project": [
    "composer",
    {
      "composer.json":
        '{ "repositories": [{ "type": "path", "url": "packages/*" }, { "packagist.org": false }] }',
    },
    { public: [["monolog/monolog", "https://api.github.com"]] },
  ],
  // Terraform
  "Terraform without settings": [
    "terraform",
    {},
    {
      private: [
        ["app.acme.example/acme/x", "app.acme.example"],
        ["localhost:8080/a/x", "localhost:8080"],
      ],
      public: [["hashicorp/aws"], ["hashicorp/aws", "registry.terraform.io"]],
    },
  ],
  "Terraform: a mirror": [
    "terraform",
    {
      ".terraformrc":
        'provider_installation {\n  network_mirror {\n    url = "https://tf.acme.example/"\n  }\n}\n',
    },
    { private: [["acme/billing"]], public: [["hashicorp/aws", "registry.terraform.io"]] },
  ],
  // Go, Elixir
  "Go: hosts": [
    "go",
    {},
    {
      private: [["git.acme.internal/billing"], ["go.acme.dev/x"], ["github.com.acme.dev/x"], ["corp/lib"]],
      public: [["github.com/acme/x"], ["golang.org/x/net"], ["k8s.io/api"], ["gopkg.in/yaml.v3"], ["go"]],
    },
  ],
  "Go: GOPRIVATE": [
    "go",
    { ".envrc": 'export GOPRIVATE="github.com/acme/*,*.uber.org"\n' },
    { private: [["github.com/acme/x"], ["go.uber.org/zap"]], public: [["github.com/other/x"]] },
  ],
  "Hex: an organization": [
    "hex",
    {},
    {
      private: [
        ["acme_core", "hexpm:acme"],
        ["acme_core", "acme"],
      ],
      public: [["phoenix"], ["phoenix", "hexpm"]],
    },
  ],
};

const MANIFESTS: Partial<Record<EcosystemId, string>> = { npm: "package.json", maven: "pom.xml" };

function changeOf(ecosystem: EcosystemId, [name, url = null, path]: Package): PackageChange {
  const side = (version: string, origin: Origin) => ({
    version,
    requirement: null,
    origin,
    integrity: null,
    hasInstallScript: null,
  });
  return {
    ecosystem,
    name,
    from: side("1.0.0", { kind: "registry", url }),
    to: side("2.0.0", { kind: "registry", url }),
    kind: "major",
    isBreaking: true,
    group: "runtime",
    chain: [name],
    isDirect: true,
    places: [{ path: path ?? MANIFESTS[ecosystem] ?? "file", line: 1, from: null, to: null }],
    signals: [],
  };
}

function isPrivate(files: Files, change: PackageChange, patterns: readonly string[] = []): boolean {
  const wanted = sourceFilesFor(Object.keys(files), [change]);
  const registries = readRegistrySources(wanted.map((file) => ({ ...file, text: files[file.path] ?? "" })));
  return createPrivacy({ patterns, registries })(change);
}

test("there are at least 60 layouts", () => {
  assert.ok(Object.keys(LAYOUTS).length >= 60, String(Object.keys(LAYOUTS).length));
});

for (const [title, [ecosystem, files, packages]] of Object.entries(LAYOUTS)) {
  test(`private or public: ${title}`, () => {
    const { private: hidden = [], public: open = [] } = packages;
    for (const [list, expected] of [
      [hidden, true],
      [open, false],
    ] as const)
      for (const each of list)
        assert.equal(isPrivate(files, changeOf(ecosystem, each)), expected, JSON.stringify(each));
  });
}

test("packages from git, a download or a folder are private, and what the configuration lists", () => {
  const change = changeOf("npm", ["left-pad"]);
  const from = (origin: Origin): PackageChange => ({
    ...change,
    to: change.to === null ? null : { ...change.to, origin },
  });
  assert.equal(isPrivate({}, from({ kind: "git", url: "https://github.com/a/b", ref: null })), true);
  assert.equal(isPrivate({}, from({ kind: "url", url: `${NPM}x.tgz` })), true);
  assert.equal(isPrivate({}, from({ kind: "local", path: "packages/x" })), true);
  assert.equal(isPrivate({}, change), false);
  assert.equal(isPrivate({}, change, ["left-*"]), true);
});

test("one side that names the public registry ties a package to it, and one private side doesn't", () => {
  const files = { ".npmrc": `registry=${ACME}\n` };
  const change = changeOf("npm", ["left-pad", npmUrl("left-pad")]);
  const unlocked = changeOf("npm", ["left-pad"]);
  assert.equal(isPrivate(files, { ...change, to: unlocked.to }), false);
  assert.equal(
    isPrivate(files, { ...change, to: changeOf("npm", ["left-pad", npmUrl("left-pad", ACME)]).to }),
    true,
  );
});
