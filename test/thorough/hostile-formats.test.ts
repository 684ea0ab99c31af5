/** No text makes a reader throw or take long, whatever a pull request contains. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { cpuMs } from "../support/cpu-ms.ts";
import { ALL_FORMATS } from "../../src/ecosystems/all-ecosystems.ts";
import { ECOSYSTEM_IDS } from "../../src/ecosystems/ecosystem.ts";

/** Bun's binary lockfile is never read. */
const FORMATS = ALL_FORMATS.filter(({ name }) => name !== "bun.lockb");

/** One valid text per kind of syntax. Every reader gets all of them. */
const SAMPLES: readonly string[] = [
  "<project><properties><v>1</v></properties><dependencies><dependency><groupId>a</groupId><artifactId>b</artifactId><version>${v}</version></dependency></dependencies></project>",
  '<Project Sdk="A/1"><ItemGroup><PackageReference Include="a" Version="$(V)" /></ItemGroup></Project>',
  "plugins { id 'a' version \"1\" }\ndef v = [a: '1', b: \"2\"]\ndependencies {\n  implementation \"a:b:${v.a}\" // x\n  api group: 'a', name: 'b', version: v\n}\n",
  '[versions]\na = "1"\n[libraries]\nb = { module = "c:d", version.ref = "a" }\n',
  "a:b:1.0=compileClasspath\nempty=\n",
  '{"require": {"a/b": "^1.0"}, "packages": [{"name": "a/b", "version": "1.0", "require": {"c/d": "1"}, "dist": {"url": "https://u:p@h/x"}}], "packages-dev": []}',
  '{"version": 1, "dependencies": {"net8.0": {"A": {"type": "Direct", "requested": "[1, )", "resolved": "1", "dependencies": {"B": "1"}}}}}',
  'packages:\n  a:\n    dependency: "direct main"\n    description:\n      name: a\n      url: "https://pub.dev"\n    source: hosted\n    version: "1.0.0"\n',
  'dependencies:\n  a: ^1.0.0\n  b:\n    git: {url: https://x, ref: main}\njobs:\n  x:\n    steps:\n      - uses: a/b@v1 # v1.2\n      - run: |\n          x\nrepos:\n- repo: https://x\n  rev: v1\nservices:\n  a:\n    image: "x:1"\n',
  'defmodule A do\n  @v "~> 1.0"\n  defp deps do\n    [{:a, @v, only: [:dev]}, {:b, git: "https://x", tag: "v#{1}"}]\n  end\nend\n',
  '%{\n  "a": {:hex, :a, "1.0", "h", [:mix], [{:b, "~> 1.0", [hex: :b, optional: false]}], "hexpm", "o"},\n  "b": {:git, "https://x", "abc", [tag: "v1"]},\n}\n',
  "# syntax=docker/dockerfile:1\nARG V=1\nFROM node:${V}-slim@sha256:00 AS a\nRUN <<EOF\nx\nEOF\nCOPY --from=b:1 \\\n  /a /b\n",
  'terraform {\n  required_providers {\n    aws = { source = "hashicorp/aws", version = "~> 5.0" }\n  }\n}\nmodule "a" {\n  source = "git::https://x?ref=1" # c\n  b = <<EOT\nx ${y}\nEOT\n}\n',
  '{"dependencies": {"a": "^1.0"}, "overrides": {"b": {".": "1", "c": "2"}}, "catalog": {"d": "1"}}',
  'catalog:\n  a: ^1.0.0\ncatalogs:\n  x:\n    b: "1"\n',
  '{"lockfileVersion": 1, "dependencies": {"a": {"version": "1.0.0", "requires": {"b": "1"}, "dependencies": {"b": {"version": "1.0.0"}}}}}',
  '{"lockfileVersion": 3, "packages": {"": {"dependencies": {"a": "1"}}, "node_modules/a": {"version": "1.0.0", "dependencies": {"b": "1"}}, "node_modules/a/node_modules/b": {"version": "1.0.0", "integrity": "sha512-a"}}}',
  '# yarn lockfile v1\n\n"a@^1.0", a@1:\n  version "1.0.0"\n  resolved "https://x/a.tgz#abc"\n  dependencies:\n    b "^1.0"\n\nb@^1.0:\n  version "1.0.0"\n',
  '__metadata:\n  version: 8\n\n"a@npm:^1.0":\n  version: 1.0.0\n  resolution: "a@npm:1.0.0"\n  dependencies:\n    a: "npm:^1.0"\n  checksum: 10/abc\n',
  "lockfileVersion: '9.0'\nimporters:\n  .:\n    dependencies:\n      a:\n        specifier: ^1.0.0\n        version: 1.0.0\npackages:\n  a@1.0.0:\n    resolution: {integrity: sha512-a}\nsnapshots:\n  a@1.0.0:\n    dependencies:\n      a: 1.0.0\n",
  '{"lockfileVersion": 1, "workspaces": {"": {"dependencies": {"a": "1"}}}, "packages": {"a": ["a@1.0.0", "", {"dependencies": {"a": "1"}}, "sha512-a"]}}',
  "a[b,c]==1.0 ; python_version < '3' \\\n    --hash=sha256:00\n-r b.txt\nd @ https://x/d.zip\n",
  '[project]\nname = "x"\ndependencies = [\n  "a>=1",\n]\n[tool.poetry.dependencies]\nb = { version = "^1", extras = ["c"] }\n[dependency-groups]\ndev = ["d"]\n',
  '[packages]\na = "*"\nb = { version = "==1.0" }\n[dev-packages]\nc = "*"\n',
  "[metadata]\nname = x\n[options]\ninstall_requires =\n    a>=1\n    b\n",
  '[[package]]\nname = "a"\nversion = "1.0"\nfiles = [\n    {file = "a.whl", hash = "sha256:00"},\n]\n\n[package.dependencies]\na = "*"\n\n[metadata]\nlock-version = "2.0"\n',
  'version = 1\n\n[[package]]\nname = "a"\nversion = "1.0"\nsource = { registry = "https://pypi.org/simple" }\ndependencies = [\n    { name = "a" },\n]\n',
  '{"_meta": {"pipfile-spec": 6}, "default": {"a": {"version": "==1.0", "hashes": ["sha256:00"]}}, "develop": {}}',
  "module x\n\ngo 1.22\n\nrequire (\n\texample.com/a v1.0.0\n\texample.com/b v1.0.0 // indirect\n)\nreplace example.com/a => ../a\n",
  "example.com/a v1.0.0 h1:00=\nexample.com/a v1.0.0/go.mod h1:00=\n",
  '[package]\nname = "x"\n[dependencies]\na = "1"\nb = { git = "https://x", tag = "v1" }\n[target.x.dev-dependencies]\nc = "1"\n',
  'version = 4\n\n[[package]]\nname = "a"\nversion = "1.0.0"\nsource = "registry+https://x"\ndependencies = [\n "a 1.0.0",\n]\n',
  "source 'https://rubygems.org'\ngroup :test do\n  gem 'a', '~> 1.0', require: false\nend\ngem \"b\", git: 'https://x'\n",
  "Gem::Specification.new do |s|\n  s.add_dependency 'a', '>= 1'\nend\n",
  "GEM\n  remote: https://rubygems.org/\n  specs:\n    a (1.0)\n      b (>= 1)\n    b (1.0)\n\nDEPENDENCIES\n  a (~> 1.0)!\n\nCHECKSUMS\n  a (1.0) sha256=00\n",
];

/** Reads, and uses what was read as a comparison does. */
function readAll(text: string): void {
  for (const { read, name } of FORMATS) {
    const file = read(text, `folder/${name}`);
    if (typeof file === "string") continue;
    for (const entry of [null, ...file.listed]) {
      assert.ok(
        entry === null || (entry.name !== "" && entry.line >= 0),
        `${name}: ${JSON.stringify(entry)}`,
      );
      for (const needed of file.needsOf?.(entry) ?? []) assert.ok(file.listed.includes(needed));
    }
  }
}

test("every ecosystem has a sample that one of its formats reads", () => {
  const read = FORMATS.filter((format) =>
    SAMPLES.some((sample) => {
      const file = format.read(sample, format.name);
      return typeof file !== "string" && file.listed.length > 0;
    }),
  );
  assert.deepEqual(new Set(read.map(({ ecosystem }) => ecosystem)), new Set(ECOSYSTEM_IDS));
});

test("every sample is read by one of the formats", () => {
  for (const sample of SAMPLES) {
    const counts = FORMATS.map(({ read, name }) => read(sample, name)).map((file) =>
      typeof file === "string" ? 0 : file.listed.length,
    );
    assert.ok(Math.max(...counts) > 0, sample);
  }
});

test("every beginning of a valid text is read without an exception", () => {
  for (const sample of SAMPLES) {
    for (let end = 0; end <= sample.length; end += 1) readAll(sample.slice(0, end));
  }
});

test("damaged texts are read without an exception", () => {
  const piece = fc.oneof(
    fc.constantFrom(...SAMPLES),
    fc.string({ unit: "binary", maxLength: 20 }),
    fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      '"',
      "'",
      "${",
      "#{",
      "<<EOF\n",
      "/*",
      "\\",
      "\r",
      "\u0000",
      "&a;",
      "__proto__: 1\n",
    ),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 4 }), fc.nat(), fc.nat(), (pieces, from, length) => {
      const text = pieces.join("");
      const start = from % (text.length + 1);
      readAll(text.slice(0, start) + text.slice(start + (length % 20)));
    }),
    { numRuns: 300 },
  );
});

test("conflict markers are reported by every format", () => {
  for (const { read, name } of FORMATS)
    assert.equal(read("a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> d\n", name), "conflict-markers");
});

/** Units that a text repeats. */
const REPEATED = [
  "a ",
  '"',
  "'",
  "\\",
  "{",
  "[",
  "(",
  "}",
  "${",
  "#{",
  "<",
  "<a>",
  "&a;",
  ":",
  "- ",
  "$",
  "a:",
  "a=",
  "=",
  "/*",
  "//",
  "\r",
  "\n",
  "#",
  "@",
  "a@",
  "%{",
  "<<A\n",
  '"${',
  "a: ",
  "a.",
  "a-",
  "FROM a:1 ",
  "{:a,",
  "${a}",
  "$(a)",
  "defp deps do\n",
  "uses: a/",
] as const;

/** Lines or entries that differ by their number. */
const numbered = (chars: number, write: (index: number) => string, separator = ""): string =>
  Array.from({ length: chars / (write(0).length + 2) }, (_, index) => write(index)).join(separator);

const nested = (chars: number, open: string, inner: string, close: string): string => {
  const depth = chars / (open.length + close.length);
  return open.repeat(depth) + inner + close.repeat(depth);
};

/** Texts on which a reader that goes back over its input takes quadratic time. All formats read all of them. */
const SHAPES: readonly (readonly [name: string, write: (chars: number) => string])[] = [
  ...REPEATED.map(
    (unit) => [JSON.stringify(unit), (chars: number) => unit.repeat(chars / unit.length)] as const,
  ),
  ["a dotted key", (chars) => `${"a.".repeat(chars / 2)}b=1\n`],
  ["a dotted table", (chars) => `[${"a.".repeat(chars / 2)}b]\nc=1\n`],
  [
    "keys in a dotted table",
    (chars) => `[${"a.".repeat(chars / 4)}b]\n${numbered(chars / 2, (at) => `k${at}=1\n`)}`,
  ],
  ["inline tables", (chars) => `a=${nested(chars, "{b=", "1", "}")}`],
  ["arrays of TOML", (chars) => `a=${nested(chars, "[", "", "]")}`],
  [
    "requests of Python",
    (chars) => `[project]\nname='a'\ndependencies=[${numbered(chars, (at) => `"p${at}>=1"`, ",\n")}]`,
  ],
  [
    "crates of one name",
    (chars) =>
      `version = 4\n${numbered(chars, (at) => `[[package]]\nname = "a"\nversion = "1.0.${at}"\ndependencies = ["a 1.0.${at + 1}"]\n`)}`,
  ],
  [
    "tables of uv",
    (chars) =>
      `version = 1\n${numbered(chars, (at) => `[[package]]\nname = "a"\nversion = "1.0.${at}"\ndependencies = [{ name = "a", version = "1.0.${at + 1}" }]\n`)}`,
  ],
  [
    "a chain of Poetry",
    (chars) =>
      `${numbered(chars, (at) => `[[package]]\nname = "a${at}"\nversion = "1"\n[package.dependencies]\na${at + 1} = "*"\n`)}[metadata]\nlock-version = "2.0"\n`,
  ],
  ["objects of JSON", (chars) => nested(chars, '{"a":', "1", "}")],
  ["lists of JSON", (chars) => `{"a":${nested(chars, "[", "", "]")}}`],
  ["dependencies in dependencies", (chars) => nested(chars, '{"dependencies":{"a":', "1", "}}")],
  ["nested overrides", (chars) => `{"overrides":${nested(chars, '{"a":', '"1"', "}")}}`],
  ["requests of npm", (chars) => `{"dependencies":{${numbered(chars, (at) => `"p${at}":"^1.0.0"`, ",\n")}}}`],
  ["a long name", (chars) => `{"dependencies":{"${"a".repeat(chars)}":"1"}}`],
  [
    "a chain of npm",
    (chars) =>
      `{"lockfileVersion":3,"packages":{${numbered(chars, (at) => `"node_modules/p${at}":{"version":"1","dependencies":{"p${at + 1}":"1"}}`, ",")}}}`,
  ],
  [
    "a chain of Bun",
    (chars) =>
      `{"lockfileVersion":1,"workspaces":{"":{"dependencies":{"p0":"1"}}},"packages":{${numbered(chars, (at) => `"p${at}":["p${at}@1.0.0","",{"dependencies":{"p${at + 1}":"1"}},"sha512-a"]`, ",")}}}`,
  ],
  [
    "a chain of Yarn 1",
    (chars) =>
      `# yarn lockfile v1\n${numbered(chars, (at) => `p${at}@^1.0.0:\n  version "1.0.0"\n  dependencies:\n    p${at + 1} "^1.0.0"\n\n`)}`,
  ],
  [
    "versions of one name of Yarn 1",
    (chars) =>
      `# yarn lockfile v1\n${numbered(chars, (at) => `p@^1.0.${at}:\n  version "1.0.${at}"\n  dependencies:\n    p "^2"\n\n`)}`,
  ],
  [
    "a chain of Yarn 4",
    (chars) =>
      `__metadata:\n  version: 8\n\n${numbered(chars, (at) => `"p${at}@npm:^1.0.0":\n  version: 1.0.0\n  resolution: "p${at}@npm:1.0.0"\n  dependencies:\n    p${at + 1}: "npm:^1.0.0"\n\n`)}`,
  ],
  [
    "packages of pnpm",
    (chars) =>
      `lockfileVersion: '6.0'\npackages:\n${numbered(chars, (at) => `  /p${at}@1.0.0:\n    resolution: {integrity: a}\n    dependencies:\n      p${at + 1}: 1.0.0\n`)}`,
  ],
  ["flow mappings of YAML", (chars) => `a: ${nested(chars, "{a: ", "1", "}")}`],
  ["elements of XML", (chars) => nested(chars, "<a>", "", "</a>")],
  [
    "a chain of properties",
    (chars) =>
      `<project><properties>${numbered(chars, (at) => `<p${at}>\${p${at + 1}}</p${at}>`)}</properties><dependencies><dependency><groupId>a</groupId><artifactId>b</artifactId><version>\${p0}</version></dependency></dependencies></project>`,
  ],
  [
    "a chain of MSBuild",
    (chars) =>
      `<Project><PropertyGroup>${numbered(chars, (at) => `<V${at}>$(V${at + 1})</V${at}>`)}</PropertyGroup><ItemGroup><PackageReference Include="a" Version="$(V0)" /></ItemGroup></Project>`,
  ],
  [
    "a chain of Gradle",
    (chars) =>
      `${numbered(chars, (at) => `def v${at} = "\${v${at + 1}}"\n`)}dependencies {\n implementation "a:b:$v0"\n}\n`,
  ],
  [
    "a chain of NuGet",
    (chars) =>
      `{"version":1,"dependencies":{"net8.0":{${numbered(chars, (at) => `"P${at}":{"type":"Transitive","resolved":"1","dependencies":{"P${at + 1}":"1"}}`, ",")}}}}`,
  ],
  [
    "a chain of Composer",
    (chars) =>
      `{"packages":[${numbered(chars, (at) => `{"name":"a/p${at}","version":"1","require":{"a/p${at + 1}":"1"}}`, ",")}],"packages-dev":[]}`,
  ],
  [
    "a chain of Bundler",
    (chars) =>
      `GEM\n  remote: https://x/\n  specs:\n${numbered(chars, (at) => `    p${at} (1.0)\n      p${at + 1}\n`)}\nDEPENDENCIES\n  p0\n`,
  ],
  ["groups of a Gemfile", (chars) => nested(chars, "group :a do\n", "", "end\n")],
  ["a long call of Ruby", (chars) => `gem "a",\n${'  "1",\n'.repeat(chars / 7)}\n`],
  [
    "modules of Go",
    (chars) =>
      `module a\n${numbered(chars, (at) => `require x.y/p${at} v1.0.0\nreplace x.y/p${at} => x.y/q${at} v1.0.0\n`)}`,
  ],
  ["checksums of Go", (chars) => numbered(chars, (at) => `x.y/p${at} v1.0.0 h1:a=\n`)],
  ["hashes of requirements", (chars) => `a==1 ${"\\\n    --hash=sha256:00 ".repeat(chars / 22)}\n`],
  ["extras of a requirement", (chars) => `a[${"b,".repeat(chars / 2)}]==1\n`],
  [
    "arguments of a Dockerfile",
    (chars) => numbered(chars, (at) => `ARG V${at + 1}=\${V${at}}\nFROM a:\${V${at}} AS s${at}\n`),
  ],
  ["heredocs of a Dockerfile", (chars) => "RUN <<A <<B\n".repeat(chars / 12)],
  [
    "packages of Elixir",
    (chars) =>
      `%{\n${numbered(chars, (at) => `  "p${at}": {:hex, :p${at}, "1.0", "h", [:mix], [{:p${at + 1}, "~> 1.0", [hex: :b]}], "hexpm", "o"},\n`)}}\n`,
  ],
  [
    "requests of Elixir",
    (chars) => `defp deps do\n[${numbered(chars, (at) => `{:p${at}, "~> 1.0"}`, ",\n")}]\nend\n`,
  ],
  ["blocks of Terraform", (chars) => nested(chars, "a {\n", "", "}\n")],
  [
    "packages of Dart",
    (chars) =>
      `packages:\n${numbered(chars, (at) => `  p${at}:\n    dependency: transitive\n    description:\n      name: p${at}\n    source: hosted\n    version: "1"\n`)}`,
  ],
];

/** The larger one is big enough to tell quadratic time from the noise of a busy machine. */
const SMALL_CHARS = 25_000;
const LARGE_CHARS = 4 * SMALL_CHARS;

/** Less says nothing about growth. */
const MIN_CPU_MS = 80;

/** Linear time grows to 4 times, quadratic time to 16 times. */
const MAX_GROWTH = 9;

/** Other processes disturb a measurement, so one that seems slow is repeated. The least of a few is the reader's own time. */
const TRIES = 4;

for (const format of FORMATS) {
  test(`${format.name} is read in linear time, whatever it contains`, () => {
    const read = (text: string): void => {
      const file = format.read(text, format.name);
      if (typeof file === "string") return;
      for (const entry of [null, ...file.listed]) file.needsOf?.(entry);
    };
    const leastMs = (text: string): number =>
      Math.min(...Array.from({ length: TRIES }, () => cpuMs(() => read(text))));
    for (const [shape, write] of SHAPES) {
      const [small, large] = [write(SMALL_CHARS), write(LARGE_CHARS)];
      if (cpuMs(() => read(large)) < MIN_CPU_MS) continue;
      const [smallMs, largeMs] = [leastMs(small), leastMs(large)];
      const isLinear = largeMs < MIN_CPU_MS || largeMs < MAX_GROWTH * smallMs;
      assert.ok(isLinear, `${shape}: ${smallMs} ms, then ${largeMs} ms`);
    }
  });
}
