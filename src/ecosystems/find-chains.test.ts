import assert from "node:assert/strict";
import { test } from "node:test";
import { compareFiles } from "../../test/support/compare-files.ts";

const lockOf = (version: string): string => `%{
  "phoenix": {:hex, :phoenix, "1.7.0", "a", [:mix], [{:plug, "~> 1.14", []}], "hexpm", "b"},
  "plug": {:hex, :plug, "${version}", "c${version}", [:mix], [{:mime, "~> 2.0", []}], "hexpm", "d${version}"},
  "mime": {:hex, :mime, "2.0.${version.slice(-1)}", "e${version}", [:mix], [], "hexpm", "f${version}"},
}
`;
const manifest =
  'defmodule A do\n  defp deps do\n    [{:phoenix, "~> 1.7"}, {:plug, "~> 1.14"}]\n  end\nend\n';

test("an unchanged manifest says which packages are direct when the lockfile doesn't", () => {
  const { packages } = compareFiles([
    { path: "mix.lock", base: { text: lockOf("1.14.0") }, head: { text: lockOf("1.14.1") } },
    { path: "mix.exs", base: { text: manifest }, head: { text: manifest } },
  ]);
  assert.deepEqual(
    packages.map(({ name, chain, isDirect }) => [name, chain, isDirect]),
    [
      ["plug", ["plug"], true],
      ["mime", ["plug", "mime"], false],
    ],
  );
});

test("without a manifest, the chain begins at a package that no other needs", () => {
  const { packages } = compareFiles([
    { path: "mix.lock", base: { text: lockOf("1.14.0") }, head: { text: lockOf("1.14.1") } },
  ]);
  assert.deepEqual(
    packages.map(({ chain }) => chain),
    [
      ["phoenix", "plug", "mime"],
      ["phoenix", "plug"],
    ],
  );
});

test("a new module or central version isn't missing from a lockfile", () => {
  const lock = 'provider "registry.terraform.io/hashicorp/aws" {\n  version = "5.0.0"\n}\n';
  const { disagreements } = compareFiles([
    { path: ".terraform.lock.hcl", base: { text: lock }, head: { text: lock } },
    {
      path: "main.tf",
      base: { text: "" },
      head: {
        text: 'module "a" {\n  source = "ns/a/aws"\n  version = "1.0.0"\n}\nterraform {\n  required_providers {\n    random = "~> 3.0"\n  }\n}\n',
      },
    },
  ]);
  assert.deepEqual(
    disagreements.map(({ name }) => name),
    ["hashicorp/random"],
  );
});
