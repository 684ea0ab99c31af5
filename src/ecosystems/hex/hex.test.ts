import assert from "node:assert/strict";
import { test } from "node:test";
import { readWith } from "../../../test/support/show-packages.ts";
import { summarizeFile } from "../../../test/support/summarize-entries.ts";
import { HEX } from "./hex.ts";

const EXS = `defmodule App.MixProject do
  use Mix.Project
  @plug_version "~> 1.15"

  def project do
    [
      app: :app,
      description: "An #{inspect("app")} # not a comment {:no, \\"1.0\\"}",
      deps: deps(),
      docs: [extras: [{:"README.md", [title: "x"]}]]
    ]
  end

  def application, do: [mod: {App, []}, env: [{:key, "value"}]]

  # {:commented, "~> 1.0"}
  defp deps do
    [
      {:phoenix, "~> 1.7.0"},
      {:plug, @plug_version},
      {:ex_doc, "~> 0.31", only: [:dev, :test], runtime: false},
      {:jason, "1.4.1", optional: true},
      {:forked, "~> 1.0", hex: :other_name},
      {:from_git, git: "https://token@git.example.org/a.git",
        tag: "v1.0.0"},
      {:from_github, github: "owner/name", branch: "main"},
      {:local, path: "../local"},
      {:umbrella, in_umbrella: true},
      {:dynamic, version()},
      {:prod_too, ">= 0.0.0", only: [:prod, :dev]}
    ]
  end

  defp aliases do
    [{:setup, "deps.get"}]
  end
end
`;

const LOCK = `%{
  "castore": {:hex, :castore, "1.0.5", "aaa", [:mix], [], "hexpm", "bbb"},
  "plug": {:hex, :plug, "1.15.2", "ccc", [:mix], [{:mime, "~> 1.0 or ~> 2.0", [hex: :mime, repo: "hexpm", optional: false]}, {:castore, ">= 0.0.0", [hex: :castore, repo: "hexpm", optional: true]}], "hexpm", "ddd"},
  "mime": {:hex, :mime, "2.0.5", "eee", [:mix], [], "hexpm"},
  "old": {:hex, :old, "0.1.0"},
  "renamed": {:hex, :other_name, "1.0.0", "fff", [:mix], [], "acme", "ggg"},
  "from_git": {:git, "https://token@git.example.org/a.git", "0123456789abcdef", [tag: "v1.0.0"]},
  "constructor": {:hex, :constructor, "1.0.0", "hhh", [:rebar3], [{:__proto__, "~> 1.0", []}], "hexpm", "iii"},
  __proto__: {:hex, :__proto__, "2.0.0", "jjj", [:mix], [], "hexpm", "kkk"},
}
`;

const CASES = [
  [
    "mix.exs",
    EXS,
    [
      "phoenix - (~> 1.7.0) :19",
      "plug - (~> 1.15) :20",
      "ex_doc - (~> 0.31) dev :21",
      "jason 1.4.1 optional :22",
      "other_name - (~> 1.0) :23 [forked]",
      "from_git v1.0.0 :24 git https://git.example.org/a.git",
      "from_github main :26 git https://github.com/owner/name",
      "local - :27 local ../local",
      "umbrella - :28 local",
      "prod_too - (>= 0.0.0) :30",
    ],
  ],
  [
    "apps/web/mix.lock",
    LOCK,
    [
      "castore 1.0.5 hexpm #inner:aaa outer:bbb",
      "plug 1.15.2 hexpm #inner:ccc outer:ddd",
      "mime 2.0.5 hexpm #inner:eee",
      "old 0.1.0",
      "other_name 1.0.0 [renamed] acme #inner:fff outer:ggg",
      "from_git 0123456789abcdef git https://git.example.org/a.git said v1.0.0",
      "constructor 1.0.0 hexpm #inner:hhh outer:iii",
      "__proto__ 2.0.0 hexpm #inner:jjj outer:kkk",
    ],
  ],
  ["mix.lock", '["a": {:package, "0.2"},\n "b": {:hex, :b, "1.0"}]', "unknown-format-version"],
  ["mix.lock", '%{"a" => {:hex, :a, "1.0"}}', ["a 1.0"]],
  ["mix.lock", "%{}", []],
  ["mix.lock", '%{"a": {:svn, "x"}}', "unknown-format-version"],
  ["mix.lock", '%{"a": {:hex, :a, "1.0"', "malformed"],
  ["mix.lock", "", "malformed"],
  ["mix.exs", "puts 1\n", "malformed"],
] as const;

for (const [index, [path, text, expected]] of CASES.entries()) {
  test(`${path} (${String(index)})`, () => {
    assert.deepEqual(summarizeFile(readWith(HEX.formats, path, text)), expected);
  });
}

test("mix.lock has the graph", () => {
  const file = readWith(HEX.formats, "mix.lock", LOCK);
  assert.ok(typeof file !== "string");
  const needs = (name: string): readonly string[] | undefined =>
    file.needsOf?.(file.listed.find((entry) => entry.name === name) ?? null).map((entry) => entry.name);
  assert.deepEqual(needs("plug"), ["mime", "castore"]);
  assert.deepEqual(needs("constructor"), ["__proto__"]);
  assert.deepEqual(needs("castore"), []);
});
