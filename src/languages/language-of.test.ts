import assert from "node:assert/strict";
import { test } from "node:test";
import { SYNTAX_LANGUAGES } from "../syntax/syntax.ts";
import { isProgramming, languageOf, languageOfFirstLine } from "./language-of.ts";

const LANGUAGES: readonly [path: string, language: string][] = [
  ["src/a.js", "javascript"],
  ["a.mjs", "javascript"],
  ["a.cjs", "javascript"],
  ["a.jsx", "javascript"],
  ["a.ts", "typescript"],
  ["a.d.ts", "typescript"],
  ["a.mts", "typescript"],
  ["a.cts", "typescript"],
  ["a.tsx", "tsx"],
  ["A.TS", "typescript"],
  ["index.HTML", "html"],
  ["a.css", "css"],
  ["a.scss", "scss"],
  ["a.py", "python"],
  ["a.pyi", "python"],
  ["a.go", "go"],
  ["A.java", "java"],
  ["a.rs", "rust"],
  ["a.c", "c"],
  ["a.h", "c"],
  ["a.cc", "cpp"],
  ["a.hpp", "cpp"],
  ["a.cs", "csharp"],
  ["a.rb", "ruby"],
  ["a.php", "php"],
  ["views/a.blade.php", "php"],
  ["a.sh", "bash"],
  ["a.zsh", "bash"],
  ["a.sql", "sql"],
  ["a.yml", "yaml"],
  ["a.yaml", "yaml"],
  ["a.json", "json"],
  ["a.toml", "toml"],
  ["pom.xml", "xml"],
  ["README.md", "markdown"],
  ["a.kt", "kotlin"],
  ["build.gradle.kts", "kotlin"],
  ["build.gradle", "groovy"],
  ["a.swift", "swift"],
  ["a.scala", "scala"],
  ["a.m", "objective-c"],
  ["a.dart", "dart"],
  ["a.ex", "elixir"],
  ["a.erl", "erlang"],
  ["a.hs", "haskell"],
  ["a.ml", "ocaml"],
  ["a.fs", "fsharp"],
  ["a.clj", "clojure"],
  ["a.lua", "lua"],
  ["a.pl", "perl"],
  ["a.R", "r"],
  ["a.jl", "julia"],
  ["a.zig", "zig"],
  ["a.nim", "nim"],
  ["a.ps1", "powershell"],
  ["a.vue", "vue"],
  ["a.svelte", "svelte"],
  ["a.sol", "solidity"],
  ["a.proto", "protobuf"],
  ["a.graphql", "graphql"],
  ["main.tf", "hcl"],
  ["a.nix", "nix"],
  ["a.bzl", "starlark"],
  ["BUILD.bazel", "starlark"],
  ["pkg/BUILD", "starlark"],
  ["a.ipynb", "jupyter"],
  ["Dockerfile", "dockerfile"],
  ["Dockerfile.dev", "dockerfile"],
  ["docker/api.Dockerfile", "dockerfile"],
  ["Dockerfile.md", "markdown"],
  ["Dockerfile.dockerignore", "unknown"],
  ["Makefile", "makefile"],
  ["Makefile.am", "makefile"],
  ["rules.mk", "makefile"],
  ["Jenkinsfile", "groovy"],
  ["Rakefile", "ruby"],
  ["Gemfile", "ruby"],
  ["CMakeLists.txt", "cmake"],
  [".bashrc", "bash"],
  ["go.mod", "gomod"],
  [".env", "ini"],
  [".env.production", "ini"],
  ["LICENSE", "text"],
  ["notes.txt", "text"],
  ["photo.png", "unknown"],
  ["no-extension", "unknown"],
  ["dir.ts/file", "unknown"],
  ["", "unknown"],
  ["constructor", "unknown"],
  ["a.constructor", "unknown"],
];

test("names and extensions decide the language", () => {
  for (const [path, language] of LANGUAGES) assert.equal(languageOf(path), language, path);
});

test("the first line of a script names its language", () => {
  assert.equal(languageOfFirstLine("#!/bin/sh -e"), "bash");
  assert.equal(languageOfFirstLine("#!/usr/bin/env -S bash"), "bash");
  assert.equal(languageOfFirstLine("#!/usr/bin/env python3.12"), "python");
  for (const line of ["#!/bin/zsh", "# sh", "", "#!/usr/bin/env"])
    assert.equal(languageOfFirstLine(line), "unknown");
});

test("a header is C++ when the change has C++ files", () => {
  assert.equal(languageOf("include/a.h", { hasCpp: true }), "cpp");
  assert.equal(languageOf("include/A.H", { hasCpp: true }), "cpp");
  assert.equal(languageOf("include/a.h", { hasCpp: false }), "c");
});

test("at least 45 languages are known, including every language with a syntax tree", () => {
  const known = new Set(LANGUAGES.map(([path]) => languageOf(path)));
  assert.ok(known.size >= 45, `${known.size}`);
  for (const language of SYNTAX_LANGUAGES) assert.ok(known.has(language), language);
});

test("data isn't code", () => {
  for (const language of ["typescript", "bash", "sql", "dockerfile", "hcl", "html"]) {
    assert.ok(isProgramming(language), language);
  }
  for (const language of ["json", "markdown", "css", "unknown"])
    assert.ok(!isProgramming(language), language);
});
