import assert from "node:assert/strict";
import { test } from "node:test";
import { checkNeverThrows, readWith, showNeeds, showPackages } from "../../../test/support/show-packages.ts";
import { PYPI } from "./pypi.ts";

type Case = readonly [name: string, path: string, text: string, expected: readonly string[] | string];

const MANIFESTS: readonly Case[] = [
  [
    "requirements with markers, extras, comments and options",
    "requirements.txt",
    `# pinned
--no-binary :all:
-r base.txt
Flask_SQLAlchemy==3.1.1  # via -r requirements.in
uvicorn[standard] >= 0.20, < 1 ; python_version >= "3.8"
six

zope.interface~=6.0
`,
    [
      "4: flask-sqlalchemy 3.1.1 (==3.1.1)",
      "5: uvicorn (>=0.20,<1)",
      "6: six ()",
      "8: zope-interface (~=6.0)",
    ],
  ],
  [
    "hashes on continued lines",
    "requirements/dev.txt",
    `pytest==8.0.0 \\
    --hash=sha256:aa \\
    --hash=sha256:bb
ruff==0.5.0 --hash=sha256:cc
`,
    ["1: pytest 8.0.0 (==8.0.0) dev <sha256:aa sha256:bb>", "4: ruff 0.5.0 (==0.5.0) dev <sha256:cc>"],
  ],
  [
    "repositories, URLs and folders",
    "requirements.txt",
    `git+https://user:secret@github.com/pallets/flask.git@3.0.0#egg=Flask
-e git+ssh://git@example.com/team/lib.git#egg=lib&subdirectory=py
requests @ https://example.com/requests-2.0.tar.gz#sha256=ab12
https://example.com/wheels/demo_pkg-1.4-py3-none-any.whl
pkg @ file:///opt/pkg
-e .
./other
`,
    [
      "1: flask () git https://github.com/pallets/flask.git # 3.0.0",
      "2: lib () git ssh://example.com/team/lib.git # ",
      "3: requests () url https://example.com/requests-2.0.tar.gz <sha256:ab12>",
      "4: demo-pkg 1.4 () url https://example.com/wheels/demo_pkg-1.4-py3-none-any.whl",
      "5: pkg () local /opt/pkg",
    ],
  ],
  [
    "an additional index",
    "constraints.txt",
    "--index-url https://pypi.org/simple\n--extra-index-url https://u:p@pkgs.example.com/simple\na==1\n",
    ["3: a 1 (==1) from https://pkgs.example.com/simple"],
  ],
  [
    "other requirements",
    "docs/requirements.txt",
    "The system shall be fast.\nIt should work.\n",
    "malformed",
  ],
  ["a conflict", "requirements.txt", "a==1\n<<<<<<< HEAD\nb==1\n", "conflict-markers"],
  [
    "pyproject.toml by the standards",
    "pyproject.toml",
    `[build-system]
requires = ["hatchling>=1.0"]

[project]
name = "demo"
dependencies = [
  "httpx>=0.27,<1",
  'Django (>=4.2) ; python_version > "3.9"', # the framework
  "internal",
]

[project.optional-dependencies]
test = ["pytest"]
s3 = ["boto3==1.34.0"]
all = ["demo[s3]"]

[dependency-groups]
lint = [
  {include-group = "test"},
  "ruff~=0.5",
]

[tool.uv.sources]
Internal = { git = "https://example.com/internal", tag = "v2" }
`,
    [
      "7: httpx (>=0.27,<1)",
      "8: django (>=4.2)",
      "9: internal () git https://example.com/internal # v2",
      "2: hatchling (>=1.0) build",
      "13: pytest () dev",
      "14: boto3 1.34.0 (==1.34.0) optional",
      "20: ruff (~=0.5) dev",
    ],
  ],
  [
    "pyproject.toml of Poetry",
    "pyproject.toml",
    `[tool.poetry.dependencies]
python = "^3.9"
requests = "^2.31"
exact = "1.2.3"
my_lib = {git = "https://example.com/lib.git", rev = "abc"}
near = {path = "../near", develop = true}
extra = {version = ">=1", optional = true, source = "private"}
numpy = [
  {version = "<2", python = "<3.9"},
  {version = ">=2", python = ">=3.9"},
]
[tool.poetry.group.dev.dependencies.black]
version = "==24.1.0"

[[tool.poetry.source]]
name = "private"
url = "https://pkgs.example.com/simple"
priority = "explicit"
`,
    [
      "3: requests (^2.31)",
      "4: exact 1.2.3",
      "5: my-lib () git https://example.com/lib.git # abc",
      "6: near () local ../near",
      "7: extra (>=1) optional from https://pkgs.example.com/simple",
      "8: numpy (<2)",
      "8: numpy (>=2)",
      "12: black 24.1.0 (==24.1.0) dev",
    ],
  ],
  [
    "a multi-line string that looks like a table",
    "pyproject.toml",
    `[project]
description = """
[project]
dependencies = ["no"]
"""
dependencies = ["yes"]
`,
    ["6: yes ()"],
  ],
  ["half a pyproject.toml", "pyproject.toml", '[project]\ndependencies = [\n  "a",\n', "malformed"],
  [
    "Pipfile",
    "Pipfile",
    `[[source]]
url = "https://pypi.org/simple"
name = "pypi"

[packages]
requests = "*"
Sphinx = {version = "==7.0", extras = ["x"]}

[dev-packages]
tool = {git = "https://example.com/tool.git", ref = "main"}
`,
    [
      "6: requests (*) from https://pypi.org/simple",
      "7: sphinx 7.0 (==7.0) from https://pypi.org/simple",
      "10: tool () dev git https://example.com/tool.git # main",
    ],
  ],
  [
    "setup.cfg",
    "setup.cfg",
    `[metadata]
name = demo

[options]
python_requires = >=3.8
install_requires =
    requests>=2 ; python_version < "4"
    # a comment
    attrs
[options.extras_require]
test =
    pytest>=7
cli = click
[tool:pytest]
addopts = -q
`,
    ["7: requests (>=2)", "9: attrs ()", "12: pytest (>=7) dev", "13: click () optional"],
  ],
  ["a line at the margin", "setup.cfg", "[options]\nbroken\n", "malformed"],
];

const LOCKS: readonly Case[] = [
  [
    "poetry.lock 2.1",
    "poetry.lock",
    `# @generated by Poetry
[[package]]
name = "Anyio"
version = "4.4.0"
description = "with \\"quotes\\""
optional = false
python-versions = ">=3.8"
groups = ["main", "dev"]
files = [
    {file = "anyio-4.4.0-py3-none-any.whl", hash = "sha256:a1"},
    {file = "anyio-4.4.0.tar.gz", hash = "sha256:a2"},
]

[package.dependencies]
idna = ">=2.8"
typing_extensions = {version = ">=4.1", markers = "python_version < \\"3.11\\""}

[[package]]
name = "idna"
version = "3.7"
optional = true
groups = ["dev"]
files = []

[[package]]
name = "typing-extensions"
version = "4.12.0"
optional = false
groups = ["dev"]
files = []

[package.source]
type = "git"
url = "https://user:pw@example.com/te.git"
reference = "main"
resolved_reference = "0123abcd"

[metadata]
lock-version = "2.1"
`,
    [
      "anyio 4.4.0 <sha256:a1?anyio-4.4.0-py3-none-any.whl sha256:a2?anyio-4.4.0.tar.gz>",
      "idna 3.7 optional",
      "typing-extensions 4.12.0 dev git https://example.com/te.git # 0123abcd",
    ],
  ],
  [
    "poetry.lock 1.1",
    "poetry.lock",
    `[[package]]
name = "idna"
version = "2.10"
category = "dev"
optional = false

[metadata]
lock-version = "1.1"

[metadata.files]
idna = [
    {file = "idna-2.10.tar.gz", hash = "sha256:b1"},
]
`,
    ["idna 2.10 dev <sha256:b1?idna-2.10.tar.gz>"],
  ],
  [
    "poetry.lock before 1.0",
    "poetry.lock",
    '[[package]]\nname = "idna"\nversion = "2.8"\ncategory = "main"\n\n[metadata.hashes]\nidna = ["c156"]\n',
    ["idna 2.8 <c156>"],
  ],
  [
    "files as tables",
    "poetry.lock",
    '[[package]]\nname = "a"\nversion = "1"\n\n[[package.files]]\nfile = "a"\nhash = "sha256:c1"\n\n[metadata]\nlock-version = "2.0"\n',
    ["a 1 <sha256:c1?a>"],
  ],
  ["a newer poetry.lock", "poetry.lock", '[metadata]\nlock-version = "3.0"\n', "unknown-format-version"],
  ["a poetry.lock without its end", "poetry.lock", '[[package]]\nname = "a"\nversion = "1"\n', "malformed"],
  [
    "uv.lock",
    "uv.lock",
    `version = 1
revision = 2
requires-python = ">=3.12"

[[package]]
name = "demo"
version = "0.1.0"
source = { editable = "." }
dependencies = [
    { name = "httpx" },
]

[package.dev-dependencies]
dev = [
    { name = "pytest" },
]

[package.metadata]
requires-dist = [{ name = "httpx", extras = ["http2"], specifier = ">=0.27,<1" }]

[package.metadata.requires-dev]
dev = [{ name = "pytest", git = "https://example.com/pytest" }]

[[package]]
name = "httpx"
version = "0.27.0"
source = { registry = "https://pypi.org/simple" }
dependencies = [
    { name = "idna" },
]
sdist = { url = "https://files.example.com/httpx.tar.gz", hash = "sha256:d1", size = 12, upload-time = "2024-01-01T00:00:00Z" }
wheels = [
    { url = "https://files.example.com/httpx.whl", hash = "sha256:d2", size = 12, upload-time = "2024-01-01T00:00:00Z" },
]

[[package]]
name = "idna"
version = "3.7"
source = { registry = "https://pypi.org/simple" }

[[package]]
name = "pytest"
version = "8.0.0"
source = { git = "https://example.com/pytest?rev=main#abcdef" }
`,
    [
      "demo 0.1.0 local ",
      "httpx 0.27.0 from https://pypi.org/simple <sha256:d1?httpx.tar.gz sha256:d2?httpx.whl>",
      "idna 3.7 from https://pypi.org/simple",
      "pytest 8.0.0 dev git https://example.com/pytest # abcdef",
    ],
  ],
  ["a newer uv.lock", "uv.lock", "version = 2\n", "unknown-format-version"],
  ["an empty uv.lock", "uv.lock", "", "malformed"],
  [
    "Pipfile.lock",
    "Pipfile.lock",
    JSON.stringify({
      _meta: { "pipfile-spec": 6, sources: [{ name: "pypi", url: "https://pypi.org/simple" }] },
      default: { Flask: { version: "==3.0.0", hashes: ["sha256:e1", "sha256:e2"], index: "pypi" } },
      develop: { lib: { git: "https://example.com/lib.git", ref: "abc" }, near: { path: "./near" } },
    }),
    [
      "flask 3.0.0 from https://pypi.org/simple <sha256:e1 sha256:e2>",
      "lib dev git https://example.com/lib.git # abc",
      "near dev local ./near",
    ],
  ],
  ["a newer Pipfile.lock", "Pipfile.lock", '{"_meta": {"pipfile-spec": 7}}', "unknown-format-version"],
  ["half a Pipfile.lock", "Pipfile.lock", '{"_meta": {"pipfile-spec": 6}, "default": {', "malformed"],
  [
    "pdm.lock 4",
    "pdm.lock",
    `[metadata]
groups = ["default", "test"]
lock_version = "4.5.0"

[[package]]
name = "uvicorn"
version = "0.30.0"
groups = ["default"]
dependencies = [
    "click>=7.0",
]
files = [
    {file = "uvicorn.whl", hash = "sha256:f1"},
]

[[package]]
name = "uvicorn"
version = "0.30.0"
extras = ["standard"]
groups = ["default"]
dependencies = [
    "httptools>=0.5; sys_platform != \\"win32\\"",
    "uvicorn==0.30.0",
]
files = [
    {file = "uvicorn.whl", hash = "sha256:f1"},
]

[[package]]
name = "click"
version = "8.1.7"
groups = ["default"]

[[package]]
name = "httptools"
version = "0.6.1"
groups = ["test"]
git = "https://example.com/httptools.git"
ref = "master"
revision = "fedc"
`,
    [
      "uvicorn 0.30.0 <sha256:f1?uvicorn.whl>",
      "click 8.1.7",
      "httptools 0.6.1 dev git https://example.com/httptools.git # fedc",
    ],
  ],
  [
    "pdm.lock 3",
    "pdm.lock",
    `[[package]]
name = "click"
version = "8.1.3"

[metadata]
lock_version = "3.1"

[metadata.files]
"click 8.1.3" = [
    {file = "click.whl", hash = "sha256:g1"},
]
`,
    ["click 8.1.3 <sha256:g1?click.whl>"],
  ],
  ["a newer pdm.lock", "pdm.lock", '[metadata]\nlock_version = "5.0"\n', "unknown-format-version"],
  ["a conflict in a lockfile", "pdm.lock", "<<<<<<< HEAD\n", "conflict-markers"],
];

test("dependency files of Python are read", () => {
  for (const [name, path, text, expected] of [...MANIFESTS, ...LOCKS])
    assert.deepEqual(showPackages(readWith(PYPI.formats, path, text)), expected, name);
});

function textOf(name: string): string {
  return LOCKS.find(([each]) => each === name)?.[2] ?? "";
}

const NEEDS: readonly (readonly [string, string, readonly string[]])[] = [
  ["poetry.lock", "poetry.lock 2.1", [" → anyio 4.4.0", "anyio → idna 3.7, typing-extensions 4.12.0"]],
  [
    "uv.lock",
    "uv.lock",
    [" → httpx 0.27.0, pytest 8.0.0", "demo → httpx 0.27.0, pytest 8.0.0", "httpx → idna 3.7"],
  ],
  ["pdm.lock", "pdm.lock 4", [" → uvicorn 0.30.0", "uvicorn → click 8.1.7, httptools 0.6.1, uvicorn 0.30.0"]],
];

test("needs are resolved within lockfiles of Python", () => {
  for (const [path, name, expected] of NEEDS)
    assert.deepEqual(showNeeds(readWith(PYPI.formats, path, textOf(name))), expected, name);
});

test("uv.lock has the requests of the project", () => {
  const file = readWith(PYPI.formats, "uv.lock", textOf("uv.lock"));
  assert.deepEqual(typeof file === "string" ? file : file.requested, [
    { name: "httpx", requirement: ">=0.27,<1", folder: "" },
    { name: "pytest", requirement: "", folder: "" },
  ]);
});

const PATHS: readonly (readonly [string, string | null])[] = [
  ["requirements.txt", "requirements.txt"],
  ["requirements-dev.txt", "requirements.txt"],
  ["dev_requirements.txt", "requirements.txt"],
  ["requirements_all.txt", "requirements.txt"],
  ["requirements.in", "requirements.txt"],
  ["a/requirements/prod.txt", "requirements.txt"],
  ["constraints.txt", "requirements.txt"],
  ["notes.txt", null],
  ["requirements.md", null],
  ["a/pyproject.toml", "pyproject.toml"],
  ["Pipfile", "Pipfile"],
  ["Pipfile.lock", "Pipfile.lock"],
];

test("paths of Python's dependency files", () => {
  for (const [path, expected] of PATHS)
    assert.equal(PYPI.formats.find((format) => format.path.test(path))?.name ?? null, expected, path);
});

test("damaged dependency files of Python are refused", () => {
  checkNeverThrows(
    PYPI.formats,
    [...MANIFESTS, ...LOCKS].map(([, path, text]) => [path, text] as const),
  );
});
