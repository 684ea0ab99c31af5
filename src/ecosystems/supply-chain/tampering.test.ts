import { NPM_HOST, YARN_HOST } from "../../base/npm-hosts.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { compareFiles } from "../../../test/support/compare-files.ts";
import type { FilePair } from "../read-pair.ts";
import { describeSignal } from "../describe-dependencies.ts";
import { isTampering } from "./signal.ts";
import { someRuns } from "../../../test/support/extent.ts";

const sha512 = (letter: string): string => `sha512-${letter.repeat(86)}==`;
const hex = (letter: string, length = 64): string => letter.repeat(length);

type Project = {
  readonly files: Readonly<Record<string, string>>;
  /** Edits of a genuine update. */
  readonly update: readonly Edit[];
};

/** In a file, a text that becomes another. */
type Edit = readonly [path: string, from: string, to: string];

const archive = (name: string, version: string): string =>
  `https://${NPM_HOST}/${name}/-/${name.replace(/^.*\//, "")}-${version}.tgz`;

const NPM_MANIFEST = `{
  "name": "sample",
  "dependencies": {
    "express": "^4.18.0",
    "lodash": "^4.17.0"
  },
  "overrides": {}
}
`;

const npmEntry = (name: string, version: string, rest = ""): string => `
    "node_modules/${name}": {
      "version": "${version}",
      "resolved": "${archive(name, version)}",
      "integrity": "${sha512(name.at(1) ?? "")}"${rest}
    }`;

const PROJECTS = {
  npm: {
    files: {
      "package.json": NPM_MANIFEST,
      "package-lock.json": `{
  "name": "sample",
  "lockfileVersion": 3,
  "packages": {
    "": { "name": "sample", "dependencies": { "express": "^4.18.0", "lodash": "^4.17.0" } },${[
      npmEntry("@types/qs", "6.9.7"),
      npmEntry("express", "4.18.1", ', "dependencies": { "@types/qs": "*" }'),
      npmEntry("lodash", "4.17.20"),
    ].join(",")}
  }
}
`,
    },
    update: [
      ["package-lock.json", '"version": "4.18.1"', '"version": "4.18.2"'],
      ["package-lock.json", "express-4.18.1.tgz", "express-4.18.2.tgz"],
      ["package-lock.json", sha512("x"), sha512("S")],
      ["package.json", '"express": "^4.18.0"', '"express": "^4.18.2"'],
      ["package-lock.json", '"express": "^4.18.0"', '"express": "^4.18.2"'],
    ],
  },
  yarn: {
    files: {
      "package.json": NPM_MANIFEST,
      "yarn.lock": `# yarn lockfile v1


express@^4.18.0:
  version "4.18.1"
  resolved "https://${YARN_HOST}/express/-/express-4.18.1.tgz#${hex("1", 40)}"
  integrity ${sha512("e")}
  dependencies:
    qs "~6.9.0"

lodash@^4.17.0:
  version "4.17.20"
  resolved "https://${YARN_HOST}/lodash/-/lodash-4.17.20.tgz#${hex("2", 40)}"
  integrity ${sha512("l")}

qs@~6.9.0:
  version "6.9.7"
  resolved "https://${YARN_HOST}/qs/-/qs-6.9.7.tgz#${hex("3", 40)}"
  integrity ${sha512("q")}
`,
    },
    update: [
      ["yarn.lock", '"4.17.20"', '"4.17.21"'],
      ["yarn.lock", `lodash-4.17.20.tgz#${hex("2", 40)}`, `lodash-4.17.21.tgz#${hex("4", 40)}`],
      ["yarn.lock", sha512("l"), sha512("L")],
    ],
  },
  berry: {
    files: {
      "package.json": NPM_MANIFEST,
      "yarn.lock": `__metadata:
  version: 8
  cacheKey: 10c0

"express@npm:^4.18.0":
  version: 4.18.1
  resolution: "express@npm:4.18.1"
  checksum: 10c0/${hex("e", 128)}
  languageName: node
  linkType: hard

"lodash@npm:^4.17.0":
  version: 4.17.20
  resolution: "lodash@npm:4.17.20"
  checksum: 10c0/${hex("1", 128)}
  languageName: node
  linkType: hard

"sample@workspace:.":
  version: 0.0.0-use.local
  resolution: "sample@workspace:."
  dependencies:
    express: "npm:^4.18.0"
    lodash: "npm:^4.17.0"
  languageName: unknown
  linkType: soft
`,
    },
    update: [
      ["yarn.lock", "version: 4.17.20", "version: 4.17.21"],
      ["yarn.lock", "lodash@npm:4.17.20", "lodash@npm:4.17.21"],
      ["yarn.lock", hex("1", 128), hex("2", 128)],
    ],
  },
  pnpm: {
    files: {
      "package.json": NPM_MANIFEST,
      "pnpm-lock.yaml": `lockfileVersion: '9.0'

importers:

  .:
    dependencies:
      express:
        specifier: ^4.18.0
        version: 4.18.1
      lodash:
        specifier: ^4.17.0
        version: 4.17.20

packages:

  express@4.18.1:
    resolution: {integrity: ${sha512("e")}}

  lodash@4.17.20:
    resolution: {integrity: ${sha512("l")}}

snapshots:

  express@4.18.1: {}

  lodash@4.17.20: {}
`,
    },
    update: [
      ["pnpm-lock.yaml", "version: 4.17.20", "version: 4.17.21"],
      ["pnpm-lock.yaml", `lodash@4.17.20:\n    resolution`, `lodash@4.17.21:\n    resolution`],
      ["pnpm-lock.yaml", sha512("l"), sha512("L")],
      ["pnpm-lock.yaml", "lodash@4.17.20: {}", "lodash@4.17.21: {}"],
    ],
  },
  bun: {
    files: {
      "package.json": NPM_MANIFEST,
      "bun.lock": `{
  "lockfileVersion": 1,
  "workspaces": {
    "": { "name": "sample", "dependencies": { "express": "^4.18.0", "lodash": "^4.17.0" } },
  },
  "packages": {
    "express": ["express@4.18.1", "", {}, "${sha512("e")}"],

    "lodash": ["lodash@4.17.20", "", {}, "${sha512("l")}"],
  }
}
`,
    },
    update: [
      ["bun.lock", "lodash@4.17.20", "lodash@4.17.21"],
      ["bun.lock", sha512("l"), sha512("L")],
    ],
  },
  cargo: {
    files: {
      "Cargo.toml": '[package]\nname = "sample"\nversion = "0.1.0"\n\n[dependencies]\nserde = "1.0.190"\n',
      "Cargo.lock": `version = 3

[[package]]
name = "itoa"
version = "1.0.9"
source = "registry+https://github.com/rust-lang/crates.io-index"
checksum = "${hex("a")}"

[[package]]
name = "sample"
version = "0.1.0"
dependencies = [
 "serde",
]

[[package]]
name = "serde"
version = "1.0.190"
source = "registry+https://github.com/rust-lang/crates.io-index"
checksum = "${hex("b")}"
dependencies = [
 "itoa",
]
`,
    },
    update: [
      ["Cargo.lock", 'version = "1.0.190"', 'version = "1.0.193"'],
      ["Cargo.lock", hex("b"), hex("c")],
    ],
  },
  poetry: {
    files: {
      "pyproject.toml":
        '[tool.poetry]\nname = "sample"\n\n[tool.poetry.dependencies]\nrequests = "^2.31.0"\n',
      "poetry.lock": `[[package]]
name = "requests"
version = "2.31.0"
optional = false
python-versions = ">=3.7"
files = [
    {file = "requests-2.31.0-py3-none-any.whl", hash = "sha256:${hex("a")}"},
    {file = "requests-2.31.0.tar.gz", hash = "sha256:${hex("b")}"},
]

[[package]]
name = "zipp"
version = "3.17.0"
optional = false
python-versions = ">=3.8"
files = [
    {file = "zipp-3.17.0.tar.gz", hash = "sha256:${hex("d")}"},
]

[metadata]
lock-version = "2.0"
`,
    },
    update: [
      ["poetry.lock", 'version = "2.31.0"', 'version = "2.32.0"'],
      ["poetry.lock", "requests-2.31.0-py3", "requests-2.32.0-py3"],
      ["poetry.lock", "requests-2.31.0.tar", "requests-2.32.0.tar"],
      ["poetry.lock", hex("a"), hex("e")],
      ["poetry.lock", hex("b"), hex("f")],
    ],
  },
  uv: {
    files: {
      "pyproject.toml": '[project]\nname = "sample"\nversion = "0.1.0"\ndependencies = ["requests>=2.31"]\n',
      "uv.lock": `version = 1
requires-python = ">=3.12"

[[package]]
name = "requests"
version = "2.31.0"
source = { registry = "https://pypi.org/simple" }
sdist = { url = "https://files.pythonhosted.org/packages/requests-2.31.0.tar.gz", hash = "sha256:${hex("a")}" }

[[package]]
name = "sample"
version = "0.1.0"
source = { virtual = "." }
dependencies = [
    { name = "requests" },
]

[package.metadata]
requires-dist = [{ name = "requests", specifier = ">=2.31" }]
`,
    },
    update: [
      ["uv.lock", 'version = "2.31.0"', 'version = "2.32.0"'],
      ["uv.lock", "requests-2.31.0.tar", "requests-2.32.0.tar"],
      ["uv.lock", hex("a"), hex("b")],
    ],
  },
  pipenv: {
    files: {
      Pipfile:
        '[[source]]\nurl = "https://pypi.org/simple"\nverify_ssl = true\nname = "pypi"\n\n[packages]\nrequests = "*"\n',
      "Pipfile.lock": `{
  "_meta": { "pipfile-spec": 6, "sources": [{ "name": "pypi", "url": "https://pypi.org/simple", "verify_ssl": true }] },
  "default": {
    "requests": { "hashes": ["sha256:${hex("a")}", "sha256:${hex("b")}"], "index": "pypi", "version": "==2.31.0" },
    "idna": { "hashes": ["sha256:${hex("c")}"], "version": "==3.4" }
  },
  "develop": {}
}
`,
    },
    update: [
      ["Pipfile.lock", "==2.31.0", "==2.32.0"],
      ["Pipfile.lock", hex("a"), hex("d")],
      ["Pipfile.lock", hex("b"), hex("e")],
    ],
  },
  pip: {
    files: {
      "requirements.txt": `idna==3.4 \\
    --hash=sha256:${hex("c")}
requests==2.31.0 \\
    --hash=sha256:${hex("a")} \\
    --hash=sha256:${hex("b")}
`,
    },
    update: [
      ["requirements.txt", "requests==2.31.0", "requests==2.32.0"],
      ["requirements.txt", hex("a"), hex("d")],
      ["requirements.txt", hex("b"), hex("e")],
    ],
  },
  bundler: {
    files: {
      Gemfile: 'source "https://rubygems.org"\n\ngem "puma"\n',
      "Gemfile.lock": `GEM
  remote: https://rubygems.org/
  specs:
    nio4r (2.5.9)
    puma (6.4.0)
      nio4r (~> 2.0)

PLATFORMS
  ruby

DEPENDENCIES
  puma

CHECKSUMS
  nio4r (2.5.9) sha256=${hex("a")}
  puma (6.4.0) sha256=${hex("b")}

BUNDLED WITH
   2.5.0
`,
    },
    update: [
      ["Gemfile.lock", "puma (6.4.0)\n      nio4r", "puma (6.4.2)\n      nio4r"],
      ["Gemfile.lock", `puma (6.4.0) sha256=${hex("b")}`, `puma (6.4.2) sha256=${hex("c")}`],
    ],
  },
  go: {
    files: {
      "go.mod": "module example.com/sample\n\ngo 1.21\n\nrequire github.com/google/uuid v1.4.0\n",
      "go.sum": `github.com/google/uuid v1.4.0 h1:${hex("a", 43)}=
github.com/google/uuid v1.4.0/go.mod h1:${hex("b", 43)}=
`,
    },
    update: [
      ["go.mod", "v1.4.0", "v1.5.0"],
      ["go.sum", `uuid v1.4.0 h1:${hex("a", 43)}`, `uuid v1.5.0 h1:${hex("c", 43)}`],
      ["go.sum", `uuid v1.4.0/go.mod h1:${hex("b", 43)}`, `uuid v1.5.0/go.mod h1:${hex("d", 43)}`],
    ],
  },
  composer: {
    files: {
      "composer.json": '{ "require": { "monolog/monolog": "^3.0" } }\n',
      "composer.lock": `{
  "packages": [
    {
      "name": "monolog/monolog",
      "version": "3.4.0",
      "source": { "type": "git", "url": "https://github.com/Seldaek/monolog.git", "reference": "${hex("a", 40)}" },
      "dist": { "type": "zip", "url": "https://api.github.com/repos/Seldaek/monolog/zipball/${hex("a", 40)}", "reference": "${hex("a", 40)}", "shasum": "" },
      "require": { "psr/log": "^3.0" },
      "type": "library"
    },
    {
      "name": "psr/log",
      "version": "3.0.0",
      "dist": { "type": "zip", "url": "https://api.github.com/repos/php-fig/log/zipball/${hex("b", 40)}", "reference": "${hex("b", 40)}", "shasum": "" },
      "type": "library"
    }
  ],
  "packages-dev": []
}
`,
    },
    update: [
      ["composer.lock", '"3.4.0"', '"3.5.0"'],
      ["composer.lock", hex("a", 40), hex("c", 40)],
    ],
  },
  nuget: {
    files: {
      "sample.csproj":
        '<Project Sdk="Microsoft.NET.Sdk"><ItemGroup><PackageReference Include="Serilog" Version="3.0.1" /></ItemGroup></Project>\n',
      "packages.lock.json": `{
  "version": 1,
  "dependencies": {
    "net8.0": {
      "Serilog": { "type": "Direct", "requested": "[3.0.1, )", "resolved": "3.0.1", "contentHash": "${hex("a", 86)}==", "dependencies": { "System.Memory": "4.5.5" } },
      "System.Memory": { "type": "Transitive", "resolved": "4.5.5", "contentHash": "${hex("b", 86)}==" }
    }
  }
}
`,
    },
    update: [
      ["sample.csproj", '"3.0.1"', '"3.1.0"'],
      ["packages.lock.json", '"[3.0.1, )", "resolved": "3.0.1"', '"[3.1.0, )", "resolved": "3.1.0"'],
      ["packages.lock.json", hex("a", 86), hex("c", 86)],
    ],
  },
  mix: {
    files: {
      "mix.exs": 'defmodule Sample.MixProject do\n  defp deps do\n    [{:jason, "~> 1.4"}]\n  end\nend\n',
      "mix.lock": `%{
  "jason": {:hex, :jason, "1.4.0", "${hex("a")}", [:mix], [], "hexpm", "${hex("b")}"},
  "plug": {:git, "https://github.com/elixir-plug/plug.git", "${hex("1", 40)}", [tag: "v1.15.0"]},
}
`,
    },
    update: [
      ["mix.lock", '"1.4.0"', '"1.4.1"'],
      ["mix.lock", hex("a"), hex("c")],
      ["mix.lock", hex("b"), hex("d")],
    ],
  },
  pub: {
    files: {
      "pubspec.yaml": "name: sample\ndependencies:\n  http: ^1.1.0\n",
      "pubspec.lock": `packages:
  http:
    dependency: "direct main"
    description:
      name: http
      sha256: "${hex("a")}"
      url: "https://pub.dev"
    source: hosted
    version: "1.1.0"
sdks:
  dart: ">=3.0.0 <4.0.0"
`,
    },
    update: [
      ["pubspec.lock", '"1.1.0"', '"1.2.0"'],
      ["pubspec.lock", hex("a"), hex("b")],
    ],
  },
  terraform: {
    files: {
      "main.tf":
        'terraform {\n  required_providers {\n    aws = {\n      source  = "hashicorp/aws"\n      version = "~> 5.0"\n    }\n  }\n}\n',
      ".terraform.lock.hcl": `provider "registry.terraform.io/hashicorp/aws" {
  version     = "5.1.0"
  constraints = "~> 5.0"
  hashes = [
    "h1:${hex("a", 43)}=",
    "zh:${hex("b")}",
  ]
}
`,
    },
    update: [
      [".terraform.lock.hcl", '"5.1.0"', '"5.2.0"'],
      [".terraform.lock.hcl", hex("a", 43), hex("c", 43)],
      [".terraform.lock.hcl", hex("b"), hex("d")],
    ],
  },
  actions: {
    files: {
      ".github/workflows/ci.yml": `on: push
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@${hex("a", 40)} # v4.1.0
`,
    },
    update: [[".github/workflows/ci.yml", `${hex("a", 40)} # v4.1.0`, `${hex("b", 40)} # v4.1.1`]],
  },
  docker: {
    files: { Dockerfile: `FROM node:20.10.0@sha256:${hex("a")}\n` },
    update: [["Dockerfile", `20.10.0@sha256:${hex("a")}`, `20.11.0@sha256:${hex("b")}`]],
  },
} as const satisfies Record<string, Project>;

type ProjectName = keyof typeof PROJECTS;

const LOCK = {
  npm: "package-lock.json",
  yarn: "yarn.lock",
  berry: "yarn.lock",
  pnpm: "pnpm-lock.yaml",
  bun: "bun.lock",
} as const;

const evil = (version: string): string => archive("evil", version);

/** A manipulation: of which project, of its base (the same versions) or of its update, how, and what must be said. */
const TAMPERINGS: readonly (readonly [
  kind: string,
  project: ProjectName,
  of: "base" | "update",
  edits: readonly Edit[],
  expected: string,
])[] = [
  ["other bytes", "npm", "base", [[LOCK.npm, sha512("o"), sha512("X")]], "integrity-changed"],
  [
    "no checksum",
    "npm",
    "update",
    [[LOCK.npm, `,\n      "integrity": "${sha512("S")}"`, ""]],
    "integrity-removed",
  ],
  [
    "a weaker checksum",
    "npm",
    "base",
    [[LOCK.npm, sha512("o"), "sha1-qqqqqqqqqqqqqqqqqqqqqqqqqqo="]],
    "integrity-weakened",
  ],
  [
    "another host",
    "npm",
    "base",
    [[LOCK.npm, archive("lodash", "4.17.20"), "https://npm.evil.example/lodash/-/lodash-4.17.20.tgz"]],
    "registry-changed",
  ],
  [
    "another host for an update",
    "npm",
    "update",
    [[LOCK.npm, archive("express", "4.18.2"), "https://npm.evil.example/express/-/express-4.18.2.tgz"]],
    "unknown-host",
  ],
  [
    "a host that imitates the registry",
    "npm",
    "update",
    [[LOCK.npm, `https://${NPM_HOST}/express`, `https://${NPM_HOST}.evil.example/express`]],
    "deceptive-host",
  ],
  [
    "a host one letter away",
    "npm",
    "update",
    [[LOCK.npm, `https://${NPM_HOST}/express`, "https://registry.npmjs.com/express"]],
    "unknown-host",
  ],
  [
    "the registry as a user name",
    "npm",
    "base",
    [[LOCK.npm, `https://${NPM_HOST}/lodash`, `https://${NPM_HOST}@evil.example/lodash`]],
    "registry-changed",
  ],
  [
    "an IP address",
    "npm",
    "update",
    [[LOCK.npm, `https://${NPM_HOST}/express`, "https://203.0.113.7/express"]],
    "deceptive-host",
  ],
  [
    "no encryption",
    "npm",
    "base",
    [[LOCK.npm, `https://${NPM_HOST}/lodash`, `http://${NPM_HOST}/lodash`]],
    "insecure-url",
  ],
  [
    "no encryption for an update",
    "npm",
    "update",
    [[LOCK.npm, `https://${NPM_HOST}/express`, `http://${NPM_HOST}/express`]],
    "insecure-url",
  ],
  [
    "a repository",
    "npm",
    "base",
    [[LOCK.npm, archive("lodash", "4.17.20"), `git+ssh://git@github.com/evil/lodash.git#${hex("f", 40)}`]],
    "origin-changed",
  ],
  [
    "a download",
    "npm",
    "base",
    [[LOCK.npm, archive("lodash", "4.17.20"), "https://evil.example/lodash.tgz"]],
    "origin-changed",
  ],
  [
    "the archive of another package",
    "npm",
    "update",
    [[LOCK.npm, archive("express", "4.18.2"), archive("express-evil", "4.18.2")]],
    "other-package",
  ],
  [
    "the archive of another scope",
    "npm",
    "base",
    [[LOCK.npm, archive("@types/qs", "6.9.7"), archive("@typos/qs", "6.9.7")]],
    "other-package",
  ],
  [
    "the archive of another version",
    "npm",
    "update",
    [[LOCK.npm, "express-4.18.2.tgz", "express-4.16.0.tgz"]],
    "other-package",
  ],
  [
    "another package under the same name",
    "npm",
    "base",
    [
      [LOCK.npm, '"version": "4.17.20",', '"name": "evil", "version": "1.0.0",'],
      [LOCK.npm, archive("lodash", "4.17.20"), evil("1.0.0")],
    ],
    "origin-changed",
  ],
  [
    "a package that nothing requests",
    "npm",
    "base",
    [
      [
        LOCK.npm,
        npmEntry("lodash", "4.17.20"),
        `${npmEntry("lodash", "4.17.20")},${npmEntry("evil", "1.0.0")}`,
      ],
    ],
    "unneeded",
  ],
  [
    "a request that no manifest makes",
    "npm",
    "base",
    [
      [LOCK.npm, '"lodash": "^4.17.0"', '"lodash": "^4.17.0", "evil": "^1.0.0"'],
      [
        LOCK.npm,
        npmEntry("lodash", "4.17.20"),
        `${npmEntry("lodash", "4.17.20")},${npmEntry("evil", "1.0.0")}`,
      ],
    ],
    "disagreement",
  ],
  [
    "a new need of the same version",
    "npm",
    "base",
    [
      [LOCK.npm, '"@types/qs": "*"', '"@types/qs": "*", "evil": "*"'],
      [
        LOCK.npm,
        npmEntry("lodash", "4.17.20"),
        `${npmEntry("lodash", "4.17.20")},${npmEntry("evil", "1.0.0")}`,
      ],
    ],
    "new-need",
  ],
  [
    "a script at installation",
    "npm",
    "base",
    [[LOCK.npm, '"version": "4.17.20",', '"version": "4.17.20", "hasInstallScript": true,']],
    "install-script",
  ],
  [
    "a version out of the manifest's range",
    "npm",
    "base",
    [
      [LOCK.npm, '"version": "4.17.20"', '"version": "3.10.1"'],
      [LOCK.npm, "lodash-4.17.20.tgz", "lodash-3.10.1.tgz"],
    ],
    "disagreement",
  ],
  [
    "an older version in the lockfile alone",
    "npm",
    "base",
    [
      [LOCK.npm, '"version": "4.17.20"', '"version": "4.17.11"'],
      [LOCK.npm, "lodash-4.17.20.tgz", "lodash-4.17.11.tgz"],
      [LOCK.npm, sha512("o"), sha512("O")],
    ],
    "downgrade",
  ],
  [
    "an override to another package",
    "npm",
    "base",
    [["package.json", '"overrides": {}', '"overrides": { "@types/qs": "npm:evil@1.0.0" }']],
    "redirected",
  ],
  [
    "an override to a repository",
    "npm",
    "base",
    [["package.json", '"overrides": {}', '"overrides": { "@types/qs": "github:evil/qs" }']],
    "redirected",
  ],
  [
    "a manifest that asks for a repository",
    "npm",
    "base",
    [["package.json", '"lodash": "^4.17.0"', '"lodash": "github:evil/lodash"']],
    "redirected",
  ],
  [
    "a letter of another script",
    "npm",
    "base",
    [["package.json", '"lodash": "^4.17.0"', '"lodash": "^4.17.0",\n    "expr\u0435ss": "^1.0.0"']],
    "deceptive-name",
  ],
  [
    "a letter that can't be seen",
    "npm",
    "base",
    [["package.json", '"lodash": "^4.17.0"', '"lodash": "^4.17.0",\n    "express\u200b": "^1.0.0"']],
    "deceptive-name",
  ],
  [
    "a name close to a popular one",
    "npm",
    "base",
    [["package.json", '"lodash": "^4.17.0"', '"lodash": "^4.17.0",\n    "expresss": "^1.0.0"']],
    "close-name",
  ],

  ["other bytes", "yarn", "base", [[LOCK.yarn, sha512("l"), sha512("X")]], "integrity-changed"],
  [
    "another hash in the address",
    "yarn",
    "base",
    [[LOCK.yarn, hex("2", 40), hex("9", 40)]],
    "integrity-changed",
  ],
  [
    "only the checksum in the address",
    "yarn",
    "base",
    [[LOCK.yarn, `  integrity ${sha512("l")}\n`, ""]],
    "integrity-weakened",
  ],
  [
    "another host",
    "yarn",
    "base",
    [[LOCK.yarn, `https://${YARN_HOST}/lodash`, `https://${YARN_HOST}.evil.example/lodash`]],
    "registry-changed",
  ],
  [
    "an alias",
    "yarn",
    "base",
    [
      [LOCK.yarn, "lodash@^4.17.0:", '"lodash@^4.17.0", "lodash@npm:evil@1.0.0":'],
      [
        LOCK.yarn,
        `https://${YARN_HOST}/lodash/-/lodash-4.17.20.tgz`,
        `https://${YARN_HOST}/evil/-/evil-4.17.20.tgz`,
      ],
    ],
    "other-package",
  ],
  [
    "a package that nothing requests",
    "yarn",
    "base",
    [
      [
        LOCK.yarn,
        "\nlodash@^4.17.0:",
        `\nevil@^1.0.0:\n  version "1.0.0"\n  resolved "https://${YARN_HOST}/evil/-/evil-1.0.0.tgz#${hex("5", 40)}"\n  integrity ${sha512("v")}\n\nlodash@^4.17.0:`,
      ],
    ],
    "unneeded",
  ],
  [
    "the archive of another version",
    "yarn",
    "update",
    [[LOCK.yarn, "lodash-4.17.21.tgz", "lodash-4.17.11.tgz"]],
    "other-package",
  ],

  ["other bytes", "berry", "base", [[LOCK.berry, hex("1", 128), hex("9", 128)]], "integrity-changed"],
  [
    "no checksum",
    "berry",
    "base",
    [[LOCK.berry, `  checksum: 10c0/${hex("1", 128)}\n`, ""]],
    "integrity-removed",
  ],
  [
    "another host",
    "berry",
    "base",
    [
      [
        LOCK.berry,
        '"lodash@npm:4.17.20"',
        '"lodash@npm:4.17.20::__archiveUrl=https%3A%2F%2Fevil.example%2Flodash%2F-%2Flodash-4.17.20.tgz"',
      ],
    ],
    "registry-changed",
  ],
  [
    "another package under the same name",
    "berry",
    "base",
    [[LOCK.berry, '"lodash@npm:4.17.20"', '"evil@npm:4.17.20"']],
    "origin-changed",
  ],

  ["other bytes", "pnpm", "base", [[LOCK.pnpm, sha512("l"), sha512("X")]], "integrity-changed"],
  [
    "no checksum",
    "pnpm",
    "update",
    [[LOCK.pnpm, `{integrity: ${sha512("L")}}`, `{registry: https://${NPM_HOST}/}`]],
    "integrity-removed",
  ],
  [
    "a download",
    "pnpm",
    "base",
    [
      [
        LOCK.pnpm,
        `{integrity: ${sha512("l")}}`,
        `{integrity: ${sha512("l")}, tarball: https://evil.example/l.tgz}`,
      ],
    ],
    "origin-changed",
  ],
  [
    "another host",
    "pnpm",
    "base",
    [
      [
        LOCK.pnpm,
        `{integrity: ${sha512("l")}}`,
        `{integrity: ${sha512("l")}, tarball: https://evil.example/lodash/-/lodash-4.17.20.tgz}`,
      ],
    ],
    "registry-changed",
  ],
  [
    "a package that nothing requests",
    "pnpm",
    "base",
    [
      [LOCK.pnpm, "packages:\n", `packages:\n\n  evil@1.0.0:\n    resolution: {integrity: ${sha512("v")}}\n`],
      [LOCK.pnpm, "snapshots:\n", "snapshots:\n\n  evil@1.0.0: {}\n"],
    ],
    "unneeded",
  ],
  [
    "a new need of the same version",
    "pnpm",
    "base",
    [
      [LOCK.pnpm, "packages:\n", `packages:\n\n  evil@1.0.0:\n    resolution: {integrity: ${sha512("v")}}\n`],
      [
        LOCK.pnpm,
        "  express@4.18.1: {}\n",
        "  evil@1.0.0: {}\n\n  express@4.18.1:\n    dependencies:\n      evil: 1.0.0\n",
      ],
    ],
    "new-need",
  ],

  ["other bytes", "bun", "base", [[LOCK.bun, sha512("l"), sha512("X")]], "integrity-changed"],
  [
    "another host",
    "bun",
    "base",
    [[LOCK.bun, '"lodash@4.17.20", ""', '"lodash@4.17.20", "https://evil.example/"']],
    "registry-changed",
  ],
  [
    "a package that nothing requests",
    "bun",
    "base",
    [
      [
        LOCK.bun,
        '    "lodash": [',
        `    "evil": ["evil@1.0.0", "", {}, "${sha512("v")}"],\n\n    "lodash": [`,
      ],
    ],
    "unneeded",
  ],

  ["other bytes", "cargo", "base", [["Cargo.lock", hex("a"), hex("f")]], "integrity-changed"],
  ["no checksum", "cargo", "update", [["Cargo.lock", `checksum = "${hex("c")}"\n`, ""]], "integrity-removed"],
  [
    "another registry",
    "cargo",
    "base",
    [
      [
        "Cargo.lock",
        `name = "itoa"\nversion = "1.0.9"\nsource = "registry+https://github.com/rust-lang/crates.io-index"`,
        `name = "itoa"\nversion = "1.0.9"\nsource = "registry+https://github.com/evil/crates.io-index"`,
      ],
    ],
    "source",
  ],
  [
    "a repository",
    "cargo",
    "base",
    [
      [
        "Cargo.lock",
        `name = "itoa"\nversion = "1.0.9"\nsource = "registry+https://github.com/rust-lang/crates.io-index"\nchecksum = "${hex("a")}"`,
        `name = "itoa"\nversion = "1.0.9"\nsource = "git+https://github.com/evil/itoa#${hex("f", 40)}"`,
      ],
    ],
    "origin-changed",
  ],
  [
    "a package that nothing requests",
    "cargo",
    "base",
    [
      [
        "Cargo.lock",
        '[[package]]\nname = "itoa"',
        `[[package]]\nname = "evil"\nversion = "1.0.0"\nsource = "registry+https://github.com/rust-lang/crates.io-index"\nchecksum = "${hex("e")}"\n\n[[package]]\nname = "itoa"`,
      ],
    ],
    "unneeded",
  ],

  ["other bytes of one file", "poetry", "base", [["poetry.lock", hex("a"), hex("f")]], "integrity-changed"],
  [
    "no checksums",
    "poetry",
    "update",
    [
      [
        "poetry.lock",
        `    {file = "requests-2.32.0-py3-none-any.whl", hash = "sha256:${hex("e")}"},\n    {file = "requests-2.32.0.tar.gz", hash = "sha256:${hex("f")}"},\n`,
        "",
      ],
    ],
    "integrity-removed",
  ],
  [
    "another index",
    "poetry",
    "base",
    [
      [
        "poetry.lock",
        `python-versions = ">=3.7"\n`,
        `python-versions = ">=3.7"\n\n[package.source]\ntype = "legacy"\nurl = "https://pypi.evil.example/simple"\nreference = "evil"\n\n[package.none]\n`,
      ],
    ],
    "registry-changed",
  ],
  ["other bytes", "uv", "base", [["uv.lock", hex("a"), hex("f")]], "integrity-changed"],
  [
    "another index",
    "uv",
    "base",
    [["uv.lock", "https://pypi.org/simple", "https://pypi.org.evil.example/simple"]],
    "deceptive-host",
  ],
  [
    "a repository",
    "uv",
    "base",
    [
      [
        "uv.lock",
        '{ registry = "https://pypi.org/simple" }',
        `{ git = "https://github.com/evil/requests#${hex("f", 40)}" }`,
      ],
    ],
    "origin-changed",
  ],
  ["other bytes", "pipenv", "base", [["Pipfile.lock", hex("c"), hex("f")]], "integrity-changed"],
  [
    "no checksums",
    "pipenv",
    "update",
    [["Pipfile.lock", `"hashes": ["sha256:${hex("d")}", "sha256:${hex("e")}"], `, ""]],
    "integrity-removed",
  ],
  [
    "another index",
    "pipenv",
    "base",
    [["Pipfile.lock", "https://pypi.org/simple", "https://evil.example/simple"]],
    "registry-changed",
  ],
  ["other bytes", "pip", "base", [["requirements.txt", hex("c"), hex("f")]], "integrity-changed"],
  [
    "no checksums",
    "pip",
    "update",
    [["requirements.txt", ` \\\n    --hash=sha256:${hex("d")} \\\n    --hash=sha256:${hex("e")}`, ""]],
    "integrity-removed",
  ],
  [
    "an additional index",
    "pip",
    "base",
    [["requirements.txt", "idna==3.4", "--extra-index-url https://evil.example/simple\nidna==3.4"]],
    "registry-changed",
  ],
  [
    "a name close to a popular one",
    "pip",
    "base",
    [["requirements.txt", "requests==2.31.0", `request==1.0 --hash=sha256:${hex("f")}\nrequests==2.31.0`]],
    "close-name",
  ],

  [
    "another remote",
    "bundler",
    "base",
    [["Gemfile.lock", "https://rubygems.org/", "https://gems.evil.example/"]],
    "registry-changed",
  ],
  [
    "a second remote",
    "bundler",
    "base",
    [
      [
        "Gemfile.lock",
        "  remote: https://rubygems.org/\n",
        "  remote: https://gems.evil.example/\n  remote: https://rubygems.org/\n",
      ],
    ],
    "registry-changed",
  ],
  ["other bytes", "bundler", "base", [["Gemfile.lock", hex("a"), hex("f")]], "integrity-changed"],
  [
    "a package that nothing requests",
    "bundler",
    "base",
    [["Gemfile.lock", "    nio4r (2.5.9)\n", "    evil (1.0.0)\n    nio4r (2.5.9)\n"]],
    "unneeded",
  ],
  [
    "a new need of the same version",
    "bundler",
    "base",
    [["Gemfile.lock", "    nio4r (2.5.9)\n", "    evil (1.0.0)\n    nio4r (2.5.9)\n      evil\n"]],
    "new-need",
  ],
  ["other bytes", "go", "base", [["go.sum", hex("a", 43), hex("f", 43)]], "integrity-changed"],
  ["other bytes of the go.mod", "go", "base", [["go.sum", hex("b", 43), hex("f", 43)]], "integrity-changed"],
  [
    "no checksum",
    "go",
    "update",
    [
      ["go.sum", `github.com/google/uuid v1.5.0 h1:${hex("c", 43)}=\n`, ""],
      ["go.sum", `github.com/google/uuid v1.5.0/go.mod h1:${hex("d", 43)}=\n`, ""],
    ],
    "disagreement",
  ],
  [
    "another module in its place",
    "go",
    "base",
    [
      [
        "go.mod",
        "require github.com/google/uuid v1.4.0\n",
        "require github.com/google/uuid v1.4.0\n\nreplace github.com/google/uuid => github.com/evil/uuid v1.4.0\n",
      ],
    ],
    "redirected",
  ],
  [
    "another commit of the same version",
    "composer",
    "base",
    [["composer.lock", hex("b", 40), hex("f", 40)]],
    "integrity-changed",
  ],
  [
    "another host",
    "composer",
    "base",
    [["composer.lock", "https://api.github.com/repos/php-fig", "https://evil.example/repos/php-fig"]],
    "registry-changed",
  ],
  [
    "an unencrypted download",
    "composer",
    "update",
    [
      [
        "composer.lock",
        `https://api.github.com/repos/Seldaek/monolog/zipball/${hex("c", 40)}`,
        `http://api.github.com/repos/Seldaek/monolog/zipball/${hex("c", 40)}`,
      ],
    ],
    "insecure-url",
  ],
  ["other bytes", "nuget", "base", [["packages.lock.json", hex("b", 86), hex("f", 86)]], "integrity-changed"],
  [
    "no checksum",
    "nuget",
    "update",
    [["packages.lock.json", `, "contentHash": "${hex("c", 86)}=="`, ""]],
    "integrity-removed",
  ],
  ["other bytes", "mix", "base", [["mix.lock", hex("b"), hex("f")]], "integrity-changed"],
  ["another repository of packages", "mix", "base", [["mix.lock", '"hexpm"', '"evil"']], "source"],
  [
    "another commit of the same tag",
    "mix",
    "base",
    [["mix.lock", hex("1", 40), hex("f", 40)]],
    "moved-reference",
  ],
  ["other bytes", "pub", "base", [["pubspec.lock", hex("a"), hex("f")]], "integrity-changed"],
  [
    "another host",
    "pub",
    "base",
    [["pubspec.lock", "https://pub.dev", "https://pub.dev.evil.example"]],
    "registry-changed",
  ],
  ["other bytes", "terraform", "base", [[".terraform.lock.hcl", hex("b"), hex("f")]], "integrity-changed"],
  [
    "an older version in the lockfile alone",
    "terraform",
    "base",
    [[".terraform.lock.hcl", '"5.1.0"', '"5.0.0"']],
    "downgrade",
  ],

  [
    "a tag in the place of a commit",
    "actions",
    "update",
    [[".github/workflows/ci.yml", `${hex("b", 40)} # v4.1.1`, "v4"]],
    "unpinned",
  ],
  [
    "another commit of the same version",
    "actions",
    "base",
    [[".github/workflows/ci.yml", hex("a", 40), hex("f", 40)]],
    "moved-reference",
  ],
  [
    "an action close to a popular one",
    "actions",
    "base",
    [[".github/workflows/ci.yml", "actions/checkout", "actlons/checkout"]],
    "close-name",
  ],
  [
    "a tag in the place of a digest",
    "docker",
    "update",
    [["Dockerfile", `@sha256:${hex("b")}`, ""]],
    "unpinned",
  ],
];

type Found = { readonly said: readonly string[]; readonly isSuspicious: boolean };

function compare(base: Project["files"], head: Project["files"]): Found {
  const pairs = Object.keys(base).map((path): FilePair => ({
    path,
    base: { text: base[path] ?? "" },
    head: { text: head[path] ?? "" },
  }));
  const { packages, disagreements, unread } = compareFiles(pairs);
  assert.deepEqual(unread, []);
  const signals = packages.flatMap((each) => each.signals);
  for (const signal of signals) assert.match(describeSignal(signal), /^[\x20-\x7e]+$/);
  return {
    said: [
      ...signals.map(({ kind }) => kind),
      ...packages.map(({ kind }) => kind),
      ...(disagreements.length > 0 ? ["disagreement"] : []),
    ],
    isSuspicious: signals.length > 0 || disagreements.length > 0,
  };
}

function edit(files: Project["files"], edits: readonly Edit[]): Project["files"] {
  const edited = { ...files };
  for (const [path, from, to] of edits) {
    assert.ok(edited[path]?.includes(from) === true, `${path} has ${from}`);
    edited[path] = edited[path].replaceAll(from, () => to);
  }
  return edited;
}

test("genuine updates aren't suspicious", () => {
  for (const [name, { files, update }] of Object.entries<Project>(PROJECTS)) {
    assert.deepEqual(compare(files, files), { said: [], isSuspicious: false }, name);
    const { said, isSuspicious } = compare(files, edit(files, update));
    assert.ok(said.length > 0 && !isSuspicious, `${name}: ${said.join(", ")}`);
  }
});

for (const [kind, project, of, edits, expected] of TAMPERINGS) {
  test(`${project}: ${kind} is reported (${of})`, () => {
    const { files, update }: Project = PROJECTS[project];
    const start = of === "base" ? files : edit(files, update);
    const { said } = compare(files, edit(start, edits));
    assert.ok(said.includes(expected), said.join(", "));
  });
}

/** Names, hosts and versions that appear in the files, and characters with a meaning in some format or none in a terminal. */
const INSERTED = fc.constantFrom(
  '"',
  "\\",
  "{",
  "}",
  "[",
  "]",
  ":",
  ",",
  "\n",
  "  ",
  "@",
  "#",
  "/",
  "-",
  ">",
  "=",
  "~",
  "0",
  "9",
  "__proto__",
  "constructor",
  "\u0430",
  "\u200b",
  "\u202e",
  "\u001b[31m",
  "\u0000",
  "\ud800",
  "sha1-",
  "http://",
  "git+",
  "npm:",
  "../",
);

const EDITS = fc.array(
  fc.record({
    at: fc.nat(),
    cut: fc.nat({ max: 12 }),
    text: fc.oneof(INSERTED, fc.string({ maxLength: 3 })),
  }),
  { minLength: 1, maxLength: 4 },
);

test("random edits throw nothing, and what is said can be printed", () => {
  const projects: readonly Project[] = Object.values(PROJECTS);
  fc.assert(
    fc.property(fc.constantFrom(...projects), fc.nat(), EDITS, ({ files }, which, edits) => {
      const paths = Object.keys(files);
      const edited = paths[which % paths.length] ?? "";
      let text = files[edited] ?? "";
      for (const { at, cut, text: inserted } of edits) {
        const start = at % (text.length + 1);
        text = text.slice(0, start) + inserted + text.slice(start + cut);
      }
      const pairs = paths.map((path): FilePair => {
        const base = { text: files[path] ?? "" };
        return { path, base, head: path === edited ? { text } : base };
      });
      const { packages } = compareFiles(pairs);
      for (const { signals } of packages) {
        for (const signal of signals) {
          assert.equal(typeof isTampering(signal), "boolean");
          assert.doesNotMatch(describeSignal(signal), /[^\x20-\x7e]/);
        }
      }
    }),
    { numRuns: someRuns(2_000) },
  );
});
