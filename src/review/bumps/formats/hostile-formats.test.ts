/** No text makes a reader throw or take long, whatever a pull request contains. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { FileFormat } from "../ecosystem.ts";
import { ACTIONS_FORMATS } from "./actions/workflow.ts";
import { DART_FORMATS } from "./dart/dart-formats.ts";
import { DOCKER_FORMATS } from "./docker/docker-formats.ts";
import { DOTNET_FORMATS } from "./dotnet/dotnet-formats.ts";
import { ELIXIR_FORMATS } from "./elixir/elixir-formats.ts";
import { JAVA_FORMATS } from "./java/java-formats.ts";
import { PHP_FORMATS } from "./php/php-formats.ts";
import { PRE_COMMIT_FORMATS } from "./pre-commit/pre-commit-config.ts";
import { TERRAFORM_FORMATS } from "./terraform/terraform-formats.ts";

const FORMATS: readonly FileFormat[] = [
  ...JAVA_FORMATS,
  ...PHP_FORMATS,
  ...DOTNET_FORMATS,
  ...DART_FORMATS,
  ...ELIXIR_FORMATS,
  ...ACTIONS_FORMATS,
  ...DOCKER_FORMATS,
  ...PRE_COMMIT_FORMATS,
  ...TERRAFORM_FORMATS,
];

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

/** Texts on which a reader that goes back over its input would take minutes. */
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

test("repeated characters take linear time", { timeout: 120_000 }, () => {
  for (const unit of REPEATED) {
    const text = unit.repeat(Math.ceil(100_000 / unit.length));
    for (const { read, name } of FORMATS) {
      const start = process.cpuUsage();
      read(text, name);
      const { user } = process.cpuUsage(start);
      assert.ok(user < 3_000_000, `${name} takes ${String(user)} µs for ${JSON.stringify(unit)}`);
    }
  }
});
