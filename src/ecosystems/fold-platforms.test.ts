import { deepEqual } from "node:assert/strict";
import { test } from "node:test";
import { exampleReport } from "../../test/support/example-report.ts";
import type { ReportedPackage } from "./dependency-report.ts";
import { foldPlatforms } from "./fold-platforms.ts";

type Facts = Parameters<typeof exampleReport>[0];

function packageOf(name: string, parent: string | null, more: Facts = {}): ReportedPackage {
  const chain = parent === null ? [name] : [parent, name];
  const [found] = exampleReport({
    ...more,
    change: { name, chain, isDirect: parent === null, ...more.change },
  }).packages;
  if (found === undefined) throw new Error("an example has one package");
  return found;
}

const shown = (packages: readonly ReportedPackage[]): readonly string[] =>
  foldPlatforms(packages).map(({ reported, platforms }) =>
    [reported, ...platforms].map(({ change }) => change.name).join(" + "),
  );

test("platforms of one program are shown with it, or with the first of them", () => {
  const names = ["@esbuild/linux-x64", "@esbuild/android-arm", "@esbuild/win32-ia32"];
  const platforms = names.map((name) => packageOf(name, "esbuild"));
  deepEqual(shown([packageOf("esbuild", null), packageOf("zod", null), ...platforms]), [
    `esbuild + ${names.join(" + ")}`,
    "zod",
  ]);
  deepEqual(shown(platforms), [names.join(" + ")]);
});

test("a platform with another step, a fact of its own or a request of its own has its own row", () => {
  const signals = [{ kind: "unneeded", path: null, from: null, to: null }] as const;
  const { from } = packageOf("esbuild", null).change;
  const packages = [
    packageOf("esbuild", null),
    packageOf("@esbuild/linux-x64", "esbuild", { signals }),
    packageOf("@esbuild/darwin-x64", "esbuild", { change: { from: null } }),
    packageOf("@esbuild/win32-x64", null),
    packageOf("is-windows", "other", { change: { to: from } }),
    packageOf("linux-things", "esbuild"),
  ];
  deepEqual(
    shown(packages),
    packages.map(({ change }) => change.name),
  );
});
