import assert from "node:assert/strict";
import { test } from "node:test";
import { readWith } from "../../../test/support/show-packages.ts";
import { summarizeFile } from "../../../test/support/summarize-entries.ts";
import { NUGET } from "./nuget.ts";

const PROJECT = `<Project Sdk="Microsoft.NET.Sdk;Aspire.AppHost.Sdk/9.0.0">
  <PropertyGroup>
    <SerilogVersion>3.1.1</SerilogVersion>
    <Twice>1.0</Twice>
  </PropertyGroup>
  <PropertyGroup Condition="'$(X)' == ''"><Twice>2.0</Twice></PropertyGroup>
  <ItemGroup>
    <PackageReference Include="Newtonsoft.Json" Version="13.0.3" />
    <PackageReference Include="Serilog">
      <Version>$(SerilogVersion)</Version>
    </PackageReference>
    <PackageReference Include="StyleCop.Analyzers" Version="1.1.118" PrivateAssets="All" />
    <PackageReference Include="coverlet.collector"><PrivateAssets>all</PrivateAssets></PackageReference>
    <PackageReference Update="Central" VersionOverride="[2.0.0]" Version="1.0.0" />
    <PackageReference Include="Floating" Version="8.0.*" />
    <PackageReference Include="Unknown" Version="$(Twice)" />
    <PackageReference Include="constructor;__proto__" Version="1.0.0" />
    <PackageReference Include="@(Items)" Version="1.0.0" />
  </ItemGroup>
  <ItemGroup Condition="'$(TargetFramework)' == 'net48'">
    <PackageReference include="System.Memory" version="4.5.5" />
  </ItemGroup>
</Project>
`;

const LOCK = JSON.stringify({
  version: 2,
  dependencies: {
    "net8.0": {
      "Newtonsoft.Json": { type: "Direct", requested: "[13.0.3, )", resolved: "13.0.3", contentHash: "aaa=" },
      Exact: {
        type: "Direct",
        requested: "[1.0.0, 1.0.0]",
        resolved: "1.0.0",
        dependencies: { Deep: "2.0" },
      },
      deep: { type: "Transitive", resolved: "2.0.0", contentHash: "bbb=" },
      lib: { type: "Project", dependencies: { "Newtonsoft.Json": "[13.0.3, )" } },
      __proto__x: { type: "CentralTransitive", resolved: "1.0.0" },
    },
    "net8.0/linux-x64": { Native: { type: "Transitive", resolved: "3.0.0", dependencies: { Deep: "2.0" } } },
  },
});

const CASES = [
  [
    "src/App.csproj",
    PROJECT,
    [
      "aspire.apphost.sdk 9.0.0 build :1 [sdk]",
      "newtonsoft.json 13.0.3 :8",
      "serilog 3.1.1 :3",
      "stylecop.analyzers 1.1.118 dev :12",
      "coverlet.collector - dev :13",
      "central 2.0.0 ([2.0.0]) :14",
      "floating - (8.0.*) :15",
      "unknown - :16",
      "constructor 1.0.0 :17",
      "__proto__ 1.0.0 :17",
      "system.memory 4.5.5 :21 ['$(TargetFramework)' == 'net48']",
    ],
  ],
  [
    "Directory.Packages.props",
    '\uFEFF<Project>\r\n<ItemGroup>\r\n<PackageVersion Include="A.B" Version="1.0.0" />\r\n<GlobalPackageReference Include="C" Version="2.0" />\r\n</ItemGroup>\r\n</Project>',
    ["a.b 1.0.0 :3", "c 2.0 dev :4"],
  ],
  [
    "old/packages.config",
    '<?xml version="1.0" encoding="utf-8"?>\n<packages>\n  <package id="EntityFramework" version="6.4.4" targetFramework="net48" />\n  <package id="Tool" version="1.0" developmentDependency="true" />\n</packages>',
    ["entityframework 6.4.4 :3 [net48]", "tool 1.0 dev :4"],
  ],
  [
    "packages.lock.json",
    LOCK,
    [
      "newtonsoft.json 13.0.3 [net8.0] #aaa=",
      "exact 1.0.0 [net8.0]",
      "deep 2.0.0 [net8.0] #bbb=",
      "lib - [net8.0] local lib",
      "__proto__x 1.0.0 [net8.0]",
      "native 3.0.0 [net8.0/linux-x64]",
    ],
  ],
  [
    "packages.lock.json",
    '{"version": 3, "net10": {"framework": "net10.0", "dependencies": {"A": {"type": "Direct", "resolved": "1.0.0"}}}}',
    ["a 1.0.0 [net10]"],
  ],
  [
    ".config/dotnet-tools.json",
    '{\n  "version": 1,\n  "tools": {\n    "CSharpier": { "version": "0.27.0", "commands": ["x"] }\n  }\n}',
    ["csharpier 0.27.0 dev :4 [tool]"],
  ],
  ["packages.lock.json", '{"version": 4, "dependencies": {}}', "unknown-format-version"],
  ["packages.lock.json", '{"dependencies": {}}', "malformed"],
  ["packages.lock.json", '{"version": 1}', "malformed"],
  ["App.fsproj", "<Project><ItemGroup></Project>", "malformed"],
  ["App.vbproj", "<project/>", "malformed"],
  ["packages.config", "", "malformed"],
] as const;

for (const [index, [path, text, expected]] of CASES.entries()) {
  test(`${path} (${String(index)})`, () => {
    assert.deepEqual(summarizeFile(readWith(NUGET.formats, path, text)), expected);
  });
}

test("packages.lock.json has the requests and the graph of each framework", () => {
  const file = readWith(NUGET.formats, "packages.lock.json", LOCK);
  assert.ok(typeof file !== "string");
  assert.deepEqual(file.requested, [
    { name: "newtonsoft.json", requirement: "13.0.3", folder: "" },
    { name: "exact", requirement: "[1.0.0]", folder: "" },
  ]);
  const needs = (name: string | null): readonly string[] | undefined =>
    file.needsOf?.(file.listed.find((entry) => entry.name === name) ?? null).map((entry) => entry.name);
  assert.deepEqual(needs(null), ["newtonsoft.json", "exact", "lib"]);
  assert.deepEqual(needs("exact"), ["deep"]);
  assert.deepEqual(needs("lib"), ["newtonsoft.json"]);
  assert.deepEqual(needs("native"), ["deep"]);
});
