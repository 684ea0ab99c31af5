import assert from "node:assert/strict";
import { test } from "node:test";
import { runRule } from "../../../test/support/run-rule.ts";
import type { DependencyReport } from "../../ecosystems/dependency-report.ts";
import { dependencyAdvisory } from "../checks/dependency-advisory.ts";
import { dependencyTampering } from "../checks/dependency-tampering.ts";
import { exampleReport } from "../../../test/support/example-report.ts";

const LOCK = { path: "package-lock.json", before: '{ "a": 1 }\n', after: '{ "a": 2 }\n' };

/** Each package comes from another registry, and one has other bytes. */
function switched(names: readonly string[]): DependencyReport {
  const kinds = ["registry-changed", "integrity-changed"] as const;
  const reports = [...names, "other"].map((name, index) =>
    exampleReport({
      change: { name },
      signals: [{ kind: kinds[index === names.length ? 1 : 0], path: LOCK.path, from: "a", to: "b" }],
    }),
  );
  return { ...exampleReport({}), packages: reports.flatMap(({ packages }) => packages) };
}

test("vulnerable packages of one lockfile are one finding that names them", () => {
  const advisory = {
    id: "GHSA-1",
    aliases: [],
    severity: "high",
    summary: "",
    url: null,
    fixedIn: [],
  } as const;
  const reports = ["one", "two"].map((name) =>
    exampleReport({
      change: { name, places: [{ path: LOCK.path, line: 0, from: "1.0.0", to: "2.0.0" }] },
      advisories: { kind: "found", value: [{ fate: "introduced", advisory }] },
    }),
  );
  const dependencies = { ...exampleReport({}), packages: reports.flatMap(({ packages }) => packages) };
  const found = runRule(dependencyAdvisory, { files: [LOCK], dependencies });
  assert.deepEqual(
    found.map(({ title }) => title),
    ["Known vulnerabilities in `one` `2.0.0` and 1 more package"],
  );
  assert.match(
    found[0]?.body ?? "",
    /`one`: the change introduces GHSA-1.*`two`: the change introduces GHSA-1/s,
  );
});

test("a lockfile with a thousand signals is one finding that explains the first ones", () => {
  const names = Array.from({ length: 1_000 }, (_, index) => `package-${index}`);
  const found = runRule(dependencyTampering, { files: [LOCK], dependencies: switched(names) });
  assert.deepEqual(
    found.map(({ title }) => title),
    ["Possible tampering: `package-0` and 1,000 more packages"],
  );
  assert.match(found[0]?.body ?? "", /About `package-4`: the same version comes from another registry/);
  assert.doesNotMatch(found[0]?.body ?? "", /package-5/);
});

test("a title names the problem that all packages of a file share", () => {
  const dependencies = {
    ...switched(["one", "two"]),
    packages: switched(["one", "two"]).packages.slice(0, 2),
  };
  const found = runRule(dependencyTampering, { files: [LOCK], dependencies });
  assert.deepEqual(
    found.map(({ title }) => title),
    ["Other registry under the same version: `one` and 1 more package"],
  );
});
